import { ActionIcon, Button, Checkbox, CloseButton, TextInput } from '@mantine/core'
import { lazy, Suspense, useEffect, useEffectEvent, useId, useState } from 'react'
import type { Op } from '../../../../contract/core/op.ts'
import { download } from '../../api/client.ts'
import { useCan } from '../../api/can.ts'
import { useErrorText } from '../../i18n/errors.ts'
import { useT } from '../../i18n/i18n.ts'
import { DateInput } from '../date-input.tsx'
import { Dropdown } from '../dropdown.tsx'
import { Icon } from '../icon.tsx'
import { LoadingLines } from '../states.tsx'
import { toast } from '../toast.tsx'
import type { ListState } from './list-state.ts'
import type { Column, Filter } from './types.ts'

const searchDelayMs = 250
/** Opened now and then: fetched when it is. */
const Views = lazy(() => import('./views.tsx').then((module) => ({ default: module.Views })))

function SearchBox({ state, placeholder }: { state: ListState; placeholder: string }) {
  const t = useT('common')
  const [typed, setTyped] = useState(state.search)
  const [known, setKnown] = useState(state.search)
  // The address changed by other means: back button, tiles, "clear".
  if (known !== state.search) {
    setKnown(state.search)
    setTyped(state.search)
  }
  const commit = useEffectEvent(() => {
    if (typed.trim() !== state.search) state.set({ search: typed.trim() }, { isReplacing: true })
  })
  useEffect(() => {
    const timer = setTimeout(commit, searchDelayMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <TextInput
      type="search"
      className="table-search"
      aria-label={placeholder}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={18} />}
      value={typed}
      maxLength={100}
      onChange={(event) => setTyped(event.currentTarget.value)}
      rightSection={
        typed ? <CloseButton size="sm" aria-label={t('common:clear')} onClick={() => setTyped('')} /> : null
      }
    />
  )
}

function OnceShown({ tell }: { tell: () => void }) {
  const shown = useEffectEvent(tell)
  useEffect(() => shown(), [])
  return null
}

/** Choices as a list of boxes in a popover: any number of them, or one. */
function ChoiceFilter({
  filter,
  value,
  set,
}: {
  filter: Extract<Filter, { type: 'one' | 'many' }>
  value: string | null
  set: (value: string | null) => void
}) {
  const t = useT('common')
  const chosen = value ? value.split(',') : []
  const options = filter.options ?? []
  const labels = options.filter((option) => chosen.includes(option.value)).map((option) => option.label)
  const shown = labels.length > 2 ? t('common:table.chosen', { count: labels.length }) : labels.join(', ')
  const toggle = (key: string, isOn: boolean) => {
    if (filter.type === 'one') return set(isOn ? key : null)
    const next = options
      .map((option) => option.value)
      .filter((candidate) => (candidate === key ? isOn : chosen.includes(candidate)))
    set(next.join(',') || null)
  }
  return (
    <Dropdown
      align="start"
      button={(props) => (
        <button {...props} type="button" className="filter-button" data-on={chosen.length > 0}>
          <span className="filter-text">{shown ? `${filter.label}: ${shown}` : filter.label}</span>
          <Icon name="down" size={16} />
        </button>
      )}
    >
      {() => (
        <fieldset className="choices">
          <legend className="visually-hidden">{filter.label}</legend>
          {filter.options ? null : <LoadingLines lines={2} />}
          {filter.onOpen ? <OnceShown tell={filter.onOpen} /> : null}
          {options.map((option) => (
            <Checkbox
              key={option.value}
              size="sm"
              label={option.label}
              checked={chosen.includes(option.value)}
              onChange={(event) => toggle(option.value, event.currentTarget.checked)}
            />
          ))}
          {chosen.length ? (
            <Button variant="subtle" size="compact-sm" onClick={() => set(null)}>
              {t('common:clear')}
            </Button>
          ) : null}
        </fieldset>
      )}
    </Dropdown>
  )
}

function FilterControl({ filter, state }: { filter: Filter; state: ListState }) {
  const t = useT('common')
  const value = state.values[filter.field] ?? null
  const set = (next: string | null) => state.set({ [filter.field]: next })
  if (filter.type === 'own') return filter.render(value, set)
  if (filter.type !== 'days') return <ChoiceFilter filter={filter} value={value} set={set} />
  const days = (['gte', 'lte'] as const).map((end) => {
    const field = `${filter.field}.${end}`
    const label = t(end === 'gte' ? 'common:table.from' : 'common:table.until', { name: filter.label })
    return (
      <DateInput
        key={end}
        aria-label={label}
        title={label}
        placeholder={label}
        value={state.values[field] ?? ''}
        onChange={(day) => state.set({ [field]: day })}
        w={160}
      />
    )
  })
  return <span className="row filter-days">{days}</span>
}

function ColumnChoice<T>({ columns, state }: { columns: readonly Column<T>[]; state: ListState }) {
  const t = useT('common')
  const chosen = state.columns ?? columns.filter((column) => !column.isHidden).map((column) => column.id)
  const toggle = (id: string, isOn: boolean) => {
    const next = columns
      .filter(({ id: key, card }) => card === 'title' || (key === id ? isOn : chosen.includes(key)))
      .map((column) => column.id)
    if (next.length) state.set({ columns: next.join(',') }, { isReplacing: true })
  }
  return (
    <Dropdown
      button={(props) => (
        <ActionIcon
          {...props}
          variant="default"
          size={36}
          aria-label={t('common:table.columns')}
          title={t('common:table.columns')}
        >
          <Icon name="columns" size={18} />
        </ActionIcon>
      )}
    >
      {() => (
        <fieldset className="choices">
          <legend>{t('common:table.columns')}</legend>
          {columns.map((column) => (
            <Checkbox
              key={column.id}
              size="sm"
              label={column.header}
              checked={column.card === 'title' || chosen.includes(column.id)}
              // What a row is called stays: without it nothing leads to the record.
              disabled={column.card === 'title' || (chosen.length === 1 && chosen.includes(column.id))}
              onChange={(event) => toggle(column.id, event.currentTarget.checked)}
            />
          ))}
          {state.columns ? (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => state.set({ columns: null }, { isReplacing: true })}
            >
              {t('common:table.resetColumns')}
            </Button>
          ) : null}
        </fieldset>
      )}
    </Dropdown>
  )
}

function ViewsButton({ subject, state }: { subject: string; state: ListState }) {
  const t = useT('common')
  return (
    <Dropdown
      button={(props) => (
        <ActionIcon
          {...props}
          variant="default"
          size={36}
          aria-label={t('common:table.views')}
          title={t('common:table.views')}
        >
          <Icon name="views" size={18} />
        </ActionIcon>
      )}
    >
      {(close) => (
        <Suspense fallback={<LoadingLines lines={2} />}>
          <Views subject={subject} state={state} close={close} />
        </Suspense>
      )}
    </Dropdown>
  )
}

function ExportButton({ op, input }: { op: Op; input: object }) {
  const t = useT('common')
  const text = useErrorText()
  const isAllowed = useCan(op)
  const [isBusy, setBusy] = useState(false)
  if (!isAllowed) return null
  const go = async () => {
    setBusy(true)
    // The file holds every row of the search, not one page of it.
    const { page: _page, size: _size, ...rest } = input as Record<string, unknown>
    await download(op, rest as never).catch((error: unknown) => toast.error(text(error)))
    setBusy(false)
  }
  return (
    <ActionIcon
      variant="default"
      size={36}
      loading={isBusy}
      aria-label={t('common:table.export')}
      title={t('common:table.export')}
      onClick={() => void go()}
    >
      <Icon name="download" size={18} />
    </ActionIcon>
  )
}

export interface ToolbarProps<T> {
  state: ListState
  columns: readonly Column<T>[]
  filters: readonly Filter[]
  hasSearch: boolean
  searchPlaceholder: string
  exportOp: Op | undefined
  exportInput: object
  label: string
  isPhone: boolean
  isWide: boolean
  /** The right to read the list, whose saved views it offers; none inside other pages. */
  viewsOf: string | null
}

const isSet = (filter: Filter, state: ListState) =>
  Boolean(state.values[filter.field] ?? state.values[`${filter.field}.gte`] ?? state.values[`${filter.field}.lte`])

/**
 * The filters that stand beside the search: choices, as many as there is room for. One alone is
 * not worth a button of its own.
 */
function inRow(
  filters: readonly Filter[],
  { isPhone, isWide }: { isPhone: boolean; isWide: boolean },
): readonly Filter[] {
  if (isPhone) return []
  const most = isWide ? 2 : 1
  const first = filters.filter((filter) => filter.type === 'one' || filter.type === 'many').slice(0, most)
  return filters.length <= first.length ? filters : first
}

/** Search, the first filters, columns and export of a list in one row; the other filters in one below that opens. */
export function Toolbar<T>({
  state,
  columns,
  filters,
  hasSearch,
  searchPlaceholder,
  exportOp,
  exportInput,
  label,
  isPhone,
  isWide,
  viewsOf,
}: ToolbarProps<T>) {
  const t = useT('common')
  const panelId = useId()
  const first = inRow(filters, { isPhone, isWide })
  const rest = filters.filter((filter) => !first.includes(filter))
  const active = rest.filter((filter) => isSet(filter, state)).length
  // What a list is narrowed by stands in view when one comes to it.
  const [isOpen, setOpen] = useState(!isPhone && active > 0)
  const controls = (some: readonly Filter[]) =>
    some.map((filter) => <FilterControl key={filter.field} filter={filter} state={state} />)
  if (!hasSearch && !filters.length && !exportOp) return null
  const more = { 'aria-expanded': isOpen, 'aria-controls': panelId, onClick: () => setOpen(!isOpen) }
  return (
    <div className="table-toolbar no-print" role="search" aria-label={label}>
      {hasSearch ? <SearchBox state={state} placeholder={searchPlaceholder} /> : null}
      {controls(first)}
      {rest.length && !isPhone ? (
        <button {...more} type="button" className="filter-button" data-on={active > 0}>
          <span className="filter-text">
            {active ? t('common:table.moreFiltersOn', { count: active }) : t('common:table.moreFilters')}
          </span>
          <Icon name="filter" size={16} />
        </button>
      ) : null}
      {state.isFiltered && !isPhone ? (
        <ActionIcon
          variant="subtle"
          size={36}
          aria-label={t('common:table.clearFilters')}
          title={t('common:table.clearFilters')}
          onClick={state.clear}
        >
          <Icon name="close" size={18} />
        </ActionIcon>
      ) : null}
      <div className="table-tools">
        {isPhone && filters.length ? (
          <ActionIcon {...more} variant={active ? 'light' : 'default'} size={36} aria-label={t('common:table.filters')}>
            <Icon name="filter" size={18} />
          </ActionIcon>
        ) : null}
        {viewsOf ? <ViewsButton subject={viewsOf} state={state} /> : null}
        {isPhone ? null : <ColumnChoice columns={columns} state={state} />}
        {exportOp ? <ExportButton op={exportOp} input={exportInput} /> : null}
      </div>
      <div id={panelId} className="more-filters" hidden={!isOpen || rest.length === 0}>
        {isOpen ? controls(rest) : null}
      </div>
    </div>
  )
}
