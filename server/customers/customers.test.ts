import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Actors, aPerson, aRole } from '../../test/support/actors.ts'
import { aCustomer, aQuote, ok, startStaffed } from '../../test/support/factories.ts'
import type { Answer, Running } from '../../test/support/start.ts'

interface One {
  customer: {
    guid: string
    version: number
    kind: string
    displayName: string
    abn: string | null
    email: string | null
    phone: string | null
    archivedAt: string | null
    contacts: { guid: string; name: string; isPrimary: boolean }[]
    sites: { guid: string; name: string }[]
    money: Record<string, number>
  }
}
interface List {
  items: { guid: string; displayName: string; suburb: string | null; balanceCents: number }[]
  page: { size: number; total: { value: number; isExact: boolean }; next: string | null }
}

const address = { line1: '1 Wharf St', suburb: 'Balmain', state: 'NSW', postcode: '2041' }
let app: Running
let people: Actors
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
})
afterAll(() => app.stop())

const get = async (guid: string) => ok(await app.call<One>(people.office, 'GET', `/Customers/${guid}`)).customer
const change = (guid: string, body: Record<string, unknown>) =>
  app.call<One>(people.office, 'PATCH', `/Customers/${guid}`, body)
const list = async (query = '') => ok(await app.call<List>(people.office, 'GET', `/Customers${query}`))
const paths = (answer: Answer<unknown>) => answer.errors.map((e) => e.path)

describe('a customer', () => {
  test('is made with contacts and sites, of whom one contact is the first to write to', async () => {
    const made = await aCustomer(app, people.office, {
      displayName: '  Anna Hartmann ',
      abn: '51 824 753 556',
      email: 'ANNA@Hartmann.Example',
      billingAddress: address,
      contacts: [{ name: 'Anna' }, { name: 'Ben', isPrimary: true }, { name: 'Cleo', isPrimary: true }],
      sites: [{ name: 'Pool', address }],
    })
    const customer = await get(made.guid)
    expect(customer).toMatchObject({
      displayName: 'Anna Hartmann',
      abn: '51824753556',
      email: 'anna@hartmann.example',
      version: 1,
      money: { balanceCents: 0, openQuotesCents: 0 },
    })
    expect(customer.contacts.map((c) => [c.name, c.isPrimary])).toEqual([
      ['Ben', true],
      ['Anna', false],
      ['Cleo', false],
    ])
    expect(customer.sites).toMatchObject([{ name: 'Pool', address }])
  })

  test('may share its ABN with another one', async () => {
    await aCustomer(app, people.office, { displayName: 'Twin', abn: '51824753556' })
    expect((await list('?search=51824753556')).page.total.value).toBe(2)
  })

  test('is refused with the fields that need another look', async () => {
    const refused = await app.call(people.office, 'POST', '/Customers', {
      displayName: ' ',
      abn: '1',
      email: 'nobody',
      contacts: [{ name: '' }],
      billingAddress: { ...address, state: 'XX' },
    })
    expect([refused.status, paths(refused).toSorted()]).toEqual([
      422,
      ['abn', 'billingAddress.state', 'contacts.0.name', 'displayName', 'email'],
    ])
    expect((await app.call(people.office, 'POST', '/Customers', { displayName: 'x', balanceCents: 5 })).error).toBe(
      'UNKNOWN_PARAMETER',
    )
  })

  test('keeps what a change does not name, and loses what it empties', async () => {
    const made = await aCustomer(app, people.office, {
      displayName: 'Kind Person',
      kind: 'individual',
      phone: '0400 111 222',
      internalNotes: 'pays late',
    })
    const after = ok(await change(made.guid, { version: 1, internalNotes: '', phone: null })).customer
    expect(after).toMatchObject({
      kind: 'individual',
      displayName: 'Kind Person',
      phone: null,
      internalNotes: null,
      version: 2,
    })
  })

  test('shows both sides when two people change it at once', async () => {
    const made = await aCustomer(app, people.office, { displayName: 'Shared' })
    const answers = await Promise.all([
      change(made.guid, { version: 1, phone: '02 5550 1110' }),
      change(made.guid, { version: 1, phone: '02 5550 2220' }),
    ])
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409])
    const late = answers.find((a) => a.status === 409)
    expect([late?.error, late?.data.customer.version]).toEqual(['STALE_VERSION', 2])
  })

  test('replaces its contacts and sites as a whole; those it knows keep their guid', async () => {
    const made = await aCustomer(app, people.office, {
      displayName: 'Crew',
      contacts: [{ name: 'Anna' }, { name: 'Ben' }],
      sites: [{ name: 'A', address }],
    })
    const [anna] = (await get(made.guid)).contacts
    const after = ok(
      await change(made.guid, {
        version: 1,
        contacts: [
          { guid: anna?.guid, name: 'Anna B' },
          { name: 'Dora', isPrimary: true },
        ],
        sites: [],
      }),
    ).customer
    expect(after.contacts.map((c) => c.name)).toEqual(['Dora', 'Anna B'])
    expect(after.contacts.find((c) => c.name === 'Anna B')?.guid).toBe(anna?.guid)
    expect(after.sites).toEqual([])
  })

  test('takes no contact of another customer', async () => {
    const other = await aCustomer(app, people.office, { displayName: 'Other', contacts: [{ name: 'Olga' }] })
    const mine = await aCustomer(app, people.office, { displayName: 'Mine' })
    const refused = await change(mine.guid, {
      version: 1,
      contacts: [{ guid: other.contacts[0]?.guid, name: 'Stolen' }],
    })
    expect([refused.status, paths(refused)]).toEqual([422, ['contacts.0.guid']])
    expect((await get(other.guid)).contacts[0]?.name).toBe('Olga')
  })

  test('is archived and brought back, and takes no new documents in between', async () => {
    const made = await aCustomer(app, people.office, { displayName: 'Leaving' })
    expect(
      ok(await app.call<One>(people.office, 'DELETE', `/Customers/${made.guid}`)).customer.archivedAt,
    ).not.toBeNull()
    expect((await app.call(people.office, 'DELETE', `/Customers/${made.guid}`)).error).toBe('INVALID_TRANSITION')
    expect((await list('?search=leaving')).items).toEqual([])
    expect((await list('?search=leaving&archived=true')).items.map((c) => c.guid)).toEqual([made.guid])
    const quote = await app.call(people.office, 'POST', '/Quotes', { customerGuid: made.guid, title: 'x' })
    expect([quote.status, paths(quote)]).toEqual([422, ['customerGuid']])
    expect(
      ok(await app.call<One>(people.office, 'POST', `/Customers/Restore/${made.guid}`)).customer.archivedAt,
    ).toBeNull()
    await aQuote(app, people.office, made.guid)
  })

  test('is archived with others at once, each answered for itself', async () => {
    const [a, b] = [
      await aCustomer(app, people.office, { displayName: 'Bulk A' }),
      await aCustomer(app, people.office, { displayName: 'Bulk B' }),
    ]
    ok(await app.call(people.office, 'DELETE', `/Customers/${b.guid}`))
    const unknown = '01890000-0000-7000-8000-000000000000'
    const { results } = ok(
      await app.call<{ results: { guid: string; ok: boolean }[] }>(people.office, 'POST', '/Customers/Bulk', {
        action: 'archive',
        guids: [a.guid, b.guid, unknown],
      }),
    )
    expect(results.map((r) => r.ok)).toEqual([true, false, false])
    const none = ok(
      await app.call<{ results: { ok: boolean }[] }>(people.office, 'POST', '/Customers/Bulk', {
        action: 'archive',
        guids: [a.guid],
      }),
    )
    expect(none.results.map((r) => r.ok)).toEqual([false])
  })

  test('is made once however often the same request arrives', async () => {
    const body = { displayName: 'Doubly Sent' }
    const send = () => app.call<One>(people.office, 'POST', '/Customers', body, { 'idempotency-key': 'customer-1' })
    const answers = await Promise.all([send(), send(), send()])
    expect(new Set(answers.map((a) => a.data.customer.guid)).size).toBe(1)
    expect((await list('?search=doubly')).page.total.value).toBe(1)
  })
})

describe('the list of customers', () => {
  test('is searched by a part of name, mail, phone or ABN, and takes special characters as they are', async () => {
    await aCustomer(app, people.office, { displayName: '100% Pools_Co', phone: '0299 887 766' })
    const names = async (search: string) =>
      (await list(`?search=${encodeURIComponent(search)}`)).items.map((c) => c.displayName)
    expect(await names('POOLS')).toEqual(['100% Pools_Co'])
    expect(await names('887 76')).toEqual(['100% Pools_Co'])
    expect(await names('100%')).toEqual(['100% Pools_Co'])
    expect(await names('0_p')).toEqual([])
    expect(await names("'; drop table customers; --")).toEqual([])
  })

  test('goes on where a page ended, in both directions', async () => {
    const all = (await list('?size=100&sort=displayName')).items.map((c) => c.guid)
    const seen: string[] = []
    let after = ''
    for (;;) {
      const { items, page } = await list(`?size=3&sort=displayName${after && `&after=${after}`}`)
      seen.push(...items.map((c) => c.guid))
      if (!page.next) break
      after = page.next
    }
    expect(seen).toEqual(all)
    expect((await list('?size=100&sort=-displayName')).items.map((c) => c.guid)).toEqual(all.toReversed())
  })

  test('refuses what it does not know', async () => {
    for (const query of ['?sort=internalNotes', '?size=7', '?foo=1', '?kind=alien', '?after=x'])
      expect([query, (await app.call(people.office, 'GET', `/Customers${query}`)).status]).toEqual([query, 400])
  })

  test('leaves as a CSV file of exactly what is filtered', async () => {
    await aCustomer(app, people.office, { displayName: '=HYPERLINK("x")', kind: 'charity' })
    const csv = await app.call(people.office, 'GET', '/Customers/Export?kind=charity')
    expect(csv.status).toBe(200)
    expect(csv.body.split('\r\n')[1]).toMatch(/^"'=HYPERLINK\(""x""\)",charity,/)
    expect(csv.body.trim().split('\r\n')).toHaveLength(2)
  })
})

describe('contacts', () => {
  test('of all customers are listed and searched, without those archived', async () => {
    const made = await aCustomer(app, people.office, {
      displayName: 'Contact House',
      contacts: [{ name: 'Zora Quill', email: 'zora@house.example' }],
    })
    const find = async (query: string) =>
      ok(
        await app.call<{ items: { name: string; customerName: string }[] }>(people.office, 'GET', `/Contacts?${query}`),
      ).items
    expect(await find('search=quill')).toMatchObject([
      { name: 'Zora Quill', customerName: 'Contact House', customerGuid: made.guid },
    ])
    expect(await find(`customerGuid=${made.guid}`)).toHaveLength(1)
    ok(await app.call(people.office, 'DELETE', `/Customers/${made.guid}`))
    expect(await find('search=quill')).toEqual([])
    ok(await app.call(people.office, 'POST', `/Customers/Restore/${made.guid}`))
    expect(await find('search=quill')).toHaveLength(1)
    ok(await change(made.guid, { version: (await get(made.guid)).version, contacts: [] }))
    expect(await find('search=quill')).toEqual([])
  })
})

describe('who may see customers', () => {
  test('is decided for lists, single records, changes, bulk and export alike', async () => {
    const role = await aRole(app, 'Own customers', [
      { subject: 'Customers', action: 'manage', conditions: { scope: 'own' } },
      { subject: 'Contacts', action: 'read', conditions: { scope: 'own' } },
    ])
    const owner = await aPerson(app, 'owner', role)
    const foreign = await aCustomer(app, people.office, { displayName: 'Foreign Co', contacts: [{ name: 'Fritz' }] })
    const own = await aCustomer(app, owner, { displayName: 'Own Co' })
    expect((await app.call<List>(owner, 'GET', '/Customers')).data.items.map((c) => c.displayName)).toEqual(['Own Co'])
    expect((await app.call<List>(owner, 'GET', '/Contacts')).data.items).toEqual([])
    expect((await app.call(owner, 'GET', '/Customers/Export')).body).not.toContain('Foreign')
    for (const [method, path, body] of [
      ['GET', `/Customers/${foreign.guid}`],
      ['GET', `/Customers/Timeline/${foreign.guid}`],
      ['PATCH', `/Customers/${foreign.guid}`, { version: 1 }],
      ['DELETE', `/Customers/${foreign.guid}`],
    ] as const) {
      expect([method, path, (await app.call(owner, method, path, body)).status]).toEqual([method, path, 404])
    }
    expect(
      (
        await app.call<{ results: { ok: boolean }[] }>(owner, 'POST', '/Customers/Bulk', {
          action: 'archive',
          guids: [foreign.guid, own.guid],
        })
      ).data.results.map((r) => r.ok),
    ).toEqual([false, true])
  })

  test('is nobody without the right', async () => {
    for (const who of [people.guest, people.emptyRole])
      expect((await app.call(who, 'GET', '/Customers')).status).toBe(403)
    expect((await app.call(people.readOnly, 'POST', '/Customers', { displayName: 'x' })).status).toBe(403)
    expect((await app.call(null, 'GET', '/Customers')).status).toBe(401)
  })
})

describe('the timeline of a customer', () => {
  test('tells who did what, and of its documents too', async () => {
    const made = await aCustomer(app, people.office, { displayName: 'Told Of' })
    ok(await change(made.guid, { version: 1, phone: '02 5550 5550' }))
    await aQuote(app, people.sales, made.guid, { title: 'Gate' })
    const { items } = ok(
      await app.call<{ items: { what: string; by: string; byKind: string; values: Record<string, unknown> }[] }>(
        people.office,
        'GET',
        `/Customers/Timeline/${made.guid}`,
      ),
    )
    expect(items.map((i) => [i.what, i.by, i.byKind])).toEqual([
      ['quote.created', 'sales', 'user'],
      ['customer.updated', 'office', 'user'],
      ['customer.created', 'office', 'user'],
    ])
    expect(items[0]?.values).toEqual({ title: 'Gate', totalCents: 27_500 })
  })
})
