import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type InvoiceDeed, invoiceRefusal } from '../../contract/invoice-actions.ts'
import type { Invoice, InvoiceStatus } from '../../contract/invoices.ts'
import { type Message, type MessageStatus, messageTransitions } from '../../contract/messages.ts'
import { nouns } from '../../contract/nouns.ts'
import { orderRefusal } from '../../contract/order-actions.ts'
import { type AnyOrder, orderDeeds, type OrderDeed, type OrderStatus, orderTransitions } from '../../contract/orders.ts'
import { type QuoteDeed, quoteRefusal } from '../../contract/quote-actions.ts'
import { type Quote, type QuoteStatus, quoteTransitions } from '../../contract/quotes.ts'
import { invoiceTransitions } from '../../contract/invoice-transitions.ts'
import type { Actors } from '../support/actors.ts'
import { aLine, aQuote, aSentQuote, ok, shaOf, startBusiness } from '../support/factories.ts'
import { keyed, type Running } from '../support/start.ts'

/*
 * Every deed in every status: what the contract's tables lead on from is done, everything else is refused, and the
 * browser, which asks the same tables, offers the one and not the other.
 */

let app: Running
let actors: Actors
let customerGuid: string
beforeAll(async () => {
  ;({ app, actors, customerGuid } = await startBusiness())
})
afterAll(() => app.stop())

const call = <D>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  app.call<D>(actors.administrator, method, path, body, keyed())
const made = async <D>(path: string, body: unknown) => ok(await call<D>('POST', path, body), 201)
const today = '2026-07-01'

interface Answered {
  status: number
  error?: string
}
interface Walked<S extends string, D extends string, R> {
  statuses: readonly S[]
  deeds: readonly D[]
  leads: (deed: D, status: S) => boolean
  /** A record in this status, with which the deed is possible as far as its status is concerned. */
  make: (status: S, deed: D) => Promise<R>
  run: (deed: D, record: R) => Promise<Answered>
  /** What the browser says, where it asks. */
  refusal: (deed: D, record: R) => string | null | undefined
}

/** What is refused changes nothing, so one record of a status is refused all of it. */
async function walk<S extends string, D extends string, R>(walked: Walked<S, D, R>) {
  const { statuses, deeds, leads, make, run, refusal } = walked
  const found: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const status of statuses) {
    const shared = new Map<boolean, R>()
    for (const deed of deeds) {
      const isPossible = leads(deed, status)
      const record = (!isPossible && shared.get(true)) || (await make(status, deed))
      if (!isPossible) shared.set(true, record)
      const said = refusal(deed, record)
      const { status: code, error } = await run(deed, record)
      const key = `${deed} of ${status}`
      found[key] = { isDone: code < 300, isOffered: said === undefined ? 'not asked' : said === null }
      if (code >= 300 && !['INVALID_TRANSITION', 'CONFLICT', 'NOT_FOUND'].includes(error ?? '')) found[key] = error
      expected[key] = { isDone: isPossible, isOffered: said === undefined ? 'not asked' : isPossible }
    }
  }
  expect(found).toEqual(expected)
}

const isLed = (table: Record<string, { from: readonly string[] }>, deed: string, status: string) =>
  table[deed]?.from.includes(status) ?? false

describe('the statuses of', () => {
  test('quotes', async () => {
    const unasked: readonly string[] = ['requestChanges', 'answer', 'reply', 'withdraw', 'update', 'reissueLink']
    const anAsk = async (quoteGuid: string) => {
      const { db } = app.deps
      const line = await db
        .selectFrom('quoteLines')
        .select('guid')
        .where('quoteGuid', '=', quoteGuid)
        .executeTakeFirstOrThrow()
      await db
        .insertInto('quoteAsks')
        .values({ quoteGuid, kind: 'drop', lineGuid: line.guid, effectCents: 0, askedAt: new Date() })
        .execute()
    }
    const paths = { send: 'Send', accept: 'Accept', decline: 'Decline', convert: 'Convert', revise: 'Revise' } as const
    const bodies: Record<string, object> = {
      accept: { name: 'Anna', method: 'phone' },
      decline: { reasonCode: 'price' },
      cancel: { reason: 'Not needed' },
    }
    await walk<QuoteStatus, keyof typeof quoteTransitions, Quote>({
      statuses: nouns.Quotes.statuses,
      deeds: Object.keys(quoteTransitions) as (keyof typeof quoteTransitions)[],
      leads: (deed, status) => isLed(quoteTransitions, deed, status),
      make: async (status, deed) => {
        const { guid } = await (status === 'draft' ? aQuote : aSentQuote)(app, actors.administrator, customerGuid)
        await app.deps.db.updateTable('quotes').set({ status }).where('guid', '=', guid).execute()
        if ((deed === 'answer' && status !== 'draft') || (deed === 'withdraw' && status === 'changes_requested'))
          await anAsk(guid)
        return ok(await call<{ quote: Quote }>('GET', `/Quotes/${guid}`)).quote
      },
      run: async (deed, { guid, version, serviceGuid, asks }) => {
        if (deed === 'update') return call('PATCH', `/Quotes/${guid}`, { version, title: 'Gate' })
        if (deed === 'requestChanges')
          return call('POST', `/Service/Quotes/Question/${serviceGuid ?? guid}`, {
            note: 'Later?',
            documentSha256: await shaOf(app, 'quotes', guid),
          })
        const askGuid = asks[0]?.guid ?? randomUUID()
        if (deed === 'answer') {
          const answers = [{ askGuid, outcome: 'declined' }]
          return call('POST', `/Quotes/Answer/${guid}`, { version, answers })
        }
        if (deed === 'reply') return call('POST', `/Quotes/Reply/${guid}`, { version, text: 'As it is, sorry.' })
        if (deed === 'withdraw')
          return call('POST', `/Service/Quotes/Withdraw/${serviceGuid ?? guid}`, {
            askGuids: [askGuid],
            documentSha256: await shaOf(app, 'quotes', guid),
          })
        const path = deed === 'cancel' ? 'Cancel' : deed === 'reissueLink' ? 'Link' : paths[deed]
        return call('POST', `/Quotes/${path}/${guid}`, { version, ...bodies[deed] })
      },
      refusal: (deed, quote) => (unasked.includes(deed) ? undefined : quoteRefusal(deed as QuoteDeed, quote)),
    })
  })

  test('orders', async () => {
    const isStatus = (deed: string): deed is OrderDeed => (orderDeeds as readonly string[]).includes(deed)
    await walk<OrderStatus, keyof typeof orderTransitions, AnyOrder>({
      statuses: nouns.Orders.statuses,
      deeds: Object.keys(orderTransitions) as (keyof typeof orderTransitions)[],
      leads: (deed, status) => isLed(orderTransitions, deed, status),
      make: async (status, deed) => {
        // An order is closed when there is nothing left to invoice.
        const lines = deed === 'close' ? [] : [aLine()]
        const { order } = await made<{ order: AnyOrder }>('/Orders', { customerGuid, title: 'Fence', lines })
        await app.deps.db.updateTable('orders').set({ status }).where('guid', '=', order.guid).execute()
        return ok(await call<{ order: AnyOrder }>('GET', `/Orders/${order.guid}`)).order
      },
      run: (deed, { guid, version }) =>
        isStatus(deed)
          ? call('POST', `/Orders/Status/${guid}`, { version, deed, reason: 'As agreed' })
          : deed === 'update'
            ? call('PATCH', `/Orders/${guid}`, { version, title: 'Gate' })
            : call('POST', `/Orders/Invoice/${guid}`, { version, kind: 'final' }),
      refusal: orderRefusal,
    })
  })

  test('invoices', async () => {
    const asked: readonly string[] = [
      'issue',
      'send',
      'pay',
      'void',
      'writeOff',
      'recover',
      'plan',
    ] satisfies InvoiceDeed[]
    /** What is paid on an invoice is what can be given back of it with a note. */
    const paid = new Map<string, string>()
    const pay = (guid: string) =>
      call<{ payment: { guid: string } }>('POST', '/Payments', {
        method: 'cash',
        receivedOn: today,
        amountCents: 100,
        allocations: [{ invoiceGuid: guid, cents: 100 }],
      })
    const one = async (guid: string) => ok(await call<{ invoice: Invoice }>('GET', `/Invoices/${guid}`)).invoice
    await walk<InvoiceStatus, keyof typeof invoiceTransitions, Invoice>({
      statuses: nouns.Invoices.statuses,
      deeds: Object.keys(invoiceTransitions) as (keyof typeof invoiceTransitions)[],
      leads: (deed, status) => isLed(invoiceTransitions, deed, status),
      make: async (status, deed) => {
        const { invoice } = await made<{ invoice: Invoice }>('/Invoices', {
          customerGuid,
          title: 'Hire',
          lines: [aLine()],
        })
        const { guid, version } = invoice
        if (status === 'draft') return invoice
        if (status !== 'scheduled') ok(await call('POST', `/Invoices/Issue/${guid}`, { version }))
        if (status === 'written_off' || (status === 'issued' && deed === 'adjust'))
          paid.set(guid, ok(await pay(guid), 201).payment.guid)
        if (status === 'written_off' || (status === 'issued' && deed === 'recover')) {
          const cents = status === 'issued' ? { cents: 100 } : {}
          const body = { version: (await one(guid)).version, reasonCode: 'bad_debt', ...cents }
          ok(await call('POST', `/Invoices/WriteOff/${guid}`, body))
        } else await app.deps.db.updateTable('invoices').set({ status }).where('guid', '=', guid).execute()
        return one(guid)
      },
      run: async (deed, { guid, version }) => {
        if (deed === 'update') return call('PATCH', `/Invoices/${guid}`, { version, title: 'Gate' })
        if (deed === 'archive') return call('DELETE', `/Invoices/${guid}`)
        if (deed === 'pay') return pay(guid)
        if (deed === 'adjust')
          return call('POST', '/Payments/Refunds', {
            paymentGuid: paid.get(guid) ?? guid,
            invoiceGuid: guid,
            amountCents: 100,
            reasonCode: 'cancelled',
          })
        const path = {
          issue: 'Issue',
          send: 'Send',
          void: 'Void',
          reissueLink: 'Link',
          writeOff: 'WriteOff',
          recover: 'Recover',
          plan: 'Instalments',
        }[deed]
        const instalments = [{ label: 'All', dueOn: '2099-01-01', cents: 27_500 }]
        const more = { plan: { instalments }, void: { reason: 'Twice' }, writeOff: { reasonCode: 'bad_debt' } }
        return call('POST', `/Invoices/${path}/${guid}`, { version, ...(deed in more ? more[deed as 'void'] : {}) })
      },
      refusal: (deed, invoice) => (asked.includes(deed) ? invoiceRefusal(deed as InvoiceDeed, invoice) : undefined),
    })
  })
})

/** A note is nobody's message to send. */
const aNote = {
  status: 'noted' as const,
  direction: 'internal' as const,
  ownerType: null,
  ownerGuid: null,
  recipients: [],
  facts: null,
  bodyText: 'A note',
  bodyHtml: '<p>A note</p>',
}

const received = { direction: 'in', filing: 'filed' } as const
/** Whatever waits may wait for its time. */
const later = { scheduledFor: '2030-01-01T09:00', timeZone: 'UTC', scheduledAt: new Date('2030-01-01T09:00:00Z') }

test('what waits to be sent can be cancelled, what was sent or given up can be sent again', async () => {
  await walk<MessageStatus, keyof typeof messageTransitions, Message>({
    statuses: nouns.Messages.statuses,
    deeds: Object.keys(messageTransitions) as (keyof typeof messageTransitions)[],
    leads: (deed, status) => isLed(messageTransitions, deed, status),
    make: async (status) => {
      const quote = await aSentQuote(app, actors.administrator, customerGuid)
      const { guid } = await app.deps.db
        .updateTable('messages')
        .set(status === 'noted' ? aNote : { status, ...(status === 'received' ? received : later) })
        .where('ownerGuid', '=', quote.guid)
        .returning('guid')
        .executeTakeFirstOrThrow()
      return ok(await call<{ message: Message }>('GET', `/Messages/${guid}`)).message
    },
    run: (deed, { guid }) =>
      deed === 'cancel' ? call('DELETE', `/Messages/${guid}`) : call('POST', `/Messages/Resend/${guid}`, {}),
    refusal: () => undefined,
  })
})

test('what is archived is done nothing with by the server, and the browser offers nothing', async () => {
  const line = { customerGuid, title: 'Fence', lines: [aLine()] }
  const { quote } = await made<{ quote: Quote }>('/Quotes', line)
  const { order } = await made<{ order: AnyOrder }>('/Orders', line)
  const { invoice } = await made<{ invoice: Invoice }>('/Invoices', line)
  const archived = {
    quote: ok(await call<{ quote: Quote }>('DELETE', `/Quotes/${quote.guid}`)).quote,
    order: ok(await call<{ order: AnyOrder }>('DELETE', `/Orders/${order.guid}`)).order,
    invoice: ok(await call<{ invoice: Invoice }>('DELETE', `/Invoices/${invoice.guid}`)).invoice,
  }
  const refused = [
    [quoteRefusal('send', archived.quote), `/Quotes/Send/${quote.guid}`, {}],
    [quoteRefusal('cancel', archived.quote), `/Quotes/Cancel/${quote.guid}`, { reason: 'Twice' }],
    [orderRefusal('invoice', archived.order), `/Orders/Invoice/${order.guid}`, { kind: 'final' }],
    [invoiceRefusal('issue', archived.invoice), `/Invoices/Issue/${invoice.guid}`, {}],
    [invoiceRefusal('send', archived.invoice), `/Invoices/Send/${invoice.guid}`, {}],
  ] as const
  for (const [refusal, path, body] of refused) {
    const { message } = await call('POST', path, { version: 2, ...body })
    expect([path, refusal, message]).toEqual([
      path,
      'archived',
      expect.stringMatching(/is archived. Restore it first/) as string,
    ])
  }
})
