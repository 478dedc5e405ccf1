import { Checkbox, Group, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import {
  type AnswerValue,
  inLanguage,
  type OptionChoice,
  type OptionDefinition,
} from '../../contract/booking-options.ts'
import type { Address } from '../../contract/businesses.ts'
import { states } from '../../contract/businesses.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
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
  isDisabled?: boolean
}

/** More choices than these are a list that opens. */
const shownAtOnce = 6

/** What a choice adds, beside its name: `+$120.00`, `+10%`, once. */
function usePriceText() {
  const t = useT('options')
  const f = useFormat()
  return ({ cents, bp, per }: OptionChoice): string => {
    const parts = [...(cents ? [`${cents > 0 ? '+' : ''}${f.money(cents)}`] : []), ...(bp ? [`+${f.percent(bp)}`] : [])]
    if (parts.length === 0) return ''
    return per === 'once' ? t('options:pricedOnce', { price: parts.join(' ') }) : parts.join(' ')
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
      return <TextInput {...common} disabled value="" placeholder={t('options:fileLater')} readOnly />
  }
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
const two = (n: number) => String(n).padStart(2, '0')
const clockOf = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`

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
      <span>{label}</span>
      {price ? <bdi className="choice-price tabular">{price}</bdi> : null}
    </span>
  )
}

const active = (choices: readonly OptionChoice[]) => choices.filter((choice) => choice.isActive)

function Choices({ option, value, onChange, common }: Drawn) {
  const language = useLanguage()
  const priceText = usePriceText()
  return (
    <Radio.Group
      {...common}
      value={value && 'code' in value ? value.code : ''}
      onChange={(code) => onChange({ code })}
      name={`answer-${option.code}`}
    >
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

function LongChoice({ option, value, onChange, common }: Drawn) {
  const language = useLanguage()
  const priceText = usePriceText()
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

function Checks({ option, value, onChange, common }: Drawn) {
  const language = useLanguage()
  const priceText = usePriceText()
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

function YesOrNo({ option, value, onChange, common, only }: Drawn & { only: OptionChoice | undefined }) {
  const t = useT('common')
  const priceText = usePriceText()
  return (
    <Radio.Group
      {...common}
      value={value && 'isYes' in value ? (value.isYes ? 'yes' : 'no') : ''}
      onChange={(answer) => onChange({ isYes: answer === 'yes' })}
      name={`answer-${option.code}`}
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

function HowMany({ value, onChange, common, only }: Drawn & { only: OptionChoice | undefined }) {
  const t = useT('options')
  const priceText = usePriceText()
  const price = only ? priceText(only) : ''
  const { description } = common
  return (
    <QuantityInput
      {...common}
      description={
        [description, price ? t('options:pricedEach', { price }) : ''].filter(Boolean).join(' · ') || undefined
      }
      value={value && 'quantity' in value ? value.quantity : ''}
      onChange={(quantity) => onChange(quantity && /[1-9]/.test(quantity) ? { quantity } : undefined)}
    />
  )
}

const noAddress: Address = { line1: '', line2: null, suburb: '', state: 'NSW', postcode: '' }

function AddressAnswer({ value, onChange, common }: Drawn) {
  const t = useT('record')
  const given = value && 'address' in value ? value.address : null
  const set = (part: Partial<Address>) => {
    const next = { ...noAddress, ...given, ...part }
    onChange(next.line1 || next.suburb || next.postcode ? { address: next } : undefined)
  }
  const field = (name: 'line1' | 'suburb' | 'postcode', maxLength: number) => (
    <TextInput
      label={t(`record:address.${name}`)}
      maxLength={maxLength}
      disabled={common.disabled}
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
          disabled={common.disabled}
          onChange={(state) => set({ state: (state ?? 'NSW') as Address['state'] })}
        />
        {field('postcode', 4)}
      </div>
      {common.error ? <p className="question-error small no-margin">{common.error}</p> : null}
    </fieldset>
  )
}
