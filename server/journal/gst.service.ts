import type { GstBasis } from '../../contract/businesses.ts'
import { type BasisHistory, daysOf, gstStateOn } from '../../contract/gst-state.ts'
import { accounts } from '../../contract/ledger.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { basisHistory, collectedOf, livesOfEntry, type TaxedDocument } from './gst.queries.ts'
import { insertEntry } from './journal.queries.ts'

export {
  basisHistory,
  creditedIn,
  forwardsMovedIn,
  forwardsPosted,
  livesAfter,
  livesMovedIn,
  ordersNamed,
  type TaxedDocument,
} from './gst.queries.ts'

/** What the account of GST collected is still to be credited with on a day for a document; in cents, below zero too. */
export interface GstMove {
  on: string
  gstOf: string
  cents: number
}

/**
 * What is not posted yet of the GST that became due of invoices an entry is about. An entry for an earlier day than
 * others are for can move later days, too.
 */
export async function dueMoves(
  db: Db,
  { entityGuid, entryGuid }: { entityGuid: string; entryGuid: string },
): Promise<GstMove[]> {
  const lives = await livesOfEntry(db, entryGuid)
  return lives.length === 0 ? [] : movesOf(db, lives, await basisHistory(db, entityGuid))
}

/** The same of invoices whose lives are known, as if the basis changed as told. */
export async function movesOf(db: Db, lives: readonly TaxedDocument[], history: BasisHistory): Promise<GstMove[]> {
  const posted = await collectedOf(
    db,
    lives.map(({ guid }) => guid),
  )
  return lives.flatMap((life) => {
    const collected = posted.get(life.guid) ?? new Map<string, number>()
    let before = 0
    const days = [...new Set([...daysOf(life, history), ...collected.keys()])].toSorted()
    return days.flatMap((on): GstMove[] => {
      const { gstCents } = gstStateOn(life, on, history)
      const cents = gstCents - before - (collected.get(on) ?? 0)
      before = gstCents
      return cents === 0 ? [] : [{ on, gstOf: life.guid, cents }]
    })
  })
}

/** Lines that move GST between what is not due yet and what is. */
const sidesOfMoves = (moves: readonly GstMove[]) =>
  moves.flatMap(({ gstOf, cents }) => {
    const [debitCents, creditCents] = [Math.max(-cents, 0), Math.max(cents, 0)]
    return [
      { account: accounts.gstCollected, gstOf, debitCents, creditCents },
      { account: accounts.gstNotDue, gstOf, debitCents: creditCents, creditCents: debitCents },
    ]
  })

/** Posts what an entry moved on other days than its own, one entry a day, which names it as its cause. */
export async function postDue(
  ctx: Pick<Ctx, 'db'>,
  cause: { guid: string; businessGuid: string; narrative: string },
  moves: readonly GstMove[],
): Promise<void> {
  for (const postedOn of [...new Set(moves.map(({ on }) => on))].toSorted()) {
    const guid = newGuid()
    const { guid: causedByGuid, businessGuid } = cause
    const narrative = `GST due: ${cause.narrative}`
    await insertEntry(
      ctx.db,
      { guid, businessGuid, source: 'gst_due', sourceGuid: guid, causedByGuid, postedOn, narrative },
      sidesOfMoves(moves.filter(({ on }) => on === postedOn)),
    )
  }
}

/** Posts what a change of the basis moves on its day as one entry, and what was posted since on the days it is of. */
export async function postBasisChange(
  ctx: Pick<Ctx, 'db'>,
  { guid, businessGuid, from, basis }: { guid: string; businessGuid: string; from: string; basis: GstBasis },
  moves: readonly GstMove[],
): Promise<void> {
  const narrative = `GST on the ${basis} basis from ${from.split('-').toReversed().join('-')}`
  const entry = { guid: newGuid(), businessGuid, narrative }
  const isFirst = ({ on }: GstMove) => on === from
  await insertEntry(
    ctx.db,
    { ...entry, source: 'basis_change', sourceGuid: guid, postedOn: from },
    sidesOfMoves(moves.filter(isFirst)),
  )
  await postDue(
    ctx,
    entry,
    moves.filter((move) => !isFirst(move)),
  )
}
