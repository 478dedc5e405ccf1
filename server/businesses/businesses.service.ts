import { isDeepStrictEqual } from 'node:util'
import { sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import {
  brandNumbers,
  businessesApi,
  entityFields,
  numberedKinds,
  type Business,
  type NumberedKind,
  type PublicBusiness,
} from '../../contract/businesses.ts'
import { addMonths, financialYear, isTimeZone, localDay } from '../../contract/core/dates.ts'
import { conflict, forbidden, invalid, invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { Pool } from '../../contract/noun.ts'
import type { BusinessRow } from '../core/business.ts'
import type { Ctx, Db, Handlers } from '../core/ctx.ts'
import type { FileStore } from '../core/adapters/files.ts'
import { pageOf } from '../core/db/page.ts'
import { applyRows, checkVersion } from '../core/db/rows.ts'
import type { Businesses } from '../core/db/schema-business.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { archivedIf, asJson, blankToNull, changed, firstStamp, likeText, stamp, userOf } from '../core/records.ts'
import { lockedThrough } from '../journal/locks.service.ts'
import { seedTemplates } from '../email-templates/first.service.ts'
import { seedReminders } from '../reminders/first.service.ts'
import {
  type Logo,
  logoAddress,
  logosOf,
  type OnPage,
  pageTheme,
  type ThemeVersionRow,
  wornOnPage,
} from '../themes/dressing.service.ts'
import { dressBusiness, firstTheme, holdDefaultTheme } from '../themes/themes.service.ts'
import { readLogo } from './logo.ts'
import { moveNumbers } from './numbering.ts'
import {
  findOwn,
  findStanding,
  findUse,
  standing,
  findCounters,
  findFirst,
  lockBusiness,
  takeNumber,
} from './businesses.queries.ts'

type Api = typeof businessesApi

sayConstraints({
  customers_of_own: ['VALIDATION_FAILED', 'Choose a business that has its own customer list.', 'customersOf'],
  catalogue_of_own: ['VALIDATION_FAILED', 'Choose a business that has its own catalogue.', 'catalogueOf'],
  customers_of_used: [
    'VALIDATION_FAILED',
    'This business already has customers, so its customer list can’t change.',
    'customersOf',
  ],
  catalogue_of_used: [
    'VALIDATION_FAILED',
    'This business already has products, so its catalogue can’t change.',
    'catalogueOf',
  ],
  business_parent_is_entity: ['VALIDATION_FAILED', 'Choose a legal entity. A brand has no brands.', 'parentGuid'],
  brand_has_name: ['VALIDATION_FAILED', 'Enter the name of the brand.', 'tradingName'],
})

/**
 * The business in whose name the product speaks where no record's is known, as in emails about accounts: the first one.
 */
export const firstBusiness = async (db: Db): Promise<BusinessRow | null> => (await findFirst(db)) ?? null

/** The next number of a kind. Its counter stays locked until the transaction ends: call it as late as possible. */
export async function nextNumber(db: Db, businessGuid: string, kind: NumberedKind): Promise<string> {
  const number = await takeNumber(db, businessGuid, kind)
  if (number === null) throw new Error(`the business has no counter for ${kind}`)
  return number
}

/** The day it is for the business. */
export const today = (business: Pick<BusinessRow, 'timeZone'>, now: Date): string =>
  localDay(now.toISOString(), business.timeZone)

export const nameOf = (business: Pick<BusinessRow, 'tradingName' | 'legalName'>): string =>
  business.tradingName ?? business.legalName

/** The business as its customers see it; on the page of a document in the theme that was frozen with it. */
export async function publicBusiness(
  { db, deps }: { db: Db; deps: Pick<Ctx['deps'], 'files'> },
  row: BusinessRow,
  page: OnPage | null = null,
): Promise<PublicBusiness> {
  return dressedBusiness(deps.files, row, await wornOnPage(db, row.guid, page))
}

/** The same in a version of a theme, or in the business's colour alone. */
export async function dressedBusiness(
  files: FileStore,
  row: BusinessRow,
  version: ThemeVersionRow | null,
): Promise<PublicBusiness> {
  return {
    name: nameOf(row),
    legalName: row.legalName,
    isBrand: row.parentGuid !== null,
    abn: row.abn,
    gstRegistered: row.gstRegistered,
    email: row.email,
    phone: row.phone,
    website: row.website,
    address: row.address,
    bankAccount: row.bankAccount,
    primaryColour: version?.light.primary ?? row.primaryColour,
    timeZone: row.timeZone,
    logo: await logoAddress(files, version ? logosOf(version).light : logoOf(row)),
    theme: await pageTheme(files, version, row.primaryColour),
  }
}

const logoOf = ({ logoSha256, logoMime }: BusinessRow): Logo | null =>
  logoSha256 && logoMime ? { sha256: logoSha256, mime: logoMime } : null

/** Prefix and first number of each kind of a new business. */
const firstNumbers: Record<NumberedKind, { prefix: string; first: number }> = {
  quote: { prefix: 'Q-', first: 1001 },
  order: { prefix: 'O-', first: 1001 },
  invoice: { prefix: 'INV-', first: 1001 },
  adjustment_note: { prefix: 'ADJ-', first: 101 },
  payment: { prefix: 'R-', first: 1001 },
  refund: { prefix: 'RF-', first: 101 },
}
const padding = 4

type NewBusiness = z.output<Api['create']['body']>

/**
 * A business with its counters and message templates. Its books begin with the financial year
 * before, when nobody says otherwise.
 */
async function make(ctx: Ctx, given: NewBusiness): Promise<BusinessRow> {
  const parent = given.parentGuid === undefined ? null : await entityOf(ctx, given.parentGuid)
  const input = { ...given, ...(parent && ownOf(parent)) }
  checkName(input, parent !== null)
  const { timeZone = ctx.deps.settings.timeZone, defaultDepositRule, address, bankAccount, ...rest } = input
  checkZone(timeZone)
  const day = today({ timeZone }, ctx.now)
  const { beganOn = addMonths(financialYear(day).start, -12) } = input
  checkBegan(beganOn, day)
  const guid = newGuid()
  const row = await ctx.db
    .insertInto('businesses')
    .values({
      guid,
      ...blankToNull(rest),
      legalName: input.legalName ?? '',
      customersOf: await poolFor(ctx, 'customersOf', input.customersOf ?? guid, guid),
      catalogueOf: await poolFor(ctx, 'catalogueOf', input.catalogueOf ?? guid, guid),
      timeZone,
      beganOn,
      ...(defaultDepositRule ? { defaultDepositRule: JSON.stringify(defaultDepositRule) } : {}),
      address: asJson(address),
      bankAccount: asJson(bankAccount),
      ...firstStamp(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('numberCounters')
    .values(
      numberedKinds
        .filter((kind) => parent === null || brandNumbers.includes(kind))
        .map((kind) => ({
          businessGuid: guid,
          kind,
          prefix: firstNumbers[kind].prefix,
          padding,
          next: firstNumbers[kind].first,
          first: firstNumbers[kind].first,
        })),
    )
    .execute()
  await seedReminders(ctx, row, await seedTemplates(ctx, guid))
  await firstTheme(ctx, row)
  ctx.audit({
    action: 'business.created',
    entity: 'Businesses',
    guid,
    after: { name: nameOf(row), abn: row.abn, gstRegistered: row.gstRegistered, parent: parent?.legalName ?? null },
  })
  return row
}

/** The legal entity of a brand that is made: in use, and the caller's to see. */
async function entityOf(ctx: Ctx, guid: string): Promise<BusinessRow> {
  const parent = await visibleBusinesses(ctx).selectAll('b').where('b.guid', '=', guid).executeTakeFirst()
  if (!parent || parent.parentGuid !== null || parent.archivedAt !== null)
    throw invalid('parentGuid', 'Choose a legal entity. A brand has no brands.')
  return parent
}

/** What a brand has of its legal entity; the database sees to it that it stays so. */
const ownOf = (entity: BusinessRow) =>
  Object.fromEntries(entityFields.map((field) => [field, entity[field]])) as Pick<
    BusinessRow,
    (typeof entityFields)[number]
  >

function checkName({ legalName, tradingName }: NewBusiness, isBrand: boolean) {
  if (!isBrand && !legalName) throw invalid('legalName', 'Enter the legal name.')
  if (isBrand && !tradingName) throw invalid('tradingName', 'Enter the name of the brand.')
}

const poolProblems: Record<Pool, string> = {
  customersOf: 'Choose a business that has its own customer list.',
  catalogueOf: 'Choose a business that has its own catalogue.',
}

/** The business whose list another one works with: in use, and the caller's to see. */
async function poolFor(ctx: Ctx, pool: Pool, wanted: string, own: string): Promise<string> {
  if (wanted === own) return own
  const found = await visibleBusinesses(ctx)
    .select(`b.${pool} as of`)
    .where('b.guid', '=', wanted)
    .where('b.archivedAt', 'is', null)
    .executeTakeFirst()
  if (found?.of !== wanted) throw invalid(pool, poolProblems[pool])
  return wanted
}

/** The business of the first run and of the sample company. */
export const createFirstBusiness = (
  ctx: Ctx,
  input: { legalName: string; abn?: string | null; gstRegistered: boolean; email?: string | null; beganOn?: string },
): Promise<BusinessRow> => make(ctx, input)

function checkZone(zone: string | undefined) {
  if (zone !== undefined && !isTimeZone(zone)) throw invalid('timeZone', 'Choose a time zone such as Australia/Sydney.')
}

function checkBegan(beganOn: string | undefined, day: string) {
  if (beganOn !== undefined && beganOn > day) throw invalid('beganOn', 'Choose today or an earlier date.')
}

async function shown(db: Db, row: BusinessRow): Promise<Business> {
  const counters = await findCounters(db, row.guid)
  const numbering = numberedKinds.flatMap((kind) => {
    const counter = counters.find((c) => c.kind === kind)
    return counter ? [{ kind, prefix: counter.prefix, padding: counter.padding, next: counter.next }] : []
  })
  return { ...row, ...(await findStanding(db, row.guid)), hasLogo: row.logoSha256 !== null, numbering }
}

const visibleBusinesses = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('businesses as b'), { business: 'b.guid', owner: 'b.createdBy' })

async function list(ctx: Ctx, input: Input<Api['list']>) {
  let query = visibleBusinesses(ctx)
    .select(['b.guid', 'b.legalName', 'b.tradingName', 'b.abn', 'b.gstRegistered', 'b.email', 'b.createdAt'])
    .select(['b.archivedAt', ...standing])
    .where(archivedIf('b', input.archived))
  if (input.search)
    query = query.where(
      sql<boolean>`lower(b.legal_name || ' ' || coalesce(b.trading_name, '')) like ${likeText(input.search)}`,
    )
  return pageOf({
    query,
    input,
    sorts: { legalName: 'b.legalName', createdAt: 'b.createdAt' },
    guid: 'b.guid',
    defaultSort: 'createdAt',
  })
}

async function find(ctx: Ctx, guid: string) {
  const row = await visibleBusinesses(ctx).selectAll('b').where('b.guid', '=', guid).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  await find(ctx, input.guid)
  // Before the lock: a picture takes a moment to be decoded and kept.
  const picture = input.logo === undefined ? undefined : await readLogo(ctx, input.logo)
  const isDressed = input.primaryColour !== undefined || input.logo !== undefined
  if (isDressed) await holdDefaultTheme(ctx.db, input.guid)
  const before = await lockBusiness(ctx.db, input.guid)
  await checkVersion(before, input.version, businessesApi.get, async () => ({ business: await shown(ctx.db, before) }))
  checkZone(input.timeZone)
  checkBegan(input.beganOn, today(before, ctx.now))
  checkOwn(before, input)
  for (const pool of ['customersOf', 'catalogueOf'] as const)
    if (input[pool] !== undefined && input[pool] !== before[pool]) await poolFor(ctx, pool, input[pool], before.guid)
  const { guid, version: _version, numbering, logo: _logo, primaryColour, ...given } = input
  const { defaultDepositRule, address, bankAccount, ...rest } = given
  const changes: Updateable<Businesses> = blankToNull(rest)
  if (defaultDepositRule) changes.defaultDepositRule = JSON.stringify(defaultDepositRule)
  if (address !== undefined) changes.address = asJson(address)
  if (bankAccount !== undefined) changes.bankAccount = asJson(bankAccount)
  if (numbering) await moveNumbers(ctx, guid, numbering)
  if (isDressed)
    await dressBusiness(ctx, guid, {
      primaryColour: primaryColour ?? before.primaryColour,
      ...(picture === undefined ? {} : { logo: picture }),
    })
  const after = await ctx.db
    .updateTable('businesses')
    .set({ ...changes, ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = changed(before, after)
  ctx.audit({
    action: 'business.updated',
    entity: 'Businesses',
    guid,
    before: change.before,
    after: { ...change.after, ...(numbering ? { numbering } : {}) },
  })
  return { business: await shown(ctx.db, after) }
}

/** What a brand has of its legal entity is changed there. */
function checkOwn(before: BusinessRow, input: Input<Api['update']>) {
  if (before.parentGuid === null) return
  if (input.tradingName !== undefined && !input.tradingName)
    throw invalid('tradingName', 'Enter the name of the brand.')
  const moved = entityFields.find(
    (field) => input[field] !== undefined && !isDeepStrictEqual(input[field] ?? null, before[field]),
  )
  if (moved) throw invalid(moved, `This is ${before.legalName}’s. Change it there.`)
}

/** A business rests only when nothing of it waits for anybody, and a legal entity only after its brands. */
async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  await find(ctx, guid)
  const row = await lockBusiness(ctx.db, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This business is already archived.' : 'This business isn’t archived.')
  if (isArchived) {
    const why = await findUse(ctx.db, guid)
    if (why === 'documents') throw conflict('This business has open documents. Close them first.')
    if (why === 'brands') throw conflict('Archive the brands of this business first.')
    if (why === 'pools') throw conflict('Another business works with its customers or catalogue.')
    if (why === 'last') throw conflict('Keep at least one business.')
  } else if (row.parentGuid && (await lockBusiness(ctx.db, row.parentGuid)).archivedAt !== null)
    throw conflict('Restore the legal entity of this brand first.')
  await ctx.db
    .updateTable('businesses')
    .set({ archivedAt: isArchived ? ctx.now : null, ...stamp(ctx, row.version) })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({
    action: isArchived ? 'business.archived' : 'business.restored',
    entity: 'Businesses',
    guid,
    after: { name: nameOf(row) },
  })
  return { business: await shown(ctx.db, await find(ctx, guid)) }
}

/** The business of the call, or the one of a record that is asked for. */
const asked = async (ctx: Ctx, guid = ctx.business.guid) =>
  guid === ctx.business.guid ? ctx.business : find(ctx, guid)

async function current(ctx: Ctx, { businessGuid }: Input<Api['current']>) {
  const row = await asked(ctx, businessGuid)
  const own = await findOwn(ctx)
  const books = { lockedThrough: await lockedThrough(ctx, row.entityGuid), today: today(row, ctx.now) }
  return { business: { ...row, name: nameOf(row), ...books }, businesses: own }
}

async function choose(ctx: Ctx, { guid }: Input<Api['choose']>) {
  const chosen = (await findOwn(ctx)).find((one) => one.guid === guid)
  if (!chosen) throw forbidden('You do not work in this business.')
  await ctx.db.updateTable('users').set({ lastBusiness: guid }).where('guid', '=', userOf(ctx)).execute()
  return { business: { guid, name: chosen.name } }
}

export const businesses: Handlers<Api> = {
  list,
  get: async (ctx, input) => ({ business: await shown(ctx.db, await find(ctx, input.guid)) }),
  create: async (ctx, input) => ({ business: await shown(ctx.db, await make(ctx, input)) }),
  update,
  remove: (ctx, { guid }) => setArchived(ctx, guid, true),
  restore: (ctx, { guid }) => setArchived(ctx, guid, false),
  choose,
  current,
  letterhead: async (ctx, { businessGuid, quoteGuid, invoiceGuid }) => ({
    business: await publicBusiness(
      ctx,
      await asked(ctx, businessGuid),
      invoiceGuid ? { table: 'invoices', guid: invoiceGuid } : quoteGuid ? { table: 'quotes', guid: quoteGuid } : null,
    ),
  }),
}
