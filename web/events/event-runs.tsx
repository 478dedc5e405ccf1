import type { ActionRun } from '../../contract/actions.ts'
import { reasonText, stateTone } from '../actions/action-chip.tsx'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'

/** What became of the actions that waited for an event, each with what its steps said. */
export function EventRuns({ runs }: { runs: readonly ActionRun[] }) {
  const t = useT('events', 'actions')
  if (runs.length === 0) return <p className="muted no-margin">{t('events:runs.none')}</p>
  return (
    <ul className="event-runs">
      {runs.map((run) => (
        <li key={run.guid}>
          <div className="row spread">
            <RecordLink noun="Actions" guid={run.action.guid}>
              <bdi>{unbroken(run.action.label)}</bdi>
            </RecordLink>
            <StatusChip status={run.state} tone={stateTone[run.state]} label={t(`actions:state.${run.state}`)} />
          </div>
          <span className="block small muted">
            <DateText value={run.at} as="dateTime" />
            {run.replay > 0 ? ` · ${t('actions:runs.replay')}` : null}
            {run.reason ? ` · ${reasonText(t, run.reason)}` : null}
          </span>
          <Trace of={run} />
        </li>
      ))}
    </ul>
  )
}

function Trace({ of: { trace } }: { of: ActionRun }) {
  const t = useT('events', 'actions')
  if (trace.length === 0) return null
  return (
    <ol className="event-trace">
      {trace.map(({ at, what, index, ok, said }) => (
        <li key={`${at} ${what} ${index}`} data-ok={ok}>
          <Icon name={ok ? 'check' : 'stop'} size={16} />
          <span className="visually-hidden">{t(ok ? 'actions:runs.ok' : 'actions:runs.failed')}</span>
          <span>
            {what === 'effect'
              ? t('events:runs.step', { count: index + 1 })
              : t(ok ? 'actions:runs.met' : 'actions:runs.notMet')}
            {said ? (
              <span className="small muted">
                {' · '}
                <bdi>{unbroken(said)}</bdi>
              </span>
            ) : null}
          </span>
        </li>
      ))}
    </ol>
  )
}
