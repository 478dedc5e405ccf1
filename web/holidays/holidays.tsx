import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type State, states } from '../../contract/core/address.ts'
import { formatPattern } from '../../contract/core/dates.ts'
import { holidayOn } from '../../contract/core/holidays.ts'
import { type HolidayOfBusiness, holidaysApi, holidayYears, type ShownHoliday } from '../../contract/holidays.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useMay } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { localeOf } from '../core/i18n/languages.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { useGo } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { beginsAt } from './holiday-fields.ts'
import './holidays.css'

const AddHoliday = whenOpen(() => import('./holiday-form.tsx').then((module) => module.AddHoliday))
const EditHoliday = whenOpen(() => import('./holiday-form.tsx').then((module) => module.EditHoliday))

/** So many years before and after the one that is shown can be chosen. */
const around = 5

interface Row extends Omit<ShownHoliday, 'changeGuid'> {
  /** What the business keeps otherwise; null: as the state has it. */
  change: HolidayOfBusiness | null
}

/** The year as it is kept, and among its days those that were removed. */
function rowsOf(holidays: readonly ShownHoliday[], changes: readonly HolidayOfBusiness[]): Row[] {
  const byGuid = new Map(changes.map((change) => [change.guid, change]))
  const removed = changes.filter(({ isAdded }) => !isAdded).map((change) => ({ ...change, isProclaimed: true, change }))
  const kept = holidays.map(({ changeGuid, ...holiday }) => ({
    ...holiday,
    change: changeGuid === null ? null : (byGuid.get(changeGuid) ?? null),
  }))
  return [...kept, ...removed].toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

/** What the state itself calls a day, whatever the business keeps. */
const stateHolidayOn = (state: State, day: string) => holidayOn(state, day)?.name ?? null

const isKept = (year = '') =>
  /^\d{4}$/.test(year) && Number(year) >= holidayYears.first && Number(year) <= holidayYears.last

/** The public holidays of a state in a year, and what the business keeps otherwise. */
export function Holidays() {
  const t = useT('setup')
  const may = useMay()
  const go = useGo()
  const search = useSearch({ strict: false }) as { state?: string; year?: string }
  const [adding, setAdding] = useState<State | null>(null)
  const asked = {
    ...(states.find((state) => state === search.state) ? { state: search.state as State } : {}),
    ...(isKept(search.year) ? { year: Number(search.year) } : {}),
  }
  const read = useRead(holidaysApi.list, asked, { keep: true })
  const set = (change: { state?: string | null; year?: string | null }) => {
    const next = Object.entries({ ...search, ...change }).filter((pair): pair is [string, string] => Boolean(pair[1]))
    return go(`${pathTo('Holidays') ?? ''}?${new URLSearchParams(next).toString()}`, { isReplacing: true })
  }
  return (
    <Loaded of={read}>
      {({ state, year, holidays, changes }) => (
        <Card
          title={state ? `${state} ${year}` : null}
          actions={
            state && may(holidaysApi.create) ? (
              <ActionButton icon="create" onClick={() => setAdding(state)}>
                {t('setup:holidays.add')}
              </ActionButton>
            ) : null
          }
        >
          <div className="stack">
            <div className="grid-3 form-grid no-print">
              <ChoiceInput
                label={t('setup:holidays.state')}
                data={states.map((value) => ({ value, label: value }))}
                value={state}
                onChange={(value) => void set({ state: value })}
              />
              <ChoiceInput
                label={t('setup:holidays.year')}
                data={yearsAround(year).map((value) => ({ value, label: value }))}
                value={String(year)}
                onChange={(value) => void set({ year: value })}
              />
            </div>
            {state === null ? (
              <EmptyState title={t('setup:holidays.noState')} text={t('setup:holidays.noStateText')} />
            ) : (
              <HolidayTable rows={rowsOf(holidays, changes)} />
            )}
          </div>
          {adding ? (
            <AddHoliday
              state={adding}
              nameOf={stateHolidayOn}
              onAdded={(change) => void set({ state: change.state, year: change.day.slice(0, 4) })}
              onClose={() => setAdding(null)}
            />
          ) : null}
        </Card>
      )}
    </Loaded>
  )
}

const yearsAround = (year: number) =>
  Array.from({ length: 2 * around + 1 }, (_, n) => year - around + n)
    .map(String)
    .filter(isKept)

function HolidayTable({ rows }: { rows: readonly Row[] }) {
  const t = useT('setup')
  const f = useFormat()
  const locale = localeOf(useLanguage())
  const weekday = (day: string) => formatPattern(day, 'l', { zone: 'UTC', locale })
  return (
    <>
      <div className="table-scroll" role="region" aria-label={t('setup:holidays.title')} tabIndex={0}>
        <table className="plain-table holidays">
          <thead>
            <tr>
              <th scope="col">{t('setup:holidays.day')}</th>
              <th scope="col">{t('setup:holidays.name')}</th>
              <th scope="col">{t('setup:holidays.hours')}</th>
              <th scope="col">{t('setup:holidays.changed')}</th>
              <th scope="col" className="no-print">
                {t('setup:holidays.actions')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.day}>
                <th scope="row">
                  <DateText value={row.day} />
                  <span className="cell-sub">{weekday(row.day)}</span>
                </th>
                <td>
                  {row.change?.isAdded === false ? <s>{row.name}</s> : <bdi>{row.name}</bdi>}
                  {row.isProclaimed ? null : <span className="cell-sub">{t('setup:holidays.notProclaimed')}</span>}
                </td>
                <td>
                  {row.fromMin === null
                    ? t('setup:holidays.wholeDay')
                    : t('setup:holidays.fromTime', { time: beginsAt(f, row.day, row.fromMin) })}
                </td>
                <td>{row.change ? <Changed change={row.change} /> : null}</td>
                <td className="no-print">
                  <Actions row={row} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="muted no-margin">{t('setup:holidays.regional')}</p>
    </>
  )
}

/** What was changed, by whom and when. */
function Changed({ change }: { change: HolidayOfBusiness }) {
  const t = useT('setup')
  const isOfState = stateHolidayOn(change.state, change.day) !== null
  const status = change.isAdded ? (isOfState ? 'changed' : 'added') : 'removed'
  return (
    <>
      <StatusChip status={status} tone={change.isAdded ? 'info' : 'neutral'} label={t(`setup:holidays.is.${status}`)} />
      <span className="cell-sub">
        {change.updatedBy ? <bdi>{change.updatedBy}</bdi> : null} <DateText value={change.updatedAt} as="relative" />
      </span>
    </>
  )
}

function Actions({ row: { state, day, name, change } }: { row: Row }) {
  const t = useT('setup')
  const may = useMay()
  const text = useErrorText()
  const [isEdited, setEdited] = useState(false)
  const onError = (error: unknown) => toast.error(text(error))
  const undo = useWrite(holidaysApi.remove, {
    onSuccess: () => toast.success(t('setup:holidays.undone', { name })),
    onError,
  })
  const remove = useWrite(holidaysApi.create, {
    onSuccess: () => toast.success(t('setup:holidays.removed', { name })),
    onError,
  })
  return (
    <div className="row">
      {change?.isAdded && may(holidaysApi.update) ? (
        <button
          type="button"
          className="link"
          aria-label={t('setup:holidays.editOne', { name })}
          onClick={() => setEdited(true)}
        >
          {t('setup:holidays.editShort')}
        </button>
      ) : null}
      {may(change ? holidaysApi.remove : holidaysApi.create) ? (
        // One button for both, so that whoever pressed it keeps the focus.
        <button
          type="button"
          className="link"
          aria-label={t(change ? 'setup:holidays.undoOne' : 'setup:holidays.removeOne', { name })}
          onClick={() => (change ? undo.mutate({ guid: change.guid }) : remove.mutate({ state, day, isAdded: false }))}
        >
          {t(change ? 'setup:holidays.undo' : 'setup:holidays.remove')}
        </button>
      ) : null}
      {isEdited && change ? <EditHoliday change={change} onClose={() => setEdited(false)} /> : null}
    </div>
  )
}
