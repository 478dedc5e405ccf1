import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { invalid, invalidTransition, notFound, refuseFields } from '../../contract/core/errors.ts'
import { languages } from '../../contract/core/languages.ts'
import type { Input } from '../../contract/core/op.ts'
import { type EmailTemplate, emailTemplatesApi, type TemplateLanguages } from '../../contract/email-templates.ts'
import { templateKindFacts } from '../../contract/template-kinds.ts'
import { archiving, writeArchived } from '../core/bulk.ts'
import type { Ctx, Handlers, OpenCtx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { listsIn, namesIn, reachOf } from '../core/reach.ts'
import { archivedIf, firstStamp, holdsText, searchText, stamp, userOf } from '../core/records.ts'
import { oneOf } from '../documents/list-search.service.ts'
import { firstTemplates } from '../messages/templates.service.ts'
import { timelineWith } from '../timeline/timeline.service.ts'
import {
  findTemplate,
  findVersion,
  findVersions,
  latestVersion,
  listedTemplates,
  lockDefault,
  lockTemplate,
  type TemplateRow,
  timeZoneOf,
  type VersionRow,
  visibleTemplates,
} from './email-templates.queries.ts'
import { beginProof, renderRecords } from './prove.ts'
import { changedRecords, findRecords } from './records.ts'
import { savedLanguages } from './saved.ts'
import { preview, test } from './shown.ts'

type Api = typeof emailTemplatesApi

sayConstraints({ template_name_taken: ['ALREADY_EXISTS', 'Another template has this name.', 'name'] })

async function one(ctx: Ctx, guid: string): Promise<{ template: EmailTemplate }> {
  const row = await findTemplate(ctx, guid)
  if (!row) throw notFound()
  const versions = await findVersions(ctx.db, guid, row.activeVersionGuid)
  const [latest] = versions
  if (!latest) throw new Error('a template has a version')
  const active = versions.find((version) => version.guid === row.activeVersionGuid) ?? null
  return { template: { ...row, versions, latest, active } }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const reach = await reachOf(ctx, input)
  const page = await pageOf({
    query: listedTemplates(ctx),
    found: visibleTemplates(ctx).where(archivedIf('t', input.archived)),
    lists: listsIn(reach, 't.businessGuid'),
    anyOf: oneOf('t.status', input.status),
    within: [
      ...(input.kind ? [kindsOf(input.kind)] : []),
      ...(input.search ? [holdsText(searchText('t'), input.search.toLowerCase())] : []),
    ],
    input,
    sorts: { name: 't.name', kind: 't.kind', updatedAt: 't.updatedAt' },
    guid: 't.guid',
    defaultSort: 'name',
  })
  return { ...page, items: page.items.map((item) => ({ ...item, businessName: namesIn(reach, item.businessGuid) })) }
}
const kindsOf = (kinds: string) => sql<boolean>`t.kind = any(${kinds.split(',')}::text[])`

async function insertVersion(
  ctx: Ctx,
  template: Pick<TemplateRow, 'guid'>,
  version: { number: number; languages: TemplateLanguages; isFactsOnly: boolean },
): Promise<string> {
  const guid = newGuid()
  await ctx.db
    .insertInto('templateVersions')
    .values({
      ...version,
      guid,
      templateGuid: template.guid,
      languages: JSON.stringify(version.languages),
      createdAt: ctx.now,
      createdBy: userOf(ctx),
    })
    .execute()
  return guid
}

async function create(ctx: Ctx, input: Input<Api['create']>) {
  const { kind, name, category, isFactsOnly = false } = input
  const first = Object.fromEntries(languages.map((language) => [language, firstTemplates[language][kind]]))
  const said = input.languages
    ? savedLanguages(input.languages, { category, isFactsOnly })
    : (first as unknown as TemplateLanguages)
  const guid = newGuid()
  const purpose = category === 'commercial' ? 'marketing' : templateKindFacts[kind].purpose
  await ctx.db
    .insertInto('templates')
    .values({ guid, businessGuid: ctx.business.guid, kind, name, category, purpose, ...firstStamp(ctx) })
    .execute()
  await insertVersion(ctx, { guid }, { number: 1, languages: said, isFactsOnly })
  ctx.audit({ action: 'email_template.created', entity: 'EmailTemplates', guid, after: { name, kind } })
  return one(ctx, guid)
}

async function lock(ctx: Ctx, guid: string): Promise<TemplateRow> {
  const row = await lockTemplate(ctx, guid)
  if (!row) throw notFound()
  return row
}

async function lockUsed(ctx: Ctx, { guid, version }: { guid: string; version: number }): Promise<TemplateRow> {
  const row = await lock(ctx, guid)
  await checkVersion(row, version, emailTemplatesApi.get, () => one(ctx, guid))
  if (row.archivedAt !== null) throw invalidTransition('This template is archived. Restore it first.')
  return row
}

const anotherFirst = 'Make another template the default first.'
/** What is sent on an occasion by itself goes to everybody, also to those who agreed to no offers. */
const noOffer = 'An offer can’t be the default template.'

/** Another template of the occasion makes way. */
async function takeDefault(ctx: Ctx, row: Pick<TemplateRow, 'businessGuid' | 'kind'>) {
  const before = await lockDefault(ctx.db, row.businessGuid, row.kind)
  if (!before) return null
  await ctx.db
    .updateTable('templates')
    .set({ isDefault: false, ...stamp(ctx, before.version) })
    .where('guid', '=', before.guid)
    .execute()
  return before.name
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid } = input
  const before = await lockUsed(ctx, input)
  const latest = await latestVersion(ctx.db, guid)
  const category = input.category ?? before.category
  const isFactsOnly = input.isFactsOnly ?? latest.isFactsOnly
  const isFactsChanged = isFactsOnly !== latest.isFactsOnly
  // What it is for decides what it may say, also where the words stay.
  const wanted = input.languages ?? (category !== before.category || isFactsChanged ? latest.languages : undefined)
  const said = wanted ? savedLanguages(wanted, { category, isFactsOnly }) : latest.languages
  const isNew = !isDeepStrictEqual(said, latest.languages) || isFactsChanged
  const number = latest.number + 1
  if (isNew) await insertVersion(ctx, before, { number, languages: said, isFactsOnly })
  const isChosen = input.isDefault === true && !before.isDefault
  if (category === 'commercial' && isChosen) throw invalidTransition(noOffer)
  if (category === 'commercial' && before.isDefault) throw invalidTransition(anotherFirst)
  if (isChosen && before.status !== 'active') throw invalidTransition('Activate a version of this template first.')
  const former = isChosen ? await takeDefault(ctx, before) : null
  await ctx.db
    .updateTable('templates')
    .set({
      name: input.name ?? before.name,
      category,
      purpose: category === 'commercial' ? 'marketing' : templateKindFacts[before.kind].purpose,
      isDefault: before.isDefault || isChosen,
      ...stamp(ctx, before.version),
    })
    .where('guid', '=', guid)
    .execute()
  const name = input.name ?? before.name
  ctx.audit({
    action: 'email_template.updated',
    entity: 'EmailTemplates',
    guid,
    before: { name: before.name, category: before.category },
    after: { name, category, ...(isNew ? { number } : {}) },
  })
  if (isChosen)
    ctx.audit({
      action: 'email_template.made_default',
      entity: 'EmailTemplates',
      guid,
      before: { name: former },
      after: { name },
    })
  return one(ctx, guid)
}

async function chosenVersion(ctx: Ctx, guid: string, versionGuid: string): Promise<VersionRow> {
  const version = await findVersion(ctx.db, guid, versionGuid)
  if (!version) throw notFound('We can’t find that version.')
  return version
}

async function prove(ctx: Ctx, { guid, versionGuid }: Input<Api['prove']>) {
  if (!(await findTemplate(ctx, guid))) throw notFound()
  await chosenVersion(ctx, guid, versionGuid)
  return { proof: await beginProof(ctx, versionGuid) }
}

/** Uses a version from now on; the first one of its occasion, unless it is an offer, is used without being chosen. */
async function putInUse(ctx: Ctx, row: TemplateRow, wanted: VersionRow, isBack: boolean) {
  const active = row.activeVersionGuid ? await findVersion(ctx.db, row.guid, row.activeVersionGuid) : undefined
  if (active?.guid === wanted.guid) throw invalidTransition(`Version ${wanted.number} is already active.`)
  if (isBack && wanted.activatedAt === null) throw invalidTransition('This version was never active. Activate it.')
  if (wanted.activatedAt === null)
    await ctx.db.updateTable('templateVersions').set({ activatedAt: ctx.now }).where('guid', '=', wanted.guid).execute()
  const mayBeFirst = !row.isDefault && row.category === 'transactional'
  const isFirst = mayBeFirst && !(await lockDefault(ctx.db, row.businessGuid, row.kind))
  await ctx.db
    .updateTable('templates')
    .set({ activeVersionGuid: wanted.guid, isDefault: row.isDefault || isFirst, ...stamp(ctx, row.version) })
    .where('guid', '=', row.guid)
    .execute()
  ctx.audit({
    action: isBack ? 'email_template.rolled_back' : 'email_template.activated',
    entity: 'EmailTemplates',
    guid: row.guid,
    before: { number: active?.number ?? null },
    after: { name: row.name, number: wanted.number },
  })
}

const checkFirst = () => invalid('versionGuid', 'Check this version against all records first.')
const fails = (records: number) =>
  invalid(
    'versionGuid',
    records === 1 ? 'This version fails for 1 record.' : `This version fails for ${records} records.`,
  )
/** What changed since a proof is rendered again, as long as it is not more. */
const mostAgain = 500

/** Refuses a version that was not rendered for what there is now. */
async function needProof(ctx: Ctx, row: Pick<TemplateRow, 'businessGuid' | 'kind'>, version: VersionRow) {
  const { businessGuid, kind } = row
  const { proof, languages: said } = version
  if (!proof || proof.state === 'running') throw checkFirst()
  if (proof.state === 'failed') {
    if (proof.failed > 0) throw fails(proof.failed)
    refuseFields(proof.problems.map(({ message }) => ({ path: 'versionGuid', message })))
    throw checkFirst()
  }
  const changed = await changedRecords(ctx.db, kind, businessGuid, { since: proof.at, most: mostAgain })
  if (changed.length > mostAgain) throw checkFirst()
  const rendering = { businessGuid, kind, said, timeZone: await timeZoneOf(ctx.db, businessGuid) }
  const { failed } = await renderRecords(ctx, rendering, changed)
  if (failed > 0) throw fails(failed)
}

async function activate(ctx: OpenCtx, input: Input<Api['activate']>) {
  const { guid, versionGuid } = input
  const row = await findTemplate(ctx, guid)
  if (!row) throw notFound()
  await checkVersion(row, input.version, emailTemplatesApi.get, () => one(ctx, guid))
  if (row.archivedAt !== null) throw invalidTransition('This template is archived. Restore it first.')
  await needProof(ctx, row, await chosenVersion(ctx, guid, versionGuid))
  return ctx.tx(async (tx) => {
    await putInUse(tx, await lockUsed(tx, input), await chosenVersion(tx, guid, versionGuid), false)
    return one(tx, guid)
  })
}

async function rollback(ctx: Ctx, input: Input<Api['rollback']>) {
  const row = await lockUsed(ctx, input)
  await putInUse(ctx, row, await chosenVersion(ctx, row.guid, input.versionGuid), true)
  return one(ctx, row.guid)
}

async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lock(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This template is already archived.' : 'This template isn’t archived.')
  if (isArchived && row.isDefault) throw invalidTransition(anotherFirst)
  await writeArchived(ctx, 'EmailTemplates', row, isArchived)
}

export const emailTemplates: Handlers<Api> = {
  list,
  get: (ctx, { guid }) => one(ctx, guid),
  timeline: async (ctx, { guid }) => {
    if (!(await findTemplate(ctx, guid))) throw notFound()
    return { items: await timelineWith(ctx, { entity: 'EmailTemplates', guid }, []) }
  },
  records: async (ctx, { guid, search }) => {
    const row = await findTemplate(ctx, guid)
    if (!row) throw notFound()
    return { items: await findRecords(ctx, row.kind, row.businessGuid, search) }
  },
  create,
  update,
  preview,
  prove,
  activate,
  rollback,
  test,
  ...archiving('EmailTemplates', setArchived, one),
}
