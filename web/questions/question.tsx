import { type FocusEvent, type ReactNode, useState } from 'react'
import { Checkbox, Group, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import {
  type AnswerValue,
  inLanguage,
  type OptionChoice,
  type OptionDefinition,
} from '../../contract/booking-options.ts'
import type { Address } from '../../contract/core/address.ts'
import { states } from '../../contract/core/address.ts'
import { clockOf } from '../../contract/core/times.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { inLanguage as sentence } from '../core/i18n/sentences.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateInput, TimeInput } from '../core/ui/date-input.tsx'
import { QuantityInput } from '../core/ui/inputs.tsx'
import './questions.css'

export interface QuestionProps {
  option: OptionDefinition
  value: AnswerValue | undefined
  /** Undefined takes the answer back. */
  onChange: (value: AnswerValue | undefined) => void
  error?: string | undefined
  /** What is wrong with parts of an address, by `<code>.address.<part>`. */
  errors?: Readonly<Record<string, string>>
  isDisabled?: boolean
  /** Draws a question that a file answers, where files can be sent. */
  file?: ((props: FileQuestionProps) => ReactNode) | undefined
  priced?: Priced | undefined
}
/** What stands beside prices, so that they are not taken for what the whole line goes up by. */
export interface Priced {
  /** The line is of more or less than one: amounts are said to be for one of it. */
  isEach: boolean
  /** Amounts are without the GST that the document adds. */
  isExclusive: boolean
}
export interface FileQuestionProps {
  option: OptionDefinition
  value: AnswerValue | undefined
  onChange: (value: AnswerValue | undefined) => void
  label: string
  description: string | undefined
  error: string | null
}

/** More choices than these are a list that opens. */
const shownAtOnce = 6

/** Kept as it is written also where words go from right to left. */
const fromLeft = (text: string) => `\u2066${text}\u2069`

/** What a choice adds, beside its name: `+$120.00 each, excl. GST`, `+10% of the price`, `+$65.00 once`. */
function usePriceText({ isEach, isExclusive }: Priced = { isEach: false, isExclusive: false }, isCounted = false) {
  const t = useT('options')
  const f = useFormat()
  return ({ cents, bp, per }: OptionChoice): string => {
    const isOnce = per === 'once'
    // The sign stays before its amount where reading begins at the right.
    const amount = cents ? fromLeft(`${cents > 0 ? '+' : ''}${f.money(cents)}`) : ''
    const each = isCounted || (isEach && !isOnce) ? t('options:pricedEach', { price: amount }) : amount
    const share = bp ? t('options:pricedShare', { price: fromLeft(`+${f.percent(bp)}`) }) : ''
    const price = [amount ? each : '', share].filter(Boolean).join(' ')
    if (!price) return ''
    const charged = isOnce && !isCounted ? t('options:pricedOnce', { price }) : price
    const perUnit = isCounted && isEach && !isOnce ? t('options:pricedPerUnit', { price: charged }) : charged
    return amount && isExclusive ? t('options:pricedExclusive', { price: perUnit }) : perUnit
  }
}

/** One question with the field its answer is given in. */
export function Question(props: QuestionProps) {
  const { option, value, onChange, error, isDisabled = false } = props
  const t = useT('options')
  const language = useLanguage()
  const common = {
    label: inLanguage(option.label, language),
    description: option.help ? inLanguage(option.help, language) : undefined,
    required: option.required,
    disabled: isDisabled,
    error: error ?? null,
  }
  const [only] = option.choices
  switch (option.input) {
    case 'single':
      return option.choices.length > shownAtOnce ? (
        <LongChoice {...props} common={common} />
      ) : (
        <Choices {...props} common={common} />
      )
    case 'multi':
      return <Checks {...props} common={common} />
    case 'boolean':
      return <YesOrNo {...props} common={common} only={only} />
    case 'quantity':
      return <HowMany {...props} common={common} only={only} />
    case 'text':
      return (
        <Textarea
          {...common}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={500}
          value={value && 'text' in value ? value.text : ''}
          onChange={(event) => {
            const text = event.currentTarget.value
            onChange(text ? { text } : undefined)
          }}
        />
      )
    case 'date':
      return (
        <DateInput
          {...common}
          value={value && 'day' in value ? value.day : ''}
          onChange={(day) => onChange(day ? { day } : undefined)}
        />
      )
    case 'time':
      return (
        <TimeInput
          {...common}
          value={value && 'time' in value ? minutesOf(value.time) : null}
          onChange={(minutes) => onChange(minutes === null ? undefined : { time: clockOf(minutes) })}
        />
      )
    case 'address':
      return <AddressAnswer {...props} common={common} />
    case 'file':
      if (props.file) return props.file({ ...common, option, value, onChange })
      return <TextInput {...common} disabled value="" placeholder={t('options:fileLater')} readOnly />
  }
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

interface Common {
  label: string
  description: string | undefined
  required: boolean
  disabled: boolean
  error: string | null
}
type Drawn = QuestionProps & { common: Common }

function ChoiceLabel({ label, price }: { label: string; price: string }) {
  return (
    <span className="choice-label">
      <bdi>{label}</bdi>
      {price ? <bdi className="choice-price tabular">{price}</bdi> : null}
    </span>
  )
}

const active = (choices: readonly OptionChoice[]) => choices.filter((choice) => choice.isActive)

function Choices({ option, value, onChange, common, priced }: Drawn) {
  const language = useLanguage()
  const priceText = usePriceText(priced)
  return (
    <Radio.Group {...common} value={value && 'code' in value ? value.code : ''} onChange={(code) => onChange({ code })}>
      <Stack gap="xs" mt="xs">
        {active(option.choices).map((choice) => (
          <Radio
            key={choice.code}
            value={choice.code}
            disabled={common.disabled}
            label={<ChoiceLabel label={inLanguage(choice.label, language)} price={priceText(choice)} />}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

function LongChoice({ option, value, onChange, common, priced }: Drawn) {
  const language = useLanguage()
  const priceText = usePriceText(priced)
  return (
    <ChoiceInput
      {...common}
      clearable={!option.required}
      data={active(option.choices).map((choice) => ({
        value: choice.code,
        label: inLanguage(choice.label, language),
        hint: priceText(choice),
      }))}
      value={value && 'code' in value ? value.code : null}
      onChange={(code) => onChange(code === null ? undefined : { code })}
    />
  )
}

function Checks({ option, value, onChange, common, priced }: Drawn) {
  const language = useLanguage()
  const priceText = usePriceText(priced)
  return (
    <Checkbox.Group
      {...common}
      value={value && 'codes' in value ? value.codes : []}
      onChange={(codes) => onChange(codes.length > 0 ? { codes } : undefined)}
    >
      <Stack gap="xs" mt="xs">
        {active(option.choices).map((choice) => (
          <Checkbox
            key={choice.code}
            value={choice.code}
            disabled={common.disabled}
            label={<ChoiceLabel label={inLanguage(choice.label, language)} price={priceText(choice)} />}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

function YesOrNo({ value, onChange, common, only, priced }: Drawn & { only: OptionChoice | undefined }) {
  const t = useT('common')
  const priceText = usePriceText(priced)
  return (
    <Radio.Group
      {...common}
      value={value && 'isYes' in value ? (value.isYes ? 'yes' : 'no') : ''}
      onChange={(answer) => onChange({ isYes: answer === 'yes' })}
    >
      <Group gap="lg" mt="xs">
        <Radio
          value="yes"
          disabled={common.disabled}
          label={<ChoiceLabel label={t('common:yes')} price={only ? priceText(only) : ''} />}
        />
        <Radio value="no" disabled={common.disabled} label={t('common:no')} />
      </Group>
    </Radio.Group>
  )
}

function HowMany({ value, onChange, common, only, priced }: Drawn & { only: OptionChoice | undefined }) {
  const priceText = usePriceText(priced, true)
  const price = only ? priceText(only) : ''
  const { description } = common
  return (
    <QuantityInput
      {...common}
      description={[description, price].filter(Boolean).join(' · ') || undefined}
      problem={sentence('Enter a whole number from 1 to 9,999.')}
      value={value && 'quantity' in value ? value.quantity : ''}
      onChange={(quantity) => onChange(quantity && /[1-9]/.test(quantity) ? { quantity } : undefined)}
    />
  )
}

const noAddress: Address = { line1: '', line2: null, suburb: '', state: 'NSW', postcode: '' }

function AddressAnswer({ option, value, onChange, common, errors = {} }: Drawn) {
  const t = useT('record')
  // Whoever still writes it is not told what is missing.
  const [isLeft, setLeft] = useState(value !== undefined)
  const wrong = (part: keyof Address) => (isLeft ? errors[`${option.code}.address.${part}`] : undefined)
  const given = value && 'address' in value ? value.address : null
  const leave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (!currentTarget.closest('.question-address')?.contains(relatedTarget)) setLeft(true)
  }
  const set = (part: Partial<Address>) => {
    const next = { ...noAddress, ...given, ...part }
    onChange(next.line1 || next.suburb || next.postcode ? { address: next } : undefined)
  }
  const field = (name: 'line1' | 'suburb' | 'postcode', maxLength: number) => (
    <TextInput
      label={t(`record:address.${name}`)}
      maxLength={maxLength}
      error={wrong(name) ?? (name === 'line1' ? common.error : null)}
      disabled={common.disabled}
      onBlur={leave}
      value={given?.[name] ?? ''}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <fieldset className="plain-fieldset question-address">
      <legend>
        {common.label}
        {common.required ? <span className="question-required"> *</span> : null}
      </legend>
      {common.description ? <p className="muted small no-margin">{common.description}</p> : null}
      {field('line1', 120)}
      <div className="question-place">
        {field('suburb', 80)}
        <ChoiceInput
          label={t('record:address.state')}
          data={states.map((state) => ({ value: state, label: state }))}
          value={given?.state ?? null}
          error={wrong('state') ?? null}
          disabled={common.disabled}
          onChange={(state) => set({ state: (state ?? 'NSW') as Address['state'] })}
        />
        {field('postcode', 4)}
      </div>
    </fieldset>
  )
}
