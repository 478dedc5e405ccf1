import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../contract/core/dates.ts'
import type { Invoice } from '../../contract/invoices.ts'
import { ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'
import type { Caller } from '../../test/support/start.ts'
import { verifyLedger } from '../ledger/verify.ts'

let p: Paying
beforeAll(async () => {
  p = await startPaying()
})
afterAll(() => p.stop())

const show = async (guid: string) =>
  ok(await p.app.call<{ invoice: Invoice }>(p.actors.office, 'GET', `/Invoices/${guid}`)).invoice
const plan = (guid: string, version: number, instalments: object[], who: Caller = p.actors.office) =>
  p.app.call<{ invoice: Invoice }>(who, 'POST', `/Invoices/Instalments/${guid}`, { version, instalments })

test('an invoice in parts is due when the first that is not covered is, and each is filled in its turn', async () => {
  const made = await p.invoice(110_000)
  const { issueOn, version } = await show(made.guid)
  const days = [0, 30, 60].map((count) => addDays(issueOn ?? '', count))
  const parts = [40_000, 40_000, 30_000].map((cents, i) => ({ label: `Part ${i + 1}`, dueOn: days[i], cents }))
  const { invoice } = ok(await plan(made.guid, version, parts))
  expect(invoice.instalments).toEqual(parts.map((part) => ({ ...part, paidCents: 0 })))
  expect(invoice.dueOn).toBe(days[0])
  ok(await p.byHand({ amountCents: 50_000, allocations: [{ invoiceGuid: made.guid, cents: 50_000 }] }), 201)
  const paid = await show(made.guid)
  expect(paid.instalments.map(({ paidCents }) => paidCents)).toEqual([40_000, 10_000, 0])
  expect(paid.dueOn).toBe(days[1])
  const guest = ok(
    await p.app.call<{ invoice: { dueOn: string; instalments: object[] } }>(
      p.actors.guest,
      'GET',
      `/Service/Invoices/${made.link}`,
    ),
  ).invoice
  expect(guest).toMatchObject({ dueOn: days[1], instalments: paid.instalments })
  ok(await p.byHand({ amountCents: 60_000, allocations: [{ invoiceGuid: made.guid, cents: 60_000 }] }), 201)
  expect(await show(made.guid)).toMatchObject({ displayStatus: 'paid', dueOn: days[2] })
})

test('the newest plan counts, and a stale version makes none', async () => {
  const made = await p.invoice(10_000)
  const { issueOn, version } = await show(made.guid)
  const day = (count: number) => addDays(issueOn ?? '', count)
  ok(await plan(made.guid, version, [{ label: 'All', dueOn: day(90), cents: 10_000 }]))
  expect((await show(made.guid)).dueOn).toBe(day(90))
  const two = [
    { label: 'Half', dueOn: day(7), cents: 5000 },
    { label: 'Rest', dueOn: day(7), cents: 5000 },
  ]
  expect((await plan(made.guid, version, two)).error).toBe('STALE_VERSION')
  ok(await plan(made.guid, (await show(made.guid)).version, two))
  expect(await show(made.guid)).toMatchObject({ dueOn: day(7), instalments: [{ label: 'Half' }, { label: 'Rest' }] })
})

test('parts come to the total, in order, of what is issued and owing, by those who may', async () => {
  const made = await p.invoice(10_000)
  const { issueOn, version } = await show(made.guid)
  const at = issueOn ?? ''
  const bad = async (parts: object[]) => (await plan(made.guid, version, parts)).errors[0]
  expect(await bad([{ label: 'All', dueOn: at, cents: 9999 }])).toEqual({
    path: 'instalments',
    message: 'Instalments must add up to $100.00.',
  })
  expect((await bad([{ label: 'All', dueOn: addDays(at, -1), cents: 10_000 }]))?.path).toBe('instalments.0.dueOn')
  const backwards = [
    { label: 'One', dueOn: addDays(at, 9), cents: 5000 },
    { label: 'Two', dueOn: addDays(at, 8), cents: 5000 },
  ]
  expect((await bad(backwards))?.path).toBe('instalments.1.dueOn')
  expect((await bad([]))?.path).toBe('instalments')
  const whole = [{ label: 'All', dueOn: at, cents: 10_000 }]
  for (const who of [p.actors.sales, p.actors.field, p.actors.readOnly])
    expect((await plan(made.guid, version, whole, who)).status).toBe(403)
  await expect(
    p.rows(
      `insert into invoice_instalments (guid, invoice_guid, plan, position, label, due_on, cents)
        values (gen_random_uuid(), $1, 9, 1, 'x', now(), 1)`,
      [made.guid],
    ),
  ).rejects.toThrow('instalments do not come to the total')
  ok(await p.byHand({ amountCents: 10_000, allocations: [{ invoiceGuid: made.guid, cents: 10_000 }] }), 201)
  expect((await plan(made.guid, version, whole)).error).toBe('CONFLICT')
})

test('the books agree with all of it', async () => {
  expect((await verifyLedger(p.app.deps.db)).problems).toEqual([])
})
