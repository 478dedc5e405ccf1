import { useState } from 'react'
import { type Language, languageFacts } from '../../contract/core/languages.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { jobStringKeys, jobTypesApi, type JobTypeInput } from '../../contract/job-types.ts'
import { ordersApi } from '../../contract/orders.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { inQuotes } from '../../contract/core/sentences.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import { stringText } from './job-type-fields.ts'
import './job-types.css'

type Kind = 'quote' | 'order' | 'invoice'
const kinds: readonly Kind[] = ['quote', 'order', 'invoice']

interface PreviewProps {
  guid: string
  /** What is being written; without it, what is saved. */
  strings?: object
  language: Language
}

const nothing = (texts: object): boolean => Object.values(texts).every((text) => !text)

/** What is written, as the API takes it: a text without English is none. */
const sent = (strings: object) =>
  Object.fromEntries(
    Object.entries(strings as Record<string, Record<Language, string | null> | null>).flatMap(([key, texts]) =>
      texts && !nothing(texts) ? [[key, { en: texts.en ?? '', fr: texts.fr || null, ar: texts.ar || null }]] : [],
    ),
  ) as JobTypeInput['strings']

/** The texts filled from a record of the business, or from an example, with what is wrong with them. */
export function StringsPreview({ guid, strings, language }: PreviewProps) {
  const t = useT('jobs')
  const [kind, setKind] = useState<Kind>('quote')
  const [record, setRecord] = useState<string | null>(null)
  const chosen = record ? { record } : {}
  const draft = useRead(
    jobTypesApi.tryStrings,
    { guid, strings: sent(strings ?? {}), ...chosen },
    { keep: true, enabled: strings !== undefined },
  )
  const saved = useRead(jobTypesApi.strings, { guid, ...chosen }, { keep: true, enabled: strings === undefined })
  const filled = strings === undefined ? saved.data : draft.data
  const shown = jobStringKeys.filter((key) => filled?.strings[key]?.[language])
  const pick = { value: record, onChange: setRecord, label: t('jobs:record'), placeholder: t('jobs:example') }
  return (
    <div className="strings-preview stack">
      <div className="strings-record">
        <ChoiceInput
          label={t('jobs:recordKind')}
          data={kinds.map((value) => ({ value, label: t(`jobs:kinds.${value}`) }))}
          value={kind}
          onChange={(value) => {
            setKind(kinds.find((one) => one === value) ?? 'quote')
            setRecord(null)
          }}
        />
        {kind === 'quote' ? (
          <LookupInput
            {...pick}
            op={quotesApi.list}
            option={(quote) => ({ value: quote.guid, label: quote.number ?? quote.title, hint: quote.customerName })}
          />
        ) : kind === 'order' ? (
          <LookupInput
            {...pick}
            op={ordersApi.list}
            option={(order) => ({ value: order.guid, label: order.number, hint: order.customerName })}
          />
        ) : (
          <LookupInput
            {...pick}
            op={invoicesApi.list}
            option={(invoice) => ({
              value: invoice.guid,
              label: invoice.number ?? invoice.title,
              hint: invoice.customerName,
            })}
          />
        )}
      </div>
      {filled && filled.problems.length > 0 ? (
        <ul className="string-problems" role="alert">
          {filled.problems.map((problem, i) => (
            <li key={i}>
              <span className="strong">
                {t('jobs:problemAt', {
                  part: stringText(problem.part),
                  language: problem.language.toUpperCase(),
                  line: problem.line,
                })}
              </span>{' '}
              {inQuotes(problem.message)}
            </li>
          ))}
        </ul>
      ) : null}
      {filled && shown.length === 0 && filled.problems.length === 0 ? (
        <p className="muted no-margin">{t('jobs:noTexts')}</p>
      ) : null}
      <dl className="filled-strings" aria-live="polite">
        {shown.map((key) => (
          <div key={key}>
            <dt>{stringText(key)}</dt>
            <dd className="pre-line" lang={language} dir={languageFacts[language].direction}>
              {filled?.strings[key]?.[language]}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
