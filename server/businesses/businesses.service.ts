import { sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import {
  numberedKinds,
  businessesApi,
  type Business,
  type NumberedKind,
  type PublicBusiness,
} from '../../contract/businesses.ts'
import { addMonths, financialYear, isTimeZone, localDay } from '../../contract/core/dates.ts'
import { invalid, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { BusinessRow } from '../core/business.ts'
import type { Ctx, Db, Handlers } from '../core/ctx.ts'
import type { FileStore } from '../core/adapters/files.ts'
import { pageOf } from '../core/db/page.ts'
import { applyRows, checkVersion } from '../core/db/rows.ts'
import type { Businesses } from '../core/db/schema-business.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { asJson, blankToNull, changed, likeText, stamp, userOf } from '../core/records.ts'
import { seedTemplates } from '../messages/messages.service.ts'
import { readLogo } from './logo.ts'
import {
  countNumbersFrom,
  findCounters,
  findFirst,
  lockBusiness,
  lockCounters,
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

const logos = new Map<string, string>()
const maxLogos = 20

async function logoOf(files: FileStore, row: BusinessRow): Promise<string | null> {
  if (!row.logoSha256 || !row.logoMime) return null
  const known = logos.get(row.logoSha256)
  if (known) return known
  const bytes = await files.get(row.logoSha256)
  if (!bytes) return null
  const address = `data:${row.logoMime};base64,${Buffer.from(bytes).toString('base64')}`
  if (logos.size >= maxLogos) logos.clear()
  logos.set(row.logoSha256, address)
  return address
}

/** The business as its customers see it. */
export async function publicBusiness(files: FileStore, row: BusinessRow): Promise<PublicBusiness> {
  return {
    name: nameOf(row),
    legalName: row.legalName,
    abn: row.abn,
    gstRegistered: row.gstRegistered,
    email: row.email,
    phone: row.phone,
    website: row.website,
    address: row.address,
    bankAccount: row.bankAccount,
    primaryColour: row.primaryColour,
    timeZone: row.timeZone,
    logo: await logoOf(files, row),
  }
}

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
async function make(ctx: Ctx, input: NewBusiness): Promise<BusinessRow> {
  const { timeZone = ctx.deps.settings.timeZone, defaultDepositRule, address, bankAccount, ...rest } = input
  checkZone(timeZone)
  const day = today({ timeZone }, ctx.now)
  const { beganOn = addMonths(financialYear(day).start, -12) } = input
  checkBegan(beganOn, day)
  const guid = newGuid()
  const by = userOf(ctx)
  const row = await ctx.db
    .insertInto('businesses')
    .values({
      guid,
      ...blankToNull(rest),
      legalName: input.legalName,
      customersOf: guid,
      catalogueOf: guid,
      timeZone,
      beganOn,
      ...(defaultDepositRule ? { defaultDepositRule: JSON.stringify(defaultDepositRule) } : {}),
      address: asJson(address),
      bankAccount: asJson(bankAccount),
      createdBy: by,
      updatedBy: by,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await ctx.db
    .insertInto('numberCounters')
    .values(
      numberedKinds.map((kind) => ({
        businessGuid: guid,
        kind,
        prefix: firstNumbers[kind].prefix,
        padding,
        next: firstNumbers[kind].first,
        first: firstNumbers[kind].first,
      })),
    )
    .execute()
  await seedTemplates(ctx, guid)
  ctx.audit({
    action: 'business.created',
    entity: 'Businesses',
    guid,
    after: { name: nameOf(row), abn: row.abn, gstRegistered: row.gstRegistered },
  })
  return row
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
  return { ...row, hasLogo: row.logoSha256 !== null, numbering }
}

const visibleBusinesses = (ctx: Ctx) =>
  applyRows(ctx, ctx.db.selectFrom('businesses as b'), { business: 'b.guid', owner: 'b.createdBy' })

async function list(ctx: Ctx, input: Input<Api['list']>) {
  let query = visibleBusinesses(ctx)
    .select(['b.guid', 'b.legalName', 'b.tradingName', 'b.abn', 'b.gstRegistered', 'b.email', 'b.createdAt'])
    .where('b.archivedAt', 'is', null)
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

type Numbering = NonNullable<Input<Api['update']>['numbering']>

/** Numbers only move forward, and never to one that a document wears already. */
async function moveNumbers(ctx: Ctx, businessGuid: string, numbering: Numbering) {
  const counters = await lockCounters(ctx.db, businessGuid)
  for (const [i, wanted] of numbering.entries()) {
    const counter = counters.find((c) => c.kind === wanted.kind)
    if (!counter) throw invalid(`numbering.${i}.kind`, 'This can’t be numbered.')
    const isSame = counter.prefix === wanted.prefix && counter.next === wanted.next
    if (counter.prefix === wanted.prefix && wanted.next < counter.next)
      throw invalid(`numbering.${i}.next`, `Enter ${counter.next} or more. Numbers are never reused.`)
    if (!isSame && (await countNumbersFrom(ctx.db, businessGuid, wanted.kind, wanted.prefix, wanted.next)))
      throw invalid(`numbering.${i}.next`, 'A document already has that number. Choose a higher one.')
    const shares = numbering.some(
      (other, j) => j !== i && sharesTable(other.kind, wanted.kind) && other.prefix === wanted.prefix,
    )
    if (
      shares ||
      counters.some(
        (c) =>
          c.kind !== wanted.kind &&
          sharesTable(c.kind, wanted.kind) &&
          c.prefix === wanted.prefix &&
          !numbering.some((n) => n.kind === c.kind),
      )
    ) {
      throw invalid(`numbering.${i}.prefix`, 'Use different prefixes for invoices and adjustment notes.')
    }
    await ctx.db
      .updateTable('numberCounters')
      .set({ prefix: wanted.prefix, padding: wanted.padding, next: wanted.next })
      .where('businessGuid', '=', businessGuid)
      .where('kind', '=', wanted.kind)
      .execute()
  }
}
const invoiceKinds = ['invoice', 'adjustment_note']
const sharesTable = (a: string, b: string) => invoiceKinds.includes(a) && invoiceKinds.includes(b)

async function update(ctx: Ctx, input: Input<Api['update']>) {
  await find(ctx, input.guid)
  // Before the lock: a picture takes a moment to be decoded and kept.
  const picture = input.logo === undefined ? {} : await readLogo(ctx.deps.files, input.logo)
  const before = await lockBusiness(ctx.db, input.guid)
  await checkVersion(before, input.version, businessesApi.get, async () => ({ business: await shown(ctx.db, before) }))
  checkZone(input.timeZone)
  checkBegan(input.beganOn, today(before, ctx.now))
  const { guid, version: _version, numbering, logo: _logo, defaultDepositRule, address, bankAccount, ...rest } = input
  const changes: Updateable<Businesses> = { ...blankToNull(rest), ...picture }
  if (defaultDepositRule) changes.defaultDepositRule = JSON.stringify(defaultDepositRule)
  if (address !== undefined) changes.address = asJson(address)
  if (bankAccount !== undefined) changes.bankAccount = asJson(bankAccount)
  if (numbering) await moveNumbers(ctx, guid, numbering)
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

async function current(ctx: Ctx) {
  const { business: row } = ctx
  return { business: { ...row, name: nameOf(row), today: today(row, ctx.now) } }
}

export const businesses: Handlers<Api> = {
  list,
  get: async (ctx, input) => ({ business: await shown(ctx.db, await find(ctx, input.guid)) }),
  create: async (ctx, input) => ({ business: await shown(ctx.db, await make(ctx, input)) }),
  update,
  current,
  letterhead: async (ctx) => ({
    business: await publicBusiness(ctx.deps.files, ctx.business),
  }),
}
