import { type Kysely, sql } from 'kysely'
import type { DB } from '../core/db/schema.ts'
import { type Check, journalCheck, sealCheck, sumChecks } from './checks.ts'
import { checkDocuments } from './documents.ts'
import { checkNumbers } from './numbers.ts'

export interface LedgerProblem {
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
const mostOfACode = 500

/**
 * Proves the whole database, as of one instant: totals, balances, allocations, journal, numbers, snapshots, audit seals. It
 * changes nothing and can run while the product does.
 */
export async function verifyLedger(db: Kysely<DB>): Promise<LedgerReport> {
  const problems: LedgerProblem[] = []
  const counts = new Map<string, number>()
  const tell = ({ number, ...problem }: Omit<LedgerProblem, 'number'> & { number?: string | null }) => {
    const count = (counts.get(problem.code) ?? 0) + 1
    counts.set(problem.code, count)
    if (count <= mostOfACode) problems.push({ ...problem, ...(number ? { number } : {}) })
  }
  const checked = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`set local statement_timeout = '120s'`.execute(tx)
      await sql`set local idle_in_transaction_session_timeout = '120s'`.execute(tx)
      await sql`set local work_mem = '64MB'`.execute(tx)
      const documents = await checkDocuments(tx, tell)
      for (const check of [...sumChecks, sealCheck]) for (const row of await run(tx, check)) tell({ code: check.code, entity: check.entity, ...row })
      for (const row of (await journalCheck.execute(tx)).rows) tell(row)
      for (const problem of await checkNumbers(tx)) tell(problem)
      return { ...documents, ...(await countsOf(tx)) }
    })
  for (const [code, count] of counts) if (count > mostOfACode) problems.push({ code, entity: '', guid: null, message: `and ${count - mostOfACode} more of this kind` })
  return { ok: problems.length === 0, problems, checked }
}

type Tx = Parameters<Parameters<ReturnType<Kysely<DB>['transaction']>['execute']>[0]>[0]

const run = async (db: Tx, { query }: Check) => (await query.execute(db)).rows

async function countsOf(db: Tx): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`select (select count(*) from payments)::int as payments, (select count(*) from payment_allocations)::int as allocations, (select count(*) from refunds)::int as refunds,
    (select count(*) from journal_entries)::int as journal_entries, (select count(*) from audit_log)::int as audit_lines, (select count(*) from audit_seals)::int as audit_seals`.execute(db)
  return rows[0] ?? {}
}
