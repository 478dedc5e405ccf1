import { useState } from 'react'
import { ComboInput, type ComboInputProps } from './combo-input.tsx'
import type { ComboOption } from './combo-list.tsx'

type Own =
  | 'text'
  | 'onText'
  | 'options'
  | 'onPick'
  | 'isOpen'
  | 'onOpen'
  | 'isCurrent'
  | 'onHurry'
  | 'listLabel'
  | 'onChange'
export interface SuggestInputProps extends Omit<ComboInputProps, Own> {
  label: string
  value: string
  onChange: (value: string) => void
  options: readonly ComboOption[]
}

const nothingToHurry = () => undefined

/** Free text with suggestions: all of them when it is opened, then those that hold what is typed. */
export function SuggestInput({ label, value, onChange, options, ...rest }: SuggestInputProps) {
  const [isOpen, setOpen] = useState(false)
  const [isTyped, setTyped] = useState(false)
  const typed = value.trim().toLowerCase()
  const matches = isTyped && typed ? options.filter((option) => option.label.toLowerCase().includes(typed)) : options
  return (
    <ComboInput
      {...rest}
      label={label}
      listLabel={label}
      text={value}
      onText={(text) => {
        setTyped(true)
        onChange(text)
      }}
      options={matches}
      chosen={value}
      onPick={onChange}
      isOpen={isOpen}
      onOpen={(next) => {
        if (next) setTyped(false)
        setOpen(next)
      }}
      isCurrent
      onHurry={nothingToHurry}
    />
  )
}
