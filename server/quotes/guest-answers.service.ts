import {
  answersOf,
  type OfferedOption,
  type OptionAnswer,
  readAnswer,
  type TypedAnswer,
} from '../../contract/booking-options.ts'
import { conflict, type FieldError, notFound, refuseFields } from '../../contract/core/errors.ts'
import { fileSentences } from '../../contract/files.ts'
import type { KeptSelection, LineOptions } from '../../contract/line-options.ts'
import { priceFrozen } from '../../contract/line-options.ts'
import type { Line } from '../../contract/lines.ts'
import type { CataloguePrice } from '../../contract/pricing.ts'
import { zodSentence } from '../../contract/core/sentences.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { stamped } from '../documents/line-options.service.ts'
import { newGuid } from '../core/guid.ts'
import { childLine } from '../documents/catalogue-lines.service.ts'
import { childrenOf } from '../documents/lines-below.service.ts'
import { type Catalogued, priced422, uncatalogued } from '../documents/lines.service.ts'
import type { QuoteRow } from './quotes.queries.ts'

/** A stored line with what prices it again. */
export type AskedLine = Omit<Line, 'answers' | 'options' | 'selections'> & Catalogued
type Quote = Pick<QuoteRow, 'priceMode'>

/** What a customer answers, of each line that is named. */
export interface LineAnswers {
  lineGuid: string
  answers: readonly TypedAnswer[]
}

export const isForGuests = ({ answeredBy }: Pick<OfferedOption, 'answeredBy'>): boolean => answeredBy !== 'staff'

/** Lines that ask their customer something. */
export const asksGuests = <L extends { options: LineOptions | null }>(line: L): line is L & { options: LineOptions } =>
  line.options !== null && line.options.asked.some(isForGuests)

/** Staff's answers stay; those to questions that the customer may answer give way to his, whole. */
function merged({ asked, selections }: LineOptions, given: readonly OptionAnswer[]): OptionAnswer[] {
  const guests = new Set(asked.filter(isForGuests).map(({ code }) => code))
  return [...answersOf(selections).filter(({ option }) => !guests.has(option)), ...given]
}

/** What can be read of what was typed, and what is wrong with the rest. */
function read(typed: readonly TypedAnswer[]) {
  const answers: OptionAnswer[] = []
  const wrong = new Map<string, FieldError[]>()
  for (const one of typed) {
    const answer = readAnswer(one, zodSentence)
    if (Array.isArray(answer)) wrong.set(one.option, answer)
    else answers.push(answer)
  }
  return { answers, wrong }
}

function refusals({ asked }: LineOptions, given: readonly Pick<OptionAnswer, 'option'>[]): FieldError[] {
  return given.flatMap(({ option }, i): FieldError[] => {
    const path = `answers.${option}`
    if (asked.some(({ code, answeredBy }) => code === option && answeredBy === 'staff'))
      return [{ path, message: 'We answer this question for you.' }]
    return given.findIndex((other) => other.option === option) < i ? [{ path, message: 'This is listed twice.' }] : []
  })
}

export interface Answered {
  /** What it costs now; null where nothing was answered anew. */
  price: CataloguePrice | null
  visible: string[]
  selections: KeptSelection[]
  /** Answers that can't be kept, and questions without the answer they need, by `answers.<option>`. */
  problems: FieldError[]
  missing: FieldError[]
}

/** A line with what its customer answers, priced by what was offered to him and nothing else. */
function answerLine(
  ctx: Pick<Ctx, 'actor' | 'now'>,
  { priceMode }: Quote,
  line: AskedLine & { options: LineOptions },
  given: readonly TypedAnswer[] | undefined,
  quantity: string,
): Answered {
  const { options, hireFrom, hireTo } = line
  const isPricedAnew = given !== undefined || quantity !== line.quantity
  const { answers: readable, wrong } = read(given ?? [])
  const answers = given ? merged(options, readable) : answersOf(options.selections)
  const hire = hireFrom && hireTo ? { from: hireFrom, to: hireTo } : null
  const gstRegistered = line.gstCode !== 'NOT_REGISTERED'
  const { price, answered } = priced422(() =>
    priceFrozen({ ...line, hire, options }, { answers, quantity }, { priceMode, gstRegistered }),
  )
  // As any other, a question that is not asked is unanswered, whatever was typed.
  const hidden = new Set(options.asked.map(({ code }) => code).filter((code) => !answered.visible.includes(code)))
  const unread = [...wrong].flatMap(([option, fields]) => (hidden.has(option) ? [] : fields))
  return {
    price: isPricedAnew ? price : null,
    visible: answered.visible,
    selections: isPricedAnew ? stamped(ctx, answered.selections, options) : options.selections,
    problems: given ? [...refusals(options, given), ...unread, ...price.problems] : [],
    missing: answered.missing.filter(({ path }) => !wrong.has(path.replace(/^answers\./, ''))),
  }
}

/**
 * All lines that ask something or cost as their quantity says, by their guids. Answers to anything else are refused
 * where they were sent.
 */
export function answerLines(
  ctx: Pick<Ctx, 'actor' | 'now'>,
  quote: Quote,
  lines: readonly AskedLine[],
  given: readonly LineAnswers[],
  quantities: ReadonlyMap<string, string> = new Map(),
): Map<string, Answered> {
  const asking = new Map(lines.flatMap((line) => (asksGuests(line) ? [[line.guid, line] as const] : [])))
  const fields = given.flatMap(({ lineGuid }, i): FieldError[] => {
    const path = `answers.${i}.lineGuid`
    if (!asking.has(lineGuid)) return [{ path, message: 'We can’t find that line.' }]
    const isTwice = given.findIndex((other) => other.lineGuid === lineGuid) < i
    return isTwice ? [{ path, message: 'This is listed twice.' }] : []
  })
  refuseFields(fields)
  const sent = new Map(given.map(({ lineGuid, answers }) => [lineGuid, answers]))
  return new Map(
    lines.flatMap((line) => {
      const { options, guid } = line
      const quantity = quantities.get(guid)
      if (options === null || (quantity === undefined && !asking.has(guid))) return []
      return [[guid, answerLine(ctx, quote, { ...line, options }, sent.get(guid), quantity ?? line.quantity)] as const]
    }),
  )
}

const isCounted = (line: Pick<Line, 'isOptional' | 'alternativeGroup' | 'isSelected'>) =>
  (!line.isOptional && line.alternativeGroup === null) || line.isSelected

/** What keeps answers from being accepted: a line that is not chosen needs none. */
export const problemsOf = (
  answered: ReadonlyMap<string, Answered>,
  lines: readonly Pick<Line, 'guid' | 'isOptional' | 'alternativeGroup' | 'isSelected'>[],
): FieldError[] =>
  lines.flatMap((line): FieldError[] => {
    const { problems = [], missing = [] } = answered.get(line.guid) ?? {}
    return [...problems, ...(isCounted(line) ? missing : [])].map(({ path, message }) => ({
      path: path.replace(/^answers\./, `answers.${line.guid}.`),
      message,
    }))
  })

/** As many of what lies below a line as of the line, but for what is charged once. */
const asMany = <L extends Pick<AskedLine, 'quantity' | 'sourceKey'>>(children: readonly L[], quantity: string): L[] =>
  children.map((child) => (child.sourceKey?.startsWith('fee:') ? child : { ...child, quantity }))

/**
 * What answers and quantities make of lines, with those below them. A line that was left alone stays to the cent as it
 * was.
 */
export function withAnswers(
  lines: readonly AskedLine[],
  answered: ReadonlyMap<string, Answered>,
  quantities: ReadonlyMap<string, string> = new Map(),
): AskedLine[] {
  const below = childrenOf(lines)
  return lines
    .filter(({ parentLineGuid }) => parentLineGuid === null)
    .flatMap((line) => {
      const children = below.get(line.guid) ?? []
      const quantity = quantities.get(line.guid)
      const { price, selections } = answered.get(line.guid) ?? {}
      if (!price || !selections || !line.options)
        return quantity === undefined ? [line, ...children] : [{ ...line, quantity }, ...asMany(children, quantity)]
      const { unitPriceCents, costCents } = price
      const options = { ...line.options, selections }
      const now = { ...line, ...(quantity && { quantity }), unitPriceCents, costCents, options }
      return [now, ...childrenNow(now, price.children, children)]
    })
    .map((line, i) => ({ ...line, position: i + 1 }))
}

/** The lines below one as its answers make them; those that were there before keep their guids. */
function childrenNow(
  line: AskedLine & { options: LineOptions },
  children: CataloguePrice['children'],
  before: readonly AskedLine[],
): AskedLine[] {
  const { hireFrom, hireTo, isOptional, alternativeGroup, isSelected, gstCode } = line
  const hire = hireFrom && hireTo ? { from: hireFrom, to: hireTo } : null
  const products = new Map(line.options.products.map((product) => [product.guid, product]))
  const left = Map.groupBy(before, ({ sourceKey }) => sourceKey)
  return children.map((child): AskedLine => {
    const was = left.get(child.sourceKey)?.shift()
    const { catalogued = uncatalogued, ...entered } = childLine(child, hire, products)
    return {
      ...catalogued,
      guid: was?.guid ?? newGuid(),
      position: line.position,
      parentLineGuid: line.guid,
      kind: entered.kind,
      productGuid: entered.productGuid ?? null,
      name: entered.name,
      description: was?.description ?? null,
      quantity: entered.quantity,
      unit: entered.unit,
      unitPriceCents: entered.unitPriceCents ?? 0,
      discount: was ? was.discount : (entered.discount ?? null),
      gstCode: gstCode === 'NOT_REGISTERED' ? gstCode : entered.gstCode,
      isOptional,
      alternativeGroup,
      isSelected,
      netCents: 0,
      gstCents: 0,
      totalCents: 0,
    }
  })
}

/** The files among answers are those that were sent for this quote; their names are kept beside the answers. */
export async function nameGuestFiles(
  db: Db,
  quoteGuid: string,
  answered: ReadonlyMap<string, Answered>,
): Promise<void> {
  const fresh = [...answered.values()].flatMap((one) =>
    one.selections.flatMap((selection) =>
      'fileGuid' in selection.value && selection.choices.length === 0
        ? [{ one, selection, guid: selection.value.fileGuid }]
        : [],
    ),
  )
  if (fresh.length === 0) return
  const found = await db
    .selectFrom('attachments as a')
    .innerJoin('files as f', 'f.guid', 'a.fileGuid')
    .select(['f.guid', 'f.name', 'f.scan'])
    .where('a.ownerGuid', '=', quoteGuid)
    .where('a.ownerNoun', '=', 'Quotes')
    .where('a.detachedAt', 'is', null)
    .where('f.isFromCustomer', '=', true)
    .where(
      'f.guid',
      'in',
      fresh.map(({ guid }) => guid),
    )
    .execute()
  for (const { one, selection, guid } of fresh) {
    const file = found.find((row) => row.guid === guid)
    if (file?.scan === 'infected') throw conflict(fileSentences.infected)
    if (file) selection.choices = [{ code: guid, label: file.name, cents: 0 }]
    else
      one.problems.push({
        path: `answers.${selection.optionCode}`,
        message: 'We can’t find that file. Send it again.',
      })
  }
}

/** The question that a photo answers, of a line of a quote; as little there as on its page. */
export function photoQuestion(lines: readonly AskedLine[], lineGuid: string, option: string): OfferedOption {
  const asked = lines.find(({ guid }) => guid === lineGuid)?.options?.asked
  const question = asked?.find((one) => one.code === option && one.input === 'file' && isForGuests(one))
  if (!question) throw notFound()
  return question
}
