import { SegmentedControl } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import {
  Controller,
  useForm,
  type Control,
  type DefaultValues,
  type FieldPath,
  type UseFormReturn,
} from 'react-hook-form'
import type { ZodType } from 'zod'
import type { FieldError } from '../../contract/core/errors.ts'
import { zodSentence } from '../../contract/core/sentences.ts'
import { asApiError } from '../core/api/error.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { TextField } from '../core/ui/fields.tsx'
import { keepEnter } from '../core/ui/keep-enter.ts'
import { useSaveKey } from '../core/ui/save-key.ts'
import { useUnsaved } from '../core/ui/unsaved.tsx'
import { changesOf } from '../record/changes.ts'
import type { SaveRecord } from '../record/record-form.tsx'
import { FollowsCatalogue } from './catalogue-prices.ts'
import { DiscountInput } from './discount-input.tsx'
import type { DocumentValues } from './document-values.ts'
import { DocumentError, Lines, ofFields, Rail, Totals } from './document-parts.tsx'
import { sentLines, withProblems, type Terms } from './line-state.ts'
import { makeLinesStore, useLinesChanged, type LinesStore } from './lines-store.ts'
import { PartyFields, type DocumentsReceived } from './party-fields.tsx'

export interface DocumentFormProps<T extends DocumentValues, I extends object> {
  defaults: T
  schema: ZodType<I>
  /** Fields of several parts that show themselves what is wrong with one of these. */
  nested?: readonly string[]
  /** The noun's own values as they are sent. */
  input: (values: T) => object
  /** Saves; what it throws is shown where it belongs. */
  save: SaveRecord<I>
  saveLabel: string
  isRegistered: boolean
  hasOptions?: boolean
  /** The customer of a saved document may be fixed. */
  isCustomerFixed?: boolean
  /** A new one begins with who it is for. */
  isNew?: boolean
  /** So does one that was just made from another. */
  isCopy?: boolean
  /** Whether its contact is one who gets quotes or one who gets invoices; left out, it is for nobody yet. */
  receives?: DocumentsReceived
  linesNote?: string | undefined
  /** Products have no price here but the catalogue's. */
  followsCatalogue?: boolean
  /** Shown instead of the editor when lines and prices are somebody else's, such as the order's. */
  fixedLines?: ReactNode
  customerName?: string | undefined
  titleHint?: string
  /** Before the title. */
  first?: (control: Control<T>) => ReactNode
  /** The noun's own fields, beside the title. */
  details: (control: Control<T>, editing: Editing<T>) => ReactNode
  /** The noun's own texts, below the lines. */
  texts: (control: Control<T>) => ReactNode
  /** Below the total in the rail. */
  rail?: (values: T, totalCents: number | null) => ReactNode
}

/** The document while it is edited: its fields, and its lines, which stand outside the form. */
export interface Editing<T extends DocumentValues> {
  form: UseFormReturn<T>
  store: LinesStore
}

const fieldErrors = (issues: readonly { path: PropertyKey[]; message: string }[]): FieldError[] =>
  issues.map((issue) => ({ path: issue.path.map(String).join('.'), message: inLanguage(issue.message) }))

/** Editor of a document: who, what, lines with live totals, texts. Ctrl/⌘-S saves; errors land on their fields. */
export function DocumentForm<T extends DocumentValues, I extends object>(props: DocumentFormProps<T, I>) {
  const { defaults, schema, input, nested = [], save, isRegistered, hasOptions = false } = props
  const t = useT('lines', 'common')
  const { lines, ...fields } = defaults
  const form = useForm<T>({ defaultValues: fields as DefaultValues<T>, mode: 'onSubmit' })
  const control = form.control
  const [store] = useState(() => makeLinesStore(lines))
  const [isSaved, setSaved] = useState(false)
  const { isDirty, isSubmitting } = form.formState
  const isLinesDirty = useLinesChanged(store)
  const unsaved = useUnsaved((isDirty || isLinesDirty) && !isSubmitting && !isSaved)

  // A guid that is missing is a customer not chosen.
  const inWords = (error: FieldError) =>
    error.path === 'customerGuid' ? { ...error, message: t('lines:customerMissing') } : error
  const show = (found: readonly FieldError[], fallback: string | null, code = 'server') => {
    store.set(withProblems(store.get(), found))
    const isShown = (path: string) => path in defaults || nested.includes(path.split('.')[0] ?? '')
    const known = found.filter(({ path }) => isShown(path) && path !== 'lines')
    known
      .map(inWords)
      .forEach(({ path, message }, index) =>
        form.setError(path as FieldPath<T>, { type: 'server', message }, { shouldFocus: index === 0 }),
      )
    const rest = found
      .filter((error) => !known.includes(error) && !/^lines\.\d/.test(error.path))
      .map(({ message }) => message)
    if (fallback || rest.length)
      form.setError('root.server', {
        // What is said of fields alone goes with the last of them that is mended.
        type: rest.length === 0 && found.length > 0 ? ofFields : code,
        message: [fallback, ...rest].filter(Boolean).join(' '),
      })
  }
  const submit = form.handleSubmit(async (current) => {
    const entered = current as T
    const parsed = schema.safeParse(
      { ...input(entered), lines: sentLines(store.get()), internalNotes: entered.internalNotes || null },
      { error: zodSentence },
    )
    if (!parsed.success) return show(fieldErrors(parsed.error.issues), t('lines:lookAgain'))
    store.set(withProblems(store.get(), []))
    setSaved(true)
    try {
      const sent = parsed.data
      const ofLines = store.isChanged() && 'lines' in sent ? { lines: sent.lines } : {}
      await save(sent, { ...changesOf(fields, entered, sent), ...ofLines })
    } catch (failure) {
      setSaved(false)
      const error = asApiError(failure)
      if (error.error !== 'STALE_VERSION') show(error.errors, error.message, error.error)
    }
  })
  const saveKey = useSaveKey()
  return (
    // The keys are those of the fields inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form noValidate ref={saveKey} onKeyDown={keepEnter} onSubmit={(event) => void submit(event)}>
      {unsaved}
      <div className="document-form">
        <DocumentError control={control} store={store} />
        <Card title={t('lines:details')}>
          <div className="stack details-parts">
            {props.receives === undefined ? null : (
              <PartyFields
                control={control as unknown as Control<DocumentValues>}
                customerName={props.customerName}
                isFixed={props.isCustomerFixed ?? false}
                isNew={props.isNew ?? false}
                isCopy={props.isCopy ?? false}
                receives={props.receives}
                // Contact and site follow the customer: choosing them for somebody is no change to lose.
                setValue={(name, value) =>
                  form.setValue(name as FieldPath<T>, value as never, { shouldDirty: name === 'customerGuid' })
                }
              />
            )}
            {props.first?.(control)}
            <TextField
              control={control}
              name={'title' as FieldPath<T>}
              label={t('lines:documentTitle')}
              description={props.titleHint}
              isRequired
              maxLength={200}
            />
            <div className="details-fields">
              <div className="grid-2" style={{ '--gap': '1rem' } as React.CSSProperties}>
                {props.details(control, { form, store })}
              </div>
            </div>
          </div>
        </Card>
        <Card
          className="document-lines-card"
          title={t('lines:title')}
          actions={<PriceMode control={control} isDisabled={!isRegistered || props.fixedLines !== undefined} />}
        >
          {props.linesNote ? <p className="muted lines-note">{props.linesNote}</p> : null}
          {props.fixedLines ?? (
            <>
              <FollowsCatalogue value={props.followsCatalogue ?? false}>
                <Lines control={control} store={store} isRegistered={isRegistered} hasOptions={hasOptions} />
              </FollowsCatalogue>
              <div className="document-foot">
                <Controller
                  control={control}
                  name={'discount' as FieldPath<T>}
                  render={({ field }) => (
                    <DiscountInput
                      label={t('lines:documentDiscount')}
                      value={(field.value as Terms['discount']) ?? null}
                      onChange={field.onChange}
                    />
                  )}
                />
                <Totals control={control} store={store} />
              </div>
            </>
          )}
        </Card>
        <div className="document-rail">
          <Card>
            <Rail control={control} store={store} defaults={defaults} more={props.rail}>
              <ActionButton type="submit" icon="save" loading={isSubmitting} fullWidth>
                {props.saveLabel}
              </ActionButton>
            </Rail>
          </Card>
        </div>
        <div className="document-texts">{props.texts(control)}</div>
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
