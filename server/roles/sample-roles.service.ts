import { type Conditions, parentOf } from '../../contract/core/ability.ts'
import type { Action } from '../../contract/core/op.ts'
import type { Db } from '../core/ctx.ts'

interface Right {
  subject: string
  action: Action
}
interface SampleRule extends Right {
  conditions?: Conditions
  inverted?: boolean
  priority?: number
  apiGuidRequired?: boolean
  note?: string
}

export const sampleRoleNames = [
  'Administrator',
  'Office',
  'Sales',
  'Field',
  'Accountant',
  'Read only',
  'Guest',
] as const
export type SampleRoleName = (typeof sampleRoleNames)[number]

const descriptions: Record<SampleRoleName, string> = {
  Administrator: 'May do everything',
  Office: 'Runs the day: customers, quotes, orders, invoices, payments and messages',
  Sales: 'Wins work: customers and quotes',
  Field: 'Does the work: the orders assigned to the person',
  Accountant: 'Keeps the books: invoices, payments, refunds and journals',
  'Read only': 'Looks at everything but people and rights, and changes nothing',
  Guest: 'A customer who opens the page of one document',
}

const all = (
  subject: string,
  action: Action = 'manage',
  more: Omit<SampleRule, 'subject' | 'action'> = {},
): SampleRule => ({ subject, action, ...more })
const readAll = (...subjects: string[]) => subjects.map((subject) => all(subject, 'read'))
const assigned = { conditions: { scope: 'assigned' }, note: 'only what is assigned to the person' } as const
/** What things cost is for those who set prices and keep the books. */
const withoutCosts = all('Products:Costs', 'read', {
  inverted: true,
  priority: 10,
  note: 'cost prices are for the office and the accountant',
})
/** Who wins work sells at the prices of the catalogue. */
const withoutPrices = all('Quotes:Price', 'update', {
  inverted: true,
  priority: 10,
  note: 'other prices than the catalogue’s are for the office',
})
/** What many customers pay from a day on is for the office to decide. */
const withoutRises = all('Quotes:PriceRise', 'update', {
  inverted: true,
  priority: 10,
  note: 'price rises are for the office',
})
/** Who asks for refunds beyond the limit is somebody else than who approves them. */
const withoutApproval = all('Invoices:Refund:Approve', 'create', {
  inverted: true,
  priority: 10,
  note: 'refunds beyond the limit are approved by the administrator',
})
/** Who does the work needs to know what is to be done, not what it brings in or who owes what. */
const withoutAmounts = [
  all('Orders:Amounts', 'read', { inverted: true, priority: 10, note: 'what orders come to is for the office' }),
  all('Customers:Amounts', 'read', { inverted: true, priority: 10, note: 'what customers owe is for the office' }),
]
/** Whoever changes records adds files to them; photos as they were sent tell where somebody lives. */
const sendsFiles = all('Files', 'create')
const withoutOriginals = all('Files:Original', 'read', {
  inverted: true,
  priority: 10,
  note: 'where photos were taken is for the office',
})
/** Addresses of other programs may open them. */
const withoutWebhooks = all('Events:Webhooks', 'read', {
  inverted: true,
  priority: 10,
  note: 'where events are sent is for the administrator',
})
/** What everybody who works here needs to see documents as they are. */
const common = readAll('Businesses:Current', 'Calculators', 'Products', 'Service')
/** People, rights and the workings of the server are nobody's reading matter. */
const closed = ['Users', 'Roles', 'Permissions', 'Dev', 'Cron', 'EmailAccounts', 'Auth', 'Account', 'Live', 'all']

function rulesOf(name: SampleRoleName, catalogue: readonly Right[]): SampleRule[] {
  if (name === 'Administrator') return [all('all')]
  if (name === 'Office') {
    return [
      ...common,
      ...[
        'Customers',
        'Contacts',
        'Products',
        'RevenueStreams',
        'PriceLists',
        'JobTypes',
        'Holidays',
        'Reminders',
        'Quotes',
        'Orders',
        'Invoices',
        'Payments',
        'Messages',
        'Service',
        'Statements',
      ].map((subject) => all(subject)),
      ...readAll('Dashboards', 'Businesses'),
      all('Files'),
      all('Views:Share', 'update'),
      withoutApproval,
      all('Invoices:WriteOff:Guid', 'update', {
        inverted: true,
        priority: 10,
        note: 'what is given up is for the accountant',
      }),
      all('Customers:Credit:Override', 'update', {
        inverted: true,
        priority: 10,
        note: 'credit limits are for the accountant',
      }),
      all('Payments:Quarantine:Release', 'create', {
        inverted: true,
        priority: 10,
        note: 'what becomes of money that does not fit is for the accountant',
      }),
    ]
  }
  if (name === 'Sales') {
    return [
      ...common,
      withoutCosts,
      withoutPrices,
      withoutRises,
      ...readAll('Customers', 'Contacts', 'Orders', 'Messages', 'Dashboards', 'JobTypes', 'PriceLists'),
      all('Customers:Create', 'create'),
      all('Customers:Update:Guid', 'update'),
      all('Quotes'),
      all('Messages:Create', 'create'),
      sendsFiles,
    ]
  }
  if (name === 'Field')
    return [
      ...common,
      withoutCosts,
      ...withoutAmounts,
      all('Orders', 'read', assigned),
      all('Orders:Status:Guid', 'update', assigned),
      all('Orders:Check:Guid', 'update', assigned),
      all('Orders:Note', 'create', assigned),
      all('Customers', 'read', assigned),
      sendsFiles,
    ]
  if (name === 'Accountant')
    return [
      ...common,
      ...readAll('Customers', 'Contacts', 'Quotes', 'Orders', 'Messages', 'Dashboards', 'Businesses', 'RevenueStreams'),
      all('PriceLists', 'read'),
      all('Customers:Credit:Override', 'update'),
      all('Invoices'),
      withoutApproval,
      all('Quotes:Price', 'update'),
      all('Payments'),
      all('Journal'),
      all('Tax'),
      all('Statements'),
      all('Messages:Create', 'create'),
      sendsFiles,
    ]
  if (name === 'Read only')
    return [...readAll(...readableParents(catalogue)), withoutCosts, withoutOriginals, withoutWebhooks]
  return [
    ...readAll('Service', 'Payments:Token'),
    all('Service:Quote', 'update'),
    all('Service:Order', 'update'),
    all('Service:Request', 'update'),
    all('Service:Invoice', 'update'),
    all('Service:Statement', 'update'),
  ].map((rule) => ({ ...rule, conditions: { guestAuthenticationRequired: true }, apiGuidRequired: true }))
}

const readableParents = (catalogue: readonly Right[]) =>
  [...new Set(catalogue.filter(({ action }) => action === 'read').map(({ subject }) => parentOf(subject)))]
    .filter((parent) => !closed.includes(parent))
    .toSorted()

/** The sample roles with their rules, for a database that has none of them; gives their guids by name. */
export async function seedRoles(db: Db, catalogue: readonly Right[]): Promise<Record<SampleRoleName, string>> {
  const made = await db
    .insertInto('roles')
    .values(
      sampleRoleNames.map((name) => ({
        name,
        description: descriptions[name],
        kind: name === 'Guest' ? ('guest' as const) : ('staff' as const),
      })),
    )
    .returning(['guid', 'name'])
    .execute()
  const guids = Object.fromEntries(made.map(({ name, guid }) => [name, guid])) as Record<SampleRoleName, string>
  const rules = sampleRoleNames.flatMap((name) =>
    rulesOf(name, catalogue).map(({ conditions, ...rule }) => ({
      ...rule,
      roleGuid: guids[name],
      conditions: JSON.stringify(conditions ?? {}),
    })),
  )
  await db.insertInto('permissions').values(rules).execute()
  return guids
}
