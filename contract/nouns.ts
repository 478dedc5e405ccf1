import type { Action } from './core/op.ts'

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

/**
 * A page of the web app: where it is, and the right that opens it. The operation it begins with asks for the same one.
 */
export interface Page {
  /** `$guid` stands for the record. */
  readonly path: string
  readonly can: readonly [Action, string]
}

/** How the search of everything shows what it finds. Columns by the names of the table's own. */
export interface Hit {
  /** What a record is called: the first of these that it has. */
  readonly label: readonly string[]
  /** What tells it from others; `customer` is the name of its customer. */
  readonly detail: readonly string[]
  /** Its day, the first of these that it has; of an instant the day it falls on where the business is. */
  readonly day?: readonly string[]
  /** Records with this value in this column take their amount back: it is shown below zero. */
  readonly takenBack?: readonly [column: string, value: string]
}

/** What the house has to know of a noun. Whatever is said of nouns one by one is said here, and nowhere else. */
export interface Noun {
  /** One of them, as links, messages, events and numbers name it. */
  readonly one: string
  readonly table: string
  readonly icon?: string
  /** The noun whose rights hold for it, where it has none of its own. */
  readonly rightsOf?: string
  /** Its pages: `view` is a record's own, `list` that of all. */
  readonly pages?: Readonly<Record<string, Page>>
  readonly statuses?: readonly string[]
  /** Rows are kept back one by one by these. */
  readonly scope?: ScopeColumns
  /**
   * The right that its amounts ask for, where seeing the record is not enough: in every answer, list, search and file.
   */
  readonly amountFor?: readonly [Action, string]
  /**
   * The noun whose records it is a part of, by a column: opened and kept back with them. Its list has those
   * with a business in `listed`.
   */
  readonly partOf?: { readonly noun: 'Customers'; readonly by: string; readonly listed: string }
  /** Made for a customer, whose timeline tells of it. */
  readonly isForCustomer?: true
  /** Never archived. */
  readonly isForGood?: true
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
  /** What it is searched by, in its list and everywhere: the table keeps these columns as one text, `search_text`. */
  readonly searchText?: readonly string[]
  /** Found by the search of everything, in the order of these rows. */
  readonly hit?: Hit
  /** The newest of its events stand on the dashboard. */
  readonly isActivity?: true
}

/** The pages of records that are looked at in a list and one by one. */
const looked = <const N extends string>(noun: N) => {
  const at = `/apps/${noun.toLowerCase() as Lowercase<N>}` as const
  return {
    list: { path: `${at}/list`, can: ['read', `${noun}:Preview:All`] },
    view: { path: `${at}/preview/$guid`, can: ['read', `${noun}:Preview:Guid`] },
  } as const
}
/** The pages of records that people write, too. */
const written = <const N extends string>(noun: N) => {
  const at = `/apps/${noun.toLowerCase() as Lowercase<N>}` as const
  return {
    ...looked(noun),
    add: { path: `${at}/add`, can: ['create', `${noun}:Create`] },
    edit: { path: `${at}/edit/$guid`, can: ['update', `${noun}:Update:Guid`] },
  } as const
}

/** Documents are told by their number, or while they have none by their title. */
const documentHit = { label: ['number', 'title'], detail: ['customer', 'title'], day: ['createdAt'] } as const

const owned = { business: 'businessGuid', owner: 'createdBy' } as const
const document = { business: 'businessGuid', owner: 'ownerGuid', status: 'status', amount: 'totalCents' } as const

export const nouns = {
  Businesses: {
    one: 'business',
    table: 'businesses',
    pages: {
      list: { path: '/setup/businesses/list', can: ['read', 'Businesses:Preview:All'] },
      view: { path: '/setup/businesses/view/$guid', can: ['read', 'Businesses:Preview:Guid'] },
    },
    scope: { business: 'guid', owner: 'createdBy' },
    shownOn: ['Service'],
  },
  Roles: {
    one: 'role',
    table: 'roles',
    pages: {
      list: { path: '/setup/roles/list', can: ['read', 'Roles:Preview:All'] },
      view: { path: '/setup/roles/edit/$guid', can: ['read', 'Roles:Preview:Guid'] },
      compare: { path: '/setup/roles/compare', can: ['read', 'Roles:Preview:All'] },
      /** A dialog of the list. */
      add: { path: '/setup/roles/list', can: ['create', 'Roles:Create'] },
    },
    shownOn: ['Users', 'Permissions', 'Kernal'],
  },
  Permissions: {
    one: 'permission',
    table: 'permissions',
    pages: { list: { path: '/setup/permissions/list', can: ['read', 'Permissions:Preview:All'] } },
    shownOn: ['Roles', 'Kernal'],
  },
  Views: { one: 'view', table: 'views' },
  Notifications: { one: 'notification', table: 'notifications' },
  Customers: {
    one: 'customer',
    icon: 'customers',
    table: 'customers',
    pages: written('Customers'),
    scope: { ...owned, assigned: { order: 'customerGuid', by: 'guid' } },
    amountFor: ['read', 'Customers:Amounts'],
    shownOn: ['Quotes', 'Orders', 'Invoices', 'Payments', 'Messages', 'Contacts'],
    isActivity: true,
    searchText: ['displayName', 'email', 'phone', 'abn'],
    hit: { label: ['displayName'], detail: ['email', 'phone', 'abn'] },
  },
  /** Stand on the pages of their customers. */
  Contacts: {
    one: 'contact',
    icon: 'user',
    table: 'contacts',
    pages: looked('Customers'),
    shownOn: ['Customers'],
    partOf: { noun: 'Customers', by: 'customerGuid', listed: 'listedIn' },
    searchText: ['name', 'email', 'phone'],
    hit: { label: ['name'], detail: ['customer', 'email', 'phone'] },
  },
  Quotes: {
    one: 'quote',
    icon: 'quote',
    table: 'quotes',
    pages: written('Quotes'),
    statuses: ['draft', 'sent', 'changes_requested', 'accepted', 'declined', 'converted', 'cancelled', 'superseded'],
    scope: { ...document, assigned: { order: 'quoteGuid', by: 'guid' } },
    counters: ['quote'],
    shownOn: ['Orders', 'Customers', 'Dashboards'],
    makes: ['Orders', 'Invoices', 'Messages'],
    isDocument: true,
    isForCustomer: true,
    isNotified: true,
    isActivity: true,
    searchText: ['title', 'number'],
    hit: documentHit,
  },
  Orders: {
    one: 'order',
    icon: 'order',
    table: 'orders',
    pages: written('Orders'),
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
    amountFor: ['read', 'Orders:Amounts'],
    counters: ['order'],
    shownOn: ['Quotes', 'Invoices', 'Customers', 'Dashboards'],
    makes: ['Invoices', 'Messages'],
    isDocument: true,
    isForCustomer: true,
    isNotified: true,
    isActivity: true,
    searchText: ['title', 'number', 'customerReference'],
    hit: documentHit,
  },
  Invoices: {
    one: 'invoice',
    icon: 'invoice',
    table: 'invoices',
    pages: written('Invoices'),
    statuses: ['draft', 'scheduled', 'issued', 'void', 'written_off'],
    scope: { ...document, assigned: { order: 'guid', by: 'orderGuid' } },
    counters: ['invoice', 'adjustment_note'],
    shownOn: ['Quotes', 'Orders', 'Payments', 'Customers', 'Dashboards'],
    makes: ['Messages'],
    isDocument: true,
    isForCustomer: true,
    isNotified: true,
    isActivity: true,
    searchText: ['title', 'number', 'reference'],
    hit: { ...documentHit, day: ['issueOn', 'createdAt'], takenBack: ['kind', 'adjustment_note'] },
  },
  Payments: {
    one: 'payment',
    icon: 'cash',
    table: 'payments',
    pages: {
      ...looked('Payments'),
      check: { path: '/apps/payments/check', can: ['read', 'Payments:Quarantine'] },
    },
    scope: { ...owned, amount: 'amountCents' },
    counters: ['payment'],
    shownOn: ['Quotes', 'Invoices', 'Orders', 'Customers', 'Dashboards'],
    makes: ['Messages'],
    isNotified: true,
    isActivity: true,
    isForCustomer: true,
    isForGood: true,
    searchText: ['number', 'reference'],
    hit: { label: ['number'], detail: ['customer', 'reference'], day: ['receivedOn'] },
  },
  Refunds: {
    one: 'refund',
    table: 'refunds',
    rightsOf: 'Payments',
    scope: { ...owned, amount: 'amountCents' },
    counters: ['refund'],
    shownOn: ['Payments'],
    isActivity: true,
  },
  Products: {
    one: 'product',
    icon: 'product',
    table: 'products',
    pages: written('Products'),
    scope: { ...owned, amount: 'priceCents' },
    isActivity: true,
    searchText: ['name', 'sku', 'description'],
    hit: { label: ['name'], detail: ['sku', 'description'] },
  },
  /** What customers choose beside a product. */
  BookingOptions: {
    one: 'booking_option',
    icon: 'option',
    table: 'booking_options',
    rightsOf: 'Products:BookingOptions',
    pages: {
      list: { path: '/apps/product-booking-options/list', can: ['read', 'Products:BookingOptions:Preview:All'] },
      view: {
        path: '/apps/product-booking-options/edit/$guid',
        can: ['read', 'Products:BookingOptions:Preview:Guid'],
      },
      add: { path: '/apps/product-booking-options/add', can: ['create', 'Products:BookingOptions:Create'] },
    },
    scope: owned,
    shownOn: ['Products'],
    searchText: ['code', 'name'],
  },
  /** Found after the records of the business. */
  Users: {
    one: 'user',
    icon: 'user',
    table: 'users',
    pages: {
      list: { path: '/setup/users/list', can: ['read', 'Users:Preview:All'] },
      /** Where the same list was before. */
      apps: { path: '/apps/users/list', can: ['read', 'Users:Preview:All'] },
      view: { path: '/apps/users/view/$guid', can: ['read', 'Users:Preview:Guid'] },
      /** A dialog of the list. */
      add: { path: '/setup/users/list', can: ['create', 'Users:Create'] },
    },
    statuses: ['invited', 'active', 'locked', 'suspended', 'archived'],
    scope: { owner: 'guid', status: 'status' },
    shownOn: ['Roles'],
    isNotified: true,
    searchText: ['firstName', 'lastName', 'authId', 'email'],
    hit: { label: ['name'], detail: ['authId'] },
  },
  Messages: {
    one: 'message',
    table: 'messages',
    pages: looked('Messages'),
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
    shownOn: ['Quotes', 'Orders', 'Invoices', 'Customers', 'Dashboards'],
    isForCustomer: true,
    isNotified: true,
    searchText: ['subject', 'recipients'],
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

/** The noun of a record as messages and links name it; none where it is no noun's. */
export const nounNamed = (one: string): NounName | null => nounNames.find((name) => nouns[name].one === one) ?? null

/** The noun whose records are numbered by a counter. */
export const numberedBy = (counter: string): NounName | null =>
  nounsWith('counters').find((name) => rowOf(name).counters?.includes(counter)) ?? null

/** The noun whose rights hold for a record. */
export const rightsOf = (name: string): string => (isNoun(name) ? (rowOf(name).rightsOf ?? name) : name)

/** The right to read records of a noun: in lists (`All`), or one by one (`Guid`). */
export const readRight = (name: string, which: 'All' | 'Guid'): Page['can'] => [
  'read',
  `${rightsOf(name)}:Preview:${which}`,
]

type Paged = NounWith<'pages'>
type PageOf<N extends Paged> = keyof Nouns[N]['pages'] & string

/** One of the pages of a noun: for the router, and for the right that opens it. */
export const pageOf = <N extends Paged>(name: N, page: PageOf<N>): Page =>
  (nouns[name].pages as Readonly<Record<string, Page>>)[page] as Page

/** The address of one of the pages of a noun; `guid` where it is about a record. */
export const pathOf = <N extends Paged>(name: N, page: PageOf<N>, guid = ''): string =>
  pageOf(name, page).path.replace('$guid', guid)

/** The page of a record, or the list of all; none where the noun has no pages. */
export function pathTo(name: Paged, guid?: string): string
export function pathTo(name: string, guid?: string): string | null
export function pathTo(name: string, guid?: string): string | null {
  const pages = isNoun(name) ? rowOf(name).pages : undefined
  const page = pages?.[guid === undefined ? 'list' : 'view']
  return page?.path.replace('$guid', guid ?? '') ?? null
}

/** The right that opens the page of a record; none where the noun has no pages. */
export const viewRight = (name: string): Page['can'] | null =>
  isNoun(name) ? (rowOf(name).pages?.view?.can ?? null) : null

/**
 * Paths that are no noun's: the caller's own account is one of the users, and letting mails go again sends messages.
 */
const elsewhere: Readonly<Record<string, readonly NounName[]>> = { Kernal: ['Users'], Maintenance: ['Messages'] }

/** What the search of everything calls a noun it finds. */
export type SearchKind = Lowercase<NounWith<'hit'>>
export const searchKinds = nounsWith('hit').map((name) => name.toLowerCase() as SearchKind)
export const nounOfKind = (kind: SearchKind): NounWith<'hit'> =>
  nounsWith('hit')[searchKinds.indexOf(kind)] ?? 'Customers'

/** What is read anew after something was done to records of a noun: what it makes, and wherever these are shown. */
export function staleAfter(name: string): string[] {
  if (!isNoun(name)) return [name, ...(elsewhere[name] ?? [])]
  const changed = [name, ...(rowOf(name).makes ?? [])]
  return [...new Set(changed.flatMap((one) => [one, ...(isNoun(one) ? (rowOf(one).shownOn ?? []) : [])]))]
}
