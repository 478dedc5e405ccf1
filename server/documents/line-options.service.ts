import { sql } from 'kysely'
import type { OfferedOption, OptionAnswer } from '../../contract/booking-options.ts'
import { answersOf } from '../../contract/booking-options.ts'
import { type FieldError, invalid } from '../../contract/core/errors.ts'
import type { KeptSelection, LineOptions } from '../../contract/line-options.ts'
import { openQuestions } from '../../contract/line-options.ts'
import type { AttachmentNoun } from '../../contract/files.ts'
import { defaultAnswers, type OptionsResult } from '../../contract/option-answers.ts'
import type { CatalogueProduct, PriceAgreement } from '../../contract/pricing.ts'
import type { Ctx } from '../core/ctx.ts'
import { userOf } from '../core/records.ts'
import { attachAnswers, namesOfFiles } from '../files/files.service.ts'

/** The questions of a product in order, as they are put today. */
export const askedOf = (productGuid: string) => sql<OfferedOption[]>`(select coalesce(json_agg(json_build_object(
  'guid', o.guid, 'code', o.code, 'label', o.label, 'help', o.help, 'input', o.input, 'required', o.required,
  'answeredBy', o.answered_by, 'choices', o.choices, 'visibleWhen', o.visible_when) order by u.position), '[]'::json)
  from option_uses u join booking_options o on o.guid = u.option_guid where u.product_guid = ${sql.ref(productGuid)})`

/** What the choices of some questions bring along. */
export const broughtBy = (asked: readonly OfferedOption[]): string[] =>
  asked.flatMap(({ choices }) => choices.flatMap((choice) => choice.addProductGuid ?? []))

/** A choice that is offered no more may stay where it was made. */
export function withChosen(asked: readonly OfferedOption[], before: LineOptions | null): OfferedOption[] {
  if (!before) return [...asked]
  return asked.map((option) => {
    const chosen = before.selections.find(({ optionCode }) => optionCode === option.code)
    const was = before.asked.find(({ code }) => code === option.code)
    if (!chosen || !was) return option
    const gone = was.choices.filter(
      (choice) =>
        chosen.choices.some(({ code }) => code === choice.code) &&
        !option.choices.some(({ code, isActive }) => code === choice.code && isActive),
    )
    if (gone.length === 0) return option
    const left = option.choices.filter(({ code }) => !gone.some((choice) => choice.code === code))
    return { ...option, choices: [...left, ...gone] }
  })
}

/** What is answered: what was sent, else what the line had, else what is selected by default. */
export const givenAnswers = (
  sent: readonly OptionAnswer[] | undefined,
  asked: readonly OfferedOption[],
  before: LineOptions | null,
): readonly OptionAnswer[] => sent ?? (before ? answersOf(before.selections) : defaultAnswers(asked))

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Whether a line is answered as it was. */
export function isAnsweredAlike(sent: readonly OptionAnswer[] | undefined, before: LineOptions | null): boolean {
  if (!sent) return true
  const was = new Map((before?.selections ?? []).map(({ optionCode, value }) => [optionCode, value]))
  return sent.length === was.size && sent.every(({ option, value }) => isSameValue(was.get(option), value))
}

/** Stored values come back with their keys in another order. */
const isSameValue = (a: object | undefined, b: object): boolean => a !== undefined && same(inOrder(a), inOrder(b))
const inOrder = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.entries(value)
        .filter(([, one]) => one !== null && one !== undefined)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, one]) => [key, inOrder(one)])
    : value

interface Offer {
  asked: OfferedOption[]
  answered: OptionsResult
  before: LineOptions | null
  product: CatalogueProduct
  products: ReadonlyMap<string, CatalogueProduct>
  agreement: PriceAgreement
}

/** Whether a product's price may be another for another quantity. */
const isByQuantity = (product: CatalogueProduct, agreement: PriceAgreement): boolean =>
  product.tiers.length > 0 || agreement.list?.items.some((item) => item.productGuid === product.guid) === true

/** What the line keeps of its questions and of what prices other quantities; nothing where there is none of both. */
export function keptOptions(ctx: Pick<Ctx, 'actor' | 'now'>, offer: Offer): LineOptions | null {
  const { asked, answered, before, product, products, agreement } = offer
  const needed = new Set([...broughtBy(asked), ...(product.bundle?.items.map((item) => item.productGuid) ?? [])])
  const priced = [product, ...[...products.values()].filter(({ guid }) => needed.has(guid))]
  if (asked.length === 0 && !priced.some((one) => isByQuantity(one, agreement))) return null
  const { list } = agreement
  return {
    asked,
    selections: stamped(ctx, answered.selections, before),
    product,
    products: [...products.values()].filter(({ guid }) => needed.has(guid)),
    agreement: {
      ...agreement,
      list: list && {
        ...list,
        items: list.items.filter((item) => item.productGuid === product.guid || needed.has(item.productGuid)),
      },
    },
  }
}

/** Answers that are as they were stay whose they are. */
export function stamped(
  ctx: Pick<Ctx, 'actor' | 'now'>,
  selections: OptionsResult['selections'],
  before: Pick<LineOptions, 'selections'> | null,
): KeptSelection[] {
  const answeredBy = ctx.actor.kind === 'guest' ? 'guest' : 'staff'
  return selections.map((selection) => {
    const was = before?.selections.find(({ optionCode }) => optionCode === selection.optionCode)
    if (!was || !isSameValue(was.value, selection.value))
      return { ...selection, answeredBy, at: ctx.now.toISOString(), userGuid: userOf(ctx) }
    const { answeredBy: by, at, userGuid } = was
    const choices = 'fileGuid' in selection.value ? was.choices : selection.choices
    return { ...selection, choices, answeredBy: by, at, userGuid }
  })
}

/** The files that lines are answered with. */
const filesIn = (lines: readonly { options: LineOptions | null }[]): { selection: KeptSelection; guid: string }[] =>
  lines.flatMap(({ options }) =>
    (options?.selections ?? []).flatMap((selection) =>
      'fileGuid' in selection.value ? [{ selection, guid: selection.value.fileGuid }] : [],
    ),
  )

/**
 * Writes the names of files that lines were answered with beside them, and tells of files that are not the caller's.
 * Paths begin at the line.
 */
export async function nameAnswers(
  ctx: Pick<Ctx, 'actor' | 'db'>,
  lines: readonly { options: LineOptions | null }[],
): Promise<FieldError[][]> {
  const fresh = filesIn(lines).filter(({ selection }) => selection.choices.length === 0)
  if (fresh.length === 0) return lines.map(() => [])
  const names = await namesOfFiles(ctx, [...new Set(fresh.map(({ guid }) => guid))])
  return lines.map((line) =>
    filesIn([line]).flatMap(({ selection, guid }): FieldError[] => {
      if (selection.choices.length > 0) return []
      const label = names.get(guid)
      if (label === undefined)
        return [{ path: `answers.${selection.optionCode}`, message: 'We can’t find that file. Send it again.' }]
      selection.choices = [{ code: guid, label, cents: 0 }]
      return []
    }),
  )
}

/** The files that lines are answered with hang on their document. */
export const attachAnswered = (
  ctx: Pick<Ctx, 'actor' | 'db' | 'now'>,
  noun: AttachmentNoun,
  guid: string,
  rows: readonly { options: LineOptions | string | null }[],
): Promise<void> =>
  attachAnswers(
    ctx,
    { noun, guid },
    filesIn(
      rows.map(({ options }) => ({
        options: typeof options === 'string' ? (JSON.parse(options) as LineOptions) : options,
      })),
    ).map((file) => file.guid),
  )

/** A document goes out with everything answered that its customer is not asked. */
export function needAnswers(
  lines: readonly { name: string; parentLineGuid: string | null; options: LineOptions | null }[],
): void {
  const entered = lines.filter((line) => line.parentLineGuid === null)
  entered.forEach(({ name, options }, i) => {
    const [open] = options ? openQuestions(options) : []
    if (open) throw invalid(`lines.${i}.answers.${open.code}`, `Answer “${open.label.en}” for “${name}” first.`)
  })
}
