import type { accounts, JournalSource } from '../../contract/ledger.ts'
import type { GstCode } from '../../contract/lines.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { insertEntry, type Sorted, sidesOf } from './journal.queries.ts'

export { salesOf } from './journal.queries.ts'

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
}

export interface Entry {
  businessGuid: string
  source: JournalSource
  sourceGuid: string
  /** The entry that this one mirrors. */
  reversesGuid?: string
  /** The day in the business's zone. */
  postedOn: string
  narrative: string
  lines: readonly EntryLine[]
}

/** Debit above zero, credit below. */
const signed = (line: EntryLine) => (line.debitCents ?? 0) - (line.creditCents ?? 0)

/**
 * Posts a balanced entry, once per source; lines of nothing are left out. An entry of nothing
 * at all is kept for the record.
 */
export async function postEntry(ctx: Pick<Ctx, 'db'>, { lines, ...entry }: Entry): Promise<void> {
  if (lines.reduce((sum, line) => sum + signed(line), 0) !== 0)
    throw new Error(`the entry for ${entry.source} ${entry.sourceGuid} does not balance`)
  const sides = lines.flatMap((line) => {
    const cents = signed(line)
    return cents === 0 ? [] : [{ ...line, debitCents: Math.max(cents, 0), creditCents: Math.max(-cents, 0) }]
  })
  await insertEntry(ctx.db, { guid: newGuid(), ...entry }, sides)
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
