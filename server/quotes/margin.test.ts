import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Quote } from '../../contract/quotes.ts'
import { type Actors, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aLine, aQuote, ok } from '../../test/support/factories.ts'
import { type Running, startApp } from '../../test/support/start.ts'

interface One {
  quote: Quote
}
interface List {
  items: { guid: string; marginBp: number | null }[]
}

let app: Running
let people: Actors
let customerGuid: string
beforeAll(async () => {
  app = await startApp()
  people = await seedActors(app)
  await aBusiness(app)
  customerGuid = (await aCustomer(app, people.sales)).guid
})
afterAll(() => app.stop())

describe('the margin', () => {
  const costed = async (costCents: number) =>
    ok(
      await app.call<{ product: { guid: string } }>(people.office, 'POST', '/Products', {
        name: `Costed ${costCents}`,
        priceCents: 10_000,
        costCents,
      }),
      201,
    ).product.guid
  const margins = async (guid: string) => {
    const seen = ok(await app.call<One>(people.office, 'GET', `/Quotes/${guid}`)).quote
    const listed = ok(await app.call<List>(people.office, 'GET', '/Quotes?size=100')).items.find((q) => q.guid === guid)
    return [seen.margin, listed?.marginBp]
  }

  test('is what is left of the discounted net, follows every change, and stays with a copy', async () => {
    const lines = [aLine({ productGuid: await costed(6680), name: 'Tent', quantity: '2', unitPriceCents: 10_000 })]
    const { guid, version } = await aQuote(app, people.sales, customerGuid, { lines })
    expect(await margins(guid)).toEqual([{ cents: 6640, bp: 3320 }, 3320])
    const discounted = ok(
      await app.call<One>(people.sales, 'PATCH', `/Quotes/${guid}`, {
        version,
        discount: { type: 'percent', value: 5000 },
      }),
    ).quote
    expect(discounted.margin).toBeNull()
    expect(await margins(guid)).toEqual([{ cents: -3360, bp: -3360 }, -3360])
    const copy = ok(await app.call<One>(people.office, 'POST', `/Quotes/Duplicate/${guid}`, {}), 201).quote
    expect(copy.margin).toEqual({ cents: -3360, bp: -3360 })
  })

  test('is unknown without costs, and to whoever may not see them, who can neither sort nor filter by it', async () => {
    const { guid } = await aQuote(app, people.sales, customerGuid)
    expect(await margins(guid)).toEqual([null, null])
    const refused = 'You don’t have access to costs, so you can’t sort or filter by margin.'
    for (const asked of [
      '?sort=-marginBp',
      '?sort=title,marginBp',
      '?margin=low',
      '?margin=loss',
      '/Export?margin=loss',
    ]) {
      const mine = await app.call(people.sales, 'GET', `/Quotes${asked}`)
      expect([asked, mine.status, mine.message]).toEqual([asked, 403, refused])
    }
    const { items } = ok(await app.call<List>(people.sales, 'GET', '/Quotes?size=100'))
    expect(items.every(({ marginBp }) => marginBp === null)).toBe(true)
    ok(await app.call<List>(people.office, 'GET', '/Quotes?sort=marginBp'))
  })

  test('is low under 15 % and a loss below nothing, where a list is filtered', async () => {
    const quoteOf = async (title: string, costCents: number) => {
      const lines = [
        aLine({ productGuid: await costed(costCents), name: 'Tent', quantity: '1', unitPriceCents: 10_000 }),
      ]
      return (await aQuote(app, people.sales, customerGuid, { title, lines })).guid
    }
    const [fine, low, even, loss] = [
      await quoteOf('Fine', 8500),
      await quoteOf('Low', 8501),
      await quoteOf('Even', 10_000),
      await quoteOf('Loss', 10_001),
    ]
    const found = async (grade: string) => {
      const { items } = ok(await app.call<List>(people.office, 'GET', `/Quotes?size=100&margin=${grade}`))
      return [fine, low, even, loss].map((guid) => items.some((item) => item.guid === guid))
    }
    expect(await found('low')).toEqual([false, true, true, false])
    expect(await found('loss')).toEqual([false, false, false, true])
    expect((await app.call(people.office, 'GET', '/Quotes?margin=fine')).status).toBe(400)
  })
})
