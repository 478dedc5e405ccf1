import { Fragment } from 'react'
import { eventLogApi, factsOf, type ListedEvent } from '../../contract/event-log.ts'
import { eventValues } from '../../contract/events.ts'
import { isNoun, pageOf, pathTo } from '../../contract/nouns.ts'
import { isList, type VariableFields, type VariableType } from '../../contract/template-variables.ts'
import { useMay } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import type { Answer as AnswerOf } from '../core/api/types.ts'
import { type Format, useFormat } from '../core/i18n/format.ts'
import { type T, useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { type KeyValue, KeyValueList } from '../core/ui/key-values.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { timelineTitle } from '../timeline/record-timeline.tsx'
import { EventRuns } from './event-runs.tsx'
import { doerText } from './event-text.ts'
import './events.css'

type Answer = AnswerOf<typeof eventLogApi.get>

export function Page() {
  const guid = useGuid()
  const read = useRead(eventLogApi.get, { guid })
  return <Loaded of={read}>{(answer) => <Preview {...answer} />}</Loaded>
}

function Preview({ event, chain }: Answer) {
  const t = useT('events', 'timeline')
  const f = useFormat()
  const may = useMay()
  return (
    <>
      <PageHeader
        title={timelineTitle({ what: event.key, values: event.values }, f)}
        subtitle={<DateText value={event.at} as="dateTime" />}
        crumbs={[{ to: pathTo('Events'), label: t('events:list.title') }]}
      />
      <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
        <Card title={t('events:details')}>
          <KeyValueList
            items={[
              {
                label: t('events:column.record'),
                value: (
                  <RecordLink noun={event.noun} guid={event.record.guid}>
                    <bdi>{unbroken(event.record.label)}</bdi>
                  </RecordLink>
                ),
              },
              { label: t('events:column.by'), value: <bdi>{doerText(t, event)}</bdi> },
              ...toldValues(t, f, event),
            ]}
          />
        </Card>
        {may(pageOf('Actions', 'view').can) ? (
          <Card title={t('events:runs.title')}>
            <EventRuns runs={event.runs} />
          </Card>
        ) : null}
        {chain.length > 1 ? (
          <Card title={t('events:chain.title')}>
            <Chain chain={chain} current={event.guid} />
          </Card>
        ) : null}
        <Card title={t('events:facts.title')}>
          <Facts event={event} />
        </Card>
      </div>
    </>
  )
}

/** What the line in the log says, by the names people have for it. */
function toldValues(t: T, f: Format, { values }: ListedEvent): KeyValue[] {
  return eventValues.flatMap((key) => {
    const value = values[key]
    if (value === undefined || value === null || value === '') return []
    const isMoney = key.endsWith('Cents') && typeof value === 'number'
    const text = isMoney ? f.money(value) : key === 'until' ? f.date(String(value)) : String(value)
    return [{ label: t(`events:value.${key}`), value: <bdi>{unbroken(text)}</bdi> }]
  })
}

interface Fact {
  path: string
  text: string
}
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** What is known, path by path as templates name it. */
function factsIn(t: T, f: Format, facts: Record<string, unknown>, fields: VariableFields, before = ''): Fact[] {
  return Object.entries(fields).flatMap(([name, type]) => {
    const value = facts[name]
    const path = `${before}${name}`
    if (value === undefined || value === null || value === '') return []
    if (typeof type === 'object' && !isList(type)) return isObject(value) ? factsIn(t, f, value, type, `${path}.`) : []
    return [{ path, text: factText(t, f, value, type) }]
  })
}
function factText(t: T, f: Format, value: unknown, type: VariableType): string {
  if (Array.isArray(value)) return t('events:facts.entries', { count: value.length })
  if (type === 'money' && typeof value === 'number') return f.money(value)
  if (type === 'date') return f.date(String(value))
  return String(value)
}

function Facts({ event }: { event: Answer['event'] }) {
  const t = useT('events')
  const f = useFormat()
  const fields = isNoun(event.noun) ? factsOf(event.noun) : null
  if (!fields) return <p className="muted no-margin">{t('events:facts.none')}</p>
  if (!event.facts) return <p className="muted no-margin">{t('events:facts.waiting')}</p>
  return (
    <>
      <p className="muted small">{t('events:facts.hint')}</p>
      <dl className="key-values event-facts">
        {factsIn(t, f, event.facts, fields).map(({ path, text }) => (
          <div key={path}>
            <dt>
              <code dir="ltr">
                {path.split('.').map((name, at) => (
                  <Fragment key={name}>
                    {at > 0 ? '.' : null}
                    <wbr />
                    {name}
                  </Fragment>
                ))}
              </code>
            </dt>
            <dd>
              <bdi>{unbroken(text)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** Everything that followed from the same event, each below what it followed from. */
function Chain({ chain, current }: { chain: readonly ListedEvent[]; current: string }) {
  const t = useT('events', 'timeline')
  const f = useFormat()
  return (
    <ol className="event-chain">
      {chain.map((event) => (
        <li
          key={event.guid}
          style={{ '--depth': event.depth } as React.CSSProperties}
          {...(event.guid === current ? { 'aria-current': 'true' as const } : {})}
        >
          {event.guid === current ? (
            <span className="strong">{unbroken(timelineTitle({ what: event.key, values: event.values }, f))}</span>
          ) : (
            <AppLink to={pathTo('Events', event.guid)} className="link">
              {unbroken(timelineTitle({ what: event.key, values: event.values }, f))}
            </AppLink>
          )}
          <span className="block small muted">
            <DateText value={event.at} as="dateTime" /> · <bdi>{doerText(t, event)}</bdi>
            {event.guid === current ? ` · ${t('events:chain.current')}` : null}
          </span>
        </li>
      ))}
    </ol>
  )
}
