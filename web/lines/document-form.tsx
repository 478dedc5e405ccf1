import { SegmentedControl } from '@mantine/core'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
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
import { isBlank, priced, sentLines, type Terms } from './line-state.ts'
import { makeLinesStore, useLines, useLinesChanged, type LinesStore } from './lines-store.ts'
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
const noErrors: readonly FieldError[] = []

/** A document is saved by its button or by Ctrl/⌘-S: Enter in a field must not save half of it. */
const keepEnter = (event: KeyboardEvent<HTMLFormElement>) => {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

/** Editor of a document: who, what, lines with live totals, texts. Ctrl/⌘-S saves; errors land on their fields. */
export function DocumentForm<T extends DocumentValues, I>(props: DocumentFormProps<T, I>) {
  const { defaults, schema, input, save, isRegistered, hasOptions = false } = props
  const t = useT('lines', 'common')
  const { lines, ...fields } = defaults
  const form = useForm<T>({ defaultValues: fields as DefaultValues<T>, mode: 'onTouched' })
  const control = form.control
  const [store] = useState(() => makeLinesStore(lines))
  const [errors, setErrors] = useState(noErrors)
  const [isSaved, setSaved] = useState(false)
  const { isDirty, isSubmitting } = form.formState
  const isLinesDirty = useLinesChanged(store)
  const unsaved = useUnsaved((isDirty || isLinesDirty) && !isSubmitting && !isSaved)

  const show = (found: readonly FieldError[], fallback: string | null) => {
    setErrors(found)
    const known = found.filter(({ path }) => path in defaults && path !== 'lines')
    for (const { path, message } of known) form.setError(path as FieldPath<T>, { type: 'server', message }, { shouldFocus: true })
    const rest = found.filter((error) => !known.includes(error) && !/^lines\.\d/.test(error.path)).map(({ message }) => message)
    if (fallback || rest.length) form.setError('root.server', { type: 'server', message: [fallback, ...rest].filter(Boolean).join(' ') })
  }
  const submit = form.handleSubmit(async (current) => {
    const entered = current as T
    const parsed = schema.safeParse({ ...input(entered), lines: sentLines(store.get()), internalNotes: entered.internalNotes || null }, { error: zodSentence })
    if (!parsed.success) return show(fieldErrors(parsed.error.issues), t('lines:lookAgain'))
    setErrors(noErrors)
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys are those of the fields inside
    <form noValidate ref={saveKey} onKeyDown={keepEnter} onSubmit={(event) => void submit(event)}>
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
                <Rail control={control} store={store} defaults={defaults} more={props.rail}>
                  <ActionButton type="submit" icon="save" loading={isSubmitting} fullWidth>
                    {props.saveLabel}
                  </ActionButton>
                </Rail>
              </div>
            </Card>
          </div>
        </div>
        <Card title={t('lines:title')} actions={<PriceMode control={control} isDisabled={!isRegistered || props.fixedLines !== undefined} />}>
          {props.linesNote ? <p className="muted no-margin">{props.linesNote}</p> : null}
          {props.fixedLines ?? (
            <>
              <Lines control={control} store={store} isRegistered={isRegistered} hasOptions={hasOptions} errors={errors} />
              <div className="document-foot">
                <Controller control={control} name={'discount' as FieldPath<T>} render={({ field }) => <DiscountInput label={t('lines:documentDiscount')} isLabelled value={(field.value as Terms['discount']) ?? null} onChange={field.onChange} />} />
                <Totals control={control} store={store} />
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

interface Watching<T extends DocumentValues> {
  control: Control<T>
  store: LinesStore
}

function useTerms<T extends DocumentValues>(control: Control<T>): Terms {
  // What all documents have in common, whatever else this one has.
  const common = control as unknown as Control<DocumentValues>
  const [priceMode, roundingRule, discount] = useWatch({ control: common, name: ['priceMode', 'roundingRule', 'discount'] })
  return { priceMode, roundingRule, discount }
}

/** What the document comes to now; null while something is no number or too large. */
function useTotals<T extends DocumentValues>({ control, store }: Watching<T>) {
  const lines = useLines(store)
  const terms = useTerms(control)
  return priced(
    lines.filter((line) => !isBlank(line)),
    terms,
  )?.totals
}

function Lines<T extends DocumentValues>({ control, ...rest }: Watching<T> & { isRegistered: boolean; hasOptions: boolean; errors: readonly FieldError[] }) {
  const { priceMode } = useTerms(control)
  return <LinesEditor {...rest} priceMode={priceMode} />
}

function Totals<T extends DocumentValues>(watching: Watching<T>) {
  const t = useT('lines')
  const totals = useTotals(watching)
  return totals ? <TotalsBlock totals={totals} /> : <p className="muted">{t('lines:notPriced')}</p>
}

/** The total beside the details, and what the noun has to say about it. */
function Rail<T extends DocumentValues>({ control, store, defaults, more, children }: Watching<T> & { defaults: T; more: DocumentFormProps<T, unknown>['rail']; children: ReactNode }) {
  const t = useT('lines')
  const totals = useTotals({ control, store })
  const values = { ...defaults, ...useWatch({ control }), lines: store.get() } as T
  return (
    <>
      <div>
        <p className="muted no-margin">{t('lines:total')}</p>
        <p className="rail-total tabular">{totals ? <Money cents={totals.totalCents} /> : '–'}</p>
      </div>
      {children}
      {more?.(values, totals?.totalCents ?? null)}
    </>
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
