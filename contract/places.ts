import type { Page } from './noun.ts'

/** Addresses of the web app that are no noun's. `$tab` and `$guid` stand for what is shown. */
export const places = {
  start: '/',
  login: '/login',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  acceptInvitation: '/accept-invitation',
  lobby: '/auth-lobby',
  waiting: '/auth-waiting',
  notAuthorized: '/not-authorized',
  accessControl: '/access-control',
  settings: '/pages/account-settings/$tab',
  profile: '/pages/user-profile/$tab',
  outbox: '/dev/email-accounts',
  testCards: '/dev/test-data-cards',
  journals: '/dev/banking-journals',
  devPermissions: '/dev/role-permissions',
  jobStrings: '/dev/job-type-service-strings',
} as const

/** Pages that ask for a right of their own. */
export const dashboard = {
  path: '/dashboards/ecommerce',
  can: ['read', 'Dashboards:Ecommerce'],
} as const satisfies Page
/** How the installation is: its scheduled jobs. */
export const serverMeta = {
  path: '/dashboards/server-meta',
  can: ['manage', 'Cron:Jobs'],
} as const satisfies Page
export const bookingSelections = {
  path: '/apps/booking-option-selections/list',
  can: ['read', 'Products:BookingOptions:Selections:Preview:All'],
} as const satisfies Page
/** What somebody else must approve before it is given back. */
export const refundRequests = {
  path: '/apps/accounting/refunds',
  can: ['read', 'Payments:Refunds'],
} as const satisfies Page
/** What customers owe, by how late it is, and what each of them is told of it. */
export const agedReceivables = { path: '/apps/accounting/aged', can: ['read', 'Journal'] } as const satisfies Page
export const statementPage = {
  path: '/apps/accounting/statements',
  can: ['read', 'Statements'],
} as const satisfies Page
/** Deposits that wait to be credited, applied or given back. */
export const depositsHeld = { path: '/apps/accounting/deposits', can: ['read', 'Journal'] } as const satisfies Page
/** The books. */
export const accounting = {
  journal: { path: '/apps/accounting/journal', can: ['read', 'Payments:Journals'] },
  trialBalance: { path: '/apps/accounting/trial-balance', can: ['read', 'Journal'] },
  ledger: { path: '/apps/accounting/ledger', can: ['read', 'Journal'] },
  bas: { path: '/apps/accounting/bas', can: ['read', 'Tax:Bas'] },
  exports: { path: '/apps/accounting/exports', can: ['read', 'Tax:Export'] },
} as const satisfies Record<string, Page>
export const devRight = ['read', 'Dev'] as const
export const loginRight = ['read', 'Auth:Login'] as const

/** What a customer opens with the link of a document. */
export const servicePages = {
  quote: { path: '/service/q/$guid', can: ['read', 'Service:Quote'] },
  order: { path: '/service/o/$guid', can: ['read', 'Service:Order'] },
  invoice: { path: '/service/i/$guid', can: ['read', 'Service:Invoice'] },
  statement: { path: '/service/s/$guid', can: ['read', 'Service:Statement'] },
  request: { path: '/service/r/$guid', can: ['read', 'Service:Request'] },
  /** `$guid` is the token of the link. */
  unsubscribe: { path: '/service/u/$guid', can: ['read', 'Service:Unsubscribe'] },
} as const satisfies Record<string, Page>

/** The short form of the same, as it stands in mails of older versions. */
export const serviceShort = { quote: '/service-q-', order: '/service-o-', invoice: '/service-i-' } as const

export const settingsPath = (tab: 'account' | 'security' | 'formats' | 'notifications' | 'appearance'): string =>
  places.settings.replace('$tab', tab)
export const profilePath = (tab: 'profile' | 'activity' | 'documents'): string => places.profile.replace('$tab', tab)
export const servicePath = (kind: keyof typeof servicePages, guid: string): string =>
  servicePages[kind].path.replace('$guid', guid)
