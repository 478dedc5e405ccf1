import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Invoice } from '../../contract/invoices.ts'
import type { Order } from '../../contract/orders.ts'
import { aSentQuote, ok } from '../../test/support/factories.ts'
import { type Paying, shortPatienceMs, startPaying } from '../../test/support/paying.ts'

let p: Paying
beforeAll(async () => void (p = await startPaying({}, shortPatienceMs)))
afterAll(() => p.stop())

const get = async <D>(path: string) => ok(await p.app.call<D>(p.actors.office, 'GET', path))
const order = async (guid: string) => (await get<{ order: Order }>(`/Orders/${guid}`)).order
const invoice = async (guid: string) => (await get<{ invoice: Invoice }>(`/Invoices/${guid}`)).invoice
const post = (path: string, body: unknown) => p.app.call<{ invoice: Invoice }>(p.actors.office, 'POST', path, body)
const payFor = async (invoiceGuid: string, cents: number, amountCents = cents) =>
  ok(await p.byHand({ amountCents, allocations: [{ invoiceGuid, cents }] }), 201).payment
const draft = async (orderGuid: string, wish: Record<string, unknown>) =>
  post(`/Orders/Invoice/${orderGuid}`, { version: (await order(orderGuid)).version, ...wish })
const issue = async (guid: string) => post(`/Invoices/Issue/${guid}`, { version: (await invoice(guid)).version })

/** An accepted quote with its deposit: panels with GST, a permit without. */
async function accepted(facts: Record<string, unknown> = {}, customerGuid = p.customer.guid) {
  const lines = [
    { name: 'Panels', quantity: '1', unitPriceCents: 55_000 },
    { name: 'Permit', quantity: '1', unitPriceCents: 55_000, gstCode: 'FREE' },
  ]
  const quote = await aSentQuote(p.app, p.actors.office, customerGuid, {
    priceMode: 'inclusive',
    lines,
    depositRule: { type: 'fixed', value: 33_000 },
    ...facts,
  })
  const { order: made, invoice: deposit } = ok(
    await p.app.call<{ order: { guid: string }; invoice: { guid: string } }>(
      p.actors.office,
      'POST',
      `/Quotes/Accept/${quote.guid}`,
      { version: quote.version, name: 'Anna', method: 'phone' },
    ),
  )
  return { orderGuid: made.guid, depositGuid: deposit.guid }
}

/** What the accounts hold, and what the documents say they hold. */
async function books() {
  const [row] = await p.rows(`with deposits as (select d.guid, d.total_cents - d.gst_cents
      - coalesce((select sum(n.total_cents - n.gst_cents) from invoices n
        where n.adjusts_invoice_guid = d.guid and n.status = 'issued'), 0)
      + coalesce((select sum(l.net_cents) from invoice_lines l join invoices i on i.guid = l.invoice_guid
        where l.deposit_invoice_guid = d.guid and i.status = 'issued'), 0) as cents
      from invoices d where d.kind = 'deposit' and d.status = 'issued'),
    held as (select account, sum(credit_cents - debit_cents) as cents from journal_lines group by account)
    select coalesce((select cents from held where account = '2200'), 0)::int as deposits,
    coalesce((select sum(greatest(cents, 0)) from deposits), 0)::int as "deposits due",
      coalesce((select cents from held where account = '2300'), 0)::int as credit,
      ((select coalesce(sum(amount_cents), 0) from payments)
        - (select coalesce(sum(cents), 0) from payment_allocations)
        - (select coalesce(sum(amount_cents), 0) from refunds where invoice_guid is null))::int as "credit due",
      coalesce((select -cents from held where account = '1100'), 0)::int as receivable,
      (select coalesce(sum(balance_cents), 0) from invoices)::int as "receivable due",
      (select coalesce(sum(cents), 0) from held where account in ('2100', '2106'))::int as gst,
      (select coalesce(sum(case when kind = 'adjustment_note' then -gst_cents else gst_cents end), 0)
      from invoices where status = 'issued')::int as "gst due"`)
  return row as Record<string, number>
}
async function expectBooksToAgree(after: string) {
  const held = await books()
  expect({
    after,
    deposits: held['deposits'],
    credit: held['credit'],
    receivable: held['receivable'],
    gst: held['gst'],
  }).toEqual({
    after,
    deposits: held['deposits due'],
    credit: held['credit due'],
    receivable: held['receivable due'],
    gst: held['gst due'],
  })
}

describe('a deposit that is given back', () => {
  test('leaves the draft that credits it, which then asks for all of it', async () => {
    const { orderGuid, depositGuid } = await accepted({
      lines: [{ name: 'Panels', quantity: '1', unitPriceCents: 110_000 }],
    })
    const { guid: paymentGuid } = await payFor(depositGuid, 33_000)
    const final = ok(await draft(orderGuid, { kind: 'final' }), 201).invoice
    expect(final.totals.totalCents).toBe(77_000)
    ok(await p.refund({ paymentGuid, amountCents: 11_000, reasonCode: 'deposit_return', effect: 'price_reduced' }), 201)
    expect(await invoice(final.guid)).toMatchObject({
      version: 2,
      depositAppliedCents: 22_000,
      totals: { totalCents: 88_000, gstCents: 8_000 },
    })
    ok(await p.refund({ paymentGuid, amountCents: 22_000, reasonCode: 'deposit_return', effect: 'price_reduced' }), 201)
    expect(await invoice(final.guid)).toMatchObject({
      version: 3,
      depositAppliedCents: 0,
      totals: { totalCents: 110_000, gstCents: 10_000 },
    })
    expect((await post(`/Invoices/Issue/${final.guid}`, { version: 1 })).error).toBe('STALE_VERSION')
    ok(await p.app.call(p.actors.office, 'DELETE', `/Invoices/${final.guid}`))
    expect((await order(orderGuid)).money).toMatchObject({
      creditedCents: 33_000,
      toInvoiceCents: 110_000,
      depositCreditCents: 0,
    })
    const again = ok(await draft(orderGuid, { kind: 'final' }), 201).invoice
    expect(ok(await issue(again.guid)).invoice.balanceCents).toBe(110_000)
    expect(await books()).toMatchObject({ deposits: 0 })
    await expectBooksToAgree('all of it')
  })

  test('credits one line for each kind of GST', async () => {
    const { orderGuid } = await accepted()
    const { guid } = ok(await draft(orderGuid, { kind: 'progress', shareBp: 1000 }), 201).invoice
    expect(
      (await invoice(guid)).lines
        .filter((l) => l.kind === 'deposit_credit')
        .map((l) => [l.name, l.gstCode, l.totalCents, l.gstCents]),
    ).toEqual([
      [expect.stringMatching(/^Deposit INV-\d+ credited \(with GST\)$/), 'GST', -5500, -500],
      [expect.stringMatching(/^Deposit INV-\d+ credited \(GST-free\)$/), 'FREE', -5500, 0],
    ])
    const permit = (await order(orderGuid)).lines[1]
    const named = ok(
      await draft(orderGuid, { kind: 'progress', lines: [{ lineGuid: permit?.guid, quantity: '0.9' }] }),
      201,
    ).invoice
    expect(named.totals).toMatchObject({ gstCents: 0, totalCents: 49_500 - 11_000 })
  })

  test('is called, credited and adjusted in the language of the customer', async () => {
    const { customer } = ok(
      await p.app.call<{ customer: { guid: string } }>(p.actors.office, 'POST', '/Customers', {
        displayName: 'Boulangerie',
        email: 'pain@boulangerie.example',
        language: 'fr',
      }),
      201,
    )
    const { orderGuid, depositGuid } = await accepted(
      { title: 'Fête', depositRule: { type: 'percent', value: 1250 } },
      customer.guid,
    )
    const deposit = await invoice(depositGuid)
    expect(deposit.title).toBe('Acompte : Fête')
    expect(deposit.lines.map((l) => l.name.replace(/Q-\d+/, 'Q').replaceAll(/\s/g, ' '))).toEqual([
      'Acompte de 12,5 % pour le devis Q (avec GST)',
      'Acompte de 12,5 % pour le devis Q (exonéré de GST)',
    ])
    const final = ok(await draft(orderGuid, { kind: 'final' }), 201).invoice
    expect((await invoice(final.guid)).lines.map((l) => l.name)).toContain(
      `Acompte ${deposit.number} déduit (exonéré de GST)`,
    )
    const { guid: paymentGuid } = ok(
      await p.byHand({
        customerGuid: customer.guid,
        amountCents: 1000,
        allocations: [{ invoiceGuid: depositGuid, cents: 1000 }],
      }),
      201,
    ).payment
    ok(await p.refund({ paymentGuid, amountCents: 1000, reasonCode: 'deposit_return', effect: 'price_reduced' }), 201)
    const [note] = (await invoice(depositGuid)).related.adjustmentNotes
    expect((await invoice(note?.guid ?? '')).title).toBe(`Avoir sur ${deposit.number}`)
  })

  test('on its way back, is not credited meanwhile', async () => {
    const { orderGuid, depositGuid } = await accepted()
    const link = (await invoice(depositGuid)).serviceGuid ?? ''
    const paid = ok(await p.pay(link, 33_000), 201)
    const [payment] = await p.rows<{ guid: string }>('select guid from payments where attempt_guid = $1', [
      paid.payment.guid,
    ])
    const final = ok(await draft(orderGuid, { kind: 'final' }), 201).invoice
    await p.tell('latency', { ms: shortPatienceMs + 500 })
    expect(ok(await p.refund({ paymentGuid: payment?.guid, amountCents: 33_000 }), 201).refund.status).toBe(
      'processing',
    )
    await p.tell('latency', { ms: 0 })
    expect((await issue(final.guid)).message).toMatch(
      /^A refund of deposit INV-\d+ is processing\. Try again when it settles\.$/,
    )
    ok(await p.app.call(p.actors.office, 'DELETE', `/Invoices/${final.guid}`))
    expect((await invoice(depositGuid)).related.payments[0]?.refundableCents).toBe(0)
  })
})

/** What may happen around an order with a deposit; what is not possible just then is refused, and that is fine. */
const deeds = [
  'pay',
  'overpay',
  'refund',
  'refund twice paid',
  'refund credit',
  'draft',
  'final',
  'archive',
  'restore',
  'issue',
  'void',
] as const

test('whatever happens around deposits, and in whatever order, the books say what the documents say', async () => {
  const stories = fc.sample(
    fc.array(
      fc.record({ deed: fc.constantFrom(...deeds), part: fc.integer({ min: 1, max: 100 }), which: fc.nat({ max: 5 }) }),
      { minLength: 12, maxLength: 18 },
    ),
    { numRuns: process.env.PROVE ? 200 : 8, seed: 11 },
  )
  const { deposits } = await books()
  for (const [index, story] of stories.entries()) {
    const { orderGuid, depositGuid } = await accepted(
      index % 2 ? {} : { depositRule: { type: 'percent', value: 10_000 } },
    )
    await payFor(depositGuid, (await invoice(depositGuid)).balanceCents)
    const told: string[] = [`story ${index}`]
    for (const { deed, part, which } of story) {
      const answer = await tell(orderGuid, deed, part, which)
      told.push(`${deed} ${part} ${which}${answer ? ` (${answer})` : ''}`)
      if (answer !== null && answer !== 'nothing') expect([told, answer >= 400 && answer < 500]).toEqual([told, true])
      await expectBooksToAgree(told.join(', '))
    }
    await billAll(orderGuid)
    expect([told.join(', '), await books()]).toMatchObject([told.join(', '), { deposits }])
  }
  expect(await p.problems()).toEqual([])
})

/** Does one deed, on one of the records it can be done to; answers how it was refused. */
async function tell(
  orderGuid: string,
  deed: (typeof deeds)[number],
  part: number,
  which: number,
): Promise<number | 'nothing' | null> {
  const pick = async (where: string): Promise<{ guid: string; version: number; cents: number } | undefined> => {
    const found = await p.rows<{ guid: string; version: number; cents: number }>(
      `select i.guid, i.version, i.balance_cents::int as cents from invoices i
        where i.order_guid = $1 and ${where} order by i.created_at, i.guid`,
      [orderGuid],
    )
    return found[which % Math.max(found.length, 1)]
  }
  const partOf = (cents: number) => Math.max(Math.floor((cents * part) / 100), 1)
  const outcome = (answer: { status: number }) => (answer.status < 300 ? null : answer.status)
  switch (deed) {
    case 'pay':
    case 'overpay': {
      const owing = await pick(`i.balance_cents > 0`)
      if (!owing) return 'nothing'
      const cents = deed === 'pay' ? partOf(owing.cents) : owing.cents
      return outcome(
        await p.byHand({
          amountCents: deed === 'pay' ? cents : cents + part,
          allocations: [{ invoiceGuid: owing.guid, cents }],
        }),
      )
    }
    case 'refund':
    case 'refund twice paid': {
      const paid = await p.rows<{ paymentGuid: string; invoiceGuid: string; cents: number }>(
        `select a.payment_guid as "paymentGuid", a.invoice_guid as "invoiceGuid",
          (sum(a.cents) - coalesce((select sum(r.amount_cents) from refunds r
            where r.payment_guid = a.payment_guid and r.invoice_guid = a.invoice_guid), 0))::int as cents
        from payment_allocations a join invoices i on i.guid = a.invoice_guid
        where i.order_guid = $1 group by 1, 2 order by min(a.created_at), 2`,
        [orderGuid],
      )
      const one = paid[which % Math.max(paid.length, 1)]
      if (!one || one.cents === 0) return 'nothing'
      return outcome(
        await p.refund({
          paymentGuid: one.paymentGuid,
          invoiceGuid: one.invoiceGuid,
          amountCents: partOf(one.cents),
          reasonCode: deed === 'refund' ? 'goodwill' : 'duplicate',
        }),
      )
    }
    case 'refund credit': {
      const [over] = await p.rows<{ guid: string }>(
        `select p.guid from payments p join payment_allocations a on a.payment_guid = p.guid
          join invoices i on i.guid = a.invoice_guid where i.order_guid = $1 and p.amount_cents > a.cents`,
        [orderGuid],
      )
      return over ? outcome(await p.refund({ paymentGuid: over.guid, amountCents: 1 })) : 'nothing'
    }
    case 'draft':
      return outcome(await draft(orderGuid, { kind: 'progress', shareBp: part * 40 }))
    case 'final':
      return outcome(await draft(orderGuid, { kind: 'final' }))
    case 'archive': {
      const one = await pick(`i.status = 'draft' and i.archived_at is null`)
      return one ? outcome(await p.app.call(p.actors.office, 'DELETE', `/Invoices/${one.guid}`)) : 'nothing'
    }
    case 'restore': {
      const one = await pick(`i.status = 'draft' and i.archived_at is not null`)
      return one ? outcome(await post(`/Invoices/Restore/${one.guid}`, {})) : 'nothing'
    }
    case 'issue': {
      const one = await pick(`i.status = 'draft' and i.archived_at is null`)
      return one ? outcome(await post(`/Invoices/Issue/${one.guid}`, { version: one.version })) : 'nothing'
    }
    case 'void': {
      const one = await pick(`i.status = 'issued' and i.kind in ('progress', 'final')`)
      return one
        ? outcome(await post(`/Invoices/Void/${one.guid}`, { version: one.version, reason: 'Wrong' }))
        : 'nothing'
    }
  }
}

/** Everything that is left of an order is billed and issued. */
async function billAll(orderGuid: string) {
  const drafts = await p.rows<{ guid: string }>(
    `select guid from invoices where order_guid = $1 and status = 'draft' and archived_at is null`,
    [orderGuid],
  )
  for (const { guid } of drafts) ok(await p.app.call(p.actors.office, 'DELETE', `/Invoices/${guid}`))
  const last = await draft(orderGuid, { kind: 'final' })
  if (last.error !== 'CONFLICT') ok(await issue(ok(last, 201).invoice.guid))
}
