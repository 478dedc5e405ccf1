import { UnstyledButton } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { jobsApi, type ScheduledJob } from '../../contract/jobs.ts'
import { serverMeta } from '../../contract/places.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { freshMs, jobName, reportText, scheduleText } from './job-text.ts'
import './jobs.css'

const JobSheet = whenOpen(() => import('./job-sheet.tsx').then((module) => module.JobSheet))

/** What whoever keeps the product running looks at: jobs that are due by the clock. */
export function Page() {
  const t = useT('scheduler')
  const may = useCan(jobsApi.list)
  return (
    <>
      <PageHeader title={t('scheduler:title')} subtitle={t('scheduler:subtitle')} />
      {may ? <Jobs /> : null}
    </>
  )
}

function Jobs() {
  const t = useT('scheduler')
  const go = useGo()
  const { job: opened } = useSearch({ strict: false }) as { job?: string }
  const show = (name: string | null) =>
    go(name ? `${serverMeta.path}?${new URLSearchParams({ job: name }).toString()}` : serverMeta.path, {
      isReplacing: true,
    })
  const jobs = useRead(jobsApi.list, {}, { refetchInterval: freshMs })
  const job = jobs.data?.items.find(({ name }) => name === opened)
  return (
    <Card isFlush>
      <Loaded of={jobs}>
        {({ items }) => (
          <div className="table-scroll" role="region" aria-label={t('scheduler:jobs')} tabIndex={0}>
            <table className="plain-table jobs">
              <thead>
                <tr>
                  <th scope="col">{t('scheduler:column.job')}</th>
                  <th scope="col" className="jobs-when">
                    {t('scheduler:column.schedule')}
                  </th>
                  <th scope="col">{t('scheduler:column.last')}</th>
                  <th scope="col" className="jobs-when">
                    {t('scheduler:column.next')}
                  </th>
                  <th scope="col">{t('scheduler:column.state')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((one) => (
                  <tr key={one.name}>
                    <th scope="row">
                      <UnstyledButton className="link" onClick={() => void show(one.name)}>
                        {jobName(one)}
                      </UnstyledButton>
                    </th>
                    <td className="jobs-when">{scheduleText(t, one.cron)}</td>
                    <td>
                      <LastRun job={one} />
                    </td>
                    <td className="jobs-when">{one.nextAt ? <DateText value={one.nextAt} as="time" /> : '–'}</td>
                    <td>
                      <JobState job={one} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
      {job ? <JobSheet job={job} onClose={() => void show(null)} /> : null}
    </Card>
  )
}

function LastRun({ job: { lastRun } }: { job: ScheduledJob }) {
  const t = useT('scheduler')
  if (!lastRun) return <span className="muted">{t('scheduler:never')}</span>
  return (
    <>
      <DateText value={lastRun.at} as="relative" />
      <span className={`block small ${lastRun.report.failed > 0 ? 'jobs-failed' : 'muted'}`}>
        {reportText(t, lastRun.report)}
      </span>
    </>
  )
}

function JobState({ job: { isPaused, lastRun } }: { job: ScheduledJob }) {
  const t = useT('scheduler')
  const state = isPaused ? 'paused' : lastRun && lastRun.report.failed > 0 ? 'failed' : 'active'
  const tone = { paused: 'warning', failed: 'error', active: 'success' } as const
  return <StatusChip status={state} tone={tone[state]} label={t(`scheduler:state.${state}`)} />
}
