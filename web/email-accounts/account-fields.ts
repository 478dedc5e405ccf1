import {
  emailAccountInput,
  type EmailAccount,
  type EmailAccountInput,
  type EmailProvider,
  type MailServer,
  mailSecurities,
} from '../../contract/email-accounts.ts'
import { phrase } from '../core/i18n/i18n.ts'
import type { Fields } from '../record/record-facts.tsx'

const shown = (server: MailServer | null) =>
  server ? `${server.username ? `${server.username} · ` : ''}${server.host}:${server.port}` : null

export const purposeText = (purpose: string) => phrase(`emails:purpose.${purpose as EmailAccount['purpose']}`)
export const securityText = (security: string) => phrase(`emails:security.${security as MailServer['security']}`)
export const securities = mailSecurities

/** What is known of an email account, in the order of the form. */
export const emailAccountFields: Fields<EmailAccountInput> = {
  schema: emailAccountInput,
  rows: {
    purpose: { label: 'emails:field.purpose', hint: 'emails:field.purposeHint', words: purposeText },
    fromName: { label: 'emails:field.fromName' },
    fromAddress: { label: 'emails:field.fromAddress' },
    auth: { label: 'emails:field.auth', show: (auth) => auth?.kind ?? null },
    smtp: { label: 'emails:field.smtp', show: shown },
    imap: { label: 'emails:field.imap', show: shown },
    sentFolder: { label: 'emails:field.sentFolder', hint: 'emails:field.sentFolderHint' },
    dailyCap: { label: 'emails:field.dailyCap' },
    perMinuteCap: { label: 'emails:field.perMinuteCap' },
    failoverOrder: { label: 'emails:field.failoverOrder', hint: 'emails:field.failoverOrderHint' },
    plusAddressing: { label: 'emails:field.plusAddressing', hint: 'emails:field.plusAddressingHint' },
    status: { label: 'emails:field.status', words: (status) => phrase(`emails:state.${status as 'active'}`) },
  },
}

/** What the fields hold. A password that is left empty stays as it is. */
export interface AccountValues {
  purpose: EmailAccount['purpose']
  fromName: string
  fromAddress: string
  auth: { kind: 'password'; password: string } | { kind: 'oauth2'; provider: EmailProvider }
  smtp: ServerValues
  imap: ServerValues | null
  sentFolder: string
  dailyCap: number | null
  perMinuteCap: number | null
  failoverOrder: number | null
  plusAddressing: boolean
  status: 'active' | 'paused'
}
type ServerValues = Omit<MailServer, 'port'> & { port: number | null }

export const newMailbox = (username: string): ServerValues => ({ host: '', port: 993, security: 'tls', username })

export const valuesOfAccount = (account?: EmailAccount): AccountValues => ({
  purpose: account?.purpose ?? 'general',
  fromName: account?.fromName ?? '',
  fromAddress: account?.fromAddress ?? '',
  auth: account?.auth.provider
    ? { kind: 'oauth2', provider: account.auth.provider }
    : { kind: 'password', password: '' },
  smtp: account?.smtp ?? { host: '', port: 465, security: 'tls', username: '' },
  imap: account?.imap ?? null,
  sentFolder: account?.sentFolder ?? '',
  dailyCap: account?.dailyCap ?? 500,
  perMinuteCap: account?.perMinuteCap ?? 30,
  failoverOrder: account?.failoverOrder ?? 0,
  plusAddressing: account?.plusAddressing ?? false,
  status: account?.status ?? 'active',
})

/** The servers of a provider, as its accounts use them. */
export const serversOf: Readonly<
  Record<EmailProvider, (username: string) => { smtp: ServerValues; imap: ServerValues }>
> = {
  google: (username) => ({
    smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls', username },
    imap: { host: 'imap.gmail.com', port: 993, security: 'tls', username },
  }),
  microsoft: (username) => ({
    smtp: { host: 'smtp.office365.com', port: 587, security: 'starttls', username },
    imap: { host: 'outlook.office365.com', port: 993, security: 'tls', username },
  }),
}
