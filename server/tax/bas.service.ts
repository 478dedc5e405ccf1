import { type basApi, type BasLabel, basLabels, type BasLine, basPageSize, forwardsShown } from '../../contract/bas.ts'
import { addDays } from '../../contract/core/dates.ts'
import { invalid } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import {
  addMovement,
  basisOn,
  type GstState,
  gstStateAt,
  gstStateOn,
  noFigures,
  wholeDollars,
} from '../../contract/gst-state.ts'
import { accounts } from '../../contract/ledger.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { basisHistory, creditedIn, forwardsMovedIn, livesMovedIn, type TaxedDocument } from '../journal/gst.service.ts'
import { booksOf, isLockedThrough } from '../journal/locks.service.ts'
import { detailFile, labelFile } from './bas.file.ts'
import { odditiesOf } from './oddities.service.ts'

type Api = typeof basApi
type Asked = Pick<Input<Api['bas']>, 'from' | 'to' | 'basis'>

interface Moved extends Pick<BasLine, 'noun' | 'guid' | 'number' | 'customerName' | 'on'> {
  before: GstState
  after: GstState
}

/**
 * What each document moved in a period: its state at the end less its state before, on the basis that counted on each
 * of these days. On the other basis they are compared as if it had always counted.
 */
async function movedIn(ctx: Ctx, entityGuid: string, { from, to, basis: wished }: Asked) {
  if (from > to) throw invalid('to', 'Choose a day that isn’t before the first.')
  const history = await basisHistory(ctx.db, entityGuid)
  const own = basisOn(history, to)
  const basis = wished ?? own
  // What was open counts otherwise from the day of a change on, whether or not anything happened.
  const changes = history.changes.filter((one) => one.from >= from && one.from <= to)
  const lives = await livesMovedIn(
    ctx.db,
    entityGuid,
    from,
    to,
    changes.map((one) => one.from),
  )
  const at = (invoice: TaxedDocument, day: string) =>
    basis === own ? gstStateOn(invoice, day, history) : gstStateAt(invoice, day, basis)
  const forwards = basis === 'accrual' || basis === own ? await forwardsMovedIn(ctx.db, entityGuid, from, to) : []
  const states = lives.map((invoice) => ({
    invoice,
    before: at(invoice, addDays(from, -1)),
    after: at(invoice, to),
  }))
  const ofOrders = new Map(forwards.map((forward) => [forward.guid, forward]))
  const moved: Moved[] = [
    ...states.map(({ invoice: { noun, guid, orderGuid, number, customerName, issuedOn: on }, before, after }) => {
      const line = { noun, guid, number, customerName, on }
      // The order tells of the GST of all its invoices, and of the money that came for it.
      if (!ofOrders.has(orderGuid ?? '')) return { ...line, before, after }
      return { ...line, before: { ...before, gstCents: 0 }, after: { ...after, gstCents: 0 } }
    }),
    ...forwards.map(({ beforeCents, afterCents, ...order }) => {
      const billed = states.filter(({ invoice }) => invoice.orderGuid === order.guid)
      return {
        noun: 'Orders' as const,
        ...order,
        before: gstAlone(beforeCents + billed.reduce((sum, { before }) => sum + before.gstCents, 0)),
        after: gstAlone(afterCents + billed.reduce((sum, { after }) => sum + after.gstCents, 0)),
      }
    }),
  ]
  return { moved, forwards, basis, isOwn: basis === own }
}

/** What orders brought forward in a period, less what was turned back. */
function forwardOf(forwards: Awaited<ReturnType<typeof forwardsMovedIn>>) {
  const orders = forwards
    .map(({ guid, number, beforeCents, afterCents }) => ({ guid, number, cents: afterCents - beforeCents }))
    .toSorted((a, b) => Math.abs(b.cents) - Math.abs(a.cents))
  return { cents: orders.reduce((sum, one) => sum + one.cents, 0), orders: orders.slice(0, forwardsShown) }
}

const gstAlone = (gstCents: number): GstState => ({ G1: 0, G2: 0, G3: 0, G4: 0, gstCents })

/** Before and after of a document under a label, in cents; null where it moved nothing there. */
function underLabel({ before, after }: Moved, label: BasLabel): { before: number; after: number } | null {
  const field = label === '1A' || label === '1B' ? 'gstCents' : label
  const moved = after[field] - before[field]
  const counts = label === '1B' ? moved < 0 : moved > 0
  return counts ? { before: before[field], after: after[field] } : null
}

async function bas(ctx: Ctx, input: Input<Api['bas']>) {
  const entityGuid = booksOf(ctx)
  const { from, to } = input
  const { moved, forwards, basis, isOwn } = await movedIn(ctx, entityGuid, input)
  const figures = noFigures()
  for (const { before, after } of moved) addMovement(figures, before, after)
  const accountCents = await creditedIn(ctx.db, entityGuid, accounts.gstCollected, from, to)
  const { labels, decreases } = figures
  return {
    ...{ from, to, basis, decreases, accountCents },
    isLocked: await isLockedThrough(ctx, entityGuid, to),
    labels: basLabels.map((label) => ({
      label,
      cents: labels[label],
      dollars: wholeDollars(labels[label]),
      documents: moved.filter((one) => underLabel(one, label)).length,
    })),
    forward: forwardOf(forwards),
    oddities: (await odditiesOf(ctx, entityGuid, from, to)).length,
    agrees: isOwn ? labels['1A'] - labels['1B'] === accountCents : null,
  }
}

/** The documents behind a label, oldest first. */
const linesUnder = (moved: readonly Moved[], label: BasLabel): BasLine[] =>
  moved.flatMap((one): BasLine[] => {
    const found = underLabel(one, label)
    if (!found) return []
    const { before: _before, after: _after, ...line } = one
    const { before: beforeCents, after: afterCents } = found
    const cents = label === '1B' ? beforeCents - afterCents : afterCents - beforeCents
    return [{ ...line, beforeCents, afterCents, cents }]
  })

async function lines(ctx: Ctx, input: Input<Api['lines']>) {
  const entityGuid = booksOf(ctx)
  const { label, page = 1 } = input
  const { moved } = await movedIn(ctx, entityGuid, input)
  const items = linesUnder(moved, label)
  return {
    items: items.slice((page - 1) * basPageSize, page * basPageSize),
    page: { size: basPageSize, total: { value: items.length, isExact: true }, next: null },
  }
}

async function detail(ctx: Ctx, input: Input<Api['detail']>) {
  const entityGuid = booksOf(ctx)
  const { from, to, label } = input
  const { moved } = await movedIn(ctx, entityGuid, input)
  const name = `gst-${label ?? 'detail'}-${from}-to-${to}.csv`
  return label ? labelFile(name, linesUnder(moved, label)) : detailFile(name, moved)
}

export const basWorksheet: Handlers<Api> = { bas, lines, detail }
