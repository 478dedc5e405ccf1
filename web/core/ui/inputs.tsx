import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../i18n/i18n.ts'
import { parseMoney, parsePercent, parseQuantity, typedMoney } from './amounts.ts'

type Base = Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue' | 'type'>

interface ParsedProps<V> extends Base {
  value: V
  onChange: (value: V) => void
  write: (value: V) => string
  read: (text: string) => V | undefined
  problem: string
}

/** Shows what is being typed while it is typed, and the tidy form of the value when the field is left. */
function ParsedInput<V>({ value, onChange, write, read, problem, error, onBlur, ...rest }: ParsedProps<V>) {
  const [typed, setTyped] = useState<string | null>(null)
  const isWrong = typed !== null && read(typed) === undefined
  return (
    <TextInput
      {...rest}
      inputMode="decimal"
      autoComplete="off"
      classNames={{ input: 'amount-input' }}
      value={typed ?? write(value)}
      error={isWrong ? problem : error}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        const parsed = read(text)
        if (parsed !== undefined) onChange(parsed)
      }}
      onBlur={(event) => {
        if (!isWrong) setTyped(null)
        onBlur?.(event)
      }}
    />
  )
}

export interface MoneyInputProps extends Base {
  /** Integer cents. */
  value: number | null
  onChange: (cents: number | null) => void
}

export function MoneyInput(props: MoneyInputProps) {
  const t = useT('common')
  return <ParsedInput leftSection={<span className="muted">$</span>} leftSectionWidth={28} {...props} write={typedMoney} read={parseMoney} problem={t('common:form.notMoney')} />
}

export interface PercentInputProps extends Base {
  /** Basis points. */
  value: number | null
  onChange: (basisPoints: number | null) => void
}

export function PercentInput(props: PercentInputProps) {
  const t = useT('common')
  const write = (value: number | null) => typedMoney(value).replace(/\.?0+$/, '') || (value === 0 ? '0' : '')
  return <ParsedInput rightSection={<span className="muted">%</span>} rightSectionWidth={28} {...props} write={write} read={parsePercent} problem={t('common:form.notPercent')} />
}

export interface QuantityInputProps extends Base {
  /** Decimal text with up to four decimals. */
  value: string
  onChange: (quantity: string) => void
}

export function QuantityInput(props: QuantityInputProps) {
  const t = useT('common')
  return <ParsedInput {...props} write={(value) => parseQuantity(value) ?? value} read={parseQuantity} problem={t('common:form.notQuantity')} />
}
