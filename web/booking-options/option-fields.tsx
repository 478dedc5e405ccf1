import { bookingOptionInput, type BookingOptionInput } from '../../contract/booking-options-api.ts'
import { inLanguage, rulesIn, type Wording } from '../../contract/booking-options.ts'
import { phrase } from '../core/i18n/i18n.ts'
import { languageNow } from '../core/i18n/store.ts'
import { formValues, type FormValues } from '../record/form-values.ts'
import type { Fields } from '../record/record-facts.tsx'
import { answererText, inputText } from './option-words.ts'

export type OptionValues = FormValues<BookingOptionInput>

const said = (value: Wording | null) => (value ? inLanguage(value, languageNow()) : null)

/** What is known of an option, in the order of the form. */
export const bookingOptionFields: Fields<BookingOptionInput> = {
  schema: bookingOptionInput,
  rows: {
    label: { label: 'options:label', show: (value) => said(value as Wording | null) },
    code: { label: 'options:code', hint: 'options:codeHint' },
    help: { label: 'options:help', show: (value) => said(value as Wording | null) },
    input: { label: 'options:input', words: inputText },
    required: { label: 'options:required' },
    answeredBy: { label: 'options:answeredBy', words: answererText },
    choices: {
      label: 'options:choices',
      show: (value) => (value ?? []).map((choice) => inLanguage(choice.label, languageNow())).join(', '),
    },
    visibleWhen: {
      label: 'options:when.title',
      show: (value) => (value ? phrase('options:when.count', { count: rulesIn(value).length }) : null),
    },
  },
}

/** An empty group of rules is no condition, which the schema of a form cannot say by itself. */
export const valuesOfOption = (option?: BookingOptionInput): OptionValues => ({
  ...formValues(bookingOptionInput, option),
  visibleWhen: (option?.visibleWhen ?? null) as OptionValues['visibleWhen'],
  ...(option ? {} : { input: 'single', answeredBy: 'both', choices: [emptyChoice()] }),
})

export const emptyChoice = (code = '', label = ''): OptionValues['choices'][number] =>
  ({
    code,
    label: { en: label, fr: '', ar: '' },
    cents: 0,
    bp: 0,
    per: 'unit',
    durationMin: 0,
    addProductGuid: '',
    isDefault: false,
    isActive: true,
  }) as OptionValues['choices'][number]
