import { expect, it } from 'vitest'
import { startApp } from '../../test/support/start.ts'
import { seedSample } from './sample.ts'

const [morning, evening] = ['2026-11-21T22:00:00.000Z', '2026-11-22T11:00:00.000Z']

/** What the sample company has written by the morning, counted and in cents, and the states its documents are in. */
async function companyMadeAt(time: string) {
  const app = await startApp({ now: () => new Date(time) })
  await seedSample(app, { password: 'a password of the sample' })
  const { db } = app.deps
  const sum = (rows: { cents: number }[]) => [rows.length, rows.reduce((total, { cents }) => total + cents, 0)]
  const quotes = await db.selectFrom('quotes').select(['status', 'sentAt', 'totalCents as cents']).execute()
  const orders = await db.selectFrom('orders').select('status').execute()
  const invoices = await db
    .selectFrom('invoices')
    .select('totalCents as cents')
    .where('issuedAt', '<', morning)
    .execute()
  const payments = await db
    .selectFrom('payments')
    .select('amountCents as cents')
    .where('createdAt', '<', morning)
    .execute()
  const weeks = await db.selectFrom('orderLines').select('quantity').where('unit', '=', 'week').execute()
  await app.stop()
  return {
    sent: sum(quotes.filter(({ sentAt }) => sentAt !== null && new Date(sentAt) < new Date(morning))),
    issued: sum(invoices),
    paid: sum(payments),
    quotes: [...new Set(quotes.map(({ status }) => status))].toSorted(),
    orders: [...new Set(orders.map(({ status }) => status))].toSorted(),
    /** Of one thing that is hired by the week. */
    mostWeeks: Math.max(...weeks.map(({ quantity }) => Number(quantity))),
  }
}

// Making it takes a while: at one hour here, at two in the long proof.
it.each(process.env['PROVE'] ? [morning, evening] : [evening])(
  'is the same company at whatever hour of a day it is made, with documents in every state: %s',
  async (time) => {
    expect(await companyMadeAt(time)).toEqual({
      sent: [101, 56_516_647],
      issued: [149, 53_856_394],
      paid: [123, 43_267_481],
      quotes: ['cancelled', 'changes_requested', 'converted', 'declined', 'draft', 'sent', 'superseded'],
      orders: ['cancelled', 'closed', 'completed', 'confirmed', 'in_progress', 'on_hold'],
      mostWeeks: 6,
    })
  },
  120_000,
)
