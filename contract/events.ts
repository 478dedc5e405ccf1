import type { NounName } from './nouns.ts'

/**
 * What a phrase about an event may be filled with: these keys of its line in the audit log,
 * and no others, reach people.
 */
export const eventValues = [
  'number',
  'title',
  'name',
  'amountCents',
  'totalCents',
  'balanceCents',
  'reason',
  'to',
  'note',
  'status',
  'method',
  'kind',
  'subject',
  'count',
  'until',
] as const
export type EventValue = (typeof eventValues)[number]

interface EventRow {
  /**
   * The noun it happens to; none for the installation as a whole, and where it may be any. Its line may stand with
   * others that it concerns, too: a payment with its invoice.
   */
  noun: NounName | null
  values: readonly EventValue[]
  tone: 'neutral' | 'primary' | 'info' | 'success' | 'warning' | 'error'
  /** Whether actions and webhooks may wait for it. */
  automates: boolean
  /** A step on the way to something that is told itself: not told on timelines. */
  isStep?: true
}

type Rows<N extends string, E extends string> = Record<`${N}.${E}`, EventRow>
/** The events of a noun, each with what differs from the usual: told to people, kept from automation. */
function eventsOf<const N extends string, const E extends string>(
  one: N,
  noun: EventRow['noun'],
  values: readonly EventValue[],
  rows: Record<E, Partial<Omit<EventRow, 'noun'>>>,
): Rows<N, E> {
  const entries = Object.entries<Partial<EventRow>>(rows).map(([event, row]) => [
    `${one}.${event}`,
    { noun, values, tone: 'primary', automates: false, ...row },
  ])
  return Object.fromEntries(entries) as Rows<N, E>
}

const automates = true
const record = { created: { automates }, updated: {}, archived: { tone: 'neutral' }, restored: {} } as const

/**
 * Everything that can happen, in one vocabulary: what the audit log writes, timelines and activity tell in the phrase
 * `timeline:what.<event>`, and actions and webhooks wait for. A name never changes once it is here.
 */
export const events = {
  ...eventsOf('customer', 'Customers', ['name'], {
    ...record,
    imported: {},
    blocked: { tone: 'warning', automates },
    unblocked: { automates },
    statement_sent: { tone: 'info', automates, values: ['to', 'amountCents', 'kind'] },
    merged: { values: ['name', 'title'] },
    unmerged: { tone: 'neutral', values: ['name', 'title'] },
    told_apart: { tone: 'neutral', values: ['name', 'title'] },
    told_alike: { tone: 'neutral', values: ['name', 'title'] },
  }),
  ...eventsOf('contact', 'Contacts', ['name'], { created: {}, updated: {}, archived: { tone: 'neutral' } }),
  ...eventsOf('import', 'Imports', ['name', 'count', 'reason'], {
    started: { isStep: true },
    stopped: { tone: 'neutral' },
    applied: { tone: 'success', automates },
    failed: { tone: 'error' },
    undone: { tone: 'warning' },
  }),
  ...eventsOf('product', 'Products', ['name', 'kind'], { ...record, activated: { tone: 'success' } }),
  ...eventsOf('stream', 'RevenueStreams', ['name'], record),
  ...eventsOf('category', 'Categories', ['name'], { ...record, moved: {} }),
  ...eventsOf('booking_option', 'BookingOptions', ['name'], record),
  ...eventsOf('price_list', 'PriceLists', ['name'], record),
  ...eventsOf('job_type', 'JobTypes', ['name'], record),
  ...eventsOf('holiday', 'Holidays', ['name'], {
    added: {},
    removed: { tone: 'neutral' },
    updated: {},
    undone: { tone: 'neutral' },
  }),
  /** Of a customer or of an invoice. */
  ...eventsOf('reminders', null, ['name', 'kind'], {
    held: { tone: 'warning', values: ['name', 'kind', 'note', 'until'] },
    continued: {},
  }),
  ...eventsOf('email_template', 'EmailTemplates', ['name', 'number'], {
    ...record,
    activated: { tone: 'success' },
    rolled_back: { tone: 'warning' },
    made_default: { tone: 'success' },
    tested: { tone: 'neutral', values: ['name', 'to'] },
  }),
  ...eventsOf('theme', 'Themes', ['name', 'number'], {
    ...record,
    activated: { tone: 'success' },
    rolled_back: { tone: 'warning' },
    made_default: { tone: 'success' },
  }),
  ...eventsOf('business', 'Businesses', ['name'], {
    created: {},
    updated: {},
    archived: { tone: 'neutral' },
    restored: {},
    period_locked: {},
    period_unlocked: { tone: 'warning', values: ['name', 'reason'] },
    basis_changed: { tone: 'warning' },
    reminders_changed: {},
    account_added: {},
    account_updated: {},
    emails_switched: {},
    entry_posted: { values: ['name', 'amountCents'] },
    entry_reversed: { values: ['name', 'amountCents', 'reason'] },
  }),
  ...eventsOf('action', 'Actions', ['name', 'reason'], {
    ...record,
    created: {},
    activated: { tone: 'success' },
    paused: { tone: 'warning' },
    replayed: { tone: 'info', values: ['name', 'count'] },
  }),
  ...eventsOf('webhook', 'Webhooks', ['name', 'reason'], {
    ...record,
    created: {},
    paused: { tone: 'warning' },
    resumed: { tone: 'success' },
    secret_changed: {},
    retried: { tone: 'neutral' },
  }),
  ...eventsOf('quote', 'Quotes', ['number', 'title', 'totalCents', 'status'], {
    ...record,
    sent: { tone: 'info', automates, values: ['number', 'title', 'totalCents', 'status', 'to'] },
    accepted: {
      tone: 'success',
      automates,
      values: ['number', 'title', 'totalCents', 'status', 'name', 'method', 'note'],
    },
    declined: { tone: 'error', automates, values: ['number', 'title', 'totalCents', 'status', 'reason', 'note'] },
    changes_requested: { tone: 'warning', automates, values: ['number', 'title', 'totalCents', 'status', 'note'] },
    commented: { tone: 'info', automates, values: ['number', 'title', 'totalCents', 'status', 'note'] },
    asks_withdrawn: { tone: 'neutral' },
    answered: { tone: 'info', automates },
    converted: { tone: 'success', automates },
    cancelled: { tone: 'neutral', automates, values: ['number', 'title', 'totalCents', 'status', 'reason'] },
    revised: {},
    link_reissued: {},
  }),
  ...eventsOf('quote_template', 'QuoteTemplates', ['name'], record),
  ...eventsOf('series', 'Series', ['title', 'totalCents', 'status', 'reason'], {
    created: {},
    updated: {},
    started: { tone: 'success', automates },
    paused: { tone: 'warning', automates },
    resumed: { tone: 'success', automates },
    completed: { tone: 'success', automates },
    cancelled: { tone: 'neutral', automates },
    failed: { tone: 'error', automates },
    quote_made: { automates, values: ['title', 'totalCents', 'number'] },
    quote_unsent: { tone: 'warning', values: ['title', 'totalCents', 'reason'] },
    missed: { tone: 'neutral', values: ['title', 'count', 'kind'] },
    rise_planned: { values: ['title', 'totalCents'] },
    rise_undone: { tone: 'neutral', values: ['title', 'totalCents'] },
  }),
  ...eventsOf('request_form', 'RequestForms', ['name'], record),
  ...eventsOf('request', 'Requests', ['name', 'title'], {
    received: { tone: 'info', automates },
    archived: { tone: 'neutral' },
    restored: {},
  }),
  ...eventsOf('order', 'Orders', ['number', 'title', 'totalCents', 'status', 'reason'], {
    ...record,
    assigned: { automates, values: ['number', 'title', 'name'] },
    confirmed: { automates },
    started: { automates },
    held: { tone: 'warning', automates },
    completed: { tone: 'success', automates },
    reopened: { automates },
    closed: { automates },
    cancelled: { tone: 'neutral', automates },
    invoiced: { values: ['number', 'kind', 'totalCents'] },
    substatus_set: { values: ['number', 'name'] },
    substatus_cleared: { tone: 'neutral', values: ['number'] },
    people_set: { values: ['number', 'name'] },
    checked: { tone: 'success', values: ['number', 'name'] },
    unchecked: { tone: 'neutral', values: ['number', 'name'] },
    cost_added: { values: ['number', 'name'] },
    noted: { values: ['number', 'note'] },
    settled: { tone: 'warning', values: ['number', 'totalCents'] },
    hired: { values: ['number', 'name'] },
    hire_returned: { values: ['number', 'name'] },
    hire_billed: { tone: 'info', values: ['number'] },
    change_created: { values: ['number', 'name', 'totalCents'] },
    change_updated: { values: ['number', 'name', 'totalCents'] },
    change_sent: { tone: 'info', automates, values: ['number', 'name', 'totalCents', 'to'] },
    change_accepted: { tone: 'success', automates, values: ['number', 'name', 'totalCents', 'method', 'to'] },
    change_declined: { tone: 'error', automates, values: ['number', 'name', 'note'] },
    change_recorded: { values: ['number', 'name', 'totalCents'] },
    change_cancelled: { tone: 'neutral', values: ['number', 'name'] },
  }),
  ...eventsOf('substatus', 'Substatuses', ['name'], record),
  ...eventsOf('invoice', 'Invoices', ['number', 'title', 'kind', 'totalCents', 'status', 'reason'], {
    ...record,
    issued: { tone: 'info', automates },
    sent: { tone: 'info', automates, values: ['number', 'kind', 'to'] },
    voided: { tone: 'error', automates },
    overdue: { tone: 'warning', automates, values: ['number', 'amountCents'] },
    written_off: { tone: 'warning', automates, values: ['number', 'amountCents', 'note'] },
    recovered: { tone: 'success', automates, values: ['number', 'amountCents'] },
    planned: { tone: 'info', values: ['number', 'count'] },
    link_reissued: {},
  }),
  ...eventsOf('deposit', 'Invoices', ['number', 'amountCents', 'name'], {
    applied: { tone: 'success' },
    forfeited: { tone: 'warning', values: ['number', 'amountCents', 'name', 'reason'] },
  }),
  ...eventsOf('payment', 'Payments', ['number', 'amountCents', 'method'], {
    started: { isStep: true },
    received: { tone: 'success', automates },
    failed: { tone: 'error', automates, values: ['amountCents', 'reason'] },
    allocated: { tone: 'success', values: ['number', 'amountCents'] },
    unallocated: { tone: 'warning', values: ['number', 'amountCents'] },
    reversed: { tone: 'error', automates, values: ['number', 'amountCents', 'reason'] },
    disputed: { tone: 'error', automates },
    dispute_won: { tone: 'success', automates },
  }),
  ...eventsOf('charge', 'Payments', ['amountCents', 'note'], {
    put_aside: { tone: 'warning' },
    booked: { tone: 'success' },
    refunded: { tone: 'warning' },
    dismissed: { tone: 'neutral' },
  }),
  ...eventsOf('refund', 'Refunds', ['number', 'amountCents', 'reason', 'note'], {
    requested: { isStep: true },
    awaits_approval: { tone: 'info', values: ['amountCents', 'note'] },
    approved: { tone: 'success', values: ['amountCents'] },
    declined: { tone: 'warning', values: ['amountCents', 'reason'] },
    request_cancelled: { tone: 'neutral', values: ['amountCents'] },
    payee_shown: { tone: 'neutral' },
    request_expired: { tone: 'neutral', values: ['amountCents'] },
    made: { tone: 'warning', automates },
    failed: { tone: 'error', automates },
  }),
  ...eventsOf('message', 'Messages', ['to', 'number', 'subject', 'reason'], {
    drafted: { isStep: true },
    attached: { isStep: true },
    scheduled: { tone: 'info' },
    queued: { isStep: true },
    sent: { tone: 'info', automates },
    failed: { tone: 'error', automates },
    suppressed: { tone: 'warning' },
    cancelled: { tone: 'neutral' },
    noted: { values: ['note'] },
    note_edited: { tone: 'neutral', values: ['note'] },
    bounced: { tone: 'error', automates },
    received: { tone: 'info', automates, values: ['name', 'number', 'subject'] },
    received_automatic: { tone: 'neutral', values: ['name', 'number', 'subject'] },
    filed: { values: ['number', 'subject'] },
    ignored: { tone: 'neutral', values: ['subject'] },
    restored: { values: ['subject'] },
    quarantine_retried: { tone: 'neutral', values: ['kind'] },
    quarantine_ignored: { tone: 'neutral', values: ['kind'] },
    address_suppressed: { tone: 'warning', values: ['to', 'kind', 'reason'] },
    address_cleared: { tone: 'success', values: ['to', 'kind', 'reason'] },
  }),
  ...eventsOf('email_account', 'EmailAccounts', ['name', 'reason'], {
    ...record,
    created: {},
    connected: { tone: 'success' },
    login_ended: { tone: 'error' },
    broke: { tone: 'error' },
  }),
  ...eventsOf('consent', 'Customers', ['to', 'kind', 'note'], {
    given: { tone: 'success' },
    withdrawn: { tone: 'warning' },
  }),
  ...eventsOf('user', 'Users', ['name', 'status', 'to'], {
    created: { automates },
    updated: {},
    role_changed: {},
    invited: { automates },
    invitation_resent: {},
    invitation_cancelled: { tone: 'neutral' },
    invitation_accepted: { tone: 'success', automates },
    photo_changed: {},
    password_set: {},
    password_changed: {},
    password_reset: {},
    disabled: { tone: 'error', automates },
    enabled: { tone: 'success' },
    two_step_removed: { tone: 'warning' },
    two_step_begun: {},
    two_step_enabled: { tone: 'success' },
    two_step_disabled: { tone: 'warning' },
    recovery_code_used: { tone: 'warning' },
    recovery_codes_created: {},
    logged_in: { tone: 'neutral' },
    logged_out: { tone: 'neutral' },
    session_ended: { tone: 'neutral' },
    sessions_ended: { tone: 'neutral' },
    notifications_chosen: {},
    role_left: { tone: 'neutral' },
  }),
  ...eventsOf('role', 'Roles', ['name'], { ...record, tried: { tone: 'neutral' } }),
  ...eventsOf('view', 'Views', ['name', 'subject'], { shared: {}, unshared: { tone: 'neutral' } }),
  ...eventsOf('tag', null, ['name', 'kind', 'title'], { added: {}, removed: { tone: 'neutral' } }),
  ...eventsOf('attachment', null, ['name', 'note'], {
    added: {},
    updated: {},
    detached: { tone: 'neutral' },
    restored: {},
    infected: { tone: 'error' },
  }),
  ...eventsOf('maintenance', null, [], { on: { tone: 'warning' }, off: { tone: 'success' } }),
  ...eventsOf('hold', null, [], { released: {} }),
  ...eventsOf('job', null, ['name'], { paused: { tone: 'warning' }, resumed: { tone: 'success' } }),
  ...eventsOf('bulk', null, [], { refused: { isStep: true, tone: 'error' } }),
}
export type EventName = keyof typeof events
export const isEvent = (name: string): name is EventName => Object.hasOwn(events, name)

/**
 * The log is sealed, so what was written under a former name stays: people were one noun with names of their own.
 * Whoever reads the log reads by `eventOf`.
 */
const formerUserEvents: Readonly<Record<string, EventName>> = {
  create: 'user.created',
  update: 'user.updated',
  invite: 'user.invited',
  'resend-invitation': 'user.invitation_resent',
  'cancel-invitation': 'user.invitation_cancelled',
  'accept-invitation': 'user.invitation_accepted',
  'set-avatar': 'user.photo_changed',
  'set-password': 'user.password_set',
  'change-password': 'user.password_changed',
  'reset-password': 'user.password_reset',
  disable: 'user.disabled',
  enable: 'user.enabled',
  'reset-two-step': 'user.two_step_removed',
  'two-step.setup': 'user.two_step_begun',
  'two-step.on': 'user.two_step_enabled',
  'two-step.off': 'user.two_step_disabled',
  'two-step.recovery-used': 'user.recovery_code_used',
  'two-step.recovery-codes': 'user.recovery_codes_created',
  login: 'user.logged_in',
  logout: 'user.logged_out',
  'end-session': 'user.session_ended',
  'end-sessions': 'user.sessions_ended',
  'choose-notifications': 'user.notifications_chosen',
  'role.no-longer-tried': 'user.role_left',
}
const formerNouns: Readonly<Record<string, NounName>> = { User: 'Users', Role: 'Roles', Permission: 'Permissions' }

/** The names the log may have for a noun: the present one first. */
export const loggedAs = (noun: NounName): string[] => [
  noun,
  ...Object.keys(formerNouns).filter((former) => formerNouns[former] === noun),
]

/** What a line of the log is called today: its event and its noun. */
export const eventOf = (action: string, entity: string): { event: string; noun: string } => ({
  event: formerUserEvents[action] ?? action,
  noun: formerNouns[entity] ?? entity,
})
