import { depositAmount } from '../../contract/core/money.ts'
import { addDays } from '../../contract/core/dates.ts'
import type { DepositRule } from '../../contract/lines.ts'
import { quoteInput, type Quote } from '../../contract/quotes.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateField, TextAreaField } from '../core/ui/fields.tsx'
import { Money } from '../core/ui/money.tsx'
import { DepositField } from '../lines/deposit-field.tsx'
import { DocumentForm } from '../lines/document-form.tsx'
import { emptyDocument, valuesOfDocument, type Defaults, type DocumentValues } from '../lines/document-values.ts'
import type { z } from 'zod'

export type QuoteValues = DocumentValues & {
  validUntil: string | null
  depositRule: DepositRule
  intro: string
  terms: string
}
type Sent = z.output<typeof quoteInput>

export const emptyQuote = (business: Defaults, customerGuid: string | null): QuoteValues => ({
  ...emptyDocument(business, customerGuid),
  validUntil: addDays(business.today, business.defaultValidityDays),
  depositRule: business.defaultDepositRule,
  intro: '',
  terms: business.quoteTerms ?? '',
})

export const valuesOfQuote = (quote: Quote): QuoteValues => ({
  ...valuesOfDocument(quote),
  validUntil: quote.validUntil,
  depositRule: quote.depositRule ?? { type: 'none' },
  intro: quote.intro ?? '',
  terms: quote.terms ?? '',
})

const toInput = ({ intro, terms, ...rest }: QuoteValues) => ({ ...rest, intro: intro || null, terms: terms || null })

export interface QuoteFormProps {
  defaults: QuoteValues
  business: Defaults
  saveLabel: string
  save: (input: Sent) => Promise<unknown>
  customerName?: string | undefined
  isNew?: boolean
}

export function QuoteForm({ defaults, business, saveLabel, save, customerName, isNew = false }: QuoteFormProps) {
  const t = useT('quotes')
  return (
    <DocumentForm<QuoteValues, Sent>
      defaults={defaults}
      schema={quoteInput}
      input={toInput}
      save={save}
      saveLabel={saveLabel}
      isRegistered={business.gstRegistered}
      hasOptions
      customerName={customerName}
      isNew={isNew}
      details={(control) => (
        <>
          <DateField control={control} name="validUntil" label={t('quotes:validUntil')} min={business.today} />
          <DepositField control={control} name="depositRule" />
        </>
      )}
      texts={(control) => (
        <Card title={t('quotes:texts')}>
          <div className="stack">
            <TextAreaField
              control={control}
              name="intro"
              label={t('quotes:intro')}
              description={t('quotes:introHint')}
              maxLength={4000}
            />
            <TextAreaField control={control} name="terms" label={t('quotes:terms')} rows={4} maxLength={8000} />
            <TextAreaField
              control={control}
              name="internalNotes"
              label={t('quotes:internalNotes')}
              description={t('quotes:internalNotesHint')}
              maxLength={4000}
            />
          </div>
        </Card>
      )}
      rail={(values, totalCents) => {
        const deposit = totalCents === null ? 0 : depositAmount(values.depositRule, totalCents)
        return deposit ? (
          <p className="muted no-margin row spread">
            <span>{t('quotes:deposit')}</span>
            <Money cents={deposit} />
          </p>
        ) : null
      }}
    />
  )
}
