import { document, documentHit, type Noun, owned, written } from './noun.ts'

/** Orders, and what belongs to them alone. */
export const orderRows = {
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
    scope: { ...document, assigned: { lead: 'assignedGuid', by: 'guid' } },
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
    hasTags: true,
    /** Whoever does the work takes photos of it. */
    attachments: {
      read: ['read', 'Orders:Preview:Guid'],
      write: [
        ['update', 'Orders:Update:Guid'],
        ['update', 'Orders:Status:Guid'],
      ],
    },
  },
  /** Words of a business for orders within one status. */
  Substatuses: {
    one: 'substatus',
    table: 'order_substatuses',
    rightsOf: 'Orders:Substatuses',
    // Who may read orders reads their sub-statuses; the page is for who makes them.
    pages: { list: { path: '/setup/order-substatuses/list', can: ['create', 'Orders:Substatuses:Create'] } },
    scope: owned,
    pool: 'catalogueOf',
    shownOn: ['Orders'],
  },
} as const satisfies Readonly<Record<string, Noun>>
