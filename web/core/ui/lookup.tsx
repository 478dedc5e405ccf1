import { Loader, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { useController, type Control, type FieldValues } from 'react-hook-form'
import type { Op } from '../../../contract/core/op.ts'
import { useRead } from '../api/hooks.ts'
import type { ItemOf, Payload } from '../api/types.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useT } from '../i18n/i18n.ts'
import type { FieldProps } from './fields.tsx'

export interface LookupOption {
  value: string
  label: string
  /** A second, quieter line. */
  hint?: string
}

export interface LookupSource<O extends Op, I = ItemOf<O>> {
  /** The list operation that is searched; what is typed goes into its `search`. */
  op: O
  /** Further filters. */
  input?: Partial<Payload<O>>
  option: (item: I) => LookupOption
  /** What is chosen now, so that it has a name before anything is searched. */
  chosen?: LookupOption | null
  onPick?: (item: I | null) => void
  /** Offers to make a new record from what was typed. */
  onCreate?: (typed: string) => void
  createLabel?: (typed: string) => string
}

const createValue = '\u0000new'

export interface LookupInputProps<O extends Op> extends LookupSource<O> {
  value: string | null
  onChange: (value: string | null) => void
  label: string
  description?: ReactNode
  error?: ReactNode
  placeholder?: string
  required?: boolean
  disabled?: boolean
  clearable?: boolean
  onBlur?: () => void
}

/** A searchable choice out of more records than one would load: searches while one types. */
export function LookupInput<O extends Op>({ op, input, option, chosen, onPick, onCreate, createLabel, value, onChange, error, ...rest }: LookupInputProps<O>) {
  const t = useT('common')
  const text = useErrorText()
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<LookupOption | null>(null)
  const shown = [picked, chosen].find((candidate) => candidate?.value === value) ?? null
  // The field holds the name of what is chosen; only other words are a search.
  const wanted = typed === shown?.label ? '' : typed.trim()
  const [search] = useDebouncedValue(wanted, 200)
  const found = useRead(op, { size: 10, ...input, ...(search ? { search } : {}) } as unknown as Payload<O>, { keep: true, enabled: isOpen })
  const items = ((found.data as { items?: ItemOf<O>[] } | undefined)?.items ?? []).map((item) => ({ item, ...option(item) }))
  const data = items.map(({ value: key, label }) => ({ value: key, label }))
  if (shown && !data.some((entry) => entry.value === shown.value)) data.unshift({ value: shown.value, label: shown.label })
  if (onCreate) data.push({ value: createValue, label: createLabel?.(wanted) ?? t('common:form.createNew') })
  const hintOf = new Map(items.map(({ value: key, hint }) => [key, hint]))

  const pick = (key: string | null) => {
    if (key === createValue) return onCreate?.(wanted)
    const entry = items.find((candidate) => candidate.value === key)
    setPicked(entry ?? null)
    onChange(key)
    onPick?.(entry?.item ?? null)
  }
  return (
    <Select
      {...rest}
      data={data}
      value={value}
      onChange={pick}
      searchable
      allowDeselect={false}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      nothingFoundMessage={found.isFetching ? t('common:loading') : t('common:nothingFound')}
      rightSection={found.isFetching && isOpen ? <Loader size={16} /> : undefined}
      error={found.error ? text(found.error) : error}
      renderOption={({ option: entry }) => (
        <span className={entry.value === createValue ? 'lookup-create' : 'lookup-option'}>
          <span>{entry.label}</span>
          {hintOf.get(entry.value) ? <span className="muted small">{hintOf.get(entry.value)}</span> : null}
        </span>
      )}
    />
  )
}

/** `LookupInput` in a form. */
export function LookupField<T extends FieldValues, C, F, O extends Op>({ control, name, label, description, isRequired = false, isDisabled = false, placeholder, isClearable = false, ...source }: FieldProps<T, C, F> & LookupSource<O> & { isClearable?: boolean }) {
  const { field, fieldState } = useController({ control: control as unknown as Control<T>, name })
  return (
    <LookupInput<O>
      {...source}
      label={label}
      description={description}
      {...(placeholder ? { placeholder } : {})}
      required={isRequired}
      disabled={isDisabled}
      clearable={isClearable}
      value={(field.value as string | null) ?? null}
      onChange={field.onChange}
      onBlur={field.onBlur}
      error={fieldState.error?.message}
    />
  )
}
