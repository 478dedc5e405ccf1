import { CloseButton, type TextInputProps } from '@mantine/core'
import { useState, type KeyboardEvent, type Ref } from 'react'
import { useT } from '../i18n/i18n.ts'
import { ComboInput } from './combo-input.tsx'
import type { ComboOption } from './combo-list.tsx'
import { Icon } from './icon.tsx'

export interface ChoiceInputProps extends Omit<
  TextInputProps,
  'value' | 'onChange' | 'defaultValue' | 'type' | 'readOnly'
> {
  label: string
  data: readonly ComboOption[]
  value: string | null
  onChange: (value: string | null) => void
  /** May be emptied, by the button in the field or the Delete key; the value is then null. */
  clearable?: boolean
  minWidth?: number
  ref?: Ref<HTMLInputElement>
}

const nothing = () => undefined

/** The next option that begins with a letter, from the chosen one on, as lists of the system do. */
function nextBy(letter: string, options: readonly ComboOption[], value: string | null): ComboOption | undefined {
  const from = options.findIndex((option) => option.value === value) + 1
  const inTurn = [...options.slice(from), ...options.slice(0, from)]
  return inTurn.find(({ label }) => label.toLowerCase().startsWith(letter.toLowerCase()))
}

/**
 * One of a few, all of them known: nothing but a field until its list is opened, by a click, the space bar or an arrow key.
 * A letter chooses the next option that begins with it; Enter in the closed field is the form's own.
 */
export function ChoiceInput({ data, value, onChange, clearable = false, onKeyDown, ...rest }: ChoiceInputProps) {
  const t = useT('common')
  const [isOpen, setOpen] = useState(false)
  const isEmptied = clearable && value !== null && rest.disabled !== true
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event)
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (isEmptied && (event.key === 'Delete' || event.key === 'Backspace')) onChange(null)
    if (event.key.length !== 1) return
    event.preventDefault()
    if (event.key === ' ') return setOpen(!isOpen)
    const next = nextBy(event.key, data, value)
    if (next) onChange(next.value)
  }
  return (
    <ComboInput
      {...rest}
      readOnly
      pointer
      listLabel={rest.label}
      text={data.find((option) => option.value === value)?.label ?? ''}
      onText={nothing}
      options={data}
      chosen={value}
      onPick={onChange}
      isOpen={isOpen}
      onOpen={setOpen}
      isCurrent
      onHurry={nothing}
      rightSection={
        isEmptied ? (
          <CloseButton
            size="sm"
            tabIndex={-1}
            aria-label={t('common:clear')}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChange(null)}
          />
        ) : (
          <Icon name="down" size={14} />
        )
      }
      rightSectionWidth={28}
      rightSectionPointerEvents={isEmptied ? 'all' : 'none'}
      onKeyDown={keys}
    />
  )
}
