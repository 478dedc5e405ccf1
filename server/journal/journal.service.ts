import { accounts, type JournalSource } from '../../contract/ledger.ts'
import type { GstCode } from '../../contract/lines.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { dueMoves, type GstMove, postDue } from './gst.service.ts'
import { beginEntry, insertLines, type Side, type Sorted, sidesOf } from './journal.queries.ts'

export { followed, followedJson, salesOf, shownLines } from './journal.queries.ts'

/** The code of an account that documents and money post to. */
export type Account = (typeof accounts)[keyof typeof accounts]

/** One side of an entry; a negative amount stands on the other side. */
export interface EntryLine {
  account: Account
  debitCents?: number
  creditCents?: number
  /** Where sales are counted. */
  revenueStreamGuid?: string | null
  gstCode?: GstCode | null
  /** Whose debt or credit it is. */
  customerGuid?: string | null
  /**
   * The invoice whose GST it is, on the account of what is collected. On the cash basis it waits in another account as
   * far as no money came for it.
   */
  gstOf?: string | null
}

export interface Entry {
  businessGuid: string
  source: JournalSource
  sourceGuid: string
  /** The entry that this one mirrors. */
  reversesGuid?: string
  /** The entry that made GST due on this one's day. */
  causedByGuid?: string
  /** The day in the business's zone. */
  postedOn: string
  narrative: string
  /** Why it reverses another. */
  reason?: string
  lines: readonly EntryLine[]
}

/** Debit above zero, credit below. */
const signed = (line: EntryLine) => (line.debitCents ?? 0) - (line.creditCents ?? 0)

/**
 * Posts a balanced entry, once per source; lines of nothing are left out. An entry of nothing at all is kept for the
 * record. What it says happened stands in its tables already: on the cash basis what became due of the GST of the
 * invoices it is about is worked out from there, whatever it was that happened.
 */
export async function postEntry(ctx: Pick<Ctx, 'db'>, { lines, ...rest }: Entry): Promise<void> {
  if (lines.reduce((sum, line) => sum + signed(line), 0) !== 0)
    throw new Error(`the entry for ${rest.source} ${rest.sourceGuid} does not balance`)
  const entry = { guid: newGuid(), ...rest }
  const { entityGuid, isOnCash } = await beginEntry(ctx.db, entry, sidesOfLines(lines))
  if (!isOnCash) return
  const moves = await dueMoves(ctx.db, { entityGuid, entryGuid: entry.guid })
  const isOwn = ({ on }: GstMove) => on === entry.postedOn
  await insertLines(ctx.db, entry.guid, sidesOfLines(parted(lines, moves.filter(isOwn))))
  await postDue(
    ctx,
    entry,
    moves.filter((move) => !isOwn(move)),
  )
}

const sidesOfLines = (lines: readonly EntryLine[]): Side[] =>
  lines.flatMap((line) => {
    const cents = signed(line)
    return cents === 0 ? [] : [{ ...line, debitCents: Math.max(cents, 0), creditCents: Math.max(-cents, 0) }]
  })

/** Lines of an entry on the cash basis: of each document's GST what is due is collected, the rest waits. */
function parted(lines: readonly EntryLine[], due: readonly GstMove[]): EntryLine[] {
  const isGst = ({ account, gstOf }: EntryLine) =>
    Boolean(gstOf) && (account === accounts.gstCollected || account === accounts.gstNotDue)
  const moved = new Map<string, number>()
  for (const line of lines.filter(isGst))
    if (line.gstOf) moved.set(line.gstOf, (moved.get(line.gstOf) ?? 0) - signed(line))
  const dueOf = new Map(due.map(({ gstOf, cents }) => [gstOf, cents]))
  return [
    ...lines.filter((line) => !isGst(line)),
    ...[...new Set([...moved.keys(), ...dueOf.keys()])].flatMap((gstOf): EntryLine[] => {
      const collected = dueOf.get(gstOf) ?? 0
      return [
        { account: accounts.gstCollected, gstOf, creditCents: collected },
        { account: accounts.gstNotDue, gstOf, creditCents: (moved.get(gstOf) ?? 0) - collected },
      ]
    }),
  ]
}

/** What an entry moved, debit above zero, for posting its mirror image. */
export async function postedSides(
  db: Db,
  source: JournalSource,
  sourceGuid: string,
): Promise<(Sorted & { account: Account; cents: number })[]> {
  const sides = await sidesOf(db, source, sourceGuid)
  return sides.map((side) => ({ ...side, account: side.account as Account }))
}
