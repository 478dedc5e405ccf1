import { priceDocument } from '../../contract/lines.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { dueOnAcceptance, shownStages } from '../../contract/stages.ts'

export type ServiceLine = ServiceQuote['lines'][number]

/** Options and alternatives: what the customer decides. */
export const isChoice = (line: Pick<ServiceLine, 'isOptional' | 'alternativeGroup'>) =>
  line.isOptional || line.alternativeGroup !== null

/** The totals with these options and alternatives chosen, as acceptance will compute them. */
export function totalsWith(
  quote: Pick<ServiceQuote, 'lines' | 'priceMode' | 'discount' | 'roundingRule'>,
  chosen: ReadonlySet<string>,
) {
  const lines = quote.lines.map((line) =>
    isChoice(line) ? { ...line, isSelected: chosen.has(line.parentLineGuid ?? line.guid) } : line,
  )
  return priceDocument({
    priceMode: quote.priceMode,
    discount: quote.discount,
    roundingRule: quote.roundingRule,
    lines,
  }).totals
}

/** What is payable on acceptance when the quote comes to `totalCents`. */
export function depositFor(
  { depositRule, schedule }: Pick<ServiceQuote, 'depositRule' | 'schedule'>,
  totalCents: number,
): number {
  const rule = depositRule && {
    type: depositRule.type === 'percent' ? ('percent' as const) : ('fixed' as const),
    value: depositRule.value,
  }
  return dueOnAcceptance({ depositRule: rule, schedule }, totalCents)
}

/** What each payment comes to when the quote comes to `totalCents`. */
export const stagesFor = ({ schedule }: Pick<ServiceQuote, 'schedule'>, totalCents: number) =>
  shownStages(schedule, totalCents)

/** What the business proposes; of alternatives at most one each. */
export function proposedChoice(lines: readonly ServiceLine[]): Set<string> {
  const taken = new Set<string>()
  const proposed = lines.filter((line) => {
    if (!isChoice(line) || !line.isSelected || line.parentLineGuid !== null) return false
    if (line.alternativeGroup === null) return true
    const isFirst = !taken.has(line.alternativeGroup)
    taken.add(line.alternativeGroup)
    return isFirst
  })
  return new Set(proposed.map((line) => line.guid))
}

/** Groups of alternatives of which none is chosen yet. */
export function openGroups(lines: readonly ServiceLine[], chosen: ReadonlySet<string>): string[] {
  const groups = [...new Set(lines.map((line) => line.alternativeGroup).filter((group) => group !== null))]
  return groups.filter((group) => !lines.some((line) => line.alternativeGroup === group && chosen.has(line.guid)))
}
