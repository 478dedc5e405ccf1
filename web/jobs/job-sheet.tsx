import { Alert, Button, Tabs } from '@mantine/core'
import { useState } from 'react'
import {
  type JobRun,
  jobsApi,
  type PlanItem,
  restoredReason,
  type RunItem,
  type ScheduledJob,
} from '../../contract/jobs.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { PeekSheet } from '../core/ui/peek-sheet.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { callsOf, type JobCalls } from './job-calls.ts'
import { byText, freshMs, jobName, reasonText, reportText, scheduleText } from './job-text.ts'

interface JobSheetProps {
  job: ScheduledJob
  onClose: () => void
}

/** One job: what it would do now, what it leaves and why, and what its runs came to. */
export function JobSheet({ job, onClose }: JobSheetProps) {
  const t = useT('scheduler')
  const calls = callsOf(job)
  return (
    <PeekSheet
      isOpen
      onClose={onClose}
      title={jobName(job)}
      size="xl"
      actions={calls ? <Deeds job={job} calls={calls} /> : null}
    >
      {job.isPaused ? (
        <Alert color="yellow" variant="light">
          {job.pausedReason === restoredReason
            ? t('scheduler:restored')
            : job.pausedReason
              ? t('scheduler:pausedFor', { reason: job.pausedReason })
              : t('scheduler:paused')}
        </Alert>
      ) : null}
      <KeyValueList
        items={[
          { label: t('scheduler:column.schedule'), value: scheduleText(t, job.cron) },
          { label: t('scheduler:call'), value: <bdi dir="ltr">{`GET /api/v2${job.path}`}</bdi> },
          {
            label: t('scheduler:column.last'),
            value: job.lastRun ? (
              <>
                <DateText value={job.lastRun.at} as="dateTime" /> · {byText(t, job.lastRun.by)}
              </>
            ) : (
              t('scheduler:never')
            ),
          },
          {
            label: t('scheduler:column.next'),
            value: <DateText value={job.nextAt} as="dateTime" />,
            isHidden: !job.nextAt,
          },
        ]}
      />
      {calls ? <Looks calls={calls} /> : null}
    </PeekSheet>
  )
}

function Looks({ calls }: { calls: JobCalls }) {
  const t = useT('scheduler')
  const preview = useRead(calls.preview, {}, { refetchInterval: freshMs })
  const items = preview.data?.items ?? []
  const more = preview.data?.isPartial ? '+' : ''
  const planned = items.filter((item) => item.do)
  const left = items.filter((item) => !item.do)
  return (
    <Tabs defaultValue="planned" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="planned">{t('scheduler:tab.planned', { count: `${planned.length}${more}` })}</Tabs.Tab>
        <Tabs.Tab value="skipped">{t('scheduler:tab.skipped', { count: `${left.length}${more}` })}</Tabs.Tab>
        <Tabs.Tab value="runs">{t('scheduler:tab.runs')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="planned" pt="md">
        <Loaded of={preview}>
          {() => <Planned items={planned} calls={calls} empty={t('scheduler:empty.planned')} />}
        </Loaded>
      </Tabs.Panel>
      <Tabs.Panel value="skipped" pt="md">
        <Loaded of={preview}>
          {() => <Planned items={left} calls={calls} empty={t('scheduler:empty.skipped')} />}
        </Loaded>
      </Tabs.Panel>
      <Tabs.Panel value="runs" pt="md">
        <Runs calls={calls} />
      </Tabs.Panel>
    </Tabs>
  )
}

/** The words of an item lead to its record, where it is known of what noun that is. */
function ItemLink({ item, calls, children }: { item: PlanItem | RunItem; calls: JobCalls; children: string }) {
  const noun = calls.nounOf(item)
  if (noun === null) return <bdi>{children}</bdi>
  return (
    <bdi>
      <RecordLink noun={noun} guid={item.record.guid}>
        {children}
      </RecordLink>
    </bdi>
  )
}

interface PlannedProps {
  items: readonly PlanItem[]
  calls: JobCalls
  empty: string
}

function Planned({ items, calls, empty }: PlannedProps) {
  if (items.length === 0) return <p className="muted no-margin">{empty}</p>
  return (
    <ul className="job-items">
      {items.map((item) => (
        <li key={item.key}>
          {item.do ? (
            <ItemLink item={item} calls={calls}>
              {inLanguage(item.effect)}
            </ItemLink>
          ) : (
            <>
              <ItemLink item={item} calls={calls}>
                {item.record.label}
              </ItemLink>
              <span className="block small muted">
                {reasonText(item.reason)}
                {item.dueAt ? (
                  <>
                    {' · '}
                    <DateText value={item.dueAt} as="dateTime" />
                  </>
                ) : null}
              </span>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

const tones = { done: 'success', failed: 'error', skipped: 'neutral' } as const

function Runs({ calls }: { calls: JobCalls }) {
  const t = useT('scheduler')
  const runs = useRead(calls.runs, { size: 10 })
  return (
    <Loaded of={runs}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="muted no-margin">{t('scheduler:empty.runs')}</p>
        ) : (
          <>
            <ul className="job-items">
              {items.map((run) => (
                <li key={run.guid}>
                  <OneRun run={run} calls={calls} />
                </li>
              ))}
            </ul>
            <p className="small muted">{t('scheduler:leftOut')}</p>
          </>
        )
      }
    </Loaded>
  )
}

function OneRun({ run, calls }: { run: JobRun; calls: JobCalls }) {
  const t = useT('scheduler')
  return (
    <details>
      <summary>
        <DateText value={run.at} as="dateTime" /> · <bdi>{byText(t, run.by)}</bdi>
        <span className="block small muted">{reportText(t, run.report)}</span>
      </summary>
      <ul className="job-items">
        {run.items.map((item) => (
          <li key={item.key}>
            <RunLine item={item} calls={calls} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function RunLine({ item, calls }: { item: RunItem; calls: JobCalls }) {
  const t = useT('scheduler')
  const { outcome, effect, record, reason } = item
  return (
    <>
      <div className="row spread">
        <ItemLink item={item} calls={calls}>
          {effect === null ? record.label : inLanguage(effect)}
        </ItemLink>
        <StatusChip status={outcome} tone={tones[outcome]} label={t(`scheduler:outcome.${outcome}`)} />
      </div>
      {reason === null ? null : <span className="block small muted">{reasonText(reason)}</span>}
    </>
  )
}

function Deeds({ job, calls }: { job: ScheduledJob; calls: JobCalls }) {
  const t = useT('scheduler')
  const text = useErrorText()
  const [isAsking, setAsking] = useState(false)
  const onError = (error: unknown) => toast.error(text(error))
  const mayRun = useCan(calls.run)
  const mayPause = useCan(jobsApi.update)
  const name = jobName(job)
  const run = useWrite(calls.run, {
    onError,
    onSuccess: (report) => {
      if (report.isPaused) toast.info(t('scheduler:paused'))
      else if (report.isRunningAlready) toast.info(t('scheduler:runningAlready'))
      else toast.success(t('scheduler:ran', { name, report: reportText(t, report) }))
    },
  })
  const update = useWrite(jobsApi.update, { onError })
  const isRestored = job.pausedReason === restoredReason
  return (
    <>
      {mayRun ? (
        <Button disabled={job.isPaused} loading={run.isPending} onClick={() => run.mutate({})}>
          {t('scheduler:run')}
        </Button>
      ) : null}
      {mayPause && !isRestored ? (
        job.isPaused ? (
          <Button
            variant="default"
            loading={update.isPending}
            onClick={() =>
              update.mutate(
                { name: job.name, isPaused: false },
                { onSuccess: () => toast.success(t('scheduler:resumed', { name })) },
              )
            }
          >
            {t('scheduler:resume')}
          </Button>
        ) : (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('scheduler:pause')}
          </Button>
        )
      ) : null}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('scheduler:pauseTitle', { name })}
        confirmLabel={t('scheduler:pause')}
        reasonLabel={t('scheduler:why')}
        onConfirm={async (reason) => {
          await update.mutateAsync({ name: job.name, isPaused: true, reason })
          toast.success(t('scheduler:pausedToast', { name }))
        }}
      >
        <p className="no-margin">{t('scheduler:pauseText')}</p>
      </ConfirmDialog>
    </>
  )
}
