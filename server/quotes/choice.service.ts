import { answersOf } from '../../contract/booking-options.ts'
import { type FieldError, refuseFields } from '../../contract/core/errors.ts'
import { isPart } from '../../contract/core/money.ts'
import type { QuoteTotals } from '../../contract/lines.ts'
import { trimQuantity } from '../../contract/lines.ts'
import type { LineQuantity } from '../../contract/negotiation.ts'
import { isWithin, type QuantityRange, rangeOfLine } from '../../contract/quantity-range.ts'
import { dueOnAcceptance, shownStages } from '../../contract/stages.ts'
import type { Ctx } from '../core/ctx.ts'
import { canonical } from '../documents/documents.service.ts'
import { isChoice, repriceLines } from '../documents/lines.service.ts'
import { choose } from './choosing.ts'
import { sha256Of } from './frames.service.ts'
import {
  type Answered,
  answerLines,
  type AskedLine,
  type LineAnswers,
  nameGuestFiles,
  problemsOf,
  withAnswers,
} from './guest-answers.service.ts'
import type { QuoteRow } from './quotes.queries.ts'

/** What a customer chooses on the page of a quote; what is not given stays as it was offered. */
export interface Choice {
  selectedLineGuids?: readonly string[] | undefined
  answers?: readonly LineAnswers[] | undefined
  quantities?: readonly LineQuantity[] | undefined
}

export interface Chosen {
  /** As they are with the choice, before they are priced; the same array where nothing but options was chosen. */
  lines: AskedLine[]
  answered: Map<string, Answered>
  /** What keeps the choice from being accepted. */
  problems: FieldError[]
  /** Whether more than options and alternatives was chosen. */
  isChanged: boolean
}

type Pricing = Pick<QuoteRow, 'guid' | 'priceMode' | 'roundingRule' | 'discount' | 'depositRule' | 'schedule'>

/** `Choose between 10 and 14 m, in steps of 0.5.` */
function rangeSentence({ quantityMin, quantityMax, quantityStep }: QuantityRange, unit: string): string {
  const most = unit === 'each' ? trimQuantity(quantityMax) : `${trimQuantity(quantityMax)} ${unit}`
  return `Choose between ${trimQuantity(quantityMin)} and ${most}, in steps of ${trimQuantity(quantityStep)}.`
}

/** Quantities are chosen of lines that leave them to their customer. Throws VALIDATION_FAILED for any other. */
function quantitiesOf(lines: readonly AskedLine[], given: readonly LineQuantity[]) {
  const problems: FieldError[] = []
  const stray: FieldError[] = []
  const quantities = new Map<string, string>()
  given.forEach(({ lineGuid, quantity }, i) => {
    const line = lines.find(({ guid, parentLineGuid }) => guid === lineGuid && parentLineGuid === null)
    const range = line && rangeOfLine(line)
    if (!line || !range) stray.push({ path: `quantities.${i}.lineGuid`, message: 'We can’t find that line.' })
    else if (quantities.has(lineGuid))
      stray.push({ path: `quantities.${i}.lineGuid`, message: 'This is listed twice.' })
    else if (!isWithin(quantity, range))
      problems.push({ path: `quantities.${lineGuid}`, message: rangeSentence(range, line.unit) })
    else quantities.set(lineGuid, quantity)
  })
  refuseFields(stray)
  return { quantities, problems }
}

/** Makes a choice on lines as they were offered, by what was offered alone. */
export async function withChoice(
  ctx: Pick<Ctx, 'db' | 'actor' | 'now'>,
  quote: Pick<QuoteRow, 'guid' | 'priceMode'>,
  offered: AskedLine[],
  { selectedLineGuids, answers = [], quantities: given = [] }: Choice,
): Promise<Chosen> {
  const chosen = choose(offered, selectedLineGuids)
  const { quantities, problems } = quantitiesOf(chosen, given)
  const answered = answerLines(ctx, quote, chosen, answers, quantities)
  await nameGuestFiles(ctx.db, quote.guid, answered)
  const isChanged = answers.length > 0 || quantities.size > 0
  return {
    lines: isChanged ? withAnswers(chosen, answered, quantities) : chosen,
    answered,
    problems: [...problems, ...problemsOf(answered, chosen)],
    isChanged,
  }
}

/** What lines with a choice come to, and the hash that stands for both. */
export function pricedChoice(lines: readonly AskedLine[], quote: Pricing) {
  const priced = repriceLines(lines, quote)
  const { totalCents } = priced.totals
  const depositCents = dueOnAcceptance(quote, totalCents)
  const stages = shownStages(quote.schedule, totalCents)
  return { ...priced, depositCents, stages, choiceSha256: choiceSha256(priced.lines, priced.totals, depositCents) }
}

/** Lines are known by where they stand: what comes with an answer has no guid until it is accepted. */
const choiceSha256 = (
  lines: readonly (AskedLine & { netCents: number; gstCents: number; totalCents: number })[],
  totals: QuoteTotals,
  depositCents: number,
): string =>
  sha256Of(
    canonical({
      lines: lines.map((line) => ({
        line: line.parentLineGuid ?? line.guid,
        source: line.parentLineGuid === null ? null : line.sourceKey,
        name: line.name,
        isSelected: isChoice(line) ? line.isSelected : true,
        quantity: isPart(line) ? null : trimQuantity(line.quantity),
        unitPriceCents: line.unitPriceCents,
        cents: [line.netCents, line.gstCents, line.totalCents],
        answers: answersOf(line.options?.selections ?? []),
      })),
      totals,
      depositCents,
    }),
  )
