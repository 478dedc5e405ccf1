import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../contract/core/errors.ts'
import type { FileCustomer } from '../../contract/customer-file-rows.ts'
import type { AuditLine, Ctx, OpenCtx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { toAppError } from '../core/http/errors.ts'
import { defineJob, type Try } from '../core/jobs/jobs.ts'
import {
  dropStaged,
  dropUntouched,
  fillCustomers,
  findImport,
  type ImportRow,
  insertCustomers,
  moveOn,
  readStaged,
  stage,
  tellOnce,
  waitForTurn,
  writeAround,
  type Written,
} from './imports.queries.ts'
import { type Fillable, findMatches } from './match.queries.ts'
import { ambiguous, chunkSize, chunksOf, fillsOf, readCustomers } from './plan.ts'
import { readFile } from './read-file.ts'

export const importQueue = 'customers.import'

const failed = 'This import couldn’t be applied. Nothing was changed.'

/** Somebody stopped the import: whatever was being written is rolled back. */
class Stopped extends Error {}

/**
 * Takes a file in: its rows are staged a thousand a transaction, then applied in one. Whatever ends the process in
 * between, the next one goes on where it was.
 */
export async function runImport(ctx: OpenCtx, importGuid: string, { isLast }: Try = { isLast: false }): Promise<void> {
  const found = await findImport(ctx.db, importGuid)
  if (!found) return
  if (found.status === 'stopped') return ctx.tx((within) => dropStaged(within.db, importGuid))
  try {
    if (found.status === 'staging' && !(await stageAll(ctx, found))) return
    const now = await findImport(ctx.db, importGuid)
    if (now?.status === 'applying') await ctx.tx((within) => apply(within, now))
  } catch (thrown) {
    if (thrown instanceof Stopped) return ctx.tx((within) => dropStaged(within.db, importGuid))
    const error = toAppError(thrown)
    // The queue tries again what a database that gives up has broken off; nobody is left waiting for what it gives up.
    const isKnown = error instanceof AppError && error.status < 500
    if (!isKnown && !isLast) throw thrown
    await ctx.tx((within) => fail(within, found, isKnown ? error : null))
    if (!isKnown) throw thrown
  }
}

const lineOf = (found: ImportRow): Pick<AuditLine, 'entity' | 'guid' | 'by'> => ({
  entity: 'Imports',
  guid: found.guid,
  by: byOf(found),
})
const byOf = ({ createdBy, createdByName }: ImportRow) =>
  createdBy === null ? null : { guid: createdBy, name: createdByName ?? '' }

async function fail(ctx: Ctx, found: ImportRow, error: AppError | null) {
  const failure = error?.fields[0]?.message ?? (error?.code === 'CONFLICT' ? error.message : failed)
  const facts = { failure, finishedAt: ctx.deps.now() }
  if (
    !(await moveOn(ctx.db, found.guid, 'applying', 'failed', facts)) &&
    !(await moveOn(ctx.db, found.guid, 'staging', 'failed', facts))
  )
    return
  await dropStaged(ctx.db, found.guid)
  ctx.audit({ action: 'import.failed', ...lineOf(found), after: { name: found.fileName, reason: failure } })
}

/** False when it was stopped on the way. */
async function stageAll(ctx: OpenCtx, found: ImportRow): Promise<boolean> {
  const file = await ctx.db
    .selectFrom('customerImportFiles')
    .select('content')
    .where('importGuid', '=', found.guid)
    .executeTakeFirst()
  if (!file) return false
  const table = await readFile(Buffer.from(file.content))
  const customers = await readCustomers(table, found.mapping)
  for (const chunk of chunksOf(customers.slice(found.staged))) {
    if (!(await ctx.tx((within) => stage(within.db, found.guid, chunk)))) return false
    await setImmediate()
  }
  return ctx.tx((within) => moveOn(within.db, found.guid, 'staging', 'applying'))
}

interface Planned {
  row: number
  customer: FileCustomer
  guid: string | null
  fills: Fillable[]
}

/** Every customer is looked for before the first is written: rows of one file are never taken for each other. */
async function planAll(ctx: Ctx, found: ImportRow): Promise<Planned[]> {
  const planned: Planned[] = []
  for (let after = 0; ;) {
    const staged = await readStaged(ctx.db, found.guid, after, chunkSize)
    const rows = staged.flatMap(({ row, customer }) => (customer ? [{ row, customer }] : []))
    const matches = await findMatches(ctx.db, found, rows)
    for (const { row, customer } of rows) {
      const match = matches.get(row)
      if (match && match.found > 1)
        throw new AppError('VALIDATION_FAILED', undefined, { fields: [fieldOf(row, match.found)] })
      planned.push({ row, customer, guid: match?.guid ?? null, fills: match ? fillsOf(customer, match) : [] })
    }
    if (staged.length < chunkSize) return planned
    after = staged.at(-1)?.row ?? after
  }
}
const fieldOf = (row: number, found: number) => ({ path: `rows.${row}`, message: ambiguous(row, found).message })

function writtenOf({ row, customer, guid, fills }: Planned): Written {
  const isCreated = guid === null
  const has = (field: Fillable) => isCreated || fills.includes(field)
  const facts = isCreated
    ? customer
    : (Object.fromEntries(fills.map((field) => [field, customer[field]])) as Partial<FileCustomer>)
  const site =
    customer.site && has('site') ? { guid: newGuid(), name: customer.site.line1, address: customer.site } : null
  const contacts = has('contacts')
    ? customer.contacts.map((contact, i) => ({ ...contact, guid: newGuid(), linkGuid: newGuid(), isPrimary: i === 0 }))
    : []
  return { row, guid: guid ?? newGuid(), isCreated, facts, site, contacts }
}

/** Two rows about one customer: the first fills it. */
function onceEach(planned: readonly Planned[]): Planned[] {
  const seen = new Set<string>()
  return planned.filter(({ guid }) => guid === null || (!seen.has(guid) && seen.add(guid)))
}

async function apply(ctx: Ctx, found: ImportRow) {
  await waitForTurn(ctx.db, found.businessGuid)
  const planned = await planAll(ctx, found)
  const isFilling = found.onDuplicate === 'fill'
  const writes = onceEach(planned.filter(({ guid, fills }) => guid === null || (isFilling && fills.length > 0)))
  const by = {
    importGuid: found.guid,
    userGuid: found.createdBy,
    language: ctx.deps.settings.defaultLanguage,
    now: ctx.deps.now(),
  }
  let created = 0
  for (const chunk of chunksOf(writes)) {
    const written = chunk.map(writtenOf)
    const made = written.filter((one) => one.isCreated)
    const filled = written.filter((one) => !one.isCreated)
    if (made.length > 0) await insertCustomers(ctx.db, found, by, made)
    if (filled.length > 0) await fillCustomers(ctx.db, by, filled)
    await writeAround(ctx.db, found, by, written)
    created += made.length
    for (const [i, { guid, isCreated }] of written.entries())
      ctx.audit({
        action: isCreated ? 'customer.imported' : 'customer.updated',
        entity: 'Customers',
        guid,
        after: { name: chunk[i]?.customer.displayName ?? '', ...(isCreated ? {} : { fields: chunk[i]?.fills }) },
        by: byOf(found),
      })
  }
  const counts = { created, filled: writes.length - created, skipped: found.total - writes.length }
  await dropUntouched(ctx.db, found.guid)
  await ctx.db.deleteFrom('customerImportFiles').where('importGuid', '=', found.guid).execute()
  if (!(await moveOn(ctx.db, found.guid, 'applying', 'done', { ...counts, finishedAt: by.now }))) throw new Stopped()
  ctx.audit({ action: 'import.applied', ...lineOf(found), after: { name: found.fileName, count: created, ...counts } })
  await tellOnce(ctx.db, found.businessGuid, found.guid)
}

export const importJob = defineJob<{ importGuid: string }>(
  importQueue,
  { effect: 'external', concurrency: 1, policy: 'standard', expireInSeconds: 300, retryLimit: 3 },
  (ctx, { importGuid }, attempt) => runImport(ctx, importGuid, attempt),
)
