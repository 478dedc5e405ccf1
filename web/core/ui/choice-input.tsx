import { CloseButton, type TextInputProps } from '@mantine/core'
import { useRef, useState, type KeyboardEvent, type Ref } from 'react'
import { useT } from '../i18n/i18n.ts'
import { ComboInput } from './combo-input.tsx'
import type { ComboOption } from './combo-list.tsx'
import { Icon } from './icon.tsx'
import { optionFor, type Typed, typedOn } from './type-ahead.ts'

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
const noWord: Typed = { text: '', at: -Infinity }

/**
 * One of a few, all of them known: nothing but a field until its list is opened, by a click, the space bar or an arrow
 * key. Letters choose the option that begins with them, and Enter behind them ends the choice; any other Enter in the
 * closed field is the form's own.
 */
export function ChoiceInput({
  data,
  value,
  onChange,
  clearable = false,
  onKeyDown,
  onBlur,
  ...rest
}: ChoiceInputProps) {
  const t = useT('common')
  const [isOpen, setOpen] = useState(false)
  const typed = useRef(noWord)
  const isEmptied = clearable && value !== null && rest.disabled !== true
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event)
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (isEmptied && (event.key === 'Delete' || event.key === 'Backspace')) onChange(null)
    if (event.key.length !== 1) {
      // Enter behind letters ends the choice, as in an open list; the next one is the form's.
      if (event.key === 'Enter' && typed.current.text !== '') event.preventDefault()
      // Whoever goes elsewhere or opens the list begins a new word.
      typed.current = noWord
      return
    }
    event.preventDefault()
    const word = typedOn(typed.current, event.key, event.timeStamp)
    const meant = optionFor(word.text, data, value)
    // A space is a part of a name, or else opens and closes the list.
    if (event.key === ' ' && !meant) return setOpen(!isOpen)
    typed.current = word
    if (meant && meant.value !== value) onChange(meant.value)
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
      onBlur={(event) => {
        typed.current = noWord
        onBlur?.(event)
      }}
    />
  )
}
