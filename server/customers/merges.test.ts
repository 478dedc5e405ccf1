import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { aCustomer, aQuote, ok, startStaffed } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'

interface Customer {
  guid: string
  version: number
  displayName: string
  abn: string | null
  email: string | null
  phone: string | null
  internalNotes: string | null
  contacts: { name: string }[]
  terms: { termsDays: number | null; limitCents: number | null; isOnHold: boolean; holdReason: string | null }
  mergedFrom: { guid: string; displayName: string; mergeGuid: string }[]
}
interface Preview {
  fields: { field: string; keep: unknown; from: unknown; chosen: string | null }[]
  counts: Record<string, number>
  warnings: string[]
}
interface Merged {
  merge: { guid: string; version: number }
  customer: Customer
}
interface Undone {
  keep: Customer
  from: Customer
  leftAsIs: { field: string; value: unknown }[]
}

let app: Running
let people: Actors
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
})
afterAll(() => app.stop())

const get = async (guid: string) =>
  ok(await app.call<{ customer: Customer }>(people.office, 'GET', `/Customers/${guid}`)).customer
const make = async (facts: Record<string, unknown>) => get((await aCustomer(app, people.office, facts)).guid)
const preview = async (keep: Customer, from: Customer) =>
  ok(
    await app.call<Preview>(people.office, 'POST', '/Customers/Merge/Preview', {
      keepGuid: keep.guid,
      fromGuid: from.guid,
    }),
  )
const tryMerge = (keep: Customer, from: Customer, choices: Record<string, string> = {}) =>
  app.call<Merged>(people.office, 'POST', '/Customers/Merge', {
    keepGuid: keep.guid,
    keepVersion: keep.version,
    fromGuid: from.guid,
    fromVersion: from.version,
    choices,
  })
const merge = async (keep: Customer, from: Customer, choices: Record<string, string> = {}) =>
  ok(await tryMerge(await get(keep.guid), await get(from.guid), choices), 201)
const undo = (guid: string, version = 1) =>
  app.call<Undone>(people.office, 'POST', `/Customers/Merge/Undo/${guid}`, { version })
const names = async (query = '') =>
  ok(
    await app.call<{ items: { displayName: string }[] }>(people.office, 'GET', `/Customers?size=100${query}`),
  ).items.map(({ displayName }) => displayName)
const quotesOf = async (guid: string) =>
  ok(
    await app.call<{ items: { guid: string; customerName: string }[] }>(
      people.office,
      'GET',
      `/Quotes?customerGuid=${guid}`,
    ),
  ).items

describe('two customers who are one', () => {
  test('are merged without moving anything, under the name of the one who is kept', async () => {
    const keep = await make({
      displayName: 'Cormorant Constructions',
      email: 'a@cormorant.example',
      contacts: [{ name: 'Ann' }],
    })
    const from = await make({
      displayName: 'Cormorant P/L',
      email: null,
      phone: '02 5550 1111',
      contacts: [{ name: 'Bo' }],
    })
    const quote = await aQuote(app, people.office, from.guid)
    expect(await preview(keep, from)).toMatchObject({
      fields: [
        { field: 'displayName', chosen: 'keep' },
        { field: 'email', chosen: 'keep', from: null },
        { field: 'phone', chosen: 'from', from: '02 5550 1111' },
      ],
      counts: { quotes: 1, orders: 0, contacts: 1 },
      warnings: [],
    })
    const { customer, merge: done } = await merge(keep, from)
    expect(customer).toMatchObject({
      guid: keep.guid,
      displayName: 'Cormorant Constructions',
      phone: '02 5550 1111',
      mergedFrom: [{ guid: from.guid, displayName: 'Cormorant P/L', mergeGuid: done.guid }],
    })
    expect(customer.contacts.map(({ name }) => name).toSorted()).toEqual(['Ann', 'Bo'])
    expect(await names('&search=cormorant')).toEqual(['Cormorant Constructions'])
    for (const guid of [keep.guid, from.guid])
      expect(await quotesOf(guid)).toMatchObject([{ guid: quote.guid, customerName: 'Cormorant Constructions' }])
    expect((await get(from.guid)).guid).toBe(keep.guid)
    const later = await aQuote(app, people.office, from.guid)
    const undone = ok(await undo(done.guid))
    expect([undone.keep.phone, undone.from.displayName, undone.leftAsIs]).toEqual([null, 'Cormorant P/L', []])
    // What was made meanwhile was made for the one who was kept.
    expect((await quotesOf(keep.guid)).map(({ guid }) => guid)).toEqual([later.guid])
    expect((await quotesOf(from.guid)).map(({ guid }) => guid)).toEqual([quote.guid])
  })

  test('keep a hold, the lower limit and both notes, and have one ABN that somebody chose', async () => {
    const keep = await make({
      displayName: 'Keeper',
      abn: '51824753556',
      internalNotes: 'pays late',
      terms: { termsDays: 14, limitCents: 500_000 },
    })
    const from = await make({
      displayName: 'Goner',
      abn: '53004085616',
      internalNotes: 'gate code 12',
      terms: { termsDays: 30, limitCents: 200_000, isOnHold: true, holdReason: 'Cheque bounced' },
    })
    expect((await preview(keep, from)).warnings).toEqual(['abn', 'hold', 'limit'])
    const refused = await tryMerge(keep, from)
    expect([refused.status, refused.errors]).toEqual([
      422,
      [{ path: 'choices.abn', message: 'Choose which ABN to keep.' }],
    ])
    const { customer } = await merge(keep, from, { abn: 'from', displayName: 'from' })
    expect(customer).toMatchObject({
      displayName: 'Goner',
      abn: '53004085616',
      internalNotes: 'pays late\n\ngate code 12',
      terms: { termsDays: 14, limitCents: 200_000, isOnHold: true, holdReason: 'Cheque bounced' },
    })
  })

  test('are taken apart in the order of their merging, the latest first', async () => {
    const [a, b, c] = [
      await make({ displayName: 'A' }),
      await make({ displayName: 'B' }),
      await make({ displayName: 'C' }),
    ]
    const first = (await merge(a, b)).merge
    const second = (await merge(c, a)).merge
    expect((await get(b.guid)).guid).toBe(c.guid)
    expect((await get(c.guid)).mergedFrom.map(({ displayName }) => displayName)).toEqual(['A', 'B'])
    const refused = await undo(first.guid)
    expect([refused.status, refused.message]).toEqual([409, 'Undo the merge with C first.'])
    ok(await undo(second.guid))
    expect((await get(b.guid)).guid).toBe(a.guid)
    ok(await undo(first.guid))
    expect((await get(b.guid)).guid).toBe(b.guid)
    expect((await undo(first.guid, 2)).message).toBe('This merge was already undone.')
  })

  test('keep what was changed meanwhile when they are taken apart', async () => {
    const keep = await make({ displayName: 'Old name', email: null })
    const from = await make({ displayName: 'Other', email: 'o@other.example', phone: '02 5550 2222' })
    const { merge: done, customer } = await merge(keep, from)
    ok(
      await app.call(people.office, 'PATCH', `/Customers/${keep.guid}`, {
        version: customer.version,
        phone: '02 5550 3333',
      }),
    )
    const undone = ok(await undo(done.guid))
    expect(undone.leftAsIs).toEqual([{ field: 'phone', value: '02 5550 3333' }])
    expect(undone.keep).toMatchObject({ email: null, phone: '02 5550 3333' })
  })

  test('are merged by one of two who do it at once', async () => {
    const [a, b, c] = [
      await make({ displayName: 'D' }),
      await make({ displayName: 'E' }),
      await make({ displayName: 'F' }),
    ]
    const both = await Promise.all([tryMerge(a, c), tryMerge(b, c), tryMerge(c, a)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  })

  test('are not merged with themselves, with strangers, or by whoever lacks the right', async () => {
    const [a, b] = [await make({ displayName: 'G' }), await make({ displayName: 'H' })]
    expect((await tryMerge(a, a)).errors).toEqual([{ path: 'fromGuid', message: 'Choose another customer.' }])
    const body = { keepGuid: a.guid, fromGuid: b.guid }
    expect((await app.call(people.sales, 'POST', '/Customers/Merge/Preview', body)).status).toBe(403)
    const stranger = { ...b, guid: '00000000-0000-7000-8000-000000000001' }
    expect((await tryMerge(a, stranger)).errors[0]?.path).toBe('fromGuid')
  })
})

/** Numbers that look random and are the same in every run. */
function dice(seed: number) {
  let state = seed
  return (sides: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

test('merging and undoing leave every customer as it was, whatever differs', async () => {
  const roll = dice(7)
  const maybe = <T>(values: readonly T[]) => (roll(3) === 0 ? null : (values[roll(values.length)] ?? null))
  const made: Customer[] = []
  for (let i = 0; i < 10; i++)
    made.push(
      await make({
        displayName: `Random ${roll(4)} ${i}`,
        kind: ['business', 'charity', 'trust'][roll(3)],
        abn: maybe(['51824753556', '53004085616']),
        email: maybe(['x@random.example', 'y@random.example']),
        phone: maybe(['02 5550 4444', '02 5550 5555']),
        internalNotes: maybe(['one', 'two']),
        billingAddress: maybe([{ line1: '1 Wharf St', suburb: 'Balmain', state: 'NSW', postcode: '2041' }]),
        terms: { limitCents: maybe([0, 100_000]), isOnHold: roll(2) === 0, termsDays: maybe([0, 7, 30]) },
      }),
    )
  const shown = async () => {
    const all = await Promise.all(made.map(({ guid }) => get(guid)))
    return all.map(({ version: _version, ...rest }) => ({ ...rest, updatedAt: null }))
  }
  const before = await shown()
  const done: string[] = []
  for (let i = 0; i < 30 && done.length < 7; i++) {
    const [keep, from] = [made[roll(10)], made[roll(10)]]
    if (!keep || !from) continue
    const side = roll(2) === 0 ? 'keep' : 'from'
    const answer = await tryMerge(await get(keep.guid), await get(from.guid), {
      abn: side,
      displayName: roll(2) === 0 ? 'keep' : 'from',
    })
    if (answer.status === 201) done.push(answer.data.merge.guid)
  }
  expect(done.length).toBeGreaterThan(4)
  expect(await shown()).not.toEqual(before)
  for (const guid of done.toReversed()) expect(ok(await undo(guid)).leftAsIs).toEqual([])
  expect(await shown()).toEqual(before)
})
