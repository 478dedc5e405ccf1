import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useLanguage } from '../i18n/i18n.ts'

export type ParsedBase = Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue' | 'type'>

interface ParsedProps<V> extends ParsedBase {
  value: V
  onChange: (value: V) => void
  /** The value as one types it, with a point before decimals. */
  write: (value: V) => string
  /** Undefined for what cannot be read. */
  read: (text: string, isCommaDecimal: boolean) => V | undefined
  /** Stands for what cannot be read, so that no older value does; the value stays where there is none. */
  nothing?: V
  problem: string
}

/**
 * A number that people type. It shows what is being typed while it is typed, and the tidy form of the value when the field is
 * left. Its form is not sent while it cannot be read.
 */
export function ParsedInput<V>({ value, onChange, write, read, nothing, problem, error, onBlur, ...rest }: ParsedProps<V>) {
  const isCommaDecimal = useLanguage() === 'fr'
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const isWrong = typed !== null && read(typed, isCommaDecimal) === undefined
  useEffect(() => {
    const form = field.current?.form
    if (!isWrong || !form) return
    const keep = (event: Event) => {
      event.preventDefault()
      event.stopPropagation()
      field.current?.focus()
    }
    form.addEventListener('submit', keep, true)
    return () => form.removeEventListener('submit', keep, true)
  }, [isWrong])
  const shown = write(value)
  return (
    <TextInput
      {...rest}
      ref={field}
      inputMode="decimal"
      autoComplete="off"
      classNames={{ input: 'amount-input' }}
      value={typed ?? (isCommaDecimal ? shown.replace('.', ',') : shown)}
      error={isWrong ? problem : error}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        const parsed = read(text, isCommaDecimal)
        const next = parsed === undefined ? nothing : parsed
        if (next !== undefined) onChange(next)
      }}
      onBlur={(event) => {
        if (!isWrong) setTyped(null)
        onBlur?.(event)
      }}
    />
  )
}
