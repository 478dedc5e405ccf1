import { useQuery, keepPreviousData } from '@tanstack/react-query'
import {
  Suspense,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react'
import { searchApi } from '../../../contract/search.ts'
import { spanOf } from '../api/business.ts'
import { useCan } from '../api/can.ts'
import { request } from '../api/client.ts'
import { readKey } from '../api/hooks.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useT } from '../i18n/i18n.ts'
import type { Namespace } from '../i18n/phrases.ts'
import { closeOverlay, takeTypedAhead } from '../layout/overlays.ts'
import { DateText } from '../ui/date-text.tsx'
import { Icon } from '../ui/icon.tsx'
import { Money } from '../ui/money.tsx'
import { StatusChip } from '../ui/status-chip.tsx'
import { unbroken } from '../ui/unbroken.tsx'
import { fits, useFoundGroups, useOwnItems, type Group, type Item } from './items.ts'
import { closeKey } from './keys.ts'
import { Sheet } from './sheet.tsx'

const restMs = 120
const leastLetters = 2

/** The text once the typing rests. */
function useRested(text: string) {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

function useGroups(typed: string) {
  const t = useT('palette')
  const asked = useRested(typed)
  const isAsking = asked.length >= leastLetters && typed.length >= leastLetters
  const mayAsk = useCan(searchApi.all)
  const found = useQuery({
    queryKey: readKey(searchApi.all, { q: asked, ...spanOf(searchApi.all) }),
    queryFn: ({ signal }) => request(searchApi.all, { q: asked, ...spanOf(searchApi.all) }, { signal }),
    enabled: mayAsk && isAsking,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: 0,
  })
  const own = useOwnItems()
  const toGroups = useFoundGroups()
  // What is found answers what was typed before until the typing rests and the answer to it is there.
  const isLooking = mayAsk && typed.length >= leastLetters && (asked !== typed || found.isFetching)
  const group = (key: string, label: string, items: Item[]): Group[] => (items.length ? [{ key, label, items }] : [])
  const matching = (items: Item[]) => items.filter((item) => fits(`${item.label} ${item.detail ?? ''}`, typed))
  const groups = typed
    ? [
        ...group('here', t('palette:here'), matching(own.here)),
        ...group('actions', t('palette:actions'), matching(own.actions).slice(0, 5)),
        ...(isAsking ? toGroups(found.data, asked) : []),
        ...group('pages', t('palette:pages'), matching(own.pages).slice(0, 6)),
        ...group('recent', t('palette:recent'), isAsking ? [] : matching(own.recent).slice(0, 4)),
      ]
    : [
        ...group('here', t('palette:here'), own.here),
        ...group('recent', t('palette:recent'), own.recent.slice(0, 6)),
        ...group('actions', t('palette:actions'), own.actions),
        ...group('pages', t('palette:pages'), own.pages),
      ]
  return { groups, isLooking, error: isAsking && !isLooking ? found.error : null }
}

/** Go to any permitted page, find any record, run any permitted action: by keyboard alone. */
export function Palette() {
  const t = useT('palette', 'common')
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [marked, setMarked] = useState<string | null>(null)
  // Whether Enter was pressed before what is listed answered what was typed, and for which window.
  const [awaited, setAwaited] = useState<'here' | 'apart' | null>(null)
  const wanted = typed.trim()
  const listed = useDeferredValue(wanted)
  const { groups, isLooking, error } = useGroups(listed)
  const text = useErrorText()
  const items = groups.flatMap((group) => group.items.map((item) => ({ ...item, key: `${group.key} ${item.id}` })))
  const at = Math.max(
    0,
    items.findIndex((item) => item.key === marked),
  )
  const current = items[at]
  const optionId = (key: string) => `${id}-${key.replace(/[^\w-]/g, '_')}`
  // Not as the first state: keys still come between the first drawing and the moment the field has the focus. Nor
  // later: the next key would take the place of what came before it.
  useLayoutEffect(() => {
    const ahead = takeTypedAhead()
    setTyped((text) => ahead + text)
  }, [])
  useEffect(() => {
    if (current) document.getElementById(optionId(current.key))?.scrollIntoView({ block: 'nearest' })
  })
  const run = (item: Item | undefined, isApart = false) => {
    if (!item) return
    if (item.to && isApart) return void window.open(item.to, '_blank', 'noopener')
    closeOverlay()
    void item.run()
  }
  // Who has moved to an entry means that one, whatever is still to come.
  const isSettled = (listed === wanted && !isLooking) || (current !== undefined && current.key === marked)
  const runAwaited = useEffectEvent(() => {
    setAwaited(null)
    run(current, awaited === 'apart')
  })
  useEffect(() => {
    if (awaited && isSettled) runAwaited()
  }, [awaited, isSettled])
  const onKey = (event: KeyboardEvent) => {
    const page = 8
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key]
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      const isApart = event.ctrlKey || event.metaKey
      if (isSettled) run(current, isApart)
      else setAwaited(isApart ? 'apart' : 'here')
    }
    if (step === undefined || !items.length) return
    event.preventDefault()
    const next =
      Math.abs(step) === 1
        ? (at + step + items.length) % items.length
        : Math.min(items.length - 1, Math.max(0, at + step))
    setAwaited(null)
    setMarked(items[next]?.key ?? null)
  }
  const isEmpty = !items.length && !isLooking && wanted !== ''
  return (
    <Sheet label={t('palette:title')} className="palette">
      <div className="palette-head">
        <Icon name="search" size={22} />
        <input
          className="palette-input"
          type="text"
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={current ? optionId(current.key) : undefined}
          aria-label={t('palette:placeholder')}
          placeholder={t('palette:placeholder')}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setMarked(null)
            setAwaited(null)
          }}
          onKeyDown={onKey}
        />
        <kbd className="key">{closeKey}</kbd>
      </div>
      <div className="palette-progress" data-on={isLooking} />
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={t('palette:results')} className="palette-list">
        {groups.map((group) => (
          <div key={group.key} role="group" aria-labelledby={`${id}-group-${group.key}`}>
            <p className="palette-group" id={`${id}-group-${group.key}`}>
              {group.label}
            </p>
            {group.items.map((item) => {
              const key = `${group.key} ${item.id}`
              return (
                <Option
                  key={key}
                  item={item}
                  id={optionId(key)}
                  isMarked={current?.key === key}
                  onMark={() => setMarked(key)}
                  onRun={() => run(item)}
                />
              )
            })}
          </div>
        ))}
      </div>
      {error ? <p className="palette-note">{text(error)}</p> : null}
      {isEmpty && !error ? <p className="palette-note">{t('palette:nothing', { text: wanted })}</p> : null}
      <p role="status" className="visually-hidden">
        {isLooking ? t('common:loading') : t('palette:count', { count: items.length })}
      </p>
    </Sheet>
  )
}

function nsOf({ kind }: Item): Namespace | undefined {
  if (kind === 'users') return 'people'
  if (kind === 'quotetemplates') return 'templates'
  return kind === 'contacts' ? undefined : kind
}

function Option({
  item,
  id,
  isMarked,
  onMark,
  onRun,
}: {
  item: Item
  id: string
  isMarked: boolean
  onMark: () => void
  onRun: () => void
}) {
  const ns = nsOf(item)
  return (
    // The field above has the focus and runs the marked option.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="option"
      id={id}
      tabIndex={-1}
      aria-selected={isMarked}
      className="palette-option"
      onClick={onRun}
      onPointerMove={isMarked ? undefined : onMark}
    >
      <span className="palette-icon">
        <Icon name={item.icon} size={20} />
      </span>
      <span className="palette-text">
        <span className="palette-label">{unbroken(item.label)}</span>
        {item.detail ? <span className="palette-detail">{unbroken(item.detail)}</span> : null}
      </span>
      {item.status ? (
        // The words of a noun may still be on their way: the field must keep the focus meanwhile.
        <Suspense>
          <StatusChip status={item.status} {...(ns ? { ns } : {})} />
        </Suspense>
      ) : null}
      {item.day || typeof item.amountCents === 'number' ? (
        <span className="palette-figures">
          {item.day ? <DateText value={item.day} /> : null}
          {typeof item.amountCents === 'number' ? <Money cents={item.amountCents} className="palette-amount" /> : null}
        </span>
      ) : null}
      {item.keys ? (
        <span className="palette-keys" aria-hidden="true">
          {item.keys.split(' ').map((key) => (
            <kbd key={key} className="key">
              {key}
            </kbd>
          ))}
        </span>
      ) : null}
    </div>
  )
}
