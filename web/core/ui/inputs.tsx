import { useLanguage, useT } from '../i18n/i18n.ts'
import { type Comma, commaOf, parseMoney, parsePercent, parseQuantity, typedMoney } from './amounts.ts'
import { type ParsedBase, ParsedInput, type ParsedProps } from './parsed-input.tsx'
import { selectWhole } from './select-whole.ts'

interface DecimalProps<V> extends Omit<ParsedProps<V>, 'read' | 'readAtEnd' | 'problem'> {
  /** The value as one types it, with a point before decimals. */
  write: (value: V) => string
  /** Undefined for what cannot be read. */
  read: (text: string, comma: Comma) => V | undefined
  /** What is wrong with a text that cannot be read. */
  problem: string | ((text: string, comma: Comma) => string)
}

/** A typed number, in the way the language writes its decimals. */
export function DecimalInput<V>({ write, read, problem, ...props }: DecimalProps<V>) {
  const comma = commaOf[useLanguage()]
  return (
    <ParsedInput
      {...selectWhole}
      {...props}
      inputMode="decimal"
      classNames={{ input: 'amount-input' }}
      write={(value) => (comma === 'decimals' ? write(value).replace('.', ',') : write(value))}
      read={(text) => read(text, comma)}
      problem={(text) => (typeof problem === 'string' ? problem : problem(text, comma))}
    />
  )
}

export interface MoneyInputProps extends ParsedBase {
  /** Integer cents. */
  value: number | null
  onChange: (cents: number | null) => void
}

export function MoneyInput(props: MoneyInputProps) {
  const t = useT('common')
  return (
    <DecimalInput
      leftSection={<span className="muted">$</span>}
      leftSectionWidth={28}
      {...props}
      write={typedMoney}
      read={parseMoney}
      nothing={null}
      problem={t('common:form.notMoney')}
    />
  )
}

export interface PercentInputProps extends ParsedBase {
  /** Basis points. */
  value: number | null
  onChange: (basisPoints: number | null) => void
}

export function PercentInput(props: PercentInputProps) {
  const t = useT('common')
  const write = (value: number | null) => typedMoney(value).replace(/\.?0+$/, '') || (value === 0 ? '0' : '')
  return (
    <DecimalInput
      rightSection={<span className="muted">%</span>}
      rightSectionWidth={28}
      {...props}
      write={write}
      read={parsePercent}
      nothing={null}
      problem={t('common:form.notPercent')}
    />
  )
}

export interface QuantityInputProps extends ParsedBase {
  /** Decimal text with up to four decimals. */
  value: string
  onChange: (quantity: string) => void
  /** What is said of a text that is no quantity. */
  problem?: string
}

export function QuantityInput({ problem, ...props }: QuantityInputProps) {
  const t = useT('common')
  return (
    <DecimalInput
      {...props}
      write={(value) => parseQuantity(value) ?? value}
      read={parseQuantity}
      problem={problem ?? t('common:form.notQuantity')}
    />
  )
}
