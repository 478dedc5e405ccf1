import { useState } from 'react'
import { columnLetters, type ImportField, importFields } from '../../contract/customer-files.ts'
import type { ImportPreview } from '../../contract/imports.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { SearchChoice } from '../core/ui/search-choice.tsx'
import { fieldText } from './field-text.ts'
import { FileProblem } from './file-step.tsx'
import type { SentMapping } from './import-wizard.tsx'

interface ColumnsStepProps {
  fileName: string
  preview: ImportPreview
  problem: string | null
  isBusy: boolean
  onBack: () => void
  onNext: (mapping: SentMapping) => void
}

/** A customer is called by the first of these that the file has. */
const names: readonly (ImportField | null)[] = ['displayName', 'contact.1.first', 'contact.1.last']

/** What each column of the file becomes. */
export function ColumnsStep({ fileName, preview, problem, isBusy, onBack, onNext }: ColumnsStepProps) {
  const t = useT('imports')
  const [mapping, setMapping] = useState(preview.mapping)
  const hasName = mapping.some(({ field }) => names.includes(field))
  const options = importFields.map((field) => ({ value: field as string, label: fieldText(t, field) }))
  const choose = (index: number, field: string | null) =>
    setMapping(mapping.map((one) => (one.index === index ? { index, field: field as ImportField | null } : one)))
  return (
    <>
      <div className="card-body stack">
        <FileProblem problem={problem} />
        <div className="row spread">
          <h2 className="card-title">{t('imports:columns.title')}</h2>
          <p className="muted import-file">
            <span className="chip" data-tone="primary">
              {t(`imports:sources.${preview.source}`)}
            </span>
            <bdi>{fileName}</bdi>
          </p>
        </div>
      </div>
      <div className="table-scroll">
        <table className="plain-table import-columns">
          <thead>
            <tr>
              <th scope="col">{t('imports:columns.column')}</th>
              <th scope="col">{t('imports:columns.sample')}</th>
              <th scope="col">{t('imports:columns.field')}</th>
            </tr>
          </thead>
          <tbody>
            {preview.columns.map(({ index, header, sample }) => {
              const column = header || t('imports:columns.untitled', { letters: columnLetters(index) })
              return (
                <tr key={index}>
                  <th scope="row">
                    <bdi>{column}</bdi>
                  </th>
                  <td className="muted import-sample">
                    <bdi>{sample.filter((cell) => cell.trim() !== '').join(' · ')}</bdi>
                  </td>
                  <td>
                    <SearchChoice
                      aria-label={t('imports:columns.fieldOf', { column })}
                      placeholder={t('imports:columns.ignore')}
                      clearable
                      data={options}
                      value={mapping[index]?.field ?? null}
                      onChange={(field) => choose(index, field)}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <div className="card-body row spread import-foot">
        <ActionButton variant="default" onClick={onBack}>
          {t('imports:back')}
        </ActionButton>
        <ActionButton
          loading={isBusy}
          disabledReason={hasName ? null : t('imports:columns.nameMissing')}
          onClick={() => onNext(mapping)}
        >
          {t('imports:columns.next')}
        </ActionButton>
      </div>
    </>
  )
}
