/** Columns that row conditions speak of, by the names of the table's own columns. */
export interface ScopeColumns {
  readonly business?: string
  readonly owner?: string
  readonly status?: string
  /** Cents. */
  readonly amount?: string
  /** Whoever does the work: a column, or the orders' column that leads to the record by one of its own. */
  readonly assigned?: string | { readonly order: string; readonly by: string }
}

/** What the house has to know of a noun. Whatever is said of nouns one by one is said here, and nowhere else. */
export interface Noun {
  /** One of them, as links, messages, events and numbers name it. */
  readonly one: string
  readonly table: string
  readonly icon?: string
  /** The noun whose rights hold for it, where it has none of its own. */
  readonly rightsOf?: string
  /** Its page; the guid follows. */
  readonly page?: string
  readonly list?: string
  readonly statuses?: readonly string[]
  /** Rows are kept back one by one by these. */
  readonly scope?: ScopeColumns
  /** What people call it by: the first of these columns that is filled. */
  readonly label: readonly string[]
  /** The counters its numbers come from. */
  readonly counters?: readonly string[]
  /** Nouns whose pages show something of it. */
  readonly shownOn?: readonly string[]
  /** Nouns that come into being, or change, by what is done to it. */
  readonly makes?: readonly string[]
  /** Has lines, a customer and a link of its own for that customer. */
  readonly isDocument?: true
  /** People are told of what happens to it. */
  readonly isNotified?: true
  /** Found by the search of everything, in the order of these rows. */
  readonly isSearched?: true
  /** The newest of its events stand on the dashboard. */
  readonly isActivity?: true
}

const owned = { business: 'businessGuid', owner: 'createdBy' } as const
const document = { business: 'businessGuid', owner: 'ownerGuid', status: 'status', amount: 'totalCents' } as const

export const nouns = {
  Businesses: {
    one: 'business',
    table: 'businesses',
    page: '/setup/businesses/view/',
    list: '/setup/businesses/list',
    scope: { business: 'guid', owner: 'createdBy' },
    label: ['tradingName', 'legalName'],
    shownOn: ['Service'],
  },
  Users: {
    one: 'user',
    table: 'users',
    page: '/apps/users/view/',
    list: '/setup/users/list',
    statuses: ['invited', 'active', 'locked', 'suspended', 'archived'],
    scope: { owner: 'guid', status: 'status' },
    label: ['name'],
    shownOn: ['Roles'],
    makes: ['Messages'],
  },
  Roles: {
    one: 'role',
    table: 'roles',
    page: '/setup/roles/edit/',
    list: '/setup/roles/list',
    label: ['name'],
    shownOn: ['Users', 'Permissions', 'Kernal'],
  },
  Permissions: {
    one: 'permission',
    table: 'permissions',
    list: '/setup/permissions/list',
    label: ['subject'],
    shownOn: ['Roles', 'Kernal'],
  },
  Views: { one: 'view', table: 'views', label: ['name'] },
  Notifications: { one: 'notification', table: 'notifications', label: [] },
  Customers: {
    one: 'customer',
    icon: 'customers',
    table: 'customers',
    page: '/apps/customers/preview/',
    list: '/apps/customers/list',
    scope: { ...owned, assigned: { order: 'customerGuid', by: 'guid' } },
    label: ['displayName'],
    shownOn: ['Quotes', 'Orders', 'Invoices', 'Payments', 'Messages', 'Contacts'],
    isActivity: true,
    isSearched: true,
  },
  /** Stand on the pages of their customers. */
  Contacts: {
    one: 'contact',
    icon: 'user',
    table: 'contacts',
    page: '/apps/customers/preview/',
    list: '/apps/customers/list',
    label: ['name'],
    shownOn: ['Customers'],
    isSearched: true,
  },
  Quotes: {
    one: 'quote',
    icon: 'quote',
    table: 'quotes',
    page: '/apps/quotes/preview/',
    list: '/apps/quotes/list',
    statuses: ['draft', 'sent', 'changes_requested', 'accepted', 'declined', 'converted', 'cancelled', 'superseded'],
    scope: { ...document, assigned: { order: 'quoteGuid', by: 'guid' } },
    label: ['number', 'title'],
    counters: ['quote'],
    shownOn: ['Orders', 'Customers', 'Dashboards'],
    makes: ['Orders', 'Invoices', 'Messages'],
    isDocument: true,
    isNotified: true,
    isActivity: true,
    isSearched: true,
  },
  Orders: {
    one: 'order',
    icon: 'order',
    table: 'orders',
    page: '/apps/orders/preview/',
    list: '/apps/orders/list',
    statuses: [
      'draft',
      'pending_confirmation',
      'confirmed',
      'in_progress',
      'on_hold',
      'completed',
      'closed',
      'cancelled',
    ],
    scope: { ...document, assigned: 'assignedGuid' },
    label: ['number', 'title'],
    counters: ['order'],
    shownOn: ['Quotes', 'Invoices', 'Customers', 'Dashboards'],
    makes: ['Invoices', 'Messages'],
    isDocument: true,
    isNotified: true,
    isActivity: true,
    isSearched: true,
  },
  Invoices: {
    one: 'invoice',
    icon: 'invoice',
    table: 'invoices',
    page: '/apps/invoices/preview/',
    list: '/apps/invoices/list',
    statuses: ['draft', 'scheduled', 'issued', 'void', 'written_off'],
    scope: { ...document, assigned: { order: 'guid', by: 'orderGuid' } },
    label: ['number', 'title'],
    counters: ['invoice', 'adjustment_note'],
    shownOn: ['Quotes', 'Orders', 'Payments', 'Customers', 'Dashboards'],
    makes: ['Messages'],
    isDocument: true,
    isNotified: true,
    isActivity: true,
    isSearched: true,
  },
  Payments: {
    one: 'payment',
    icon: 'cash',
    table: 'payments',
    page: '/apps/payments/preview/',
    list: '/apps/payments/list',
    scope: { ...owned, amount: 'amountCents' },
    label: ['number'],
    counters: ['payment'],
    shownOn: ['Quotes', 'Invoices', 'Orders', 'Customers', 'Dashboards'],
    makes: ['Messages'],
    isNotified: true,
    isActivity: true,
    isSearched: true,
  },
  Refunds: {
    one: 'refund',
    table: 'refunds',
    rightsOf: 'Payments',
    scope: { ...owned, amount: 'amountCents' },
    label: ['number'],
    counters: ['refund'],
    shownOn: ['Payments'],
    isActivity: true,
  },
  Products: {
    one: 'product',
    icon: 'product',
    table: 'products',
    page: '/apps/products/preview/',
    list: '/apps/products/list',
    scope: { ...owned, amount: 'priceCents' },
    label: ['name'],
    isActivity: true,
    isSearched: true,
  },
  Messages: {
    one: 'message',
    table: 'messages',
    page: '/apps/messages/preview/',
    list: '/apps/messages/list',
    statuses: [
      'draft',
      'scheduled',
      'queued',
      'sending',
      'sent',
      'delivered',
      'deferred',
      'bounced',
      'failed',
      'cancelled',
      'suppressed',
    ],
    scope: { ...owned, status: 'status' },
    label: ['ownerNumber', 'subject'],
    shownOn: ['Quotes', 'Orders', 'Invoices', 'Customers', 'Dashboards'],
    isNotified: true,
  },
} as const satisfies Readonly<Record<string, Noun>>

type Nouns = typeof nouns
export type NounName = keyof Nouns
/** The nouns of whose row something is said: `NounWith<'scope'>` keep rows back one by one. */
export type NounWith<F extends keyof Noun> = {
  [N in NounName]: Nouns[N] extends Record<F, unknown> ? N : never
}[NounName]
export type NounOf<One extends OneOf> = { [N in NounName]: Nouns[N]['one'] extends One ? N : never }[NounName]
type OneOf = Nouns[NounName]['one']

export const nounNames = Object.keys(nouns) as NounName[]
/** The row of a noun, with everything that may be said in one. */
export const rowOf = (name: NounName): Noun => nouns[name]
export const isNoun = (name: string): name is NounName => Object.hasOwn(nouns, name)
export const nounsWith = <F extends keyof Noun>(fact: F): NounWith<F>[] =>
  nounNames.filter((name): name is NounWith<F> => rowOf(name)[fact] !== undefined)

/** The noun of one of its records: `quote` is one of `Quotes`. */
export function nounOf<One extends OneOf>(one: One): NounOf<One> {
  const found = nounNames.find((name): name is NounOf<One> => nouns[name].one === one)
  if (!found) throw new Error(`${one} is no record of a noun`)
  return found
}

/** The noun whose records are numbered by a counter. */
export const numberedBy = (counter: string): NounName | null =>
  nounsWith('counters').find((name) => rowOf(name).counters?.includes(counter)) ?? null

/** The noun whose rights hold for a record. */
export const rightsOf = (name: string): string => (isNoun(name) ? (rowOf(name).rightsOf ?? name) : name)

/** The page of a record; none where the noun has no pages. */
export function pathTo(name: NounWith<'page'>, guid: string): string
export function pathTo(name: string, guid: string): string | null
export function pathTo(name: string, guid: string): string | null {
  const page = isNoun(name) ? rowOf(name).page : undefined
  return page === undefined ? null : page + guid
}

/** The noun whose page an address leads to. */
export const nounAt = (path: string): NounName | null =>
  nounsWith('page').find((name) => path.startsWith(nouns[name].page)) ?? null

/** Paths that are no noun's: the caller's own account is one of the users, and letting mails go again sends messages. */
const elsewhere: Readonly<Record<string, readonly NounName[]>> = { Kernal: ['Users'], Maintenance: ['Messages'] }

/** What the search of everything calls a noun it finds. */
export type SearchKind = Lowercase<NounWith<'isSearched'>>
export const searchKinds = nounsWith('isSearched').map((name) => name.toLowerCase() as SearchKind)
export const nounOfKind = (kind: SearchKind): NounWith<'isSearched'> =>
  nounsWith('isSearched')[searchKinds.indexOf(kind)] ?? 'Customers'

/** What is read anew after something was done to records of a noun: what it makes, and wherever these are shown. */
export function staleAfter(name: string): string[] {
  if (!isNoun(name)) return [name, ...(elsewhere[name] ?? [])]
  const changed = [name, ...(rowOf(name).makes ?? [])]
  return [...new Set(changed.flatMap((one) => [one, ...(isNoun(one) ? (rowOf(one).shownOn ?? []) : [])]))]
}
