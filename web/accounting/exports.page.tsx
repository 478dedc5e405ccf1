import { exportFormats, exportsApi } from '../../contract/exports.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import { accounting } from '../../contract/places.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { Card } from '../core/ui/card.tsx'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { Money } from '../core/ui/money.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { ReportHead } from './report-head.tsx'
import { PeriodFields } from './period-fields.tsx'
import { usePeriod } from './use-period.ts'
import './accounting.css'

type Plan = Output<typeof exportsApi.plan>
type Sums = Plan['parts'][number]['sums']
type Asked = Input<typeof exportsApi.plan>

/** The sales and the journal of a period as files for another accounting program. */
export function Page() {
  const t = useT('accounting')
  const period = usePeriod(accounting.exports.path, ['format'])
  const { asked, set, from, to } = period
  const format = exportFormats.find((known) => known === asked.format) ?? 'xero'
  const read = useRead(exportsApi.plan, { format, from, to }, { keep: true, enabled: !period.isBackwards })
  return (
    <>
      <ReportHead
        title={t('accounting:exports.title')}
        subtitle={t('accounting:exports.subtitle')}
        from={from}
        to={to}
        actions={null}
      />
      <Card className="report">
        <PeriodFields period={period} onChange={(chosen) => void set(chosen)}>
          <ChoiceInput
            label={t('accounting:exports.format')}
            data={exportFormats.map((value) => ({ value, label: t(`accounting:exports.formats.${value}`) }))}
            value={format}
            onChange={(value) => void set({ format: value ?? undefined })}
          />
        </PeriodFields>
        <p className="muted no-margin">{t(`accounting:exports.hints.${format}`)}</p>
        {period.isBackwards ? null : (
          <Loaded of={read}>
            {(plan) => (
              <>
                <Problems problems={plan.problems} />
                <Parts plan={plan} asked={{ format, from, to }} />
              </>
            )}
          </Loaded>
        )}
      </Card>
    </>
  )
}

/** What the files can't do: it is done by hand in the other program. */
function Problems({ problems }: Pick<Plan, 'problems'>) {
  const t = useT('accounting')
  if (problems.length === 0) return null
  return (
    <section className="stack report-lines" aria-labelledby="export-problems">
      <h2 id="export-problems" className="card-title">
        {t('accounting:exports.problems')}
      </h2>
      <ul className="plain-list report-findings">
        {problems.map(({ noun, guid, label, text }) => (
          <li key={`${noun} ${guid}`}>
            <RecordLink noun={noun} guid={guid}>
              {label}
            </RecordLink>
            <span>{unbroken(inLanguage(text))}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Parts({ plan: { parts }, asked }: { plan: Plan; asked: Asked }) {
  const t = useT('accounting')
  if (parts.length === 0) return <EmptyState title={t('accounting:exports.empty')} />
  const count = (documents: number) =>
    asked.format === 'journal'
      ? t('accounting:exports.entries', { count: documents })
      : t('accounting:exports.documents', { count: documents })
  return (
    <section className="stack report-lines" aria-labelledby="export-files">
      <h2 id="export-files" className="card-title">
        {t('accounting:exports.files')}
      </h2>
      <ul className="plain-list report-files">
        {parts.map(({ part, name, documents, sums }) => (
          <li key={part}>
            <span>
              <bdi dir="ltr" className="strong">
                {name}
              </bdi>
              <span className="cell-sub">{count(documents)}</span>
              <Sums sums={sums} />
            </span>
            <DownloadButton
              op={exportsApi.file}
              input={{ ...asked, part }}
              aria-label={t('accounting:exports.downloadOne', { name })}
            >
              {t('accounting:exports.download')}
            </DownloadButton>
          </li>
        ))}
        {parts.length > 1 ? (
          <li>
            <span>
              <span className="strong">{t('accounting:exports.allFiles')}</span>
              <span className="cell-sub">{count(parts.reduce((sum, { documents }) => sum + documents, 0))}</span>
              <Sums sums={addedUp(parts.map(({ sums }) => sums))} />
            </span>
          </li>
        ) : null}
      </ul>
      <p className="muted small no-margin">{t('accounting:exports.controlHint')}</p>
    </section>
  )
}

function addedUp(all: readonly Sums[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const one of all) for (const [name, cents] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + cents
  return sums
}

const sumNames = ['net', 'gst', 'total', 'debit', 'credit'] as const

/** What a file comes to, to hold against the other program. */
function Sums({ sums }: { sums: Readonly<Record<string, number | undefined>> }) {
  const t = useT('accounting')
  return (
    <dl className="report-sums" aria-label={t('accounting:exports.control')}>
      {sumNames
        .flatMap((name) => (sums[name] === undefined ? [] : [{ name, cents: sums[name] }]))
        .map(({ name, cents }) => (
          <div key={name}>
            <dt className="muted small">{t(`accounting:exports.sums.${name}`)}</dt>
            <dd className="tabular">
              <Money cents={cents} />
            </dd>
          </div>
        ))}
    </dl>
  )
}
