import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Action, actionInput, type ActionInput, actionLimits, actionsApi } from '../../contract/actions.ts'
import type { ActionPreview } from '../../contract/actions.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { reasonText } from './action-chip.tsx'
import type { ActionValues } from './action-values.ts'
import { Replay } from './replay.tsx'

interface DryRunProps {
  read: () => ActionValues
  of?: Action
}

/** What the action would have done with what happened, as it is written now: nothing of it is done. */
export function DryRun({ read, of }: DryRunProps) {
  const t = useT('actions')
  const [asked, setAsked] = useState<ActionInput | null>(null)
  const [isUnfinished, setUnfinished] = useState(false)
  const run = () => {
    const parsed = actionInput.safeParse(read())
    setUnfinished(!parsed.success)
    setAsked(parsed.success ? parsed.data : null)
  }
  return (
    <Card title={t('actions:dryRun.title')}>
      <div className="stack">
        <p className="muted small no-margin">{t('actions:dryRun.text', { days: actionLimits.previewDays })}</p>
        <Button variant="default" onClick={run}>
          {t('actions:dryRun.button')}
        </Button>
        <div role="status">{isUnfinished ? <p className="no-margin">{t('actions:dryRun.unfinished')}</p> : null}</div>
        {asked ? <Outcome action={asked} {...(of ? { of } : {})} /> : null}
      </div>
    </Card>
  )
}

function Outcome({ action, of }: { action: ActionInput; of?: Action }) {
  const t = useT('actions')
  const preview = useRead(actionsApi.preview, { action, days: actionLimits.previewDays }, { keep: true })
  return (
    <Loaded of={preview}>
      {({ considered, wouldRun, items }) => (
        <>
          <p className="no-margin strong" role="status">
            {considered === 0
              ? t('actions:dryRun.nothing')
              : t('actions:dryRun.found', { runs: wouldRun, count: considered })}
          </p>
          {items.length > 0 ? (
            <ul className="action-items">
              {items.slice(0, shown).map((item) => (
                <li key={item.event.guid}>
                  <Item item={item} {...(of ? { of } : {})} />
                </li>
              ))}
            </ul>
          ) : null}
          {items.length > shown ? (
            <p className="muted small no-margin">{t('actions:dryRun.newest', { count: shown })}</p>
          ) : null}
        </>
      )}
    </Loaded>
  )
}
const shown = 50

function Item({
  item: { event, wouldRun, reason, effects },
  of,
}: {
  item: ActionPreview['items'][number]
  of?: Action
}) {
  const t = useT('actions')
  const link = pathTo(event.noun, event.record.guid)
  return (
    <>
      <div className="row spread">
        {link ? (
          <AppLink to={link}>
            <bdi>{event.record.label}</bdi>
          </AppLink>
        ) : (
          <bdi>{event.record.label}</bdi>
        )}
        <StatusChip
          status={wouldRun ? 'done' : 'skipped'}
          tone={wouldRun ? 'success' : 'neutral'}
          label={t(wouldRun ? 'actions:dryRun.runs' : 'actions:dryRun.skips')}
        />
      </div>
      <span className="block small muted">
        <DateText value={event.at} as="dateTime" />
        {reason ? ` · ${reasonText(t, reason)}` : ''}
      </span>
      {effects.map((effect) => (
        <span key={effect} className="block small">
          <bdi>{effect}</bdi>
        </span>
      ))}
      {wouldRun && of ? <Replay action={of} eventGuid={event.guid} label={event.record.label} /> : null}
    </>
  )
}
