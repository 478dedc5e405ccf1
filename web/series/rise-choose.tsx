import { Checkbox, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { isSeriesLive, seriesApi, seriesStatuses } from '../../contract/series.ts'
import { request } from '../core/api/client.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { Money } from '../core/ui/money.tsx'
import { ErrorState, LoadingLines } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { everyText } from './series-text.ts'

type Item = ItemOf<typeof seriesApi.list>
export type Chosen = ReadonlySet<string>
/** As many as one rise takes. */
const most = 500
const status = seriesStatuses.filter(isSeriesLive).join(',')

interface Live {
  items: readonly Item[] | null
  error: unknown
}

/** The series whose prices can rise, all of them at once. */
export function useLiveSeries(): Live {
  const [live, setLive] = useState<Live>({ items: null, error: null })
  useEffect(() => {
    let isGone = false
    const load = async () => {
      const items: Item[] = []
      for (let after: string | null = ''; after !== null && items.length < most;) {
        const input = { status, sort: 'title', size: 100 as const, ...(after ? { after } : {}) }
        const answer: { items: Item[]; page: { next: string | null } } = await request(seriesApi.list, input)
        items.push(...answer.items)
        after = answer.page.next
      }
      if (!isGone) setLive({ items, error: null })
    }
    load().catch((error: unknown) => !isGone && setLive({ items: null, error }))
    return () => {
      isGone = true
    }
  }, [])
  return live
}

interface ChooseProps {
  live: Live
  chosen: Chosen
  setChosen: (chosen: Chosen) => void
  onNext: () => void
}

/** Which series: those that are shown can be chosen together. */
export function ChooseStep({ live: { items, error }, chosen, setChosen, onNext }: ChooseProps) {
  const t = useT('series')
  const [search, setSearch] = useState('')
  if (error) return <ErrorState error={error} />
  if (!items)
    return (
      <div className="card-body">
        <LoadingLines lines={5} />
      </div>
    )
  if (items.length === 0) return <EmptyState title={t('series:empty.title')} text={t('series:empty.text')} />
  const wanted = search.trim().toLowerCase()
  const shown = items.filter((item) => `${item.title} ${item.customerName}`.toLowerCase().includes(wanted))
  const areAll = shown.length > 0 && shown.every(({ guid }) => chosen.has(guid))
  const set = (guids: readonly string[], isIn: boolean) => {
    const next = new Set(chosen)
    for (const guid of guids)
      if (isIn) next.add(guid)
      else next.delete(guid)
    setChosen(next)
  }
  return (
    <>
      <div className="card-body">
        <TextInput
          aria-label={t('series:list.search')}
          placeholder={t('series:list.search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <div className="table-scroll" role="region" aria-label={t('series:list.title')} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">
                <Checkbox
                  aria-label={t('series:rise.all')}
                  checked={areAll}
                  onChange={() =>
                    set(
                      shown.map(({ guid }) => guid),
                      !areAll,
                    )
                  }
                />
              </th>
              <th scope="col">{t('series:name')}</th>
              <th scope="col">{t('series:every')}</th>
              <th scope="col">{t('series:next')}</th>
              <th scope="col">{t('series:statusLabel')}</th>
              <th scope="col" className="end">
                {t('series:price')}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((item) => (
              <tr key={item.guid}>
                <td>
                  <Checkbox
                    aria-label={item.title}
                    checked={chosen.has(item.guid)}
                    onChange={(event) => set([item.guid], event.currentTarget.checked)}
                  />
                </td>
                <th scope="row">
                  {item.title}
                  <span className="block muted small">{item.customerName}</span>
                </th>
                <td>{everyText(t, item.every)}</td>
                <td>
                  <DateText value={item.nextOn} />
                </td>
                <td>
                  <StatusChip status={item.status} ns="series" />
                </td>
                <td className="end">
                  <Money cents={item.totalCents} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="card-body row spread rise-foot">
        <span className="muted">{t('series:rise.chosen', { count: chosen.size })}</span>
        <ActionButton
          icon="next"
          disabledReason={chosen.size === 0 ? t('series:rise.chooseFirst') : null}
          onClick={onNext}
        >
          {t('series:rise.next')}
        </ActionButton>
      </div>
    </>
  )
}
