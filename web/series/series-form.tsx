import { addDays } from '../../contract/core/dates.ts'
import type { DepositRule } from '../../contract/lines.ts'
import type { Quote } from '../../contract/quotes.ts'
import { type Series, seriesInput, type SeriesInput } from '../../contract/series.ts'
import type { Stage } from '../../contract/stages.ts'
import { phrase, useT } from '../core/i18n/i18n.ts'
import { DateField, NumberField, SelectField } from '../core/ui/fields.tsx'
import { documentRows } from '../lines/document-fields.tsx'
import { DocumentForm } from '../lines/document-form.tsx'
import { emptyDocument, valuesOfDocument, type Defaults, type DocumentValues } from '../lines/document-values.ts'
import { JobTypeField } from '../lines/job-type-field.tsx'
import { OfferDue, offerRows, OfferTexts } from '../quotes/offer-parts.tsx'
import { PaymentFields } from '../quotes/payment-fields.tsx'
import type { Fields } from '../record/record-facts.tsx'
import type { SaveRecord } from '../record/record-form.tsx'
import { EndsField, EveryField } from './schedule-fields.tsx'
import { endsText, everyText } from './series-text.ts'

export type SeriesValues = DocumentValues &
  Pick<SeriesInput, 'every' | 'ends' | 'mode'> & {
    anchorOn: string | null
    leadDays: number | null
    catchUp: number | null
    depositRule: DepositRule
    schedule: Stage[] | null
    jobTypeGuid: string | null
    intro: string
    terms: string
  }

/** What is known of a series, in the order of the form. */
export const seriesFields: Fields<SeriesInput> = {
  schema: seriesInput,
  rows: {
    ...documentRows,
    every: { label: 'series:every', show: (every, { t }) => everyText(t, every ?? { n: 1, unit: 'month' }) },
    anchorOn: { label: 'series:first' },
    leadDays: { label: 'series:lead' },
    ends: { label: 'series:ends.label', show: (ends, { t, f }) => endsText(t, f, ends ?? { type: 'never' }) },
    mode: { label: 'series:mode', words: (mode) => phrase(`series:modes.${mode as SeriesInput['mode']}`) },
    catchUp: { label: 'series:catchUp' },
    ...offerRows,
  },
}

/** The days belong together: changed by two people, they are asked about. */
export const scheduleGroup = ['every', 'anchorOn', 'leadDays', 'ends'] as const

const firstDays = (anchorOn: string) =>
  ({
    every: { n: 1, unit: 'month' },
    anchorOn,
    leadDays: 0,
    ends: { type: 'never' },
    mode: 'draft',
    catchUp: 1,
  }) as const

export const emptySeries = (business: Defaults, customerGuid: string | null): SeriesValues => ({
  ...emptyDocument(business, customerGuid),
  ...firstDays(business.today),
  depositRule: business.defaultDepositRule,
  schedule: null,
  jobTypeGuid: null,
  intro: '',
  terms: business.quoteTerms ?? '',
})

const textsOf = ({ intro, terms }: { intro: string | null; terms: string | null }) => ({
  intro: intro ?? '',
  terms: terms ?? '',
})

/** A quote as the first of a series: its lines are new ones, and so are its days. */
export function seriesOfQuote(quote: Quote, business: Defaults): SeriesValues {
  const values = valuesOfDocument(quote)
  return {
    ...values,
    lines: values.lines.map(({ guid: _guid, ...line }) => line),
    ...firstDays(business.today),
    depositRule: quote.depositRule ?? { type: 'none' },
    schedule: quote.schedule,
    jobTypeGuid: quote.jobTypeGuid,
    ...textsOf(quote),
  }
}

export const valuesOfSeries = (series: Series): SeriesValues => {
  const { every, anchorOn, leadDays, ends, mode, catchUp, depositRule, schedule, jobTypeGuid } = series
  return {
    ...valuesOfDocument(series),
    ...{ every, anchorOn, leadDays, ends, mode, catchUp, jobTypeGuid, schedule },
    depositRule: depositRule ?? { type: 'none' },
    ...textsOf(series),
  }
}

const toInput = ({ intro, terms, ...rest }: SeriesValues) => ({ ...rest, intro: intro || null, terms: terms || null })

interface SeriesFormProps {
  defaults: SeriesValues
  business: Defaults
  saveLabel: string
  save: SaveRecord<SeriesInput>
  customerName?: string | undefined
  jobType?: Series['jobType']
  isNew?: boolean
  isCopy?: boolean
}

export function SeriesForm(props: SeriesFormProps) {
  const { defaults, business, saveLabel, save, customerName, isNew = false, isCopy = false } = props
  const t = useT('series', 'quotes')
  return (
    <DocumentForm<SeriesValues, SeriesInput>
      defaults={defaults}
      schema={seriesInput}
      input={toInput}
      nested={['every', 'ends']}
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
          <EveryField control={control} name="every" />
          <DateField
            control={control}
            name="anchorOn"
            label={t('series:first')}
            description={t('series:firstHint')}
            min={addDays(business.today, -366)}
            isRequired
          />
          <NumberField control={control} name="leadDays" label={t('series:lead')} description={t('series:leadHint')} />
          <SelectField
            control={control}
            name="mode"
            label={t('series:mode')}
            description={t('series:modeHint')}
            options={(['draft', 'send'] as const).map((value) => ({ value, label: t(`series:modes.${value}`) }))}
          />
          <EndsField control={control} name="ends" />
          <NumberField
            control={control}
            name="catchUp"
            label={t('series:catchUp')}
            description={t('series:catchUpHint')}
            maxDigits={2}
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
      texts={(control) => <OfferTexts of={seriesFields} control={control} />}
      rail={(values, totalCents) => <OfferDue values={values} totalCents={totalCents} />}
    />
  )
}
