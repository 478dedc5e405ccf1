import { sql } from 'kysely'
import type { Db } from '../core/ctx.ts'
import { type Column, lastNoted, type LedgerSubject, ledgerSubjects, noted, recordsOf } from '../core/db/ledger-log.ts'

export interface RecordProblem {
  code: 'RECORD_CHANGED' | 'RECORD_NOT_NOTED' | 'RECORD_GONE' | 'RECORD_REWRITTEN'
  entity: string
  guid: string
  number: null
  message: string
}

const maxOfATable = 500
/** Rows that are written once. */
const onceOnly = new Set([
  'payments',
  'payment_attempt_parts',
  'payment_allocations',
  'payment_reversals',
  'refunds',
  'webhook_events',
  'webhook_outcomes',
  'charge_releases',
  'journal_entries',
  'journal_lines',
  'invoice_lines',
  'order_costs',
  'hire_returns',
  'order_supplies',
  'gst_forwards',
  'write_offs',
  'invoice_instalments',
  'period_locks',
  'statements',
  'basis_changes',
])
/** How a row of each table is called where it is told of. */
export const recordNames: Record<string, string> = {
  quotes: 'the quote',
  quote_lines: 'a line of the quote',
  orders: 'the order',
  order_lines: 'a line of the order',
  order_costs: 'a cost of the order',
  order_supplies: 'what the order came to since a day',
  gst_forwards: 'GST of the order that was brought forward',
  hire_runs: 'a hire of the order',
  hire_returns: 'a return of hire',
  hire_bills: 'a bill of hire',
  invoices: 'the invoice',
  invoice_lines: 'a line of the invoice',
  write_offs: 'a write-off of the invoice',
  invoice_instalments: 'an instalment of the invoice',
  payment_attempts: 'the card payment',
  payment_attempt_parts: 'a part of the card payment',
  payments: 'the payment',
  payment_allocations: 'the allocation of a payment',
  payment_reversals: 'the reversal of a payment',
  refund_requests: 'the refund that somebody else must approve',
  refund_attempts: 'the request for a refund',
  refunds: 'the refund',
  webhook_events: 'the notice of the payment provider',
  webhook_outcomes: 'the outcome of a notice of the payment provider',
  charge_releases: 'the decision on a payment that was put aside',
  payment_disputes: 'the dispute of a payment',
  statements: 'the statement that was sent',
  period_locks: 'a lock of the books',
  basis_changes: 'a change of the basis of GST',
  journal_entries: 'the journal entry',
  journal_lines: 'a line of the journal entry',
  number_counters: 'the numbering',
}

/**
 * Lays every row of money beside what the log says was written: each column of it, also those nothing else depends on.
 */
export async function checkRecords(db: Db): Promise<RecordProblem[]> {
  const problems: RecordProblem[] = []
  for (const subject of ledgerSubjects)
    problems.push(...(await checkSubject(db, subject)), ...(await checkOnce(db, subject)))
  return problems
}

async function checkSubject(db: Db, subject: LedgerSubject): Promise<RecordProblem[]> {
  const columns = noted(subject, await columnsIn(db, subject.table))
  const { rows } = await sql<{
    guid: string
    isNoted: boolean
    isThere: boolean
  }>`select coalesce(r.record, l.record) as guid, l.record is not null as is_noted, r.record is not null as is_there
    from (${sql.raw(recordsOf(subject, columns))}) r full join (${sql.raw(lastNoted(subject))}) l on l.record = r.record
    where r.digest is distinct from l.digest and (l.record is not null or r.is_booked) limit ${maxOfATable}`.execute(db)
  const name = recordNames[subject.table] ?? subject.table
  return rows.map(({ guid, isNoted, isThere }) => {
    const problem = { entity: subject.entity, guid, number: null }
    if (!isNoted)
      return {
        ...problem,
        code: 'RECORD_NOT_NOTED',
        message: `${name} was not written by the product: the log does not know it`,
      }
    if (!isThere) return { ...problem, code: 'RECORD_GONE', message: `${name} is in the log and is not there any more` }
    return { ...problem, code: 'RECORD_CHANGED', message: `${name} is not what the log says was written` }
  })
}

async function columnsIn(db: Db, table: string): Promise<Column[]> {
  const { rows } =
    await sql<Column>`select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    order by a.attname`.execute(db)
  return rows
}

/** What is written once stands in the log once, unless a migration gave it another column. */
async function checkOnce(db: Db, { table, entity }: LedgerSubject): Promise<RecordProblem[]> {
  if (!onceOnly.has(table)) return []
  const { rows } = await sql<{
    guid: string
  }>`select record as guid from ledger_log where subject = ${table} and not is_upgrade group by record
    having count(*) > 1 limit ${maxOfATable}`.execute(db)
  return rows.map(({ guid }) => ({
    code: 'RECORD_REWRITTEN',
    entity,
    guid,
    number: null,
    message: `${recordNames[table] ?? table} is written once, and the log says that it was written again`,
  }))
}
