import { begun, document, documentHit, files, looked, type Noun, owned, type Page, written, writtenAt } from './noun.ts'
import { orderRows } from './noun-orders.ts'
import { requestRows } from './noun-requests.ts'
import { setupRows } from './noun-setup.ts'
import { themeRows } from './noun-themes.ts'

export const nouns = {
  Businesses: {
    one: 'business',
    table: 'businesses',
    pages: {
      list: { path: '/setup/businesses/list', can: ['read', 'Businesses:Preview:All'] },
      view: { path: '/setup/businesses/view/$guid', can: ['read', 'Businesses:Preview:Guid'] },
    },
    scope: { business: 'guid', owner: 'createdBy' },
    shownOn: ['Service', 'Holidays', 'Reminders'],
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
    pages: {
      ...written('Customers'),
      duplicates: { path: '/apps/customers/duplicates', can: ['update', 'Customers:Merge'] },
    },
    scope: { ...owned, assigned: { order: 'customerGuid', by: 'guid' } },
    pool: 'customersOf',
    merged: 'mergedInto',
    amountFor: ['read', 'Customers:Amounts'],
    shownOn: ['Quotes', 'Orders', 'Invoices', 'Payments', 'Messages', 'Contacts'],
    isActivity: true,
    searchText: ['displayName', 'email', 'phone', 'abn'],
    hit: { label: ['displayName'], detail: ['email', 'phone', 'abn'] },
    hasTags: true,
    attachments: files('Customers'),
  },
  /** They and sites stand on the pages of their customers. */
  Contacts: {
    one: 'contact',
    icon: 'user',
    table: 'contacts',
    pages: looked('Customers'),
    shownOn: ['Customers'],
    partOf: { noun: 'Customers', by: 'customerGuid', listed: 'listedIn' },
    pool: 'customersOf',
    searchText: ['name', 'email', 'phone'],
    hit: { label: ['name'], detail: ['customer', 'email', 'phone'] },
  },
  /** Files of customers that were taken in. */
  Imports: {
    one: 'import',
    table: 'customer_imports',
    rightsOf: 'Customers',
    scope: owned,
    pages: { import: { path: '/apps/customers/import', can: ['create', 'Customers:Import'] } },
    shownOn: ['Customers'],
    isActivity: true,
  },
  Sites: {
    one: 'site',
    table: 'sites',
    rightsOf: 'Customers',
    shownOn: ['Customers'],
    attachments: { ...files('Customers'), through: { noun: 'Customers', by: 'customerGuid' } },
  },
  Quotes: {
    one: 'quote',
    icon: 'quote',
    table: 'quotes',
    pages: {
      ...written('Quotes'),
      outcome: { path: '/apps/quotes/outcome', can: ['read', 'Quotes:Reports'] },
      /** A dialog of the list. */
      entry: { path: '/apps/quotes/list', can: ['create', 'Quotes:Create:Entry'] },
    },
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
    hasTags: true,
    attachments: { ...files('Quotes'), frozenAt: 'sentAt' },
  },
  /** What quotes are made of again and again, without whom they are for. */
  QuoteTemplates: {
    one: 'quote_template',
    icon: 'copy',
    table: 'quote_templates',
    rightsOf: 'Quotes:Templates',
    pages: {
      list: { path: '/setup/quote-templates/list', can: ['read', 'Quotes:Templates:Preview:All'] },
      view: { path: '/setup/quote-templates/preview/$guid', can: ['read', 'Quotes:Templates:Preview:Guid'] },
      edit: { path: '/setup/quote-templates/edit/$guid', can: ['update', 'Quotes:Templates:Update:Guid'] },
    },
    scope: owned,
    pool: 'catalogueOf',
    shownOn: ['Quotes'],
    searchText: ['name', 'title'],
    hit: { label: ['name'], detail: ['title'] },
  },
  Series: {
    one: 'series',
    table: 'quote_series',
    rightsOf: 'Quotes:Series',
    pages: {
      ...writtenAt('Quotes:Series', '/apps/quotes/series'),
      rise: { path: '/apps/quotes/series/price-rise', can: ['update', 'Quotes:PriceRise'] },
    },
    statuses: ['draft', 'active', 'paused', 'completed', 'cancelled', 'failed'],
    scope: document,
    shownOn: ['Quotes', 'Customers'],
    makes: ['Quotes', 'Messages'],
    isForCustomer: true,
    isNotified: true,
    isActivity: true,
    isForGood: true,
    searchText: ['title'],
  },
  ...requestRows,
  ...orderRows,
  Invoices: {
    one: 'invoice',
    icon: 'invoice',
    table: 'invoices',
    pages: { ...written('Invoices'), message: { path: '/apps/invoices/message', can: ['update', 'Invoices:Message'] } },
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
    hasTags: true,
    attachments: { ...files('Invoices'), frozenAt: 'issuedAt' },
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
    /** Nobody changes a payment; whoever records them adds the receipt. */
    attachments: { read: ['read', 'Payments:Preview:Guid'], write: [['create', 'Payments:Create']] },
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
    statuses: ['draft', 'active', 'archived'],
    scope: { ...owned, status: 'status', amount: 'priceCents' },
    pool: 'catalogueOf',
    isActivity: true,
    searchText: ['name', 'sku', 'description'],
    hit: { label: ['name'], detail: ['sku', 'description'] },
    hasTags: true,
    attachments: files('Products'),
  },
  /** Where the money of a sale is counted. */
  RevenueStreams: {
    one: 'stream',
    table: 'revenue_streams',
    pages: { list: { path: '/setup/revenue-streams/list', can: ['read', 'RevenueStreams:Preview:All'] } },
    scope: owned,
    pool: 'catalogueOf',
    shownOn: ['Products'],
  },
  /** The tree in which products are found. */
  Categories: {
    one: 'category',
    table: 'product_categories',
    rightsOf: 'Products:Categories',
    pages: { list: { path: '/apps/product-categories/list', can: ['read', 'Products:Categories:Preview:All'] } },
    scope: owned,
    pool: 'catalogueOf',
    shownOn: ['Products'],
  },
  /** Prices that were agreed with customers. */
  PriceLists: {
    one: 'price_list',
    icon: 'priceList',
    table: 'price_lists',
    pages: begun('PriceLists', '/apps/price-lists'),
    scope: owned,
    pool: 'catalogueOf',
    shownOn: ['Products', 'Customers'],
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
    pool: 'catalogueOf',
    shownOn: ['Products'],
    searchText: ['code', 'label'],
  },
  /** Kinds of jobs, with what each usually takes. */
  JobTypes: {
    one: 'job_type',
    icon: 'job',
    table: 'job_types',
    pages: {
      list: { path: '/setup/job-types/list', can: ['read', 'JobTypes:Preview:All'] },
      view: { path: '/setup/job-types/preview/$guid', can: ['read', 'JobTypes:Preview:Guid'] },
      /** A dialog of the list. */
      add: { path: '/setup/job-types/list', can: ['create', 'JobTypes:Create'] },
    },
    scope: owned,
    pool: 'catalogueOf',
    shownOn: ['Quotes', 'Service'],
    searchText: ['name'],
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
    pages: { ...looked('Messages'), add: { path: '/apps/messages/add', can: ['create', 'Messages:Create'] } },
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
      'noted',
      'received',
    ],
    scope: { ...owned, status: 'status' },
    shownOn: ['Quotes', 'Orders', 'Invoices', 'Customers', 'Dashboards', 'EmailAccounts'],
    isForCustomer: true,
    isNotified: true,
    searchText: ['subject', 'recipients', 'direction', 'sender'],
  },
  ...setupRows,
  ...themeRows,
  /** What was sent here; they are read on the records they hang on. */
  Files: { one: 'file', table: 'files' },
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

/** The first part of the paths a noun is read by: a part of another noun is read below that one. */
export const readBy = (name: string): string => rightsOf(name).split(':', 1)[0] ?? name

/** The right to read records of a noun: in lists (`All`), or one by one (`Guid`). */
export const readRight = (name: string, which: 'All' | 'Guid'): Page['can'] => [
  'read',
  isNoun(name) && rowOf(name).hasOneRight ? rightsOf(name) : `${rightsOf(name)}:Preview:${which}`,
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
