import type { DepositRule } from '../../contract/lines.ts'
import { quoteTemplateInput, type QuoteTemplate, type QuoteTemplateInput } from '../../contract/quote-templates.ts'
import type { Stage } from '../../contract/stages.ts'
import { useT } from '../core/i18n/i18n.ts'
import { NumberField } from '../core/ui/fields.tsx'
import { DocumentForm } from '../lines/document-form.tsx'
import { documentRows } from '../lines/document-fields.tsx'
import { valuesOfDocument, type Defaults, type DocumentValues } from '../lines/document-values.ts'
import { JobTypeField } from '../lines/job-type-field.tsx'
import { PlainField } from '../record/plain-field.tsx'
import type { Fields } from '../record/record-facts.tsx'
import type { SaveRecord } from '../record/record-form.tsx'
import { OfferDue, offerRows, OfferTexts } from './offer-parts.tsx'
import { PaymentFields } from './payment-fields.tsx'

type TemplateValues = DocumentValues & {
  name: string
  validityDays: number | null
  depositRule: DepositRule
  schedule: Stage[] | null
  jobTypeGuid: string | null
  intro: string
  terms: string
}

/** What is known of a quote template, in the order of the form. */
export const templateFields: Fields<QuoteTemplateInput> = {
  schema: quoteTemplateInput,
  rows: {
    name: { label: 'templates:name' },
    ...documentRows,
    validityDays: { label: 'templates:validityDays' },
    ...offerRows,
    terms: { label: 'templates:terms', hint: 'templates:termsHint' },
  },
}

const nobody = { customerGuid: null, contactGuid: null, siteGuid: null }

const valuesOfTemplate = (template: QuoteTemplate): TemplateValues => {
  const { name, validityDays, depositRule, schedule, jobTypeGuid, intro, terms } = template
  const values = valuesOfDocument({ ...template, ...nobody })
  return {
    ...values,
    ...{ name, validityDays, schedule, jobTypeGuid },
    // They are lines of no document yet.
    lines: values.lines.map(({ guid: _guid, ...line }) => line),
    depositRule: depositRule ?? { type: 'none' },
    intro: intro ?? '',
    terms: terms ?? '',
  }
}

const toInput = ({ customerGuid: _c, contactGuid: _p, siteGuid: _s, intro, terms, ...rest }: TemplateValues) => ({
  ...rest,
  intro: intro || null,
  terms: terms || null,
})

interface TemplateFormProps {
  template: QuoteTemplate
  business: Defaults
  save: SaveRecord<QuoteTemplateInput>
}

/** A template as its quotes will be, but for whom they are for; prices of products are the catalogue's. */
export function TemplateForm({ template, business, save }: TemplateFormProps) {
  const t = useT('templates')
  return (
    <DocumentForm<TemplateValues, QuoteTemplateInput>
      defaults={valuesOfTemplate(template)}
      schema={quoteTemplateInput}
      input={toInput}
      save={save}
      saveLabel={t('templates:save')}
      isRegistered={business.gstRegistered}
      hasOptions
      followsCatalogue
      titleHint={t('templates:titleHint')}
      linesNote={t('templates:follows')}
      first={(control) => <PlainField of={templateFields} control={control} name="name" autoFocus />}
      details={(control, editing) => (
        <>
          <NumberField
            control={control}
            name="validityDays"
            label={t('templates:validityDays')}
            description={t('templates:validityHint')}
            maxDigits={3}
          />
          <PaymentFields control={control} />
          <JobTypeField
            editing={editing}
            isRegistered={business.gstRegistered}
            chosen={template.jobType}
            usualDeposit={business.defaultDepositRule}
          />
        </>
      )}
      texts={(control) => <OfferTexts of={templateFields} control={control} />}
      rail={(values, totalCents) => <OfferDue values={values} totalCents={totalCents} />}
    />
  )
}
