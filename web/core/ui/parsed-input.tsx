import { TextInput, type TextInputProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

export type ParsedBase = Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue' | 'type'>

export interface ParsedProps<V> extends ParsedBase {
  value: V
  onChange: (value: V) => void
  /** The value as one types it. */
  write: (value: V) => string
  /** Undefined for what cannot be read. */
  read: (text: string) => V | undefined
  /** The same with what may be left out, once no more is to come. */
  readAtEnd?: (text: string) => V | undefined
  /** Stands for what cannot be read, so that no older value does; the value stays where there is none. */
  nothing?: V
  /** What is said while a text cannot be read. */
  problem: string | ((text: string) => string)
  /** Counts how often the value was chosen by other means than typing: what was typed before is dropped then. */
  choices?: number
}

/**
 * A value that people type. It shows what is being typed while it is typed, and the tidy form of the value when the
 * field is left. Its form is not sent while it cannot be read.
 */
export function ParsedInput<V>({
  value,
  onChange,
  write,
  read,
  readAtEnd,
  nothing,
  problem,
  choices = 0,
  error,
  ref,
  onBlur,
  onKeyDown,
  ...rest
}: ParsedProps<V>) {
  const field = useRef<HTMLInputElement>(null)
  const merged = useMergedRef(field, ref)
  const [typed, setTyped] = useState<string | null>(null)
  const [known, setKnown] = useState(choices)
  if (known !== choices) {
    setKnown(choices)
    setTyped(null)
  }
  const isWrong = typed !== null && read(typed) === undefined
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
  const end = () => {
    const last = isWrong ? readAtEnd?.(typed) : undefined
    if (last !== undefined) onChange(last)
    if (!isWrong || last !== undefined) setTyped(null)
  }
  return (
    <TextInput
      autoComplete="off"
      {...rest}
      ref={merged}
      value={typed ?? write(value)}
      error={isWrong ? (typeof problem === 'string' ? problem : problem(typed)) : error}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        const parsed = read(text)
        const next = parsed === undefined ? nothing : parsed
        if (next !== undefined) onChange(next)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end()
        onKeyDown?.(event)
      }}
      onBlur={(event) => {
        end()
        onBlur?.(event)
      }}
    />
  )
}
