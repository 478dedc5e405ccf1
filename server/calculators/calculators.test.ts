import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Actors, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aLine, aQuote, ok } from '../../test/support/factories.ts'
import { type Running, startApp } from '../../test/support/start.ts'

interface Totals {
  totals: Record<string, number>
  lines: { netCents: number; gstCents: number; totalCents: number; discountCents: number; isCounted: boolean }[]
}

let app: Running
let people: Actors
let businessGuid: string
beforeAll(async () => {
  app = await startApp()
  people = await seedActors(app)
  businessGuid = (await aBusiness(app)).guid
})
afterAll(() => app.stop())

const price = (body: Record<string, unknown>) =>
  app.call<Totals>(people.sales, 'POST', '/Calculators/CalculateTotals', { priceMode: 'exclusive', ...body })

test('Prices are worked out without saving, to the cent that saving would store', async () => {
  const lines = [
    aLine({ quantity: '3.3333', unitPriceCents: 999 }),
    aLine({ name: 'Free', gstCode: 'FREE', discount: { type: 'percent', value: 1250 } }),
    aLine({ name: 'Option', isOptional: true }),
    aLine({ name: 'A', alternativeGroup: 'g', unitPriceCents: 100 }),
    aLine({ name: 'B', alternativeGroup: 'g', unitPriceCents: 200, isSelected: true }),
    { kind: 'section', name: 'Heading' },
  ]
  for (const priceMode of ['exclusive', 'inclusive']) {
    const discount = { type: 'percent', value: 333 }
    const worked = ok(await price({ priceMode, discount, lines }))
    const customer = await aCustomer(app, people.sales)
    const saved = await aQuote(app, people.sales, customer.guid, { priceMode, discount, lines })
    expect(worked.totals).toEqual(saved.totals)
    expect(worked.lines.map((l) => l.totalCents)).toEqual(saved.lines.map((l) => l.totalCents))
    expect(worked.lines.map((l) => l.isCounted)).toEqual([true, true, false, false, true, true])
  }
})

test('A business that is not registered for GST charges none', async () => {
  await app.deps.db.updateTable('businesses').set({ gstRegistered: false }).where('guid', '=', businessGuid).execute()
  expect(ok(await price({ lines: [aLine()] })).totals).toMatchObject({
    subtotalCents: 25_000,
    gstCents: 0,
    totalCents: 25_000,
  })
  await app.deps.db.updateTable('businesses').set({ gstRegistered: true }).where('guid', '=', businessGuid).execute()
})

test('Amounts no document can hold are the field’s fault, not the server’s', async () => {
  const refused = await price({ lines: [aLine({ quantity: '999999999', unitPriceCents: 1_000_000_000_000 })] })
  expect([refused.status, refused.errors[0]?.path]).toEqual([422, 'lines'])
  expect((await price({ lines: [aLine({ quantity: '1,5' })] })).errors[0]?.path).toBe('lines.0.quantity')
  expect((await price({ lines: [aLine({ quantity: '-1' })] })).errors[0]?.path).toBe('lines.0.quantity')
})
