import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../contract/api.ts'
import { buildAbility, can, type Conditions, type Rule } from '../../contract/core/ability.ts'
import type { Op } from '../../contract/core/op.ts'
import { bind } from '../../server/core/ctx.ts'
import { mount } from '../../server/core/http/mount.ts'
import {
  type Actor,
  type Actors,
  aGuest,
  aPerson,
  aPersonWho,
  logIn,
  type RuleFacts,
  seedActors,
} from '../support/actors.ts'
import { aBusiness, aCustomer, aLine, aQuote, aSentQuote, many, ok } from '../support/factories.ts'
import { plausibleBody } from '../support/plausible-body.ts'
import { type Caller, keyed, type Running, startApp } from '../support/start.ts'

/** Long loops run with PROVE=1. */
const isProof = process.env['PROVE'] === '1'
let app: Running
let actors: Actors
let customer: { guid: string }
beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
  await aBusiness(app, { abn: '53004085616' })
  customer = await aCustomer(app, actors.office)
}, 120_000)
afterAll(() => app.stop())

const withGuid = (op: Op, guid: string) => op.path.replace(/:\w+/g, guid)
const stillAlike = (body: string) => body.replace(/"requestId":"[^"]+"/, '')

describe('AZ-01: deny by default', () => {
  it('an operation that declares no right does not start the server', () => {
    const op = { ...operations[0]?.op, can: undefined }
    expect(() =>
      mount(
        { decorateRequest: () => undefined, route: () => undefined } as never,
        app.deps,
        [bind('bad', { x: op } as never, { x: async () => null } as never)],
        () => undefined,
      ),
    ).toThrow('bad.x declares no permission')
  })
  it('a role without rules may do nothing but what everybody may', async () => {
    for (const { op } of operations.filter(
      (o) => o.op.who === 'staff' && !/^(Account|Search|Users:People|Files:Attachments)/.test(o.op.can[1]),
    ))
      expect((await app.call(actors.emptyRole, op.method, withGuid(op, randomUUID()))).status).toBe(403)
  })
})

describe('AZ-02: records of another business', () => {
  it('are answered like records that are not there, whatever is done with them', async () => {
    const [other] = await app.deps.db
      .insertInto('businesses')
      .values({ guid: randomUUID(), legalName: 'Other Pty Ltd', defaultDepositRule: '{"type":"none"}' } as never)
      .returning('guid')
      .execute()
    const rules = ['Customers', 'Contacts', 'Products', 'Quotes', 'Orders', 'Invoices', 'Payments', 'Messages'].map(
      (subject): RuleFacts => ({ subject, action: 'manage', conditions: { business: other?.guid } }),
    )
    const stranger = await aPersonWho(app, 'stranger', rules)
    const lines = [aLine()]
    const quote = await aSentQuote(app, actors.office, customer.guid, { lines })
    const { order } = ok(
      await app.call<{ order: { guid: string } }>(actors.office, 'POST', '/Orders', {
        customerGuid: customer.guid,
        title: 'Ours',
        lines,
      }),
      201,
    )
    const { invoice } = ok(
      await app.call<{ invoice: { guid: string } }>(actors.office, 'POST', '/Invoices', {
        customerGuid: customer.guid,
        title: 'Ours',
        lines,
      }),
      201,
    )
    const message = await app.deps.db.selectFrom('messages').select('guid').executeTakeFirstOrThrow()
    const guids: Record<string, string> = {
      Customers: customer.guid,
      Quotes: quote.guid,
      Orders: order.guid,
      Invoices: invoice.guid,
      Messages: message.guid,
    }
    const before = await countsOf()
    const wrong: string[] = []
    for (const { noun, name, op } of operations.filter((o) => o.op.who === 'staff' && o.op.path.includes(':guid'))) {
      const guid = guids[op.path.split('/')[1] ?? '']
      if (!guid || op.produces === 'text/event-stream') continue
      const isBare = op.method === 'GET' || (op.method === 'DELETE' && op.body.safeParse({}).success)
      const body = isBare ? undefined : plausibleBody(op)
      const query = plausibleQuery(op)
      const [theirs, nobodys] = [
        await app.call(stranger, op.method, withGuid(op, guid) + query, body, keyed()),
        await app.call(stranger, op.method, withGuid(op, randomUUID()) + query, body, keyed()),
      ]
      if (
        theirs.status !== 404 ||
        theirs.status !== nobodys.status ||
        stillAlike(theirs.body) !== stillAlike(nobodys.body)
      )
        wrong.push(`${noun}.${name}: ${theirs.status} ${theirs.body.slice(0, 120)} | ${nobodys.status}`)
    }
    expect(wrong).toEqual([])
    for (const path of ['/Customers', '/Quotes', '/Orders', '/Invoices', '/Messages', '/Payments', '/Contacts'])
      expect(ok(await app.call<{ items: object[] }>(stranger, 'GET', path)).items).toEqual([])
    expect(await countsOf()).toEqual(before)
    await app.deps.db
      .updateTable('businesses')
      .set({ archivedAt: new Date() })
      .where('guid', '=', other?.guid ?? '')
      .execute()
  })
})

/** What else is asked with an address. */
function plausibleQuery({ path }: Op): string {
  if (path.includes('Compose')) return '?ownerType=quote'
  if (path === '/Quotes/Compare/:guid') return `?with=${randomUUID()}`
  return path === '/Quotes/Frame/:guid' ? `?frame=${randomUUID()}` : ''
}

const tables = [
  'customers',
  'contacts',
  'quotes',
  'quote_lines',
  'quote_asks',
  'quote_answers',
  'quote_frames',
  'orders',
  'order_lines',
  ...['order_stages', 'hire_runs', 'hire_returns', 'hire_bills', 'change_orders', 'change_events'],
  'invoices',
  'invoice_lines',
  'payments',
  'payment_allocations',
  'payment_reversals',
  'refunds',
  'messages',
  'journal_entries',
  'products',
  'users',
  'roles',
  'permissions',
  'service_links',
  'credential_links',
  'notifications',
  'app_state',
] as const
/** How many rows each table has and what they come to, so that a change of any kind shows. */
async function countsOf() {
  const found: Record<string, string> = {}
  for (const table of tables) {
    const { rows } = await sql<{
      n: string
    }>`select count(*) || ':' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as n
      from ${sql.table(table)} t`.execute(app.deps.db)
    found[table] = rows[0]?.n ?? ''
  }
  return found
}

describe('AZ-03, AZ-04: a guest sees the one document whose link he opened', () => {
  it('and no other kind, no draft, no list and nobody else’s page', async () => {
    const lines = [aLine()]
    const quote = await aSentQuote(app, actors.office, customer.guid, { lines })
    const draft = await aQuote(app, actors.office, customer.guid, { lines })
    const { invoice } = ok(
      await app.call<{ invoice: { guid: string; version: number } }>(actors.office, 'POST', '/Invoices', {
        customerGuid: customer.guid,
        title: 'Hire',
        lines,
      }),
      201,
    )
    const issued = ok(
      await app.call<{ invoice: { serviceGuid: string } }>(actors.office, 'POST', `/Invoices/Issue/${invoice.guid}`, {
        version: invoice.version,
      }),
    ).invoice
    const guest = await aGuest(app)
    expect((await app.call(guest, 'GET', `/Service/Quotes/${quote.serviceGuid}`)).status).toBe(200)
    const misses = [
      `/Service/Invoices/${quote.serviceGuid}`,
      `/Service/Orders/${quote.serviceGuid}`,
      `/Service/Quotes/${issued.serviceGuid}`,
      `/Service/Quotes/${quote.guid}`,
      `/Service/Quotes/${draft.guid}`,
      `/Service/Invoices/${invoice.guid}`,
      `/Service/Orders/${issued.serviceGuid}`,
      `/Service/Quotes/${customer.guid}`,
    ]
    const bodies = new Set<string>()
    for (const path of misses) {
      const answer = await app.call(guest, 'GET', path)
      expect([path, answer.status]).toEqual([path, 404])
      bodies.add(answer.body)
    }
    expect(bodies.size).toBe(1)
    for (const { op } of operations.filter((o) => o.op.who === 'staff'))
      expect([op.path, (await app.call(guest, op.method, withGuid(op, quote.guid))).status]).toEqual([op.path, 403])
    const page = (await app.call(guest, 'GET', `/Service/Quotes/${quote.serviceGuid}`)).body
    for (const secret of [quote.guid, customer.guid, actors.office.userGuid, 'internalNotes', 'costCents', 'ownerGuid'])
      expect(page).not.toContain(secret)
  })
})

describe('AZ-05, AZ-06: links', () => {
  it('are random, have nothing to do with the record, end when reissued, and cannot be guessed by trying', async () => {
    const quotes = await many(isProof ? 300 : 8, () =>
      aSentQuote(app, actors.office, customer.guid, { lines: [aLine()] }),
    )
    for (const { serviceGuid, guid } of quotes) {
      expect(serviceGuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/)
      expect(serviceGuid).not.toBe(guid)
    }
    expect(new Set(quotes.map((q) => q.serviceGuid.slice(0, 8))).size).toBe(quotes.length)
    const [first] = quotes
    const current = ok(
      await app.call<{ quote: { version: number } }>(actors.office, 'GET', `/Quotes/${first?.guid}`),
    ).quote
    ok(await app.call(actors.office, 'POST', `/Quotes/Link/${first?.guid}`, { version: current.version }))
    const guest = await aGuest(app)
    for (const path of ['', '/Pdf'])
      expect((await app.call(guest, 'GET', `/Service/Quotes${path}/${first?.serviceGuid}`)).status).toBe(404)
    expect(
      (await app.call(guest, 'POST', `/Service/Quotes/Accept/${first?.serviceGuid}`, { version: 1, name: 'X' })).status,
    ).toBe(404)
    await sql`delete from rate_limits`.execute(app.deps.db)
    const tries = []
    for (let i = 0; i < 70; i++)
      tries.push(
        (await app.call(await (i === 35 ? aGuest(app) : guest), 'GET', `/Service/Quotes/${randomUUID()}`)).status,
      )
    expect(tries.filter((s) => s === 404)).toHaveLength(60)
    expect(tries.slice(60).every((s) => s === 429)).toBe(true)
    await sql`delete from rate_limits`.execute(app.deps.db)
  })
})

describe('AZ-07: one meaning', () => {
  it('adding an inverted rule never grants anything, whatever the rules', () => {
    const subjects = ['Orders', 'Orders:Preview:All', 'Orders:Preview:Guid', 'Invoices', 'all']
    const anyRule = fc.record({
      subject: fc.constantFrom(...subjects),
      action: fc.constantFrom('read' as const, 'update' as const, 'manage' as const),
      conditions: fc.constantFrom<Conditions | null>(
        null,
        { scope: 'own' },
        { statusIn: ['draft'] },
        { isLoginRequired: true },
        { amountBelowCents: 10 },
        { bogus: 1 } as never,
      ),
      enabled: fc.boolean(),
      priority: fc.integer({ min: -2, max: 2 }),
      inverted: fc.boolean(),
      apiGuidRequired: fc.boolean(),
      authorizationHeaderRequired: fc.boolean(),
    })
    const anyFacts = fc.record({
      isUser: fc.boolean(),
      isGuest: fc.boolean(),
      hasApiGuid: fc.boolean(),
      row: fc.option(
        fc.record({
          isOwn: fc.boolean(),
          status: fc.constantFrom('draft', 'sent'),
          amountCents: fc.integer({ min: 0, max: 20 }),
        }),
        { nil: undefined },
      ),
    })
    fc.assert(
      fc.property(
        fc.array(anyRule, { maxLength: 6 }),
        anyRule,
        fc.nat(6),
        anyFacts,
        (rules, extra, at, { row, ...facts }) => {
          const given = { ...facts, ...(row ? { row } : {}) }
          const more: Rule[] = rules.toSpliced(at, 0, { ...extra, inverted: true })
          const [before, after] = [buildAbility(rules), buildAbility(more)]
          for (const subject of subjects)
            for (const action of ['read', 'update', 'manage'] as const)
              if (can(after, action, subject, given)) expect(can(before, action, subject, given)).toBe(true)
        },
      ),
      { numRuns: isProof ? 10_000 : 1000 },
    )
  })
})

describe('AZ-08: the flags of a rule', () => {
  it('decide on the server for guests, whatever the browser believes', async () => {
    const quote = await aSentQuote(app, actors.office, customer.guid, { lines: [aLine()] })
    const rules = await app.deps.db
      .selectFrom('permissions')
      .selectAll()
      .where('roleGuid', '=', actors.roles.Guest)
      .where('subject', '=', 'Service')
      .execute()
    const path = `/Service/Quotes/${quote.serviceGuid}`
    const guest = await aGuest(app)
    const bare: Caller = { headers: { Authorization: guest.headers['Authorization'] ?? '' } }
    const outcomes: string[] = []
    for (let bits = 0; bits < 16; bits++) {
      const [isLoginRequired, guestAuthenticationRequired, apiGuidRequired, authorizationHeaderRequired] = [
        1, 2, 4, 8,
      ].map((bit) => (bits & bit) !== 0)
      const conditions = JSON.stringify({
        ...(isLoginRequired ? { isLoginRequired } : {}),
        ...(guestAuthenticationRequired ? { guestAuthenticationRequired } : {}),
      })
      await app.deps.db
        .updateTable('permissions')
        .set({
          conditions,
          apiGuidRequired: apiGuidRequired ?? false,
          authorizationHeaderRequired: authorizationHeaderRequired ?? false,
        })
        .where(
          'guid',
          'in',
          rules.map((r) => r.guid),
        )
        .execute()
      const expected = [isLoginRequired ? 403 : 200, isLoginRequired || apiGuidRequired ? 403 : 200, 401]
      const found = [
        (await app.call(guest, 'GET', path)).status,
        (await app.call(bare, 'GET', path, undefined, { 'x-bypass-checks': '1', cookie: 'bypass=true' })).status,
        (await app.call(null, 'GET', path)).status,
      ]
      if (found.join() !== expected.join()) outcomes.push(`${bits}: ${found.join()} instead of ${expected.join()}`)
    }
    for (const rule of rules)
      await app.deps.db
        .updateTable('permissions')
        .set({
          conditions: JSON.stringify(rule.conditions),
          apiGuidRequired: rule.apiGuidRequired,
          authorizationHeaderRequired: rule.authorizationHeaderRequired,
        })
        .where('guid', '=', rule.guid)
        .execute()
    expect(outcomes).toEqual([])
  })
})

describe('AZ-09: conditions are data', () => {
  it.each([
    ['{"$where":"1"}'],
    ['{"scope":{"$ne":"own"}}'],
    ['{"statusIn":["draft",{"a":1}]}'],
    ['{"amountBelowCents":"1 or 1=1"}'],
    ['{"region":"NSW"}'],
    ['{"scope":"own","constructor":{"prototype":{"isAdmin":true}}}'],
    ['{"__proto__":{"scope":"all"}}'],
    ['{"statusIn":{"$regex":".*"}}'],
    ['{"isLoginRequired":"false"}'],
    ['[]'],
    ['"own"'],
    ['1'],
  ])('%s is refused when saved', async (conditions) => {
    const answer = await app.fastify.inject({
      method: 'POST',
      url: '/api/v2/Permissions',
      headers: { ...actors.administrator.headers, 'content-type': 'application/json' },
      payload: `{"roleGuid":"${actors.roles.Sales}","subject":"Users","action":"read","conditions":${conditions}}`,
    })
    expect([400, 422]).toContain(answer.statusCode)
    expect((await app.call(actors.sales, 'GET', '/Users')).status).toBe(403)
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
  })
})

describe('AZ-11: what the server owns', () => {
  it('cannot be written by any operation that makes or changes a record', async () => {
    const { rows } = await sql<{
      column: string
    }>`select distinct column_name as column from information_schema.columns where table_schema = 'public'`.execute(
      app.deps.db,
    )
    const names = rows.map(({ column }) => column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    const owned = [
      'guid',
      'number',
      'createdAt',
      'createdBy',
      'updatedBy',
      'archivedAt',
      'businessGuid',
      'totalCents',
      'balanceCents',
      'paidCents',
      'gstCents',
      'subtotalCents',
      'paymentStatus',
      'ownerGuid',
      'passwordHash',
      'authVersion',
      'rulesVersion',
      'snapshotSha256',
      'lastLoginAt',
      'isTaxInvoice',
      'invoicedCents',
      'supplier',
      'sentAt',
    ]
    expect(owned.filter((name) => !names.includes(name))).toEqual([])
    const writable: string[] = []
    for (const { noun, name, op } of operations.filter(
      (o) => o.op.who === 'staff' && (o.op.method === 'POST' || o.op.method === 'PATCH'),
    )) {
      for (const field of owned) {
        const issues = op.body.safeParse({ [field]: 'x' })
        const isUnknown =
          !issues.success && issues.error.issues.some((i) => i.code === 'unrecognized_keys' && i.keys.includes(field))
        if (!isUnknown) writable.push(`${noun}.${name} ${field}`)
      }
    }
    // Of an attachment it names the record, which has to be one that the caller may change.
    expect(writable).toEqual(['files.attach ownerGuid'])
  })
})

describe('AZ-12: what is hidden', () => {
  it('is in no answer, and no list can be sorted, filtered or searched by it', async () => {
    for (const field of [
      'passwordHash',
      'password_hash',
      'twoStepSecret',
      'recoveryHashes',
      'preferences',
      'internalNotes',
      'costCents',
      'users.passwordHash',
    ]) {
      for (const path of ['/Users', '/Customers', '/Products', '/Quotes', '/Roles/Members/' + actors.roles.Sales]) {
        expect((await app.call(actors.administrator, 'GET', `${path}?sort=${field}`)).status).toBe(400)
        expect((await app.call(actors.administrator, 'GET', `${path}?${field}=x`)).status).toBe(400)
      }
    }
    ok(
      await app.call(actors.administrator, 'POST', '/Products', {
        name: 'Secret margin',
        kind: 'goods',
        unit: 'each',
        priceCents: 1000,
        costCents: 77_123,
      }),
      201,
    )
    const product = await app.deps.db
      .selectFrom('products')
      .select('guid')
      .where('name', '=', 'Secret margin')
      .executeTakeFirstOrThrow()
    const reader = await aPersonWho(app, 'no-costs', [
      { subject: 'Products', action: 'manage' },
      { subject: 'Products:Costs', action: 'read', inverted: true },
    ])
    for (const path of [`/Products/${product.guid}`, '/Products', '/Products/Export', '/Search?q=77123'])
      expect((await app.call(reader, 'GET', path)).body).not.toContain('77123')
    for (const path of [
      '/Users',
      `/Users/${actors.sales.userGuid}`,
      '/Users/Export',
      '/Kernal/Users/Account',
      `/Users/Sessions/${actors.sales.userGuid}`,
    ])
      expect((await app.call(actors.administrator, 'GET', path)).body).not.toMatch(
        /argon2|passwordHash|twoStepSecret|recoveryHashes|"authVersion"/,
      )
  })
})

describe('AZ-13: nobody promotes himself, nobody locks everybody out', () => {
  it('two super users who take each other’s role at the same moment leave one', async () => {
    const [a, b] = [
      await aPerson(app, 'super-a', actors.roles.Administrator),
      await aPerson(app, 'super-b', actors.roles.Administrator),
    ]
    const versions = await app.deps.db
      .selectFrom('users')
      .select(['guid', 'version'])
      .where('guid', 'in', [a.userGuid, b.userGuid])
      .execute()
    await app.deps.db
      .updateTable('users')
      .set({ status: 'suspended' })
      .where('roleGuid', '=', actors.roles.Administrator)
      .where('guid', 'not in', [a.userGuid, b.userGuid])
      .execute()
    const demote = (who: Actor, other: Actor) =>
      app.call(who, 'PATCH', `/Users/${other.userGuid}`, {
        version: versions.find((v) => v.guid === other.userGuid)?.version,
        roleGuid: actors.roles.Sales,
      })
    const answers = await Promise.all([demote(a, b), demote(b, a)])
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from users
      where role_guid = ${actors.roles.Administrator}::uuid and status = 'active'`.execute(app.deps.db)
    expect(rows[0]?.n).toBe(1)
    expect(answers.filter((x) => x.status === 200)).toHaveLength(1)
    await app.deps.db
      .updateTable('users')
      .set({ status: 'active' })
      .where('roleGuid', '=', actors.roles.Administrator)
      .execute()
    actors.administrator = { ...actors.administrator, headers: await logIn(app, actors.administrator.authId) }
  })
  it('and nobody gives himself another role', async () => {
    const { version } = await app.deps.db
      .selectFrom('users')
      .select('version')
      .where('guid', '=', actors.administrator.userGuid)
      .executeTakeFirstOrThrow()
    expect(
      (
        await app.call(actors.administrator, 'PATCH', `/Users/${actors.administrator.userGuid}`, {
          version,
          roleGuid: actors.roles.Office,
        })
      ).status,
    ).toBe(409)
  })
})

describe('AZ-14: checked first, done later', () => {
  it('whatever is refused has changed nothing, queued nothing and written no file', async () => {
    const before = await countsOf()
    const jobs = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from pgboss.job`.execute(app.deps.db)).rows[0]?.n
    const waiting = await jobs()
    for (const { op } of operations.filter((o) => o.op.who === 'staff')) {
      const isBare = op.method === 'GET' || (op.method === 'DELETE' && op.body.safeParse({}).success)
      const body = isBare ? undefined : plausibleBody(op)
      for (const who of [actors.guest, actors.emptyRole, null])
        if (!/^(Account|Search|Users:People|Files:Attachments)/.test(op.can[1]))
          expect([401, 403]).toContain((await app.call(who, op.method, withGuid(op, customer.guid), body)).status)
    }
    expect(await countsOf()).toEqual(before)
    expect(await jobs()).toBe(waiting)
  })
})

describe('AZ-15: without an answer about rights there are none', () => {
  it('when the rules cannot be read, come late, or there is nobody to have them', async () => {
    const of = app.deps.rights.of.bind(app.deps.rights)
    const failing: (() => ReturnType<typeof of>)[] = [
      () => Promise.reject(new Error('the database is away')),
      () => Promise.resolve({ rules: [], ability: buildAbility([]) }),
      () => Promise.resolve(undefined as never),
    ]
    for (const fail of failing) {
      app.deps.rights.of = fail
      for (const path of ['/Quotes', '/Users', '/Search?q=abc', `/Quotes/${customer.guid}`])
        expect((await app.call(actors.administrator, 'GET', path)).status).not.toBe(200)
    }
    app.deps.rights.of = of
    expect((await app.call(actors.administrator, 'GET', '/Users')).status).toBe(200)
  })
})
