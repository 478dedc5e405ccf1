import type { DepositRule, Discount } from '../../../contract/lines.ts'
import type { QuoteTemplateInput } from '../../../contract/quote-templates.ts'
import type { Stage } from '../../../contract/stages.ts'
import type { Record } from './schema-business.ts'
import type { Computed, Json, JsonOrNull, Optional } from './schema-kinds.ts'

/** A quote without whom it is for; the business names the pool of the catalogue. */
interface QuoteTemplates extends Record {
  businessGuid: string
  name: string
  title: string
  priceMode: 'exclusive' | 'inclusive'
  roundingRule: 'total_invoice' | 'taxable_supply'
  discount: JsonOrNull<Discount>
  depositRule: JsonOrNull<DepositRule>
  schedule: JsonOrNull<Stage[]>
  /** Days from the day a quote is made; null: as the business has it. */
  validityDays: Optional<number>
  jobTypeGuid: Optional<string>
  intro: Optional<string>
  terms: Optional<string>
  internalNotes: Optional<string>
  /** As they are entered: `server/quote-templates/content.ts` reads and writes them. */
  lines: Json<QuoteTemplateInput['lines']>
  anchoredOn: string
  searchText: Computed<string>
}

export interface QuoteTemplateTables {
  quoteTemplates: QuoteTemplates
}
