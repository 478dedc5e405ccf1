import type { DepositRule } from '../../contract/lines.ts'
import { quoteInput, type Quote } from '../../contract/quotes.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateField } from '../core/ui/fields.tsx'
import { DocumentForm } from '../lines/document-form.tsx'
import { emptyDocument, valuesOfDocument, type Defaults, type DocumentValues } from '../lines/document-values.ts'
import { documentRows } from '../lines/document-fields.tsx'
import { JobTypeField } from '../lines/job-type-field.tsx'
import type { Fields } from '../record/record-facts.tsx'
import type { SaveRecord } from '../record/record-form.tsx'
import type { z } from 'zod'
import type { Stage } from '../../contract/stages.ts'
import { OfferDue, offerRows, OfferTexts } from './offer-parts.tsx'
import { PaymentFields } from './payment-fields.tsx'

export type QuoteValues = DocumentValues & {
  validUntil: string | null
  depositRule: DepositRule
  schedule: Stage[] | null
  jobTypeGuid: string | null
  intro: string
  terms: string
}
type Sent = z.output<typeof quoteInput>

/** What is known of a quote, in the order of the form. */
export const quoteFields: Fields<Sent> = {
  schema: quoteInput,
  rows: {
    ...documentRows,
    validUntil: { label: 'quotes:validUntil' },
    ...offerRows,
  },
}

export const emptyQuote = (business: Defaults, customerGuid: string | null): QuoteValues => ({
  ...emptyDocument(business, customerGuid),
  validUntil: null,
  depositRule: business.defaultDepositRule,
  schedule: null,
  jobTypeGuid: null,
  intro: '',
  terms: business.quoteTerms ?? '',
})

export const valuesOfQuote = (quote: Quote): QuoteValues => ({
  ...valuesOfDocument(quote),
  validUntil: quote.validUntil,
  depositRule: quote.depositRule ?? { type: 'none' },
  schedule: quote.schedule,
  jobTypeGuid: quote.jobTypeGuid,
  intro: quote.intro ?? '',
  terms: quote.terms ?? '',
})

const toInput = ({ intro, terms, ...rest }: QuoteValues) => ({ ...rest, intro: intro || null, terms: terms || null })

export interface QuoteFormProps {
  defaults: QuoteValues
  business: Defaults
  saveLabel: string
  save: SaveRecord<Sent>
  customerName?: string | undefined
  /** The kind of job it has now, by name. */
  jobType?: Quote['jobType']
  isNew?: boolean
  isCopy?: boolean
}

export function QuoteForm(props: QuoteFormProps) {
  const { defaults, business, saveLabel, save, customerName, isNew = false, isCopy = false } = props
  const t = useT('quotes')
  return (
    <DocumentForm<QuoteValues, Sent>
      defaults={defaults}
      schema={quoteInput}
      input={toInput}
      save={save}
      saveLabel={saveLabel}
      isRegistered={business.gstRegistered}
      receives="receivesQuotes"
      hasOptions
      customerName={customerName}
      isNew={isNew}
      isCopy={isCopy}
      details={(control, editing) => (
        <>
          <DateField
            control={control}
            name="validUntil"
            label={t('quotes:validUntil')}
            description={t('quotes:validUntilHint', { count: business.defaultValidityDays })}
            min={business.today}
          />
          <PaymentFields control={control} />
          <JobTypeField
            editing={editing}
            isRegistered={business.gstRegistered}
            chosen={props.jobType ?? null}
            usualDeposit={business.defaultDepositRule}
          />
        </>
      )}
      texts={(control) => <OfferTexts of={quoteFields} control={control} />}
      rail={(values, totalCents) => <OfferDue values={values} totalCents={totalCents} />}
    />
  )
}
