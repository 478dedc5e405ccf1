import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError, conflict, forbidden, invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { type ImportAction, importActions, type importsApi } from '../../contract/imports.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx, Handlers, OpenCtx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { likeText, userOf } from '../core/records.ts'
import { importQueue } from './run-import.service.ts'
import {
  archiveCreated,
  dropStaged,
  emptyFilled,
  findKept,
  findSameFile,
  listedImports,
  lockImport,
  moveOn,
  tellOnce,
  waitForTurn,
} from './imports.queries.ts'
import type { Into } from './match.queries.ts'
import { mappingOf, type Plan, planOf } from './plan.ts'
import { readFile } from './read-file.ts'

type Api = typeof importsApi

const maxRowsShown = 50
const maxShown = 200
const maxRefused = 100
const samples = 3
const longestSample = 60

sayConstraints({ import_same_file: ['CONFLICT', 'This file is being imported already.'] })

/** A file speaks of any customer of the list, so that nobody imports who may see some of them alone. */
function needAllCustomers(ctx: Ctx) {
  if (ctx.rows !== 'all') throw forbidden('To import customers you need access to all of them.')
}

const intoOf = ({ business }: Ctx): Into => ({ businessGuid: business.customersOf, termsGuid: business.guid })

async function preview(ctx: Ctx, { base64, mapping: sent }: Input<Api['preview']>) {
  needAllCustomers(ctx)
  const table = await readFile(Buffer.from(base64, 'base64'))
  const { mapping, rows, problems } = await planOf(ctx.db, intoOf(ctx), table, mappingOf(table, sent))
  const count = (action: ImportAction) => rows.filter((row) => row.action === action).length
  return {
    source: table.source,
    columns: table.headers.map((header, index) => ({
      index,
      header: header.trim().slice(0, 100),
      sample: table.rows.slice(0, samples).map(({ cells }) => (cells[index] ?? '').slice(0, longestSample)),
    })),
    mapping: mapping.map((field, index) => ({ index, field })),
    counts: Object.fromEntries(importActions.map((action) => [action, count(action)])) as Record<ImportAction, number>,
    rows: rows.slice(0, maxRowsShown),
    problems: problems.slice(0, maxShown),
  }
}

/** A bad row stops all. */
function refuseProblems({ problems }: Plan) {
  if (problems.length === 0) return
  const fields = problems.slice(0, maxRefused).map(({ row, field, message }) => ({
    path: field === null ? `rows.${row}` : `rows.${row}.${field}`,
    message,
  }))
  throw new AppError('VALIDATION_FAILED', 'Fix the rows listed first.', { fields })
}

async function refuseSameFile(ctx: Ctx, sha256: string) {
  const same = await findSameFile(ctx.db, ctx.business.customersOf, sha256)
  if (same?.status === 'done') {
    const day = today(ctx.business, new Date(same.createdAt)).split('-').toReversed().join('-')
    throw conflict(`This file was imported on ${day}.`)
  }
  if (same) throw conflict('This file is being imported already.')
}

async function create(ctx: OpenCtx, { fileName, base64, mapping: sent, onDuplicate }: Input<Api['create']>) {
  needAllCustomers(ctx)
  const bytes = Buffer.from(base64, 'base64')
  const table = await readFile(bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await refuseSameFile(ctx, sha256)
  const plan = await planOf(ctx.db, intoOf(ctx), table, mappingOf(table, sent))
  refuseProblems(plan)
  const guid = newGuid()
  await ctx.tx(async (within) => {
    await within.db
      .insertInto('customerImports')
      .values({
        ...intoOf(ctx),
        guid,
        fileName,
        sha256,
        source: table.source,
        onDuplicate,
        mapping: JSON.stringify(plan.mapping),
        total: plan.rows.length,
        createdAt: ctx.now,
        createdBy: userOf(ctx),
      })
      .execute()
    await within.db.insertInto('customerImportFiles').values({ importGuid: guid, content: bytes }).execute()
    within.audit({
      action: 'import.started',
      entity: 'Imports',
      guid,
      after: { name: fileName, count: plan.rows.length },
    })
    await within.enqueue(importQueue, { importGuid: guid })
  })
  return one(ctx, guid)
}

async function one(ctx: Ctx, guid: string) {
  if (ctx.rows !== 'all') throw notFound()
  const found = await listedImports(ctx.db, ctx.business.customersOf).where('i.guid', '=', guid).executeTakeFirst()
  if (!found) throw notFound()
  return { import: found }
}

const list = (ctx: Ctx, input: Input<Api['list']>) => {
  needAllCustomers(ctx)
  const all = listedImports(ctx.db, ctx.business.customersOf)
  return pageOf({
    query: input.search ? all.where(sql<boolean>`lower(i.file_name) like ${likeText(input.search)}`) : all,
    input,
    sorts: { createdAt: 'i.createdAt' },
    guid: 'i.guid',
    defaultSort: '-createdAt',
  })
}

async function stop(ctx: Ctx, { guid }: Input<Api['stop']>) {
  const { import: found } = await one(ctx, guid)
  const facts = { finishedAt: ctx.now }
  if (await moveOn(ctx.db, guid, 'staging', 'stopped', facts)) await dropStaged(ctx.db, guid)
  // Whoever applies it meanwhile finds that at the end, takes everything back and drops what is staged.
  else if (!(await moveOn(ctx.db, guid, 'applying', 'stopped', facts)))
    throw invalidTransition('This import has already ended.')
  ctx.audit({ action: 'import.stopped', entity: 'Imports', guid, after: { name: found.fileName } })
  return one(ctx, guid)
}

async function undo(ctx: Ctx, { guid }: Input<Api['undo']>) {
  await one(ctx, guid)
  const { businessGuid } = intoOf(ctx)
  await waitForTurn(ctx.db, businessGuid)
  const found = await lockImport(ctx.db, businessGuid, guid)
  if (!found) throw notFound()
  if (found.status === 'undone') throw invalidTransition('This import has already been undone.')
  if (found.status !== 'done') throw invalidTransition('Only an import that has been applied can be undone.')
  const what = { importGuid: guid, userGuid: userOf(ctx), now: ctx.now }
  const kept = await findKept(ctx.db, guid)
  const archived = await archiveCreated(
    ctx.db,
    what,
    kept.map((one) => one.guid),
  )
  const emptied = await emptyFilled(ctx.db, what, found.termsGuid)
  await ctx.db
    .updateTable('customerImports')
    .set({ status: 'undone', archived: archived.length, undoneAt: ctx.now, undoneBy: what.userGuid })
    .where('guid', '=', guid)
    .execute()
  for (const customer of archived)
    ctx.audit({
      action: 'customer.archived',
      entity: 'Customers',
      guid: customer.guid,
      after: { name: customer.displayName },
    })
  for (const customer of emptied)
    ctx.audit({
      action: 'customer.updated',
      entity: 'Customers',
      guid: customer.guid,
      after: { name: customer.displayName },
    })
  ctx.audit({
    action: 'import.undone',
    entity: 'Imports',
    guid,
    after: { name: found.fileName, count: archived.length },
  })
  await tellOnce(ctx.db, businessGuid, guid)
  return {
    ...(await one(ctx, guid)),
    archived: archived.length,
    emptied: emptied.length,
    keptCount: kept.length,
    kept: kept.slice(0, maxShown),
  }
}

export const imports: Handlers<Api> = {
  preview,
  create,
  list,
  get: (ctx, { guid }) => one(ctx, guid),
  stop,
  undo,
}
