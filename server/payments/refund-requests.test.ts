import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { RefundRequest } from '../../contract/refund-requests.ts'
import { tellPeople } from '../../test/support/account-emails.ts'
import { aCustomer, many, ok } from '../../test/support/factories.ts'
import { cards, type Paying, startPaying } from '../../test/support/paying.ts'
import { keyed, type Caller } from '../../test/support/start.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { approveLocked, expireSome } from './refund-requests.ts'

const hourMs = 3_600_000
let p: Paying
beforeAll(async () => {
  p = await startPaying()
  await p.rows('update businesses set refund_limit_cents = 100000')
})
afterEach(() => {
  p.clock.aheadMs = 0
})
afterAll(() => p.stop())

interface Answer {
  refund: { guid: string; status: string; number: string | null }
  adjustmentNote: { label: string } | null
  payment: { unallocatedCents: number; requests: { amountCents: number }[]; allocations: { refundableCents: number }[] }
}
const refund = (who: Caller, body: object) =>
  p.app.call<Answer>(who, 'POST', '/Payments/Refunds', { reasonCode: 'goodwill', ...body }, keyed())
const decide = (who: Caller, what: 'Approve' | 'Decline' | 'Cancel', guid: string) =>
  p.app.call<Answer & { request: RefundRequest }>(who, 'POST', `/Payments/Refunds/${what}/${guid}`, {}, keyed())
const listed = async (who: Caller, more = '') =>
  ok(await p.app.call<{ items: RefundRequest[] }>(who, 'GET', `/Payments/Refunds?size=100${more}`)).items
/** Paid by hand for one invoice of a customer of its own. */
async function paid(cents: number, customerGuid?: string) {
  const whose = customerGuid ?? (await aCustomer(p.app, p.actors.office, { displayName: randomUUID() })).guid
  const invoice = await p.invoice(cents, whose)
  const { payment } = ok(
    await p.byHand({ amountCents: cents, allocations: [{ invoiceGuid: invoice.guid, cents }] }),
    201,
  )
  return { paymentGuid: payment.guid, invoiceGuid: invoice.guid, customerGuid: whose }
}
const asked = async (cents = 180_000) => {
  const made = await paid(cents)
  const given = await refund(p.actors.office, { paymentGuid: made.paymentGuid, amountCents: cents })
  const answer = ok(given, 201)
  return { ...made, guid: answer.refund.guid, answer, said: given.message }
}

describe('what one person gives back to one customer in a day', () => {
  test('comes to the limit without anybody else, and asks with one more cent', async () => {
    const { paymentGuid } = await paid(200_000)
    const statuses = []
    for (const amountCents of [60_000, 40_000, 1])
      statuses.push(ok(await refund(p.actors.accountant, { paymentGuid, amountCents }), 201).refund.status)
    expect(statuses).toEqual(['succeeded', 'succeeded', 'requested'])
  })

  test('counts by person, by customer and by day', async () => {
    const { paymentGuid, customerGuid } = await paid(400_000)
    const other = await paid(100_000)
    const gives = async (who: Caller, of: string, amountCents = 100_000) =>
      ok(await refund(who, { paymentGuid: of, amountCents }), 201).refund.status
    expect(await gives(p.actors.accountant, paymentGuid)).toBe('succeeded')
    expect(await gives(p.actors.office, paymentGuid)).toBe('succeeded')
    expect(await gives(p.actors.accountant, other.paymentGuid)).toBe('succeeded')
    const second = await paid(100, customerGuid)
    expect(await gives(p.actors.accountant, second.paymentGuid, 1)).toBe('requested')
    await p.rows(`update refund_attempts set created_at = created_at - interval '25 hours'`)
    // One cent of today still waits.
    expect(await gives(p.actors.accountant, paymentGuid, 99_999)).toBe('succeeded')
  })

  test('is told before anything is asked: what a person may give back alone falls with what he gave', async () => {
    const { paymentGuid, invoiceGuid } = await paid(180_000)
    const free = async (who: Caller, query = '') =>
      ok(
        await p.app.call<{ basis: object | null; freeCents: number | null }>(
          who,
          'GET',
          `/Payments/Refunds/Basis/${paymentGuid}${query}`,
        ),
      )
    expect(await free(p.actors.office)).toEqual({ basis: null, freeCents: 100_000 })
    ok(await refund(p.actors.office, { paymentGuid, amountCents: 40_000 }), 201)
    const { basis, freeCents } = await free(p.actors.office, `?invoiceGuid=${invoiceGuid}`)
    expect([freeCents, (await free(p.actors.accountant)).freeCents]).toEqual([60_000, 100_000])
    expect(basis).toMatchObject({ gstBasis: 'accrual' })
    expect(ok(await refund(p.actors.office, { paymentGuid, amountCents: 60_000 }), 201).refund.status).toBe('succeeded')
    expect((await free(p.actors.office)).freeCents).toBe(0)
    expect(ok(await refund(p.actors.office, { paymentGuid, amountCents: 1 }), 201).refund.status).toBe('requested')
  })

  test('counts what was asked for, and not what was declined', async () => {
    const { paymentGuid } = await paid(300_000)
    const first = ok(await refund(p.actors.office, { paymentGuid, amountCents: 150_000 }), 201).refund
    const second = ok(await refund(p.actors.office, { paymentGuid, amountCents: 100 }), 201).refund
    expect([first.status, second.status]).toEqual(['requested', 'requested'])
    for (const { guid } of [first, second]) ok(await decide(p.actors.administrator, 'Decline', guid))
    expect(ok(await refund(p.actors.office, { paymentGuid, amountCents: 100 }), 201).refund.status).toBe('succeeded')
  })

  test('by many calls at once never comes to more than the limit', async () => {
    const { paymentGuid } = await paid(300_000)
    const answers = await many(50, () => refund(p.actors.office, { paymentGuid, amountCents: 5000 }))
    const done = answers.filter(({ status, data }) => status === 201 && data.refund.status === 'succeeded')
    expect(done).toHaveLength(20)
  })
})

describe('a refund beyond the limit', () => {
  test('waits, holds its money, and is paid when somebody else approves it', async () => {
    const { guid, paymentGuid, invoiceGuid, answer, said } = await asked()
    expect(answer).toMatchObject({ refund: { status: 'requested', number: null }, adjustmentNote: null })
    expect(said).toBe('Refund requested.')
    expect(answer.payment.requests).toMatchObject([{ amountCents: 180_000 }])
    expect(answer.payment.allocations[0]?.refundableCents).toBe(0)
    expect((await refund(p.actors.accountant, { paymentGuid, amountCents: 1 })).error).toBe('REFUND_EXCEEDED')
    expect(await p.standing(invoiceGuid)).toMatchObject({ refundedCents: 0 })
    const seen = (await listed(p.actors.office, '&status=requested')).find((one) => one.guid === guid)
    expect(seen).toMatchObject({ isOwn: true, status: 'requested', amountCents: 180_000, decidedBy: null })
    const approved = ok(await decide(p.actors.administrator, 'Approve', guid))
    expect(approved).toMatchObject({ refund: { status: 'succeeded' }, payment: { requests: [] } })
    expect(approved.adjustmentNote?.label).toMatch(/^ADJ/)
    expect(await p.standing(invoiceGuid)).toMatchObject({ refundedCents: 180_000, creditedCents: 180_000 })
    expect((await listed(p.actors.office)).find((one) => one.guid === guid)).toMatchObject({ status: 'succeeded' })
    expect((await decide(p.actors.administrator, 'Approve', guid)).message).toBe('This refund is already approved.')
  })

  test('is approved by nobody who asked for it, and by nobody without the right', async () => {
    const { paymentGuid } = await paid(180_000)
    const { guid } = ok(await refund(p.actors.administrator, { paymentGuid, amountCents: 180_000 }), 201).refund
    for (const what of ['Approve', 'Decline'] as const) {
      const own = await decide(p.actors.administrator, what, guid)
      expect([own.status, own.message]).toEqual([403, 'Somebody else must approve this.'])
      for (const who of [p.actors.office, p.actors.accountant, p.actors.sales, p.actors.readOnly])
        expect((await decide(who, what, guid)).status).toBe(403)
    }
    const wrong = `update refund_requests set status = 'approved', decided_by = requested_by, decided_at = now()
      where guid = $1`
    await expect(p.rows(wrong, [guid])).rejects.toThrow('refund_second_person')
    expect((await decide(p.actors.office, 'Cancel', guid)).message).toBe('Only the person who asked can cancel this.')
    expect(ok(await decide(p.actors.administrator, 'Cancel', guid)).request.status).toBe('cancelled')
    expect((await decide(p.actors.administrator, 'Approve', guid)).message).toBe('This request was cancelled.')
  })

  test('is paid once, however many approve it at once', async () => {
    const { guid, invoiceGuid } = await asked()
    const answers = await many(50, () => decide(p.actors.administrator, 'Approve', guid))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await p.standing(invoiceGuid)).toMatchObject({ refundedCents: 180_000 })
  })

  test('asked for again by the same call is one request', async () => {
    const { paymentGuid } = await paid(180_000)
    const key = keyed()
    const body = { reasonCode: 'goodwill', paymentGuid, amountCents: 110_000 }
    const ask = () => p.app.call<Answer>(p.actors.office, 'POST', '/Payments/Refunds', body, key)
    const [one, two] = [ok(await ask(), 201), ok(await ask(), 201)]
    expect(one.refund.guid).toBe(two.refund.guid)
  })

  test('tells those who may approve it, and then whoever asked', async () => {
    const { guid } = await asked()
    await tellPeople(p.app)
    const told = (kind: string) =>
      p.rows<{ login: string }>(
        `select u.auth_id as login from notifications n join users u on u.guid = n.user_guid
          where n.event = $1 order by 1`,
        [`${kind}:${guid}`],
      )
    const approvers = await told('refund.awaits_approval')
    expect(approvers.length).toBeGreaterThan(0)
    expect(approvers.some(({ login }) => /office|accountant|sales/.test(login))).toBe(false)
    ok(await decide(p.actors.administrator, 'Decline', guid))
    await tellPeople(p.app)
    expect(await told('refund.declined')).toHaveLength(1)
  })

  test('is gone after seven days', async () => {
    const { guid, paymentGuid } = await asked()
    p.clock.aheadMs = 7 * 24 * hourMs + 1000
    await expect(p.system().tx((tx) => approveLocked(tx, guid))).rejects.toThrow('This request has expired. Ask again.')
    await p.system().tx((tx) => expireSome(tx, 100))
    p.clock.aheadMs = 0
    expect((await listed(p.actors.office)).find((one) => one.guid === guid)).toMatchObject({ status: 'expired' })
    expect(ok(await refund(p.actors.office, { paymentGuid, amountCents: 100 }), 201).refund.status).toBe('succeeded')
  })

  test('is looked at again: what is not there any more is not paid', async () => {
    const { guid, paymentGuid } = await asked()
    await p.rows('insert into payment_disputes (guid, payment_guid, opened_at) values (gen_random_uuid(), $1, now())', [
      paymentGuid,
    ])
    expect((await decide(p.actors.administrator, 'Approve', guid)).error).toBe('CONFLICT')
    expect((await listed(p.actors.office)).find((one) => one.guid === guid)).toMatchObject({ status: 'requested' })
  })

  test('of a card goes to the card when it is approved', async () => {
    const { guid: customerGuid } = await aCustomer(p.app, p.actors.office, { displayName: 'Card' })
    const invoice = await p.invoice(150_000, customerGuid)
    const { payment } = ok(await p.pay(invoice.link, 150_000, cards.good), 201)
    const [row] = await p.rows<{ guid: string }>('select guid from payments where attempt_guid = $1', [payment.guid])
    const made = ok(await refund(p.actors.office, { paymentGuid: row?.guid, amountCents: 120_000 }), 201)
    expect((await p.charges(invoice.number))[0]).toMatchObject({ refundedCents: 0 })
    ok(await decide(p.actors.administrator, 'Approve', made.refund.guid))
    expect((await p.charges(invoice.number))[0]).toMatchObject({ refundedCents: 120_000 })
  })
})

test('the books agree with all of it', async () => {
  expect((await verifyLedger(p.app.deps.db)).problems).toEqual([])
})
