import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invoice } from '../../contract/invoices.ts'
import { many, ok } from '../../test/support/factories.ts'
import { cards, type Paying, startPaying } from '../../test/support/paying.ts'
import { inTransaction, systemRun } from '../core/run.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { writeOffDifference } from './invoice-books.service.ts'

let p: Paying
beforeAll(async () => {
  p = await startPaying()
})
afterAll(() => p.stop())

const show = async (guid: string) =>
  ok(await p.app.call<{ invoice: Invoice }>(p.actors.accountant, 'GET', `/Invoices/${guid}`)).invoice
const asked = async (path: 'WriteOff' | 'Recover', guid: string, body: object, who = p.actors.accountant) => {
  const { version } = await show(guid)
  return p.app.call<{ invoice: Invoice }>(who, 'POST', `/Invoices/${path}/${guid}`, { version, ...body })
}
const writeOff = async (guid: string, body: object = {}) =>
  ok(await asked('WriteOff', guid, { reasonCode: 'bad_debt', ...body })).invoice
const recover = async (guid: string, body: object = {}) => ok(await asked('Recover', guid, body)).invoice
const posted = (guid: string) =>
  p.rows<{ source: string; account: string; debit: number; credit: number }>(
    `select e.source, l.account, l.debit_cents::int as debit, l.credit_cents::int as credit from write_offs w
      join journal_entries e on e.source_guid = w.guid join journal_lines l on l.entry_guid = e.guid
      where w.invoice_guid = $1 order by w.created_at, l.position`,
    [guid],
  )
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(new Date())

describe('an invoice that nobody will pay', () => {
  test('is written off with its share of the GST, and is owing no more', async () => {
    const { guid, number } = await p.invoice(11_000)
    ok(await p.byHand({ amountCents: 3333, allocations: [{ invoiceGuid: guid, cents: 3333 }] }), 201)
    const part = await writeOff(guid, { cents: 3333, note: 'Half of the rest' })
    expect(part).toMatchObject({ status: 'issued', displayStatus: 'partially_paid', balanceCents: 4334 })
    const whole = await writeOff(guid)
    expect(whole).toMatchObject({ status: 'written_off', displayStatus: 'written_off', balanceCents: 0 })
    expect(whole.writtenOffCents).toBe(7667)
    expect(whole.related.writeOffs).toMatchObject([
      { cents: 3333, gstCents: 303, reasonCode: 'bad_debt', note: 'Half of the rest', on: today(), isRecovery: false },
      { cents: 4334, gstCents: 394, isRecovery: false },
    ])
    expect(await posted(guid)).toEqual([
      { source: 'write_off', account: '6200', debit: 3030, credit: 0 },
      { source: 'write_off', account: '2100', debit: 303, credit: 0 },
      { source: 'write_off', account: '1100', debit: 0, credit: 3333 },
      { source: 'write_off', account: '6200', debit: 3940, credit: 0 },
      { source: 'write_off', account: '2100', debit: 394, credit: 0 },
      { source: 'write_off', account: '1100', debit: 0, credit: 4334 },
    ])
    expect((await asked('WriteOff', guid, { reasonCode: 'other' })).message).toBe(`Invoice ${number} is written off.`)
  })

  test('is owing again as far as it is recovered, the newest part first', async () => {
    const { guid } = await p.invoice(11_000)
    await writeOff(guid, { cents: 1000 })
    await writeOff(guid)
    const some = await recover(guid, { cents: 10_500 })
    expect(some).toMatchObject({ status: 'issued', displayStatus: 'sent', balanceCents: 10_500, writtenOffCents: 500 })
    expect(some.related.writeOffs.filter((one) => one.isRecovery)).toMatchObject([
      { cents: 10_000, gstCents: 909 },
      { cents: 500, gstCents: 46 },
    ])
    expect(await recover(guid)).toMatchObject({ balanceCents: 11_000, writtenOffCents: 0 })
    expect((await asked('Recover', guid, {})).error).toBe('INVALID_TRANSITION')
  })

  test('takes a day between its issue and today, and never more than is owing', async () => {
    const { guid } = await p.invoice(5500)
    const bad = { reasonCode: 'bad_debt' }
    expect((await asked('WriteOff', guid, { ...bad, cents: 5501 })).errors).toEqual([
      { path: 'cents', message: 'Enter $55.00 or less.' },
    ])
    expect((await asked('WriteOff', guid, { ...bad, on: '2026-01-01' })).errors[0]?.path).toBe('on')
    expect((await asked('WriteOff', guid, { ...bad, on: '2099-01-01' })).errors[0]?.path).toBe('on')
    expect((await asked('WriteOff', guid, { ...bad, cents: 0 })).status).toBe(422)
    expect((await asked('WriteOff', guid, { reasonCode: 'small_difference', cents: 501 })).errors).toEqual([
      { path: 'cents', message: 'Small differences may come to $5.00. Enter $5.00 or less.' },
    ])
    expect((await asked('Recover', guid, { cents: 1 })).error).toBe('INVALID_TRANSITION')
    await writeOff(guid, { cents: 500 })
    expect((await asked('Recover', guid, { cents: 501 })).errors[0]?.path).toBe('cents')
  })

  test('is refused to who has no right, to an older version, and of what owes nothing', async () => {
    const { guid, version } = await p.invoice(2200)
    const body = { version, reasonCode: 'bad_debt' }
    for (const who of [p.actors.office, p.actors.sales, p.actors.field, p.actors.readOnly])
      for (const path of ['WriteOff', 'Recover'])
        expect((await p.app.call(who, 'POST', `/Invoices/${path}/${guid}`, body)).status).toBe(403)
    await writeOff(guid, { cents: 100 })
    expect((await p.app.call(p.actors.accountant, 'POST', `/Invoices/WriteOff/${guid}`, body)).error).toBe(
      'STALE_VERSION',
    )
    ok(await p.byHand({ amountCents: 2100, allocations: [{ invoiceGuid: guid, cents: 2100 }] }), 201)
    expect(await show(guid)).toMatchObject({ displayStatus: 'paid', paymentStatus: 'paid', balanceCents: 0 })
    expect((await asked('WriteOff', guid, { reasonCode: 'bad_debt' })).message).toBe('This invoice is already paid.')
    expect((await asked('WriteOff', guid, { reasonCode: 'bad_debt' })).error).toBe('CONFLICT')
  })

  test('by many at once is written off once', async () => {
    const { guid, version } = await p.invoice(7700)
    const answers = await many(50, () =>
      p.app.call(p.actors.accountant, 'POST', `/Invoices/WriteOff/${guid}`, { version, reasonCode: 'bad_debt' }),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await show(guid)).toMatchObject({ status: 'written_off', writtenOffCents: 7700 })
  })

  test('keeps its rows and its sum, whoever tries to change them', async () => {
    const { guid } = await p.invoice(3300)
    await writeOff(guid)
    await expect(p.rows('update write_offs set cents = 1 where invoice_guid = $1', [guid])).rejects.toThrow()
    await expect(p.rows('delete from write_offs where invoice_guid = $1', [guid])).rejects.toThrow()
    await expect(p.rows('update invoices set written_off_cents = 0 where guid = $1', [guid])).rejects.toThrow()
    const [row] = await p.rows<{ guid: string }>('select guid from write_offs where invoice_guid = $1', [guid])
    const twice = `insert into write_offs (guid, invoice_guid, cents, gst_cents, reason_code, effective_on,
      reverses_guid) values (gen_random_uuid(), $1, 3301, 300, 'bad_debt', '2026-01-01', $2)`
    await expect(p.rows(twice, [guid, row?.guid])).rejects.toThrow()
    const issued = await p.invoice(1100)
    await expect(p.rows(`update invoices set status = 'written_off' where guid = $1`, [issued.guid])).rejects.toThrow(
      'written_off_is_cleared',
    )
  })
})

describe('money for what was written off', () => {
  test('by hand makes as much owe again first, and pays it', async () => {
    const { guid } = await p.invoice(11_000)
    await writeOff(guid)
    ok(await p.byHand({ amountCents: 4000, allocations: [{ invoiceGuid: guid, cents: 4000 }] }), 201)
    const invoice = await show(guid)
    expect(invoice).toMatchObject({ paidCents: 4000, writtenOffCents: 7000, balanceCents: 0, status: 'issued' })
    expect(invoice.related.writeOffs.at(-1)).toMatchObject({ cents: 4000, gstCents: 364, isRecovery: true })
    expect((await p.byHand({ amountCents: 7001, allocations: [{ invoiceGuid: guid, cents: 7001 }] })).error).toBe(
      'BALANCE_EXCEEDED',
    )
  })

  test('goes beyond the balance only where a part was written off', async () => {
    const { guid } = await p.invoice(10_000)
    await writeOff(guid, { cents: 2000 })
    ok(await p.byHand({ amountCents: 8000, allocations: [{ invoiceGuid: guid, cents: 8000 }] }), 201)
    expect(await show(guid)).toMatchObject({ displayStatus: 'paid', writtenOffCents: 2000 })
    ok(await p.byHand({ amountCents: 500, allocations: [{ invoiceGuid: guid, cents: 500 }] }), 201)
    expect(await show(guid)).toMatchObject({ displayStatus: 'paid', writtenOffCents: 1500, paidCents: 8500 })
  })

  test('is not taken from a guest, who is told whom to call', async () => {
    const { guid, link } = await p.invoice(4400)
    await writeOff(guid)
    expect((await p.pay(link, 4400)).message).toBe('This invoice is closed. Call us if you would like to pay it.')
    const page = ok(
      await p.app.call<{ invoice: { status: string; canPayByCard: boolean; balanceCents: number } }>(
        p.actors.guest,
        'GET',
        `/Service/Invoices/${link}`,
      ),
    ).invoice
    expect(page).toMatchObject({ status: 'written_off', canPayByCard: false, balanceCents: 0 })
  })

  test('given back opens the invoice again', async () => {
    const { guid } = await p.invoice(11_000)
    const { payment } = ok(
      await p.byHand({ amountCents: 6000, allocations: [{ invoiceGuid: guid, cents: 6000 }] }),
      201,
    )
    await writeOff(guid)
    ok(await p.refund({ paymentGuid: payment.guid, amountCents: 1000, reasonCode: 'duplicate' }), 201)
    expect(await show(guid)).toMatchObject({ status: 'issued', balanceCents: 1000, writtenOffCents: 5000 })
  })
})

test('a small difference under a payment leaves the invoice paid, within what the business allows in all', async () => {
  const { guid } = await p.invoice(10_000)
  const { payment } = ok(await p.byHand({ amountCents: 9700, allocations: [{ invoiceGuid: guid, cents: 9700 }] }), 201)
  const under = (cents: number) =>
    inTransaction(systemRun(p.app.deps, 'test'), (ctx) =>
      writeOffDifference(ctx, { invoiceGuid: guid, cents, on: today(), paymentGuid: payment.guid, path: 'x' }),
    )
  await expect(under(301)).rejects.toThrow()
  await under(300)
  expect(await show(guid)).toMatchObject({ status: 'issued', displayStatus: 'paid', balanceCents: 0 })
  await recover(guid)
  await p.rows('update businesses set write_off_limit_cents = 200')
  await expect(under(300)).rejects.toMatchObject({
    fields: [{ path: 'x', message: 'Small differences may come to $2.00. Enter $2.00 or less.' }],
  })
  await under(150)
  await expect(under(100)).rejects.toMatchObject({ fields: [{ message: expect.stringContaining('$0.50 or less') }] })
  await p.rows('update businesses set write_off_limit_cents = 500')
})

test('a small difference is given up with its payment, or nothing of both is booked', async () => {
  const { guid } = await p.invoice(10_000)
  const pay = (cents: number, writeOffCents: number) =>
    p.byHand({ amountCents: cents, allocations: [{ invoiceGuid: guid, cents, writeOffCents }] })
  expect((await pay(9000, 501)).errors[0]?.path).toBe('allocations.0.writeOffCents')
  expect((await pay(9900, 101)).errors[0]?.path).toBe('allocations.0.writeOffCents')
  expect(await show(guid)).toMatchObject({ paidCents: 0, writtenOffCents: 0 })
  ok(await pay(9950, 50), 201)
  const invoice = await show(guid)
  expect(invoice).toMatchObject({ displayStatus: 'paid', paidCents: 9950, writtenOffCents: 50, balanceCents: 0 })
  expect(invoice.related.writeOffs).toMatchObject([{ reasonCode: 'small_difference', cents: 50, gstCents: 5 }])
})

test('a card payment that was on its way keeps an invoice from being written off', async () => {
  const { guid, link } = await p.invoice(6600)
  await p.tell('latency', { ms: 0 })
  const started = await p.pay(link, 6600, cards.secure)
  expect(started.status).toBe(201)
  const { error, message } = await asked('WriteOff', guid, { reasonCode: 'bad_debt' })
  expect(error).toBe('CONFLICT')
  expect(message).toContain('is processing')
})

test('the books agree with all of it', async () => {
  expect((await verifyLedger(p.app.deps.db)).problems).toEqual([])
})
