import { Portal } from '@mantine/core'
import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import { unbroken } from './unbroken.tsx'

export interface ComboOption {
  value: string
  label: string
  /** A second, quieter line. */
  hint?: ReactNode
  /** Makes something new instead of choosing what is there. */
  isAction?: boolean
  /** Shown, so that people see why, but not to be picked; its hint says why. */
  isDisabled?: boolean
}

export interface ComboListProps {
  id: string
  label: string
  anchor: RefObject<HTMLElement | null>
  /** At least as wide as its field, and as this. */
  minWidth: number
  options: readonly ComboOption[]
  marked: number
  chosen: string | null
  /** Stands in an empty list. */
  nothing: string | undefined
  onMark: (index: number) => void
  onPick: (value: string) => void
}

export const optionId = (listId: string, index: number) => `${listId}-${index}`

const gap = 4
const margin = 8
const maxHeight = 264
const leastHeight = 120

/** Below its field, or above where there is more room; never wider than the window. */
function place(list: HTMLElement, field: HTMLElement, minWidth: number) {
  const box = field.getBoundingClientRect()
  const view = window.visualViewport
  const top = view?.offsetTop ?? 0
  const below = top + (view?.height ?? window.innerHeight) - box.bottom - gap - margin
  const above = box.top - top - gap - margin
  const isAbove = below < Math.min(list.scrollHeight, maxHeight) && above > Math.max(below, leastHeight)
  const page = document.documentElement.clientWidth
  const width = Math.min(Math.max(box.width, minWidth), page - 2 * margin)
  const wanted = getComputedStyle(field).direction === 'rtl' ? box.right - width : box.left
  list.style.maxHeight = `${Math.max(leastHeight, Math.min(maxHeight, isAbove ? above : below))}px`
  list.style.width = `${width}px`
  list.style.left = `${Math.max(margin, Math.min(wanted, page - width - margin))}px`
  list.style.top = isAbove ? '' : `${box.bottom + gap}px`
  list.style.bottom = isAbove ? `${document.documentElement.clientHeight - box.top + gap}px` : ''
}

/** The list under a field that is searched: the field keeps the focus, the list is walked through from there. */
export const ComboList = (props: ComboListProps) => (
  <Portal>
    <Listed {...props} />
  </Portal>
)

/** Stands in the portal already when it is drawn for the first time, and so finds its place. */
function Listed({ id, label, anchor, minWidth, options, marked, chosen, nothing, onMark, onPick }: ComboListProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const stay = () => {
      if (list.current && anchor.current) place(list.current, anchor.current, minWidth)
    }
    stay()
    window.addEventListener('scroll', stay, true)
    window.addEventListener('resize', stay)
    window.visualViewport?.addEventListener('resize', stay)
    return () => {
      window.removeEventListener('scroll', stay, true)
      window.removeEventListener('resize', stay)
      window.visualViewport?.removeEventListener('resize', stay)
    }
  }, [anchor, minWidth, options])
  useLayoutEffect(() => {
    list.current?.querySelector('[data-marked]')?.scrollIntoView({ block: 'nearest' })
  }, [marked, options])
  return (
    // The focus stays in the field, which names the marked option.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      className="combo-list"
      onMouseDown={(event) => event.preventDefault()}
    >
      {options.map((option, index) => (
        // The keys are those of the field.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={option.value}
          id={optionId(id, index)}
          role="option"
          aria-selected={option.value === chosen}
          aria-disabled={option.isDisabled || undefined}
          className={option.isAction ? 'combo-option lookup-create' : 'combo-option lookup-option'}
          {...(index === marked ? { 'data-marked': true } : {})}
          onMouseMove={() => (option.isDisabled ? undefined : onMark(index))}
          onClick={() => (option.isDisabled ? undefined : onPick(option.value))}
        >
          <span>{unbroken(option.label)}</span>
          {option.hint ? <span className="combo-hint small">{unbroken(option.hint)}</span> : null}
        </div>
      ))}
      {options.length === 0 ? (
        <div className="combo-nothing muted" role="option" aria-selected={false} aria-disabled="true">
          {nothing}
        </div>
      ) : null}
    </div>
  )
}
