import type { ReactNode } from 'react'
import { SegmentedControl } from '@mantine/core'
import { type CustomerImport, type ImportAction, importActions, type ImportPreview } from '../../contract/imports.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { StatusChip, type Tone } from '../core/ui/status-chip.tsx'
import { FileButton, FileProblem } from './file-step.tsx'

const tones: Readonly<Record<ImportAction, Tone>> = { create: 'success', fill: 'info', skip: 'neutral', bad: 'error' }
const maxProblems = 200
const maxRows = 50

interface CheckStepProps {
  preview: ImportPreview
  problem: string | null
  /** The name of the file that is being read. */
  reading: string | null
  isBusy: boolean
  onDuplicate: CustomerImport['onDuplicate']
  setOnDuplicate: (value: CustomerImport['onDuplicate']) => void
  onBack: () => void
  onFile: (file: File) => void
  onImport: () => void
}

/** What an import would do, its problems first. */
export function CheckStep(props: CheckStepProps) {
  const { preview, problem, reading, isBusy, onDuplicate, onBack, onFile, onImport } = props
  const t = useT('imports')
  const f = useFormat()
  const { problems } = preview
  const isFilling = onDuplicate === 'fill'
  const counts = countsOf(preview, isFilling)
  const willDo = counts.create + counts.fill
  const why = problems.length > 0 ? t('imports:check.fixFirst') : willDo === 0 ? t('imports:check.nothing') : null
  return (
    <>
      <div className="card-body stack">
        <FileProblem problem={problem} />
        <dl className="import-counts">
          {importActions.map((action) => (
            <div key={action} data-tone={tones[action]}>
              <dt>{t(`imports:check.${action}`)}</dt>
              <dd className="tabular">{f.number(counts[action])}</dd>
            </div>
          ))}
        </dl>
        {preview.counts.fill > 0 ? <Duplicates {...props} /> : null}
      </div>
      {problems.length > 0 ? <Problems problems={problems} /> : null}
      <Rows preview={preview} isFilling={isFilling} />
      <div className="card-body row spread import-foot">
        <ActionButton variant="default" onClick={onBack}>
          {t('imports:check.back')}
        </ActionButton>
        <div className="row">
          {problems.length > 0 ? (
            <FileButton label={t('imports:file.corrected')} isBusy={reading !== null} onFile={onFile} />
          ) : null}
          <ActionButton icon="check" loading={isBusy} disabledReason={why} onClick={onImport}>
            {t('imports:check.go', { count: willDo })}
          </ActionButton>
        </div>
      </div>
    </>
  )
}

/** What is not to be filled stays as it is. */
function countsOf({ counts }: ImportPreview, isFilling: boolean): ImportPreview['counts'] {
  return isFilling ? counts : { ...counts, fill: 0, skip: counts.skip + counts.fill }
}

/** Whether customers who are there already keep their blanks. */
function Duplicates({ onDuplicate, setOnDuplicate }: CheckStepProps) {
  const t = useT('imports')
  return (
    <div className="row">
      <span id="import-duplicates">{t('imports:check.duplicates')}</span>
      <SegmentedControl
        aria-labelledby="import-duplicates"
        value={onDuplicate}
        onChange={(value) => setOnDuplicate(value === 'fill' ? 'fill' : 'skip')}
        data={[
          { value: 'skip', label: t('imports:check.skipLabel') },
          { value: 'fill', label: t('imports:check.fillLabel') },
        ]}
      />
    </div>
  )
}

interface SectionProps {
  id: string
  title: string
  note?: ReactNode
  /** After that of the row's number. */
  headings: readonly string[]
  children: ReactNode
}

/** Rows of the file, by the numbers that the spreadsheet gives them. */
function Section({ id, title, note, headings, children }: SectionProps) {
  const t = useT('imports')
  return (
    <div>
      <div className="card-body import-section">
        <h2 className="card-title" id={id}>
          {title}
        </h2>
        {note ? <p className="muted">{note}</p> : null}
      </div>
      <div className="table-scroll import-tall" role="region" aria-labelledby={id} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col" className="end">
                {t('imports:check.row')}
              </th>
              {headings.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </div>
  )
}

function Problems({ problems }: { problems: ImportPreview['problems'] }) {
  const t = useT('imports')
  const more = problems.length >= maxProblems ? ` ${t('imports:check.firstProblems')}` : ''
  return (
    <Section
      id="import-problems"
      title={t('imports:check.problems')}
      note={`${t('imports:check.problemsText')}${more}`}
      headings={[t('imports:check.column'), t('imports:check.problem')]}
    >
      {problems.map(({ row, column, what }) => (
        <tr key={`${row} ${column} ${what}`}>
          <td className="end tabular">{row}</td>
          <td>
            <bdi>{column}</bdi>
          </td>
          <td>{inLanguage(what)}</td>
        </tr>
      ))}
    </Section>
  )
}

function Rows({ preview, isFilling }: { preview: ImportPreview; isFilling: boolean }) {
  const t = useT('imports')
  return (
    <Section
      id="import-rows"
      title={t('imports:check.rows')}
      note={preview.rows.length >= maxRows ? t('imports:check.firstRows') : null}
      headings={[t('imports:check.customer'), t('imports:check.action'), t('imports:check.notes')]}
    >
      {preview.rows.map(({ row, name, action: planned, matchName, warnings }) => {
        const action = planned === 'fill' && !isFilling ? 'skip' : planned
        const matched = matchName === null ? [] : [t('imports:check.matches', { name: matchName })]
        return (
          <tr key={row}>
            <td className="end tabular">{row}</td>
            <td>
              <bdi>{name}</bdi>
            </td>
            <td>
              <StatusChip status={action} tone={tones[action]} label={t(`imports:check.actions.${action}`)} />
            </td>
            <td className="muted">{[...matched, ...warnings.map(inLanguage)].join(' ')}</td>
          </tr>
        )
      })}
    </Section>
  )
}
