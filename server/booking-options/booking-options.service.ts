import { bookingOptionsApi } from '../../contract/booking-options-api.ts'
import {
  conditionProblems,
  definitionProblems,
  type OptionDefinition,
  orderProblems,
  rulesIn,
} from '../../contract/booking-options.ts'
import {
  alreadyExists,
  conflict,
  type FieldError,
  invalid,
  invalidTransition,
  notFound,
  refuseFields,
} from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { answerOptions } from '../../contract/option-answers.ts'
import { archiving, writeArchived } from '../core/bulk.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { checkVersion } from '../core/db/rows.ts'
import { newGuid } from '../core/guid.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { asJson, changed, firstStamp, stamp } from '../core/records.ts'
import { priced422 } from '../documents/lines.service.ts'
import { filterReadableReferences, readableGuids } from '../row-scope/row-scope.service.ts'
import { findOption, foundOptions, listedOptions, optionsWithin, visibleOptions } from './booking-options.queries.ts'
import { definitionsOf, optionsAskedWith, poolOf } from './offered.service.ts'

type Api = typeof bookingOptionsApi

const codeTaken = 'Another option has this code.'
sayConstraints({ booking_option_code_taken: ['ALREADY_EXISTS', codeTaken, 'code'] })

/** So many options are read to look up conditions: a catalogue holds no more. */
const maxOptions = 500

async function one(ctx: Ctx, guid: string) {
  const found = await findOption(ctx, guid)
  if (!found) throw notFound()
  return { bookingOption: { ...found, products: await filterReadableReferences(ctx, 'Products', found.products) } }
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  return pageOf({
    query: listedOptions(ctx),
    found: foundOptions(ctx, poolOf(ctx), input),
    within: optionsWithin(input),
    isPlain: true,
    input,
    sorts: { name: 'o.name', createdAt: 'o.createdAt' },
    guid: 'o.guid',
    defaultSort: 'name',
  })
}

/** What no schema can see: whether the code is free, and whether conditions and products are there. */
async function checkDefinition(ctx: Ctx, poolGuid: string, option: OptionDefinition, guid: string) {
  const fields = definitionProblems(option)
  const { code } = option
  const named = rulesIn(option.visibleWhen ?? { match: 'all', rules: [] }).map(({ rule }) => rule.option)
  const others = (await definitionsOf(ctx.db, poolGuid)).filter((other) => other.guid !== guid)
  if (others.length >= maxOptions) throw conflict('A catalogue holds up to 500 booking options.')
  if (others.some((other) => other.code === code)) throw alreadyExists('code', codeTaken)
  if (named.length > 0) fields.push(...conditionProblems(option, others))
  fields.push(...(await missingProducts(ctx, poolGuid, option)))
  refuseFields(fields)
}

async function missingProducts(ctx: Ctx, poolGuid: string, { choices }: OptionDefinition): Promise<FieldError[]> {
  const asked = choices.flatMap(({ addProductGuid }) => (addProductGuid ? [addProductGuid] : []))
  if (asked.length === 0) return []
  const found = await ctx.db
    .selectFrom('products')
    .select('guid')
    .where('guid', 'in', asked)
    .where('businessGuid', '=', poolGuid)
    .execute()
  const known = await readableGuids(ctx, 'Products', found)
  return choices.flatMap(({ addProductGuid }, i) =>
    addProductGuid && !known.has(addProductGuid)
      ? [{ path: `choices.${i}.addProductGuid`, message: 'We can’t find that product.' }]
      : [],
  )
}

/** Wherever the option is asked, what it depends on is asked before it, and what depends on it can be answered. */
async function checkUses(ctx: Ctx, option: OptionDefinition & { guid: string }) {
  const lists = await optionsAskedWith(ctx.db, option.guid)
  if (lists.size === 0) return
  const all = await definitionsOf(ctx.db, poolOf(ctx))
  for (const asked of lists.values()) {
    const after = asked.map((one) => (one.guid === option.guid ? option : one))
    const problem =
      orderProblems(after, all)[0] ??
      after.filter((other) => other.guid !== option.guid).flatMap((other) => conditionProblems(other, after))[0]
    if (problem) throw invalid('visibleWhen', problem.message)
  }
}

const stored = (option: OptionDefinition) => ({
  code: option.code,
  label: JSON.stringify(option.label),
  help: asJson(option.help),
  input: option.input,
  required: option.required,
  answeredBy: option.answeredBy,
  choices: JSON.stringify(option.choices),
  visibleWhen: asJson(option.visibleWhen),
})

async function create(ctx: Ctx, input: Input<Api['create']>) {
  const guid = newGuid()
  const businessGuid = poolOf(ctx)
  await checkDefinition(ctx, businessGuid, input, guid)
  await ctx.db
    .insertInto('bookingOptions')
    .values({
      ...stored(input),
      guid,
      businessGuid,
      ...firstStamp(ctx),
    })
    .execute()
  ctx.audit({ action: 'booking_option.created', entity: 'BookingOptions', guid, after: { name: input.label.en } })
  return one(ctx, guid)
}

async function lockVisible(ctx: Ctx, guid: string) {
  const row = await visibleOptions(ctx).selectAll('o').where('o.guid', '=', guid).forUpdate('o').executeTakeFirst()
  if (!row) throw notFound()
  return row
}

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, ...changes } = input
  const before = await lockVisible(ctx, guid)
  await checkVersion(before, version, bookingOptionsApi.get, () => one(ctx, guid))
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const option: OptionDefinition = { ...pickDefinition(before), ...given }
  await checkDefinition(ctx, before.businessGuid, option, guid)
  await checkUses(ctx, { ...option, guid })
  const after = await ctx.db
    .updateTable('bookingOptions')
    .set({ ...stored(option), ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = changed(before, after)
  ctx.audit({
    action: 'booking_option.updated',
    entity: 'BookingOptions',
    guid,
    before: change.before,
    after: { ...change.after, name: after.name },
  })
  return one(ctx, guid)
}

const pickDefinition = (row: OptionDefinition): OptionDefinition => ({
  code: row.code,
  label: row.label,
  help: row.help,
  input: row.input,
  required: row.required,
  answeredBy: row.answeredBy,
  choices: row.choices,
  visibleWhen: row.visibleWhen,
})

/** An archived option stays where it is asked already, and cannot be added to another product. */
async function setArchived(ctx: Ctx, guid: string, isArchived: boolean) {
  const row = await lockVisible(ctx, guid)
  if ((row.archivedAt !== null) === isArchived)
    throw invalidTransition(isArchived ? 'This option is already archived.' : 'This option isn’t archived.')
  await writeArchived(ctx, 'BookingOptions', row, isArchived)
}

function tryOut(_ctx: Ctx, { options, answers, basePriceCents, quantity }: Input<Api['try']>) {
  const asked: readonly OptionDefinition[] = options
  const fields = asked.flatMap((option, i) =>
    [...definitionProblems(option), ...conditionProblems(option, asked)].map(({ path, message }) => ({
      path: `options.${i}.${path}`,
      message,
    })),
  )
  const all = [...fields, ...orderProblems(asked, asked, 'options')]
  refuseFields(all)
  const tried = priced422(() => answerOptions({ options: asked, answers, basePriceCents, quantity }))
  const { visible, fees, added, minutes, problems, missing } = tried
  const unitPriceCents = basePriceCents + tried.unitCents
  return Promise.resolve({ visible, unitPriceCents, fees, added, minutes, problems, missing })
}

export const bookingOptions: Handlers<Api> = {
  list,
  get: (ctx, input) => one(ctx, input.guid),
  create,
  update,
  ...archiving('BookingOptions', setArchived, one),
  try: tryOut,
}
