import { computeTotals, depositAmount } from '../../contract/core/money.ts'
import { priceDocument, type Discount } from '../../contract/lines.ts'
import type { ServiceQuote } from '../../contract/service.ts'

export type ServiceLine = ServiceQuote['lines'][number]

/** Options and alternatives: what the customer decides. */
export const isChoice = (line: Pick<ServiceLine, 'isOptional' | 'alternativeGroup'>) => line.isOptional || line.alternativeGroup !== null

const credits = (line: ServiceLine) => ({ ...line, creditNetCents: line.netCents, creditGstCents: line.gstCents })

/**
 * Lines with the amount a reader can check by hand: quantity × price less the line's own discount, in the prices' own terms.
 * The discount on everything stands once, among the totals.
 */
export function shownLines(lines: readonly ServiceLine[], priceMode: 'exclusive' | 'inclusive' = 'exclusive'): ServiceLine[] {
  const amounts = computeTotals({ priceMode, roundingRule: 'total_invoice', lines: lines.map(credits) }).lines
  return lines.map((line, i) => {
    const amount = amounts[i]
    const cents = amount ? amount.grossBeforeDiscountCents - amount.discountCents : line.netCents
    return { ...line, netCents: cents, totalCents: cents }
  })
}

export interface Terms {
  priceMode: 'exclusive' | 'inclusive'
  discount: Discount | null
}

/** The totals with these options and alternatives chosen, as acceptance will compute them. */
export function totalsWith(quote: ServiceQuote, chosen: ReadonlySet<string>) {
  const lines = quote.lines.map((line) => (isChoice(line) ? { ...line, isSelected: chosen.has(line.guid) } : line))
  return priceDocument({ priceMode: quote.priceMode, discount: quote.discount, roundingRule: roundingRuleOf(quote), lines }).totals
}

/** Which of the two lawful roundings the quote was priced with: the one that leads to its own amounts. */
function roundingRuleOf(quote: ServiceQuote): 'total_invoice' | 'taxable_supply' {
  const fits = (roundingRule: 'total_invoice' | 'taxable_supply') => {
    const { lines, totals } = priceDocument({ priceMode: quote.priceMode, discount: quote.discount, roundingRule, lines: quote.lines })
    return totals.gstCents === quote.totals.gstCents && lines.every((line, i) => line.gstCents === quote.lines[i]?.gstCents)
  }
  return !fits('total_invoice') && fits('taxable_supply') ? 'taxable_supply' : 'total_invoice'
}

/** What is payable on acceptance when the quote comes to `totalCents`. */
export function depositFor({ depositRule }: ServiceQuote, totalCents: number): number {
  if (!depositRule) return 0
  return depositAmount({ type: depositRule.type === 'percent' ? 'percent' : 'fixed', value: depositRule.value }, totalCents)
}

/** What the business proposes; of alternatives at most one each. */
export function proposedChoice(lines: readonly ServiceLine[]): Set<string> {
  const taken = new Set<string>()
  const proposed = lines.filter((line) => {
    if (!isChoice(line) || !line.isSelected) return false
    if (line.alternativeGroup === null) return true
    const isFirst = !taken.has(line.alternativeGroup)
    taken.add(line.alternativeGroup)
    return isFirst
  })
  return new Set(proposed.map((line) => line.guid))
}

/** An option is switched; an alternative takes the place of its group's others. */
export function withChoice(lines: readonly ServiceLine[], chosen: ReadonlySet<string>, line: ServiceLine): Set<string> {
  const next = new Set(chosen)
  if (line.alternativeGroup !== null) {
    for (const other of lines) if (other.alternativeGroup === line.alternativeGroup) next.delete(other.guid)
    next.add(line.guid)
  } else if (!next.delete(line.guid)) next.add(line.guid)
  return next
}

/** Groups of alternatives of which none is chosen yet. */
export function openGroups(lines: readonly ServiceLine[], chosen: ReadonlySet<string>): string[] {
  const groups = [...new Set(lines.map((line) => line.alternativeGroup).filter((group) => group !== null))]
  return groups.filter((group) => !lines.some((line) => line.alternativeGroup === group && chosen.has(line.guid)))
}
