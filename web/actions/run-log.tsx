import { useState } from 'react'
import { Button } from '@mantine/core'
import { effectSentence } from '../../contract/action-sentence.ts'
import { type Action, type ActionChoices, type ActionRun, actionsApi } from '../../contract/actions.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { languageNow } from '../core/i18n/store.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { reasonText, stateTone } from './action-chip.tsx'
import { namesIn } from './action-values.ts'
import { Replay } from './replay.tsx'

const freshMs = 15_000

/** What became of the action each time, the newest first, with what each step of it said. */
export function RunLog({ action, choices }: { action: Action; choices: ActionChoices }) {
  const t = useT('actions')
  const [size, setSize] = useState<10 | 25 | 50 | 100>(10)
  const runs = useRead(actionsApi.runs, { action: action.guid, size }, { refetchInterval: freshMs, keep: true })
  return (
    <Card title={t('actions:runs.title')}>
      <Loaded of={runs}>
        {({ items, page }) =>
          items.length === 0 ? (
            <p className="muted no-margin">{t('actions:runs.none')}</p>
          ) : (
            <div className="stack">
              <ul className="action-items">
                {items.map((run) => (
                  <li key={run.guid}>
                    <Run run={run} action={action} choices={choices} />
                  </li>
                ))}
              </ul>
              {page.next && size < 100 ? (
                <div>
                  <Button variant="default" onClick={() => setSize(size === 10 ? 25 : size === 25 ? 50 : 100)}>
                    {t('actions:runs.more')}
                  </Button>
                </div>
              ) : null}
            </div>
          )
        }
      </Loaded>
    </Card>
  )
}

function Run({ run, action, choices }: { run: ActionRun; action: Action; choices: ActionChoices }) {
  const t = useT('actions')
  const link = pathTo(run.noun, run.record.guid)
  return (
    <details className="action-run">
      <summary>
        <span className="row spread action-run-head">
          <bdi className="strong">{run.record.label || '–'}</bdi>
          <StatusChip status={run.state} tone={stateTone[run.state]} label={t(`actions:state.${run.state}`)} />
        </span>
        <span className="block small muted">
          <DateText value={run.at} as="dateTime" />
          {run.replay > 0 ? ` · ${t('actions:runs.replay')}` : ''}
          {run.reason ? ` · ${reasonText(t, run.reason)}` : ''}
        </span>
      </summary>
      <div className="stack action-trace">
        {run.state === 'waiting' ? (
          <span className="link small">
            {t('actions:runs.due')} <DateText value={run.dueAt} as="dateTime" />
          </span>
        ) : null}
        {run.trace.length === 0 ? <span className="small muted">{t('actions:runs.untouched')}</span> : null}
        <ol className="action-steps">
          {run.trace.map((line) => (
            <li key={`${line.at} ${line.what} ${line.index}`}>
              <Step line={line} action={action} choices={choices} />
            </li>
          ))}
        </ol>
        <div className="row">
          {link ? (
            <AppLink to={link} className="link small">
              {t('actions:runs.record')}
            </AppLink>
          ) : null}
          <AppLink to={pathTo('Events', run.event)} className="link small">
            {t('actions:runs.event')}
          </AppLink>
          <Replay action={action} eventGuid={run.event} label={run.record.label} />
        </div>
      </div>
    </details>
  )
}

interface StepProps {
  line: ActionRun['trace'][number]
  action: Action
  choices: ActionChoices
}

function Step({ line: { at, what, index, ok, said }, action, choices }: StepProps) {
  const t = useT('actions')
  const effect = action.effects[index]
  const title =
    what === 'effect' && effect
      ? effectSentence(effect, action.eventKey, languageNow(), namesIn(choices))
      : t(ok ? 'actions:runs.met' : 'actions:runs.notMet')
  return (
    <div className="action-step" data-ok={ok}>
      <Icon name={ok ? 'check' : 'stop'} size={16} />
      <span className="visually-hidden">{t(ok ? 'actions:runs.ok' : 'actions:runs.failed')}</span>
      <div>
        <bdi>{title}</bdi>
        <span className="block small muted">
          <DateText value={at} as="dateTime" />
          {said ? (
            <>
              {' · '}
              <bdi>{said}</bdi>
            </>
          ) : null}
        </span>
      </div>
    </div>
  )
}
