import { useState, type KeyboardEvent } from 'react'
import { ComboInput } from './combo-input.tsx'
import { Icon } from './icon.tsx'
import type { ComboOption } from './combo-list.tsx'

export interface ListChoiceProps {
  className?: string
  label: string
  /** A longer name where the same label stands many times. */
  spoken: string
  options: readonly ComboOption[]
  value: string
  isDisabled?: boolean
  minWidth?: number
  onChange: (value: string) => void
}

const nothing = () => undefined

/** The next option that begins with a letter, from the chosen one on, as lists of the system do. */
function nextBy(letter: string, options: readonly ComboOption[], value: string): ComboOption | undefined {
  const from = options.findIndex((option) => option.value === value) + 1
  const inTurn = [...options.slice(from), ...options.slice(0, from)]
  return inTurn.find(({ label }) => label.toLowerCase().startsWith(letter.toLowerCase()))
}

/**
 * One of a few, for tables with many of them: nothing but a field until its list is opened, by a click, the space bar or an
 * arrow key. A letter chooses the next option that begins with it; Enter in the closed field is the table's own.
 */
export function ListChoice({ label, spoken, options, value, isDisabled = false, onChange, ...rest }: ListChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return
    event.preventDefault()
    if (event.key === ' ') return setOpen(!isOpen)
    const next = nextBy(event.key, options, value)
    if (next) onChange(next.value)
  }
  return (
    <ComboInput
      {...rest}
      readOnly
      pointer
      label={label}
      aria-label={spoken}
      listLabel={label}
      text={options.find((option) => option.value === value)?.label ?? ''}
      onText={nothing}
      options={options}
      chosen={value}
      onPick={onChange}
      disabled={isDisabled}
      isOpen={isOpen}
      onOpen={setOpen}
      isCurrent
      onHurry={nothing}
      rightSection={<Icon name="down" size={14} />}
      rightSectionWidth={28}
      rightSectionPointerEvents="none"
      onKeyDown={keys}
    />
  )
}
