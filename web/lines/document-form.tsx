import { SegmentedControl } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Controller, useForm, useWatch, type Control, type DefaultValues, type FieldPath } from 'react-hook-form'
import type { ZodType } from 'zod'
import type { FieldError } from '../../contract/core/errors.ts'
import { zodSentence } from '../../contract/core/sentences.ts'
import { asApiError } from '../core/api/error.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { TextField } from '../core/ui/fields.tsx'
import { FormError } from '../core/ui/form-card.tsx'
import { Money } from '../core/ui/money.tsx'
import { useSaveKey } from '../core/ui/save-key.ts'
import { useUnsaved } from '../core/ui/unsaved.tsx'
import { DiscountInput } from './discount-input.tsx'
import type { DocumentValues } from './document-values.ts'
import { LinesEditor } from './lines-editor.tsx'
import { isBlank, priced, sentLines, type EditorLine, type Terms } from './line-state.ts'
import { PartyFields } from './party-fields.tsx'
import { TotalsBlock } from './totals-block.tsx'

export interface DocumentFormProps<T extends DocumentValues, I> {
  defaults: T
  schema: ZodType<I>
  /** The noun's own values as they are sent. */
  input: (values: T) => object
  /** Saves; what it throws is shown where it belongs. */
  save: (input: I) => Promise<unknown>
  saveLabel: string
  isRegistered: boolean
  hasOptions?: boolean
  /** The customer of a saved document may be fixed. */
  isCustomerFixed?: boolean
  linesNote?: string | undefined
  /** Shown instead of the editor when lines and prices are somebody else's, such as the order's. */
  fixedLines?: ReactNode
  customerName?: string | undefined
  /** The noun's own fields, beside the title. */
  details: (control: Control<T>) => ReactNode
  /** The noun's own texts, below the lines. */
  texts: (control: Control<T>) => ReactNode
  /** Below the total in the rail. */
  rail?: (values: T, totalCents: number | null) => ReactNode
}

const fieldErrors = (issues: readonly { path: PropertyKey[]; message: string }[]): FieldError[] => issues.map((issue) => ({ path: issue.path.map(String).join('.'), message: inLanguage(issue.message) }))

/** Editor of a document: who, what, lines with live totals, texts. Ctrl/⌘-S saves; errors land on their fields. */
export function DocumentForm<T extends DocumentValues, I>(props: DocumentFormProps<T, I>) {
  const { defaults, schema, input, save, isRegistered, hasOptions = false } = props
  const t = useT('lines', 'common')
  const form = useForm<T>({ defaultValues: defaults as DefaultValues<T>, mode: 'onTouched' })
  const control = form.control
  const values = { ...defaults, ...useWatch({ control }) } as T
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const [isSaved, setSaved] = useState(false)
  const { isDirty, isSubmitting } = form.formState
  const unsaved = useUnsaved(isDirty && !isSubmitting && !isSaved)
  const terms: Terms = { priceMode: values.priceMode, roundingRule: values.roundingRule, discount: values.discount }
  const totals = priced(
    values.lines.filter((line) => !isBlank(line)),
    terms,
  )?.totals

  const show = (found: readonly FieldError[], fallback: string | null) => {
    setErrors(found)
    const known = found.filter(({ path }) => path in defaults && path !== 'lines')
    for (const { path, message } of known) form.setError(path as FieldPath<T>, { type: 'server', message }, { shouldFocus: true })
    const rest = found.filter((error) => !known.includes(error) && !/^lines\.\d/.test(error.path)).map(({ message }) => message)
    if (fallback || rest.length) form.setError('root.server', { type: 'server', message: [fallback, ...rest].filter(Boolean).join(' ') })
  }
  const submit = form.handleSubmit(async (current) => {
    const entered = current as T
    const parsed = schema.safeParse({ ...input(entered), lines: sentLines(entered.lines), internalNotes: entered.internalNotes || null }, { error: zodSentence })
    if (!parsed.success) return show(fieldErrors(parsed.error.issues), t('lines:lookAgain'))
    setErrors([])
    setSaved(true)
    try {
      await save(parsed.data)
    } catch (failure) {
      setSaved(false)
      const error = asApiError(failure)
      if (error.error !== 'STALE_VERSION') show(error.errors, error.message)
    }
  })
  const saveKey = useSaveKey()
  return (
    <form noValidate ref={saveKey} className="hints-below" onSubmit={(event) => void submit(event)}>
      {unsaved}
      <div className="document-form">
        <FormError control={control} />
        <div className="with-rail">
          <Card title={t('lines:details')}>
            <div className="stack">
              <PartyFields control={control as unknown as Control<DocumentValues>} customerName={props.customerName} isFixed={props.isCustomerFixed ?? false} setValue={(name, value) => form.setValue(name as FieldPath<T>, value as never, { shouldDirty: true })} />
              <TextField control={control} name={'title' as FieldPath<T>} label={t('lines:documentTitle')} isRequired maxLength={200} />
              <div className="grid-2" style={{ '--gap': '1rem' } as React.CSSProperties}>
                {props.details(control)}
              </div>
            </div>
          </Card>
          <div className="rail-sticky">
            <Card>
              <div className="stack">
                <div>
                  <p className="muted no-margin">{t('lines:total')}</p>
                  <p className="rail-total tabular">{totals ? <Money cents={totals.totalCents} /> : '–'}</p>
                </div>
                <ActionButton type="submit" icon="save" loading={isSubmitting} fullWidth>
                  {props.saveLabel}
                </ActionButton>
                {props.rail?.(values, totals?.totalCents ?? null)}
              </div>
            </Card>
          </div>
        </div>
        <Card title={t('lines:title')} actions={<PriceMode control={control} isDisabled={!isRegistered || props.fixedLines !== undefined} />}>
          {props.linesNote ? <p className="muted no-margin">{props.linesNote}</p> : null}
          {props.fixedLines ?? (
            <>
              <Controller control={control} name={'lines' as FieldPath<T>} render={({ field }) => <LinesEditor lines={field.value as EditorLine[]} onChange={field.onChange} terms={terms} isRegistered={isRegistered} hasOptions={hasOptions} errors={errors} />} />
              <div className="document-foot">
                <Controller control={control} name={'discount' as FieldPath<T>} render={({ field }) => <DiscountInput label={t('lines:documentDiscount')} isLabelled value={(field.value as Terms['discount']) ?? null} onChange={field.onChange} />} />
                {totals ? <TotalsBlock totals={totals} /> : <p className="muted">{t('lines:notPriced')}</p>}
              </div>
            </>
          )}
        </Card>
        {props.texts(control)}
        <div className="row document-save">
          <ActionButton type="submit" icon="save" loading={isSubmitting}>
            {props.saveLabel}
          </ActionButton>
        </div>
      </div>
    </form>
  )
}

function PriceMode<T extends DocumentValues>({ control, isDisabled }: { control: Control<T>; isDisabled: boolean }) {
  const t = useT('lines')
  return (
    <Controller
      control={control}
      name={'priceMode' as FieldPath<T>}
      render={({ field }) => (
        <SegmentedControl
          size="xs"
          aria-label={t('lines:priceMode')}
          disabled={isDisabled}
          value={field.value as string}
          onChange={field.onChange}
          data={[
            { value: 'exclusive', label: t('lines:priceModes.exclusive') },
            { value: 'inclusive', label: t('lines:priceModes.inclusive') },
          ]}
        />
      )}
    />
  )
}
