import { CloseButton } from '@mantine/core'
import { useState, type ReactNode, type Ref } from 'react'
import { useController, type Control, type FieldValues } from 'react-hook-form'
import type { Op } from '../../../contract/core/op.ts'
import { useRead } from '../api/hooks.ts'
import type { ItemOf, Payload } from '../api/types.ts'
import { useErrorText } from '../i18n/errors.ts'
import { useT } from '../i18n/i18n.ts'
import { ComboInput, useSearchText } from './combo-input.tsx'
import type { ComboOption } from './combo-list.tsx'
import type { FieldProps } from './fields.tsx'
import { Icon } from './icon.tsx'

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
  onPick?: (item: I) => void
  /** Which of those that are found may be chosen; all when not said. */
  isOffered?: (item: I) => boolean
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
  autoFocus?: boolean
  /** May be emptied, by the button in the field; the value is then null. */
  clearable?: boolean
  onBlur?: () => void
  ref?: Ref<HTMLInputElement>
}

/** A searchable choice out of more records than one would load: searches while one types. */
export function LookupInput<O extends Op>({
  op,
  input,
  option,
  chosen,
  onPick,
  isOffered = () => true,
  onCreate,
  createLabel,
  value,
  onChange,
  error,
  onBlur,
  autoFocus = false,
  clearable = false,
  ...rest
}: LookupInputProps<O>) {
  const t = useT('common')
  const text = useErrorText()
  const [isOpen, setOpen] = useState(false)
  // Null while the field shows the name of what is chosen.
  const [typed, setTyped] = useState<string | null>(null)
  const [picked, setPicked] = useState<LookupOption | null>(null)
  const [known, setKnown] = useState(value)
  if (known !== value) {
    setKnown(value)
    setTyped(null)
  }
  const shown = [picked, chosen].find((candidate) => candidate?.value === value) ?? null
  const wanted = typed?.trim() ?? ''
  const { search, isSettled, hurry } = useSearchText(wanted)
  const found = useRead(op, { size: 10, ...input, ...(search ? { search } : {}) } as unknown as Payload<O>, {
    keep: true,
    enabled: isOpen,
  })
  const items = ((found.data as { items?: ItemOf<O>[] } | undefined)?.items ?? [])
    .filter(isOffered)
    .map((item) => ({ item, ...option(item) }))
  const options: ComboOption[] = items.map(({ value: key, label, hint }) => ({ value: key, label, hint }))
  if (shown && !wanted && !options.some((entry) => entry.value === shown.value)) options.unshift(shown)
  if (onCreate)
    options.push({ value: createValue, label: createLabel?.(wanted) ?? t('common:form.createNew'), isAction: true })

  const pick = (key: string) => {
    if (key === createValue) return onCreate?.(wanted)
    const entry = items.find((candidate) => candidate.value === key)
    setTyped(null)
    if (!entry || key === value) return
    setPicked(entry)
    onChange(key)
    onPick?.(entry.item)
  }
  const isEmptied = clearable && value !== null && rest.disabled !== true
  return (
    <ComboInput
      rightSection={
        isEmptied ? (
          <CloseButton
            size="sm"
            aria-label={t('common:clear')}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChange(null)}
          />
        ) : (
          <Icon name="down" size={14} />
        )
      }
      rightSectionWidth={28}
      rightSectionPointerEvents={isEmptied ? 'all' : 'none'}
      {...rest}
      listLabel={rest.label}
      text={typed ?? shown?.label ?? ''}
      onText={setTyped}
      options={options}
      chosen={value}
      onPick={pick}
      isOpen={isOpen}
      onOpen={setOpen}
      isCurrent={isSettled && !found.isPlaceholderData && !found.isPending}
      onHurry={hurry}
      nothing={t('common:nothingFound')}
      error={found.error ? text(found.error) : error}
      {...(autoFocus ? { autoFocus, 'data-autofocus': true } : {})}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={() => {
        // What stands chosen shows its name again; words that chose nothing stay to be mended.
        if (value !== null) setTyped(null)
        onBlur?.()
      }}
    />
  )
}

/** `LookupInput` in a form. */
export function LookupField<T extends FieldValues, C, F, O extends Op>({
  control,
  name,
  label,
  description,
  isRequired = false,
  isDisabled = false,
  placeholder,
  autoFocus = false,
  isClearable = false,
  ...source
}: FieldProps<T, C, F> & LookupSource<O> & { autoFocus?: boolean; isClearable?: boolean }) {
  const {
    field: { ref, value, onChange, onBlur },
    fieldState,
  } = useController({ control: control as unknown as Control<T>, name })
  return (
    <LookupInput<O>
      {...source}
      ref={ref}
      label={label}
      description={description}
      {...(placeholder ? { placeholder } : {})}
      required={isRequired}
      disabled={isDisabled}
      autoFocus={autoFocus}
      clearable={isClearable}
      value={(value as string | null) ?? null}
      onChange={onChange}
      onBlur={onBlur}
      error={fieldState.error?.message}
    />
  )
}
