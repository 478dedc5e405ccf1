import type { Selectable } from 'kysely'
import { actionSentence } from '../../contract/action-sentence.ts'
import { type Action, type ActionInput, type ActionRun, actionsApi, actionTransitions } from '../../contract/actions.ts'
import { invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import { archiving, writeArchived } from '../core/bulk.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import type { ActionTables } from '../core/db/schema-actions.ts'
import { newGuid } from '../core/guid.ts'
import { archivedIf, asJson, changed, firstStamp, likeText, stamp } from '../core/records.ts'
import { runIn } from '../events/events.service.ts'
import { filterReadable } from '../row-scope/row-scope.service.ts'
import { checkAction, checkRights } from './action-checks.ts'
import {
  listedActions,
  lockAction,
  namesOf,
  shownRun,
  type ToldAction,
  toldActions,
  visibleActions,
  visibleRuns,
} from './actions.queries.ts'
import { choices } from './choices.ts'
import { preview } from './preview.ts'
import { register } from './register.ts'
import { replayEvents } from './replay.ts'
import { askForRuns } from './waiting.ts'

type Api = typeof actionsApi
type ActionRow = Selectable<ActionTables['actions']>

const shown = (ctx: Ctx, row: ToldAction, nameOf: (guid: string) => string | undefined): Action => ({
  guid: row.guid,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  archivedAt: row.archivedAt,
  name: row.name,
  eventKey: row.eventKey,
  conditions: row.conditions,
  delayMinutes: row.delayMinutes,
  effects: row.effects,
  owner: { guid: row.ownerGuid, label: row.ownerName },
  status: row.status,
  pausedReason: row.pausedReason,
  sentence: actionSentence(row, ctx.request.language, nameOf),
  activatedAt: row.activatedAt,
  stoppedAt: row.stoppedAt,
})

async function one(ctx: Ctx, guid: string): Promise<{ action: Action }> {
  const seen = await visibleActions(ctx).select('a.guid').where('a.guid', '=', guid).executeTakeFirst()
  if (!seen) throw notFound()
  const row = await toldActions(ctx).where('a.guid', '=', guid).executeTakeFirstOrThrow()
  return { action: shown(ctx, row, await namesOf(ctx, [row])) }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  let found = visibleActions(ctx).where('a.businessGuid', '=', ctx.business.guid).where(archivedIf('a', input.archived))
  if (input.status) found = found.where('a.status', 'in', input.status.split(',') as Action['status'][])
  if (input.eventKey) found = found.where('a.eventKey', '=', input.eventKey)
  if (input.search)
    found = found.where((eb) => eb(eb.fn<string>('lower', ['a.name']), 'like', likeText(input.search ?? '')))
  const page = await pageOf({
    query: listedActions(ctx),
    found,
    isPlain: true,
    input,
    sorts: { name: 'a.name', createdAt: 'a.createdAt' },
    guid: 'a.guid',
    defaultSort: 'name',
  })
  const nameOf = await namesOf(ctx, page.items)
  const items = page.items.map((row) => ({ ...shown(ctx, row, nameOf), lastRun: row.lastRun, failures: row.failed }))
  return { ...page, items }
}

const stored = (input: ActionInput) => ({
  name: input.name,
  eventKey: input.eventKey,
  conditions: asJson(input.conditions),
  delayMinutes: input.delayMinutes,
  effects: JSON.stringify(input.effects),
})

/** Whoever saves an action: it runs with this user's rights from now on. */
function ownerOf(ctx: Ctx): string {
  if (ctx.actor.kind !== 'user') throw new Error('an action is saved by a user')
  return ctx.actor.userGuid
}

async function create(ctx: Ctx, input: Input<Api['create']>) {
  await checkAction(ctx, input)
  checkRights(ctx, input)
  const guid = newGuid()
  await ctx.db
    .insertInto('actions')
    .values({
      ...stored(input),
      guid,
      businessGuid: ctx.business.guid,
      ownerGuid: ownerOf(ctx),
      ...firstStamp(ctx),
    })
    .execute()
  ctx.audit({ action: 'action.created', entity: 'Actions', guid, after: input })
  return one(ctx, guid)
}

async function lock(ctx: Ctx, guid: string): Promise<ActionRow> {
  const row = await lockAction(ctx, guid)
  if (!row) throw notFound()
  return row
}

function refuseArchived({ archivedAt }: Pick<ActionRow, 'archivedAt'>): void {
  if (archivedAt) throw invalidTransition('This action is archived. Restore it first.')
}

async function update(ctx: Ctx, { guid, version, ...changes }: Input<Api['update']>) {
  const before = await lock(ctx, guid)
  await checkVersion(before, version, actionsApi.get, () => one(ctx, guid))
  refuseArchived(before)
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const next: ActionInput = { ...before, ...given }
  await ctx.workFor(before.businessGuid)
  await checkAction(ctx, next)
  checkRights(ctx, next)
  const after = await ctx.db
    .updateTable('actions')
    .set({ ...stored(next), ownerGuid: ownerOf(ctx), ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = changed(before, after)
  ctx.audit({
    action: 'action.updated',
    entity: 'Actions',
    guid,
    before: change.before,
    after: { ...change.after, name: after.name },
  })
  return one(ctx, guid)
}

async function status(ctx: Ctx, { guid, version, deed }: Input<Api['status']>) {
  const before = await lock(ctx, guid)
  await checkVersion(before, version, actionsApi.get, () => one(ctx, guid))
  refuseArchived(before)
  if (!leadsFrom(actionTransitions, deed, before.status))
    throw invalidTransition(deed === 'pause' ? 'This action isn’t on.' : 'This action is on already.')
  if (deed === 'activate') {
    await ctx.workFor(before.businessGuid)
    await checkAction(ctx, before)
    checkRights(ctx, before)
  }
  const isOn = deed === 'activate'
  await ctx.db
    .updateTable('actions')
    .set({
      ...(isOn
        ? { status: 'active', pausedReason: null, failures: 0, activatedAt: ctx.now, stoppedAt: null }
        : { status: 'paused', pausedReason: 'person', stoppedAt: ctx.now }),
      ...(isOn ? { ownerGuid: ownerOf(ctx) } : {}),
      ...stamp(ctx, before.version),
    })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({
    action: isOn ? 'action.activated' : 'action.paused',
    entity: 'Actions',
    guid,
    after: { name: before.name },
  })
  return one(ctx, guid)
}

/** One that is put away is off, and what waits is not done any more. */
async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lock(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This action is already archived.' : 'This action isn’t archived.')
  const isStopped = isArchived && row.status === 'active'
  await writeArchived(
    ctx,
    'Actions',
    row,
    isArchived,
    isStopped ? { status: 'paused', pausedReason: 'person', stoppedAt: ctx.now } : {},
  )
  if (isArchived)
    await ctx.db
      .updateTable('actionRuns')
      .set({ state: 'skipped', reason: 'archived', endedAt: ctx.now })
      .where('actionGuid', '=', guid)
      .where('state', '=', 'waiting')
      .execute()
}

type RunRow = Awaited<ReturnType<ReturnType<typeof listedRuns>['execute']>>[number]
const listedRuns = (ctx: Ctx) => visibleRuns(ctx).select(shownRun)
const shownRunOf = (
  { request: { language } }: Ctx,
  { recordGuid, recordLabel, actionGuid, actionName, ...run }: RunRow,
): ActionRun => ({
  ...runIn(language, run),
  action: { guid: actionGuid, label: actionName },
  record: { guid: recordGuid, label: recordLabel },
})

/** Whom it was about, and what was done to whom, is for those who may read the record. */
async function toldRuns(ctx: Ctx, rows: readonly RunRow[]): Promise<ActionRun[]> {
  const records = rows.map(({ noun, recordGuid }) => ({ entity: noun, guid: recordGuid }))
  const known = new Set((await filterReadable(ctx, records)).map(({ guid }) => guid))
  return rows.map((row) =>
    shownRunOf(
      ctx,
      known.has(row.recordGuid)
        ? row
        : { ...row, recordLabel: '', trace: row.trace.map((line) => (line.ok ? { ...line, said: '' } : line)) },
    ),
  )
}

async function runs(ctx: Ctx, input: Input<Api['runs']>) {
  let query = listedRuns(ctx).where('r.businessGuid', '=', ctx.business.guid)
  if (input.action) query = query.where('r.actionGuid', '=', input.action)
  if (input.event) query = query.where('r.eventGuid', '=', input.event)
  if (input.state) query = query.where('r.state', 'in', input.state.split(',') as ActionRun['state'][])
  const page = await pageOf({
    query,
    input,
    sorts: { at: 'r.createdAt' },
    guid: 'r.guid',
    defaultSort: '-at',
  })
  return { ...page, items: await toldRuns(ctx, page.items) }
}

async function replay(ctx: Ctx, { guid, eventGuids }: Input<Api['replay']>) {
  const action = await lock(ctx, guid)
  refuseArchived(action)
  const begun = await replayEvents(ctx, action, eventGuids)
  await askForRuns(ctx)
  ctx.audit({ action: 'action.replayed', entity: 'Actions', guid, after: { name: action.name, count: begun.length } })
  const rows = await listedRuns(ctx).where('r.guid', 'in', begun).orderBy('r.createdAt').orderBy('r.guid').execute()
  return { runs: await toldRuns(ctx, rows) }
}

export const actions: Handlers<Api> = {
  list,
  preview,
  replay,
  register,
  runs,
  choices,
  get: (ctx, { guid }) => one(ctx, guid),
  create,
  update,
  status,
  ...archiving('Actions', setArchived, one),
}
