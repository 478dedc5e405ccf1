import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { canonical } from '../../server/documents/documents.service.ts'
import type { Family, ModelLine, ModelRevision } from './negotiation-model.ts'
import type { Running } from './start.ts'

/*
 * All that is kept of a quote that is talked about, read from the tables, and what must be so of it whatever happened.
 */

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Everything that belongs to the revisions of one number, row by row, and how much of everything else there is. */
export async function worldOf(app: Running, rootGuid: string) {
  const { db } = app.deps
  const count = (table: 'messages' | 'notifications' | 'auditLog') =>
    db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  const ofRevisions = db.selectFrom('quotes').select('guid').where('rootGuid', '=', rootGuid)
  const ofOrders = db.selectFrom('orders').select('guid').where('quoteGuid', 'in', ofRevisions)
  const quotes = db.selectFrom('quotes').selectAll().where('rootGuid', '=', rootGuid).orderBy('revision').execute()
  const lines = db
    .selectFrom('quoteLines')
    .selectAll()
    .where('quoteGuid', 'in', ofRevisions)
    .orderBy('quoteGuid')
    .orderBy('position')
    .execute()
  const asks = db
    .selectFrom('quoteAsks as a')
    .leftJoin('quoteAnswers as w', 'w.askGuid', 'a.guid')
    .leftJoin('quoteLines as l', 'l.guid', 'a.lineGuid')
    .selectAll('a')
    .select(['w.outcome', 'w.body as said', 'w.quantity as offered', 'w.unitPriceCents', 'w.answeredAt'])
    .where('a.quoteGuid', 'in', ofRevisions)
    .orderBy('a.askedAt')
    .orderBy('a.guid')
    .execute()
  const frames = db
    .selectFrom('quoteFrames as f')
    .innerJoin('frameContents as c', 'c.sha256', 'f.contentSha256')
    .selectAll('f')
    .select('c.content')
    .where('f.rootGuid', '=', rootGuid)
    .orderBy('f.position')
    .execute()
  const links = db
    .selectFrom('serviceLinks')
    .selectAll()
    .where('recordGuid', 'in', ofRevisions)
    .where('revokedAt', 'is', null)
    .execute()
  const orders = db.selectFrom('orders').selectAll().where('quoteGuid', 'in', ofRevisions).execute()
  const orderLines = db
    .selectFrom('orderLines')
    .selectAll()
    .where('orderGuid', 'in', ofOrders)
    .orderBy('position')
    .execute()
  const invoices = db.selectFrom('invoices').selectAll().where('quoteGuid', 'in', ofRevisions).execute()
  return {
    quotes: await quotes,
    lines: await lines,
    asks: await asks,
    frames: await frames,
    links: await links,
    orders: await orders,
    orderLines: await orderLines,
    invoices: await invoices,
    messages: (await count('messages')).count,
    notices: (await count('notifications')).count,
    audited: (await count('auditLog')).count,
  }
}
export type World = Awaited<ReturnType<typeof worldOf>>
type QuoteRow = World['quotes'][number]

const plain = (quantity: string | null) => (quantity === null ? null : String(Number(quantity)))

/** The lines of a revision that somebody entered. */
const topLines = ({ lines }: Pick<World, 'lines'>, quoteGuid: string) =>
  lines.filter((line) => line.quoteGuid === quoteGuid && line.parentLineGuid === null)

/** The same as far as the model speaks of it. */
export function familyOf(world: World, day: string): Family {
  const [link] = world.links
  const revisions = world.quotes.map((quote): ModelRevision => ({
    guid: quote.guid,
    previousGuid: quote.previousRevisionGuid,
    status: quote.status,
    version: quote.version,
    documentSha256: quote.snapshotSha256,
    validUntil: quote.validUntil,
    lines: topLines(world, quote.guid).map((line): ModelLine => ({
      guid: line.guid,
      origin: line.originLineGuid ?? line.guid,
      quantity: plain(line.quantity) ?? '',
      unitPriceCents: line.unitPriceCents,
      isPriceManual: line.isPriceManual,
    })),
    asks: world.asks
      .filter(({ quoteGuid }) => quoteGuid === quote.guid)
      .map(({ guid, kind, lineGuid, quantity, outcome, offered, unitPriceCents }) => ({
        guid,
        kind,
        lineGuid,
        quantity: plain(quantity),
        outcome,
        offers: { quantity: plain(offered), unitPriceCents },
      })),
  }))
  return {
    day,
    revisions,
    link: link ? { guid: link.guid, quoteGuid: link.recordGuid } : null,
    orders: world.orders.length,
  }
}

interface Page {
  lines: {
    guid: string
    name: string
    unit: string
    quantity: string
    unitPriceCents: number
    discount: unknown
    gstCode: string
    parentLineGuid: string | null
    isOptional: boolean
    alternativeGroup: string | null
    isSelected: boolean
    quantityMin: string | null
  }[]
}
interface Content {
  page: Page
  choice: {
    selectedLineGuids: string[]
    quantities: { lineGuid: string; quantity: string }[]
    answers: { lineGuid: string }[]
  }
  totals: { totalCents: number }
  depositCents: number
  choiceSha256: string
}
interface Event {
  position: number
  reason: string
  revision: number
  document: string | null
}
const contentOf = ({ content }: { content: string }) => JSON.parse(content) as Content
const eventOf = ({ event }: { event: string }) => JSON.parse(event) as Event
/** How somebody's page looked when a revision was sent, or accepted. */
const frameOf = ({ frames }: World, reason: string, quoteGuid: string) =>
  frames.find((one) => one.quoteGuid === quoteGuid && one.reason === reason)

/** Moments are added to the end of the chain, and nothing of what was is touched. */
export function expectChain(world: World, before: World | null) {
  let last = ''
  for (const [i, frame] of world.frames.entries()) {
    const kept = before?.frames[i]
    if (kept) expect(frame).toEqual(kept)
    else {
      expect(sha256(frame.content)).toBe(frame.contentSha256)
      expect(sha256(`${last}\n${frame.event}`)).toBe(frame.chainSha256)
      expect(eventOf(frame)).toMatchObject({ position: i + 1, reason: frame.reason, frame: frame.contentSha256 })
    }
    last = frame.chainSha256
  }
  expect(world.frames.length).toBeGreaterThanOrEqual(before?.frames.length ?? 0)
}

/** What was sent stays as it was sent, and every document that a customer can have before the eyes was sent. */
export function expectSent(world: World, before: World | null) {
  for (const quote of world.quotes) {
    const was = before?.quotes.find(({ guid }) => guid === quote.guid)
    if (quote.sentAt === null) {
      expect([quote.snapshotSha256, quote.acceptance]).toEqual([null, null])
      continue
    }
    const groups = Map.groupBy(topLines(world, quote.guid), ({ alternativeGroup }) => alternativeGroup ?? '')
    for (const [group, members] of groups)
      if (group) expect(members.filter(({ isSelected }) => isSelected)).toHaveLength(1)
    if (was?.snapshotSha256) {
      const parts = ({ snapshot, snapshotSha256, sentAt, number, revision }: QuoteRow) =>
        [snapshot, snapshotSha256, sentAt, number, revision] as const
      expect(parts(quote)).toEqual(parts(was))
      continue
    }
    expect(sha256(canonical(quote.snapshot))).toBe(quote.snapshotSha256)
    const sent = frameOf(world, 'sent', quote.guid)
    expect(sent && eventOf(sent)).toMatchObject({ document: quote.snapshotSha256, revision: quote.revision })
  }
}

const isChoice = (line: Pick<Page['lines'][number], 'isOptional' | 'alternativeGroup'>) =>
  line.isOptional || line.alternativeGroup !== null
type ServiceLine = Page['lines'][number]
const tops = (lines: readonly ServiceLine[]) => lines.filter(({ parentLineGuid }) => parentLineGuid === null)
const sum = (cents: readonly number[]) => cents.reduce((all, one) => all + one, 0)

/** Whoever signed had a sent revision before the eyes, and signed it as he moved and chose it: nothing else. */
export function expectSigned(world: World, quote: QuoteRow) {
  const { acceptance } = quote
  const sent = frameOf(world, 'sent', quote.guid)
  const accepted = frameOf(world, 'accepted', quote.guid)
  if (!acceptance || !sent || !accepted) throw new Error('a signed quote without its evidence')
  expect(acceptance.documentSha256).toBe(eventOf(sent).document)
  expect(eventOf(accepted).document).toBe(acceptance.documentSha256)
  expect(acceptance.evidenceSha256).toBe(accepted.chainSha256)
  const offered = tops(contentOf(sent).page.lines)
  const { page, choice, totals, depositCents } = contentOf(accepted)
  expect(tops(page.lines)).toEqual(offered)
  const lines = topLines(world, quote.guid)
  expect(lines.map(({ guid }) => guid)).toEqual(offered.map(({ guid }) => guid))
  lines.forEach((line, i) => expectLine(line, offered[i], choice))
  expect(totals.totalCents).toBe(quote.totalCents)
  const [order, ...others] = world.orders
  expect(others).toEqual([])
  expect([order?.quoteGuid, order?.totalCents]).toEqual([quote.guid, quote.totalCents])
  expect(sum(world.orderLines.map(({ totalCents }) => totalCents))).toBe(quote.totalCents)
  const counted = world.lines.filter((line) => line.quoteGuid === quote.guid && (!isChoice(line) || line.isSelected))
  expect(world.orderLines.map((line) => [line.name, line.quantity, line.unitPriceCents, line.totalCents])).toEqual(
    counted.map((line) => [line.name, line.quantity, line.unitPriceCents, line.totalCents]),
  )
  if (depositCents > 0) expect(world.invoices.map(({ totalCents }) => totalCents)).toEqual([depositCents])
  else expect(world.invoices).toEqual([])
}

function expectLine(line: World['lines'][number], offered: ServiceLine | undefined, { ...choice }: Content['choice']) {
  if (!offered) throw new Error('a line that nobody offered')
  const quantity = choice.quantities.find(({ lineGuid }) => lineGuid === line.guid)?.quantity
  const isAnswered = choice.answers.some(({ lineGuid }) => lineGuid === line.guid)
  expect([line.name, line.unit, line.gstCode, line.discount]).toEqual([
    offered.name,
    offered.unit,
    offered.gstCode,
    offered.discount,
  ])
  expect(line.isSelected).toBe(isChoice(offered) ? choice.selectedLineGuids.includes(line.guid) : true)
  expect(Number(line.quantity)).toBe(Number(quantity ?? offered.quantity))
  if (quantity !== undefined) expect(offered.quantityMin).not.toBe(null)
  if (quantity === undefined && !isAnswered) expect(line.unitPriceCents).toBe(offered.unitPriceCents)
}

/** All that is signed of a quote, and what was made of it: it is the same text for ever. */
export const signedText = (world: World, { guid }: QuoteRow, paper: unknown): string =>
  JSON.stringify({
    paper,
    quote: world.quotes
      .filter((quote) => quote.guid === guid)
      .map(({ acceptance, snapshotSha256, discount, status, subtotalCents, discountCents, gstCents, totalCents }) => ({
        acceptance,
        status,
        cents: [subtotalCents, discountCents, gstCents, totalCents],
        snapshotSha256,
        discount,
      })),
    lines: world.lines.filter(({ quoteGuid }) => quoteGuid === guid),
    orders: world.orders,
    orderLines: world.orderLines,
    invoices: world.invoices.map(({ guid: invoice, snapshotSha256, totalCents }) => [
      invoice,
      snapshotSha256,
      totalCents,
    ]),
  })
