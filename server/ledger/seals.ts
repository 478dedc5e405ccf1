import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../core/ctx.ts'
import type { Anchor } from '../core/jobs/anchor.ts'
import { macOf, type Seal, sealedLogs, stretchHash } from '../core/jobs/seals.ts'

/** What is needed to prove the seals, and is not in the database. */
export interface SealProof {
  key: Buffer
  /** How far each log was sealed, as the data folder knows it; null when it has no such file. */
  anchors: ReadonlyMap<string, Anchor> | null
}

interface SealProblem {
  code: 'AUDIT_SEAL' | 'ANCHOR' | 'ANCHOR_MISSING'
  entity: 'AuditLog'
  guid: null
  number: string | null
  message: string
}

interface Stored extends Seal {
  mac: string
  count: number
  found: string
}

const logNames = { audit: 'the audit log', ledger: 'the log of the books' }
const entity = 'AuditLog' as const
const problem = (code: SealProblem['code'], message: string, number: string | null = null): SealProblem => ({
  code,
  entity,
  guid: null,
  number,
  message,
})

/**
 * Each seal is ours, holds its lines and continues the seal before it; the last one is at least as far as the anchor.
 */
export async function checkSeals(db: Db, proof: SealProof | undefined): Promise<SealProblem[]> {
  const problems: SealProblem[] = []
  for (const { log, table, line } of sealedLogs) {
    const seals = await sealsOf(db, log, table, line)
    let before: Stored | undefined
    for (const seal of seals) {
      const message = faultOf(seal, before, proof, logNames[log])
      if (message) problems.push(problem('AUDIT_SEAL', message, String(seal.id)))
      before = seal
    }
    if (proof) problems.push(...anchorProblems(log, seals, proof.anchors))
  }
  return problems
}

async function sealsOf(db: Db, log: Seal['log'], table: string, line: RawBuilder<string>): Promise<Stored[]> {
  const { rows } =
    await sql<Stored>`select s.id, s.at, s.log, s.after_id, s.to_id, s.line_count, s.previous_hash, s.hash, s.mac,
      c.count, c.found
    from audit_seals s cross join lateral (select count(*)::int as count,
      ${stretchHash(sql`s.previous_hash`, line)} as found from ${sql.table(table)} l where l.id > s.after_id
      and l.id <= s.to_id) c
    where s.log = ${log} order by s.after_id`.execute(db)
  return rows
}

function faultOf(
  seal: Stored,
  before: Stored | undefined,
  proof: SealProof | undefined,
  logName: string,
): string | null {
  if (seal.afterId !== (before?.toId ?? 0) || seal.previousHash !== (before?.hash ?? ''))
    return `of ${logName}, seal ${seal.id} does not continue the one before it`
  if (seal.lineCount !== seal.count)
    return `of ${logName}, seal ${seal.id} covers ${seal.lineCount} lines, ${seal.count} are there`
  if (seal.hash !== seal.found)
    return `of ${logName}, lines ${seal.afterId + 1} to ${seal.toId} were changed after they were sealed`
  return proof && macOf(proof.key, seal) !== seal.mac
    ? `of ${logName}, seal ${seal.id} was not made with the key of this installation`
    : null
}

function anchorProblems(log: Seal['log'], seals: readonly Stored[], anchors: SealProof['anchors']): SealProblem[] {
  if (seals.length === 0 && !anchors?.get(log)) return []
  const anchor = anchors?.get(log)
  if (!anchor)
    return [
      problem(
        'ANCHOR_MISSING',
        `${logNames[log]} is sealed, and DATA_DIR does not say how far: ` +
          'whether its end was cut off cannot be proven. If this database was moved here, ' +
          'say so with npm run verify-ledger -- --accept',
      ),
    ]
  if (seals.some((seal) => seal.toId === anchor.toId && seal.mac === anchor.mac)) return []
  return [
    problem(
      'ANCHOR',
      `${logNames[log]} was sealed up to line ${anchor.toId} on ${anchor.at}, and this database does not have ` +
        'that seal: the end of the log was cut off, or the database is an older copy',
    ),
  ]
}

/** The last seal of each log, for anchoring it anew. */
export async function lastSeals(db: Db): Promise<{ log: string; toId: number; mac: string }[]> {
  const { rows } = await sql<{
    log: string
    toId: number
    mac: string
  }>`select distinct on (log) log, to_id, mac from audit_seals order by log, after_id desc`.execute(db)
  return rows
}
