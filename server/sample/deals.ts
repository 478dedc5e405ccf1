import { invoicesApi } from '../../contract/invoices.ts'
import { ordersApi } from '../../contract/orders.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { quotesApi, type Quote } from '../../contract/quotes.ts'
import { serviceApi } from '../../contract/service.ts'
import { acceptance } from '../acceptance/acceptance.service.ts'
import { localDay } from '../../contract/core/dates.ts'
import type { Deps } from '../core/deps.ts'
import { invoices, orderInvoicing } from '../invoices/invoices.service.ts'
import { orders } from '../orders/orders.service.ts'
import { payments } from '../payments/payments.service.ts'
import { quotes } from '../quotes/quotes.service.ts'
import { service } from '../portal/portal.service.ts'
import { type Crew, guest, play } from './actors.ts'
import { refunded } from './refunded.ts'
import { type Kinds, about, jobs } from './company.products.ts'
import type { Dice } from './random.ts'

/** What all deals of the sample company share. */
export interface Ground extends Kinds {
  deps: Deps
  crew: Crew
  zone: string
  customers: { guid: string; name: string; contactGuid: string | null; siteGuids: string[] }[]
  products: Map<
    string,
    {
      guid: string
      name: string
      description: string | null
      unit: string
      priceCents: number
      gstCode: string
      kind: string
      version: number
    }
  >
}

/** The same with the dice of one deal. */
export interface World extends Ground {
  dice: Dice
}

/** A deal goes on in steps: each yields the hours until the next one, and gets the instant it happens at. */
export type Deal = AsyncGenerator<number, void, Date>

const hour = 1
const day = 24
const lineKinds: Record<string, string> = { hire: 'hire', labour: 'labour', fee: 'fee' }

function linesOf({ dice, products }: World, job: (typeof jobs)[number], hasOptions: boolean) {
  return job.lines
    .filter(([, , , mode]) => hasOptions || mode !== 'optional')
    .map(([sku, low, high, mode], index) => {
      const product = products.get(sku)
      if (!product) throw new Error(`no product ${sku}`)
      const isFirstChoice = job.lines.findIndex(([, , , other]) => other === 'alternative') === index
      return {
        kind: lineKinds[product.kind] ?? 'item',
        productGuid: product.guid,
        name: product.name,
        description: product.description,
        quantity: String(dice.between(low, high)),
        unit: product.unit,
        unitPriceCents: product.priceCents,
        gstCode: product.gstCode,
        ...(mode === 'optional' ? { isOptional: true, isSelected: false } : {}),
        ...(mode === 'alternative' && hasOptions ? { alternativeGroup: 'A', isSelected: isFirstChoice } : {}),
        ...(dice.chance(8) ? { discount: { type: 'percent', value: dice.pick([500, 1000]) } } : {}),
      }
    })
    .filter(
      (line, index, all) =>
        hasOptions || job.lines.every(([, , , mode]) => mode !== 'alternative') || index > 0 || all.length === 1,
    )
}

export type QuoteFate =
  | 'draft'
  | 'open'
  | 'viewed'
  | 'expired'
  | 'changes'
  | 'declined'
  | 'cancelled'
  | 'revised'
  | 'accepted'

/** One customer asks, gets a quote, and what becomes of it: order, work, invoices, payments. */
export async function* quoteDeal(world: World, fate: QuoteFate): Deal {
  const { deps, crew, dice } = world
  const customer = dice.pick(world.customers)
  const job = dice.pick(jobs)
  const seller = dice.chance(60) ? crew.sales : crew.office
  let at = yield 0
  const first = await play({ at, by: seller, deps }, quotesApi.create, quotes.create, {
    customerGuid: customer.guid,
    contactGuid: customer.contactGuid,
    siteGuid: customer.siteGuids.length ? dice.pick(customer.siteGuids) : null,
    ...about(job, world),
    depositRule: dice.chance(55) ? { type: 'percent', value: dice.pick([2000, 3000, 5000]) } : { type: 'none' },
    ...(dice.chance(12)
      ? { discount: dice.chance(50) ? { type: 'percent', value: 500 } : { type: 'fixed', value: 15_000 } }
      : {}),
    ...(dice.chance(10) ? { priceMode: 'inclusive' } : {}),
    ...(dice.chance(30)
      ? { intro: 'Thank you for asking us. This is what we propose, with delivery, installation and removal.' }
      : {}),
    lines: linesOf(world, job, dice.chance(60)),
  })
  if (fate === 'draft') return
  at = yield dice.between(1, 26) * hour
  let { quote } = await play({ at, by: seller, deps }, quotesApi.send, quotes.send, {
    guid: first.quote.guid,
    version: first.quote.version,
  })
  if (fate === 'open' || (fate === 'expired' && dice.chance(40))) return
  at = yield dice.between(2, 50) * hour
  quote = await seen(world, at, quote)
  if (fate === 'viewed' || fate === 'expired') return
  at = yield dice.between(4, 80) * hour
  const stage = { at, by: crew.office, deps }
  if (fate === 'declined') {
    const reasonCode = dice.pick(['price', 'timing', 'competitor', 'not_needed', 'scope'])
    await play(stage, quotesApi.decline, quotes.decline, {
      guid: quote.guid,
      version: quote.version,
      reasonCode,
      competitor: reasonCode === 'competitor' ? 'Gimbal Fencing' : null,
      note: dice.pick(['Went with a cheaper offer.', 'Moved to next year.', null, 'They build it themselves.']),
    })
    return
  }
  if (fate === 'cancelled') {
    await play(stage, quotesApi.cancel, quotes.cancel, {
      guid: quote.guid,
      version: quote.version,
      reason: 'Asked twice; the other quote goes on.',
    })
    return
  }
  if (fate === 'changes' || fate === 'revised') {
    await play({ at, by: guest(quote.serviceGuid ?? ''), deps }, serviceApi.question, service.question, {
      guid: quote.serviceGuid,
      documentSha256: await shown(world, at, quote),
      note: dice.pick([
        'Could you deliver on a Saturday?',
        'Please leave out the graphics and add a second gate.',
        'We need it two weeks longer. What would that be?',
      ]),
    })
    if (fate === 'changes') return
    at = yield dice.between(3, 30) * hour
    const { quote: current } = await play({ at, by: seller, deps }, quotesApi.get, quotes.get, { guid: quote.guid })
    const { quote: revision } = await play({ at, by: seller, deps }, quotesApi.revise, quotes.revise, {
      guid: quote.guid,
      version: current.version,
    })
    const sent = await play({ at, by: seller, deps }, quotesApi.send, quotes.send, {
      guid: revision.guid,
      version: revision.version,
    })
    quote = sent.quote
    at = yield dice.between(6, 60) * hour
  }
  const orderGuid = await accepted(world, at, quote)
  yield* orderDeal(world, orderGuid, quote.depositCents > 0)
}

async function seen({ deps }: World, at: Date, quote: Quote): Promise<Quote> {
  await play({ at, by: guest(quote.serviceGuid ?? ''), deps }, serviceApi.viewed, service.viewed, {
    guid: quote.serviceGuid,
  })
  return (await play({ at, by: guest(quote.serviceGuid ?? ''), deps }, quotesApi.get, quotes.get, { guid: quote.guid }))
    .quote
}

/** The fingerprint of the document on the customer's page, which an answer names. */
const shown = async ({ deps }: World, at: Date, quote: Quote) =>
  (
    await play({ at, by: guest(quote.serviceGuid ?? ''), deps }, serviceApi.quote, service.quote, {
      guid: quote.serviceGuid,
    })
  ).quote.documentSha256

async function accepted(world: World, at: Date, quote: Quote): Promise<string> {
  const { deps, crew, dice } = world
  const name = quote.contact?.name ?? quote.customer.displayName
  if (dice.chance(70))
    await play({ at, by: guest(quote.serviceGuid ?? ''), deps }, serviceApi.accept, service.accept, {
      guid: quote.serviceGuid,
      documentSha256: await shown(world, at, quote),
      name,
      signature: { method: 'typed', text: name },
    })
  else
    await play({ at, by: crew.office, deps }, quotesApi.accept, acceptance.accept, {
      guid: quote.guid,
      version: quote.version,
      name,
      method: dice.pick(['phone', 'email', 'in_person']),
      note: null,
    })
  const { quote: done } = await play({ at, by: crew.office, deps }, quotesApi.get, quotes.get, { guid: quote.guid })
  if (!done.orderGuid) throw new Error(`no order came from ${String(done.number)}`)
  return done.orderGuid
}

async function receive({ deps, crew, dice, zone }: World, at: Date, invoiceGuid: string, share = 1) {
  const { invoice } = await play({ at, by: crew.accountant, deps }, invoicesApi.get, invoices.get, {
    guid: invoiceGuid,
  })
  const cents = share === 1 ? invoice.balanceCents : Math.round(invoice.balanceCents * share)
  if (cents <= 0) return null
  const method = dice.pick(['bank_transfer', 'bank_transfer', 'bank_transfer', 'payid', 'bpay', 'direct_debit', 'cash'])
  const { payment } = await play({ at, by: crew.accountant, deps }, paymentsApi.create, payments.create, {
    method,
    receivedOn: localDay(at.toISOString(), zone),
    amountCents: cents,
    reference: invoice.number,
    allocations: [{ invoiceGuid, cents }],
  })
  return payment
}

/** The work itself, from the deposit to the last cent. */
async function* orderDeal(world: World, orderGuid: string, hasDeposit: boolean): Deal {
  const { deps, crew, dice, zone } = world
  const get = async (at: Date) =>
    (await play({ at, by: crew.office, deps }, ordersApi.get, orders.get, { guid: orderGuid })).order
  let at = yield dice.between(8, 70) * hour
  if (hasDeposit && dice.chance(88)) {
    const deposit = (await get(at)).related.invoices.find((invoice) => invoice.kind === 'deposit')
    if (deposit) await receive(world, at, deposit.guid)
  }
  const lead = dice.between(3, 16)
  let order = await get(at)
  if (dice.chance(92))
    await play({ at, by: crew.office, deps }, ordersApi.update, orders.update, {
      guid: orderGuid,
      version: order.version,
      scheduledOn: localDay(new Date(at.getTime() + lead * 86_400_000).toISOString(), zone),
      ...(dice.chance(40) ? { customerReference: `PO ${dice.between(4100, 9800)}` } : {}),
    })
  if (dice.chance(4)) {
    at = yield dice.between(10, 60) * hour
    order = await get(at)
    if (!order.related.invoices.some((invoice) => invoice.balanceCents > 0 || invoice.displayStatus === 'paid'))
      await play({ at, by: crew.office, deps }, ordersApi.status, orders.status, {
        guid: orderGuid,
        version: order.version,
        deed: 'cancel',
        reason: 'The customer has postponed the project.',
      })
    return
  }
  at = yield lead * day
  await move(world, at, orderGuid, 'start')
  if (dice.chance(10)) {
    at = yield dice.between(4, 30) * hour
    await move(world, at, orderGuid, 'hold', dice.pick(['Waiting for the council permit.', 'High wind warning.']))
    at = yield dice.between(30, 120) * hour
    await move(world, at, orderGuid, 'start')
  }
  if (dice.chance(22)) {
    at = yield dice.between(2, 5) * day
    yield* billed(world, orderGuid, { kind: 'progress', shareBp: 5000 }, at)
  }
  at = yield dice.between(1, 9) * day
  await move(world, at, orderGuid, 'complete')
  at = yield dice.between(2, 60) * hour
  yield* billed(world, orderGuid, { kind: 'final' }, at)
  at = yield 2 * day
  order = await get(at)
  if (order.invoiceStatus === 'invoiced' && order.hasAmounts && order.money.owingCents === 0)
    await move(world, at, orderGuid, 'close')
}

async function move({ deps, crew }: World, at: Date, guid: string, deed: string, reason?: string) {
  const { order } = await play({ at, by: crew.office, deps }, ordersApi.get, orders.get, { guid })
  await play({ at, by: crew.office, deps }, ordersApi.status, orders.status, {
    guid,
    version: order.version,
    deed,
    ...(reason ? { reason } : {}),
  })
}

async function* billed(world: World, orderGuid: string, what: { kind: string; shareBp?: number }, at: Date): Deal {
  const { deps, crew } = world
  const { order } = await play({ at, by: crew.office, deps }, ordersApi.get, orders.get, { guid: orderGuid })
  if (order.invoiceStatus === 'invoiced') return
  const { invoice } = await play({ at, by: crew.office, deps }, ordersApi.invoice, orderInvoicing.invoice, {
    guid: orderGuid,
    version: order.version,
    ...what,
  })
  yield* invoiceDeal(world, invoice.guid)
}

export type InvoiceFate = 'draft' | 'sent' | 'viewed' | 'partly' | 'overdue' | 'void' | 'refunded' | 'any'

/** From a draft to its money, on time, late, in part, back again, or not yet. */
async function* invoiceDeal(world: World, guid: string, fate: InvoiceFate = 'any'): Deal {
  const { deps, crew, dice } = world
  let at = yield dice.between(1, 20) * hour
  const get = async () =>
    (await play({ at, by: crew.accountant, deps }, invoicesApi.get, invoices.get, { guid })).invoice
  const draft = await get()
  if (draft.problems.some((problem) => problem.blocks)) return
  const sent = await play({ at, by: crew.office, deps }, invoicesApi.send, invoices.send, {
    guid,
    version: draft.version,
  })
  if (fate === 'sent' || fate === 'overdue') return
  if (fate === 'viewed' || dice.chance(75)) {
    at = yield dice.between(2, 40) * hour
    await play({ at, by: guest(sent.invoice.serviceGuid ?? ''), deps }, serviceApi.viewed, service.viewed, {
      guid: sent.invoice.serviceGuid,
    })
  }
  if (fate === 'viewed') return
  if (fate === 'void' || (fate === 'any' && dice.chance(3))) {
    at = yield dice.between(4, 20) * hour
    const open = await get()
    await play({ at, by: crew.accountant, deps }, invoicesApi.void, invoices.void, {
      guid,
      version: open.version,
      reason: 'Billed to the wrong site.',
    })
    return
  }
  if (fate === 'any' && dice.chance(3)) return
  if (fate === 'partly' || (fate === 'any' && dice.chance(9))) {
    at = yield dice.between(3, 9) * day
    await receive(world, at, guid, 0.5)
    if (fate === 'partly') return
  }
  at = yield dice.pick([3, 6, 9, 12, 14, 14, 17, 21, 28, 41]) * day
  const payment = await receive(world, at, guid)
  if (payment && (fate === 'refunded' || dice.chance(7))) {
    at = yield dice.between(1, 8) * day
    const amountCents =
      fate === 'refunded' || dice.chance(30) ? payment.amountCents : Math.round(payment.amountCents / 10)
    await refunded({ at, by: crew.accountant, deps }, crew, {
      paymentGuid: payment.guid,
      amountCents,
      reasonCode: dice.pick(['price_adjustment', 'quality', 'goodwill']),
      note: 'Agreed by phone.',
    })
  }
}

/** Work without a quote: counter sales and call-outs. */
export async function* directInvoice(world: World, fate: InvoiceFate): Deal {
  const { deps, crew, dice } = world
  const customer = dice.pick(world.customers)
  const job = dice.pick(jobs)
  const at = yield 0
  const { invoice } = await play({ at, by: crew.office, deps }, invoicesApi.create, invoices.create, {
    customerGuid: customer.guid,
    contactGuid: customer.contactGuid,
    title: job.title,
    lines: linesOf(world, job, false).slice(0, 3),
  })
  if (fate === 'draft') return
  yield* invoiceDeal(world, invoice.guid, fate)
}

export async function* directOrder(
  world: World,
  fate: 'any' | 'waiting' | 'on_hold' | 'cancelled' | 'working',
  dueOn: string | null = null,
): Deal {
  const { deps, crew, dice } = world
  const customer = dice.pick(world.customers)
  const job = dice.pick(jobs)
  const at = yield 0
  const { order } = await play({ at, by: crew.office, deps }, ordersApi.create, orders.create, {
    customerGuid: customer.guid,
    contactGuid: customer.contactGuid,
    ...about(job, world),
    scheduledOn: dueOn,
    lines: linesOf(world, job, false),
  })
  const next = {
    waiting: null,
    on_hold: ['hold', 'Waiting for the council permit.'],
    cancelled: ['cancel', 'The customer has postponed the project.'],
    working: ['start'],
  } as const
  if (fate === 'any') return yield* orderDeal(world, order.guid, false)
  const deed = next[fate]
  if (!deed) return
  const later = yield 20 * hour
  await move(world, later, order.guid, deed[0], deed[1])
}
