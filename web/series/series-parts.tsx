import { useState } from 'react'
import { type Series, seriesApi } from '../../contract/series.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { endsText, everyText, riseText } from './series-text.ts'
import './series.css'

/** What a rise that was used is refused with, also before it is asked. */
const used = 'This rise has been used, so it can’t be undone.'

/** Beside the content: the days to come, and how they come about. */
export function SeriesRail({ series }: { series: Series }) {
  const t = useT('series', 'common')
  const f = useFormat()
  return (
    <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
      <Card title={t('series:nextDays')}>
        {series.next.length > 0 ? (
          <ol className="series-days">
            {series.next.map((day) => (
              <li key={day}>
                <DateText value={day} />
              </li>
            ))}
          </ol>
        ) : (
          <p className="muted series-note">{t('series:noDays')}</p>
        )}
      </Card>
      <Card title={t('series:schedule')}>
        <KeyValueList
          items={[
            { label: t('series:repeats'), value: everyText(t, series.every) },
            { label: t('series:first'), value: <DateText value={series.anchorOn} /> },
            { label: t('series:due'), value: <DateText value={series.dueOn} />, isHidden: !series.dueOn },
            { label: t('series:ends.label'), value: endsText(t, f, series.ends) },
            { label: t('series:mode'), value: t(`series:modes.${series.mode}`) },
            { label: t('series:catchUp'), value: f.number(series.catchUp) },
            {
              label: t('series:customer'),
              value: (
                <RecordLink noun="Customers" guid={series.customerGuid}>
                  {series.customer.displayName}
                </RecordLink>
              ),
            },
            { label: t('common:jobType'), value: series.jobType?.label, isHidden: !series.jobType },
          ]}
        />
      </Card>
    </div>
  )
}

/** What became of each cycle, the newest first. */
export function Cycles({ series: { cycles, cycleCount } }: { series: Series }) {
  const t = useT('series')
  if (cycles.length === 0)
    return (
      <Card title={t('series:cycles.title')}>
        <p className="muted series-note">{t('series:cycles.none')}</p>
      </Card>
    )
  return (
    <Card title={t('series:cycles.title')} isFlush>
      <div className="table-scroll" role="region" aria-label={t('series:cycles.table')} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('series:cycles.day')}</th>
              <th scope="col">{t('series:cycles.quote')}</th>
              <th scope="col">{t('series:statusLabel')}</th>
              <th scope="col" className="end">
                {t('series:price')}
              </th>
            </tr>
          </thead>
          <tbody>
            {cycles.map(({ n, on, quote, reason }) => (
              <tr key={n}>
                <th scope="row">
                  <DateText value={on} />
                </th>
                <td>
                  {quote ? (
                    <RecordLink noun="Quotes" guid={quote.guid}>
                      {quote.label}
                    </RecordLink>
                  ) : (
                    <span className="muted">{t(reason ? `series:reasons.${reason}` : 'series:cycles.hidden')}</span>
                  )}
                </td>
                <td>{quote ? <StatusChip status={quote.displayStatus} ns="quotes" /> : null}</td>
                <td className="end">{quote ? <Money cents={quote.totalCents} /> : null}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {cycleCount > cycles.length ? (
        <p className="muted card-body series-note">{t('series:cycles.newest', { count: cycles.length })}</p>
      ) : null}
    </Card>
  )
}

/** Rises of its prices: those to come, those that were used, and those that were taken back. */
export function Rises({ series: { rises } }: { series: Series }) {
  const t = useT('series', 'common')
  const f = useFormat()
  const mayUndo = useCan(seriesApi.undoRise)
  const undo = useWrite(seriesApi.undoRise)
  const [asked, setAsked] = useState<string | null>(null)
  if (rises.length === 0) return null
  const takeBack = async () => {
    if (asked === null) return
    await undo.mutateAsync({ guid: asked })
    toast.success(t('series:rise.undone'))
  }
  return (
    <Card title={t('series:rise.list')} isFlush>
      <div className="table-scroll" role="region" aria-label={t('series:rise.table')} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('series:rise.from')}</th>
              <th scope="col">{t('series:rise.by')}</th>
              <th scope="col" className="end">
                {t('series:rise.before')}
              </th>
              <th scope="col" className="end">
                {t('series:rise.after')}
              </th>
              <th scope="col">{t('series:statusLabel')}</th>
            </tr>
          </thead>
          <tbody>
            {rises.map((rise) => (
              <tr key={rise.guid}>
                <th scope="row">
                  <DateText value={rise.fromOn} />
                </th>
                <td>{riseText(t, f, rise)}</td>
                <td className="end">
                  <Money cents={rise.beforeCents} />
                </td>
                <td className="end">
                  <Money cents={rise.afterCents} />
                </td>
                <td>
                  {rise.undoneAt ? (
                    <StatusChip status="undone" tone="neutral" label={t('series:rise.states.undone')} />
                  ) : rise.isUsed ? (
                    <StatusChip status="used" tone="success" label={t('series:rise.states.used')} />
                  ) : (
                    <StatusChip status="planned" tone="primary" label={t('series:rise.states.planned')} />
                  )}{' '}
                  {mayUndo && !rise.undoneAt ? (
                    <ActionButton
                      size="compact-sm"
                      variant="default"
                      icon="undo"
                      loading={undo.isPending}
                      disabledReason={rise.isUsed ? inLanguage(used) : null}
                      onClick={() => setAsked(rise.riseGuid)}
                    >
                      {t('common:undo')}
                    </ActionButton>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ConfirmDialog
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        title={t('series:rise.undoAll')}
        confirmLabel={t('series:rise.undoAll')}
        onConfirm={takeBack}
      >
        {t('series:rise.undoText')}
      </ConfirmDialog>
    </Card>
  )
}
