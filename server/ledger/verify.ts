import { type Kysely, sql } from 'kysely'
import type { Db } from '../core/ctx.ts'
import type { DB } from '../core/db/schema.ts'
import { attemptChecks } from './attempts.ts'
import type { Check } from './check.ts'
import { journalCheck, sumChecks } from './checks.ts'
import { checkDocuments } from './documents.ts'
import { factChecks } from './facts.ts'
import { checkForwards } from './forward.ts'
import { figureCheck, heldCheck } from './figures.ts'
import { gstChecks } from './gst.ts'
import { checkGst, dueChecks } from './gst-due.ts'
import { checkNumbers } from './numbers.ts'
import { checkRecords } from './records.ts'
import { checkSeals, type SealProof } from './seals.ts'

interface LedgerProblem {
  /** What kind of thing is wrong, such as TOTALS or JOURNAL_PAYMENT. */
  code: string
  entity: string
  /** The record; null where a number or a seal is meant. */
  guid: string | null
  number?: string
  message: string
}

export interface LedgerReport {
  ok: boolean
  problems: LedgerProblem[]
  /** How many records were looked at. */
  checked: Record<string, number>
}

/** Of one kind of problem that many are told; a database that is wrong throughout is not listed row by row. */
const maxOfACode = 500

/**
 * Proves the whole database, as of one instant: totals, balances, allocations, journal, numbers, snapshots,
 * every row beside the sealed log. It changes nothing and can run while the product does. Without `proof`
 * nobody knows who made the seals.
 */
export async function verifyLedger(db: Kysely<DB>, proof?: SealProof): Promise<LedgerReport> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`set local statement_timeout = '10min'`.execute(tx)
      await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(tx)
      await sql`set local work_mem = '64MB'`.execute(tx)
      return verifyWithin(tx, proof)
    })
}

/** The same inside a transaction that is open already, on what it sees. */
export async function verifyWithin(tx: Db, proof?: SealProof): Promise<LedgerReport> {
  const problems: LedgerProblem[] = []
  const counts = new Map<string, number>()
  const tell = ({ number, ...problem }: Omit<LedgerProblem, 'number'> & { number?: string | null }) => {
    const count = (counts.get(problem.code) ?? 0) + 1
    counts.set(problem.code, count)
    if (count <= maxOfACode) problems.push({ ...problem, ...(number ? { number } : {}) })
  }
  const documents = await checkDocuments(tx, tell)
  for (const check of [
    ...sumChecks,
    ...attemptChecks,
    ...factChecks,
    ...gstChecks,
    ...dueChecks,
    figureCheck,
    heldCheck,
  ])
    for (const row of await run(tx, check)) tell({ code: check.code, entity: check.entity, ...row })
  for (const row of (await journalCheck.execute(tx)).rows) tell(row)
  for (const problem of await checkForwards(tx)) tell(problem)
  for (const problem of await checkGst(tx)) tell(problem)
  for (const problem of [...(await checkNumbers(tx)), ...(await checkRecords(tx)), ...(await checkSeals(tx, proof))])
    tell(problem)
  const checked = { ...documents, ...(await countsOf(tx)) }
  for (const [code, count] of counts)
    if (count > maxOfACode)
      problems.push({ code, entity: '', guid: null, message: `and ${count - maxOfACode} more of this kind` })
  return { ok: problems.length === 0, problems, checked }
}

const run = async (db: Db, { query }: Check) => (await query.execute(db)).rows

async function countsOf(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<
    Record<string, number>
  >`select (select count(*) from payments)::int as payments, (select count(*)
    from payment_allocations)::int as allocations, (select count(*) from refunds)::int as refunds,
    (select count(*) from journal_entries)::int as journal_entries, (select count(*)
      from audit_log)::int as audit_lines, (select count(*) from audit_seals)::int as audit_seals`.execute(db)
  return rows[0] ?? {}
}
