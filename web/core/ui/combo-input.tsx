import { Loader, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedValue, useMergedRef } from '@mantine/hooks'
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react'
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
  /** What a second Enter does that came before the first could pick. */
  onEnter?: () => void
  minWidth?: number
  /** A click opens the list unless this is false. */
  opensByClick?: boolean
  /** Spoken name of the list. */
  listLabel: string
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
    onPick,
    isOpen,
    onOpen,
    isCurrent,
    onHurry,
    nothing,
    onEnter,
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
  const [moved, setMoved] = useState<{ text: string; to: number } | null>(null)
  const awaited = useRef(0)
  const isShown = isOpen && (options.length > 0 || nothing !== undefined)
  const first = Math.max(
    0,
    options.findIndex(({ value }) => value === chosen),
  )
  const marked = moved?.text === text && moved.to < options.length ? moved.to : first

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
    if (presses > 1 || !match) onEnter?.()
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
    } else if (nothing !== undefined) event.preventDefault()
  }
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.altKey) return onKeyDown?.(event)
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) setOpen(true)
      else if (options.length)
        setMoved({ text, to: (marked + (event.key === 'ArrowDown' ? 1 : options.length - 1)) % options.length })
    } else if (event.key === 'Enter') enter(event)
    else if (event.key === 'Escape' && isShown) {
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    }
    onKeyDown?.(event)
  }
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
          awaited.current = 0
          setOpen(true)
          onText(event.currentTarget.value)
        }}
        onClick={(event) => {
          if (opensByClick) setOpen(true)
          onClick?.(event)
        }}
        onKeyDown={keys}
        onBlur={(event) => {
          // What Enter has asked for is still picked when one has moved on meanwhile.
          if (awaited.current === 0) setOpen(false)
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
          onMark={(to) => (to === marked ? undefined : setMoved({ text, to }))}
          onPick={pick}
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
