import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { stillInProgress } from '../../server/core/http/idempotency.ts'
import { asGuest, cardToken, type Headers, type Product, type Reply, shownDocument } from './process.ts'

/** One write a client has asked for, with the key that makes asking again harmless. */
export interface Deed {
  what: 'customer' | 'quote' | 'send' | 'accept' | 'deposit' | 'invoice' | 'issue' | 'transfer'
  /** Names the record it makes, so that it can be found whether or not the answer arrived. */
  mark: string
  key: string
  who: Headers
  path: string
  body: Record<string, unknown>
  /** Null until a success has reached the client. */
  answer: Record<string, unknown> | null
}

/** What the clients remember: this is held against the database afterwards. */
export interface Journal {
  deeds: Deed[]
  /** Answers that must never come, whatever is killed. */
  surprises: string[]
  slowestMs: number
}

export const newJournal = (): Journal => ({ deeds: [], surprises: [], slowestMs: 0 })

const stillWorking = (reply: Reply) =>
  reply.status === 409 && reply.error === 'CONFLICT' && reply.message === stillInProgress
/** Nothing is known of the effect, or the server asks to come back. */
const isOpen = (reply: Reply) => reply.status === 0 || reply.status === 503 || stillWorking(reply)

/** Asks once; notes an answer that is neither a success nor one that says to come back. */
async function ask(product: Product, journal: Journal, deed: Deed): Promise<boolean> {
  const reply = await product.call(deed.who, 'POST', deed.path, deed.body, { 'idempotency-key': deed.key })
  journal.slowestMs = Math.max(journal.slowestMs, reply.ms)
  if (reply.status === 200 || reply.status === 201) {
    deed.answer = reply.data
    return true
  }
  if (reply.status === 503 && !reply.headers.get('retry-after'))
    journal.surprises.push(`${deed.what} ${deed.mark}: 503 without Retry-After`)
  if (!isOpen(reply))
    journal.surprises.push(`${deed.what} ${deed.mark}: ${reply.status} ${reply.error} ${reply.message}`)
  return false
}

class GivenUp extends Error {}

const at = <T>(answer: unknown, name: string): T => (answer as Record<string, unknown>)[name] as T
interface Known {
  guid: string
  version: number
  serviceGuid: string
}

/** One customer's whole story: customer, quote, acceptance with deposit, deposit by card, an invoice and a transfer. */
async function story(product: Product, journal: Journal, staff: Headers, guest: Headers, mark: string) {
  const write = async (what: Deed['what'], who: Headers, path: string, body: Record<string, unknown>) => {
    const deed: Deed = { what, mark, key: randomUUID(), who, path, body, answer: null }
    journal.deeds.push(deed)
    for (let tries = 0; tries < 2; tries++) {
      if (await ask(product, journal, deed)) return deed.answer ?? {}
      await sleep(100 + Math.random() * 400)
    }
    throw new GivenUp(what)
  }
  const shown = async (page: 'Quotes' | 'Invoices', link: string) => {
    const documentSha256 = await shownDocument(product, guest, page, link)
    if (!documentSha256) throw new GivenUp('page')
    return documentSha256
  }
  const lines = [
    { name: 'Fence panels', quantity: '2', unitPriceCents: 12_500 },
    { name: 'Gate', quantity: '1', unitPriceCents: 40_000 },
  ]
  const customer = at<Known>(
    await write('customer', staff, '/Customers', { displayName: mark, email: `${mark}@customers.example` }),
    'customer',
  )
  const quote = at<Known>(
    await write('quote', staff, '/Quotes', {
      customerGuid: customer.guid,
      title: mark,
      depositRule: { type: 'percent', value: 3000 },
      lines,
    }),
    'quote',
  )
  const sent = at<Known>(await write('send', staff, `/Quotes/Send/${quote.guid}`, { version: quote.version }), 'quote')
  const accepted = await write('accept', guest, `/Service/Quotes/Accept/${sent.serviceGuid}`, {
    documentSha256: await shown('Quotes', sent.serviceGuid),
    name: 'Anna Hartmann',
  })
  const deposit = at<{ serviceGuid: string; balanceCents: number }>(accepted, 'invoice')
  const token = await cardToken(product).catch(() => '')
  // Less than all of it: a payment made twice would fit in.
  if (token)
    await write('deposit', guest, `/Service/Invoices/Pay/${deposit.serviceGuid}`, {
      documentSha256: await shown('Invoices', deposit.serviceGuid),
      paymentMethodToken: token,
      amountCents: 5_000,
    })
  const invoice = at<Known>(
    await write('invoice', staff, '/Invoices', { customerGuid: customer.guid, title: mark, lines }),
    'invoice',
  )
  const issued = at<Known>(
    await write('issue', staff, `/Invoices/Issue/${invoice.guid}`, { version: invoice.version }),
    'invoice',
  )
  await write('transfer', staff, '/Payments', {
    method: 'bank_transfer',
    receivedOn: '2026-01-15',
    amountCents: 10_000,
    reference: mark,
    allocations: [{ invoiceGuid: issued.guid, cents: 10_000 }],
  })
}

/** Clients that write without pause until they are told to stop; those who get no answer begin another story. */
export async function startWriters(product: Product, journal: Journal, staff: Headers, count: number, round: string) {
  const guests = await Promise.all(Array.from({ length: count }, () => asGuest(product)))
  let isOver = false
  const writer = async (guest: Headers, index: number) => {
    for (let n = 0; !isOver; n++) {
      try {
        await story(product, journal, staff, guest, `${round}-writer-${index}-${n}`)
      } catch (error) {
        if (!(error instanceof GivenUp)) throw error
      }
    }
  }
  const writing = Promise.all(guests.map(writer))
  writing.catch(() => undefined)
  return {
    stop: async () => {
      isOver = true
      await writing
    },
  }
}

/** Asks again, with the same keys, for everything that has had no answer. */
export async function askAgain(product: Product, journal: Journal, seconds: number) {
  for (const deadline = performance.now() + seconds * 1000; ; await sleep(500)) {
    const open = journal.deeds.filter((deed) => deed.answer === null)
    if (open.length === 0 || performance.now() > deadline) return open
    for (const deed of open) await ask(product, journal, deed)
  }
}
