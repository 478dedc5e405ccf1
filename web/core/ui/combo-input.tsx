import { Loader, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedValue, useMergedRef } from '@mantine/hooks'
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { ComboList, optionId, type ComboOption } from './combo-list.tsx'
import './combo-input.css'

export interface ComboInputProps extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue' | 'type'> {
  text: string
  onText: (text: string) => void
  options: readonly ComboOption[]
  chosen?: string | null
  onPick: (value: string) => void
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  /** Whether the options answer what is typed. Until they do, Enter waits for them and asks to hurry. */
  isCurrent: boolean
  onHurry: () => void
  /** Stands in an empty list; without it an empty list is not shown, and the field is for free text. */
  nothing?: string
  /** What Enter does that came before it was known whether there is something to pick; how often it was pressed. */
  onEnter?: (presses: number) => void
  minWidth?: number
  /** A click opens the list unless this is false. */
  opensByClick?: boolean
  /** Spoken name of the list. */
  listLabel: string
}

/** Which of the matches is marked, and what the keys do with it. */
function useMarked(props: ComboInputProps, field: RefObject<HTMLInputElement | null>) {
  const { text, options, chosen = null, onPick, isOpen, onOpen, isCurrent, onHurry, nothing, onEnter } = props
  const [moved, setMoved] = useState<{ text: string; to: number } | null>(null)
  /** How often Enter was pressed before there was something to pick. */
  const awaited = useRef(0)
  const isShown = isOpen && (options.length > 0 || nothing !== undefined)
  const canPick = options.flatMap(({ isDisabled }, index) => (isDisabled ? [] : [index]))
  const first = canPick.find((index) => options[index]?.value === chosen) ?? canPick[0] ?? -1
  const marked = moved?.text === text && canPick.includes(moved.to) ? moved.to : first
  const mark = (to: number) => (to === marked ? undefined : setMoved({ text, to }))

  const setOpen = (next: boolean) => {
    if (!next) awaited.current = 0
    setMoved(null)
    if (next !== isOpen) onOpen(next)
  }
  const pick = (value: string) => {
    setOpen(false)
    onPick(value)
  }
  const settle = useEffectEvent(() => {
    const presses = awaited.current
    awaited.current = 0
    const match = options[marked]
    if (match) pick(match.value)
    else if (document.activeElement !== field.current) setOpen(false)
    const left = match ? presses - 1 : presses
    // What cannot be picked says why, and stays until people have seen it.
    if (left > 0 && (match || options.length === 0)) onEnter?.(left)
  })
  useEffect(() => {
    if (isCurrent && isOpen && awaited.current > 0) settle()
  }, [isCurrent, isOpen])

  const enter = (event: KeyboardEvent<HTMLInputElement>) => {
    if (!isOpen) return
    const match = options[marked]
    if (!isCurrent) {
      event.preventDefault()
      awaited.current++
      onHurry()
    } else if (match) {
      event.preventDefault()
      pick(match.value)
    } else if (isShown) event.preventDefault()
  }
  const arrow = (event: KeyboardEvent<HTMLInputElement>, step: 1 | -1) => {
    event.preventDefault()
    if (!isOpen) setOpen(true)
    else if (canPick.length > 0) {
      const at = canPick.indexOf(marked) + step
      setMoved({ text, to: canPick.at(at % canPick.length) ?? first })
    }
  }
  const escape = (event: KeyboardEvent<HTMLInputElement>) => {
    if (!isShown) return
    event.preventDefault()
    event.stopPropagation()
    setOpen(false)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.altKey) return
    if (event.key === 'ArrowDown') arrow(event, 1)
    else if (event.key === 'ArrowUp') arrow(event, -1)
    else if (event.key === 'Enter') enter(event)
    else if (event.key === 'Escape') escape(event)
  }
  const typed = () => {
    awaited.current = 0
    setOpen(true)
  }
  /** What Enter has asked for is still picked when one has moved on meanwhile. */
  const left = () => {
    if (awaited.current === 0) setOpen(false)
  }
  return { isShown, marked, mark, pick, press, typed, left, open: () => setOpen(true) }
}

/**
 * A field with a list of matches: the first is marked, Enter picks the marked one and never sends a form, Escape closes
 * the list and nothing around it. The list opens by typing, a click, or an arrow key.
 */
export function ComboInput(props: ComboInputProps) {
  const {
    text,
    onText,
    options,
    chosen = null,
    onPick: _onPick,
    isOpen,
    onOpen: _onOpen,
    isCurrent,
    onHurry: _onHurry,
    nothing,
    onEnter: _onEnter,
    minWidth = 0,
    opensByClick = true,
    listLabel,
    onKeyDown,
    onBlur,
    onClick,
    ref,
    ...rest
  } = props
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const merged = useMergedRef(field, ref)
  const list = useMarked(props, field)
  const { isShown, marked } = list
  return (
    <>
      <TextInput
        autoComplete="off"
        {...rest}
        ref={merged}
        role="combobox"
        aria-haspopup="listbox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        {...(isShown && options[marked] ? { 'aria-activedescendant': optionId(listId, marked) } : {})}
        // Dialogs of the kit leave Escape to an element with this mark.
        {...(isShown ? { 'data-mantine-stop-propagation': 'true' } : {})}
        rightSection={isOpen && !isCurrent ? <Loader size={16} /> : rest.rightSection}
        value={text}
        onChange={(event) => {
          list.typed()
          onText(event.currentTarget.value)
        }}
        onClick={(event) => {
          if (opensByClick) list.open()
          onClick?.(event)
        }}
        onKeyDown={(event) => {
          list.press(event)
          onKeyDown?.(event)
        }}
        onBlur={(event) => {
          list.left()
          onBlur?.(event)
        }}
      />
      {isShown ? (
        <ComboList
          id={listId}
          label={listLabel}
          anchor={field}
          minWidth={minWidth}
          options={options}
          marked={marked}
          chosen={chosen}
          nothing={nothing}
          onMark={list.mark}
          onPick={list.pick}
        />
      ) : null}
    </>
  )
}

/** What is searched for while one types: a moment after the last key, or at once when hurried. */
export function useSearchText(wanted: string, afterMs = 150) {
  const [settled] = useDebouncedValue(wanted, afterMs)
  const [hurried, setHurried] = useState<string | null>(null)
  const search = hurried === wanted ? wanted : settled
  return { search, isSettled: search === wanted, hurry: () => setHurried(wanted) }
}
