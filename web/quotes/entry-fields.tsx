import { TextInput } from '@mantine/core'
import { productsApi } from '../../contract/products.ts'
import { entry, type Entry } from '../../contract/quote-entries.ts'
import { quoteTemplatesApi } from '../../contract/quote-templates.ts'
import { useCan } from '../core/api/can.ts'
import { asApiError } from '../core/api/error.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import { selectWhole } from '../core/ui/select-whole.ts'

const types = ['product', 'line', 'section', 'alternative', 'template'] as const
type EntryType = (typeof types)[number]

/** What is typed for an entry, of whatever type. */
export interface TypedEntry {
  type: EntryType
  product: string | null
  quantity: string
  name: string
  cents: number | null
  group: string
  alternatives: readonly { guid: string; name: string }[]
  template: string | null
}
export const noEntry: TypedEntry = {
  ...{ type: 'product', product: null, quantity: '1', name: '', cents: null, group: '', alternatives: [] },
  template: null,
}

/** The same as it is sent; null while something is missing. */
export function entryOf(typed: TypedEntry): Entry | null {
  const quantity = typed.quantity.trim().replace(',', '.')
  const given = {
    product: { type: 'product', productGuid: typed.product, quantity },
    line: { type: 'line', line: { name: typed.name, quantity, unitPriceCents: typed.cents ?? 0 } },
    section: { type: 'section', name: typed.name },
    alternative: {
      type: 'alternative',
      group: typed.group,
      productGuids: typed.alternatives.map(({ guid }) => guid),
    },
    template: { type: 'template', templateGuid: typed.template },
  }[typed.type]
  const read = entry.safeParse(given)
  return read.success ? read.data : null
}

interface EntryFieldsProps {
  typed: TypedEntry
  onChange: (typed: TypedEntry) => void
  /** What came back from the last try. */
  error: unknown
}

export function EntryFields({ typed, onChange, error }: EntryFieldsProps) {
  const t = useT('templates')
  const mayTemplates = useCan(quoteTemplatesApi.list)
  const set = (changes: Partial<TypedEntry>) => onChange({ ...typed, ...changes })
  const problems = error ? asApiError(error).errors : []
  const at = (...paths: string[]) => problems.find(({ path }) => paths.some((begin) => path.startsWith(begin)))?.message
  const quantity = (
    <TextInput
      {...selectWhole}
      label={t('templates:entry.quantity')}
      value={typed.quantity}
      onChange={(event) => set({ quantity: event.currentTarget.value })}
      inputMode="decimal"
      required
      error={at('entry.quantity', 'entry.line.quantity')}
    />
  )
  const product = (label: string, isMany: boolean) => (
    <LookupInput
      // What was chosen for a list goes into the list, and the field is empty again.
      key={isMany ? typed.alternatives.length : 'one'}
      op={productsApi.list}
      input={{ status: 'active' }}
      option={(item) => ({ value: item.guid, label: item.name, ...(item.sku ? { hint: item.sku } : {}) })}
      isOffered={(item) => !isMany || !typed.alternatives.some(({ guid }) => guid === item.guid)}
      onPick={(item) => {
        if (isMany) set({ alternatives: [...typed.alternatives, { guid: item.guid, name: item.name }] })
      }}
      value={isMany ? null : typed.product}
      onChange={(guid) => {
        if (!isMany) set({ product: guid })
      }}
      label={label}
      required={!isMany}
      autoFocus={isMany && typed.alternatives.length > 0}
      error={isMany ? at('entry.productGuids') : at('entry.productGuid', 'entry.answers', 'entry.hire')}
    />
  )
  const name = (label: string) => (
    <TextInput
      label={label}
      value={typed.name}
      onChange={(event) => set({ name: event.currentTarget.value })}
      maxLength={200}
      required
      error={at('entry.name', 'entry.line.name')}
    />
  )
  return (
    <>
      <ChoiceInput
        label={t('templates:entry.type')}
        data={types
          .filter((value) => value !== 'template' || mayTemplates)
          .map((value) => ({ value, label: t(`templates:entry.types.${value}`) }))}
        value={typed.type}
        onChange={(value) => set({ type: types.find((known) => known === value) ?? 'product' })}
      />
      {typed.type === 'product' ? (
        <>
          {product(t('templates:entry.product'), false)}
          {quantity}
        </>
      ) : null}
      {typed.type === 'line' ? (
        <>
          {name(t('templates:entry.line'))}
          <div className="grid-2 form-grid">
            {quantity}
            <MoneyInput
              label={t('templates:entry.price')}
              value={typed.cents}
              onChange={(cents) => set({ cents })}
              error={at('entry.line.unitPriceCents')}
            />
          </div>
        </>
      ) : null}
      {typed.type === 'section' ? name(t('templates:entry.section')) : null}
      {typed.type === 'alternative' ? (
        <>
          <TextInput
            label={t('templates:entry.group')}
            value={typed.group}
            onChange={(event) => set({ group: event.currentTarget.value })}
            maxLength={40}
            required
            error={at('entry.group')}
          />
          {typed.alternatives.length > 0 ? (
            <ul className="plain stack" aria-label={t('templates:entry.chosen')}>
              {typed.alternatives.map(({ guid, name: called }) => (
                <li key={guid} className="row spread">
                  <span>{called}</span>
                  <button
                    type="button"
                    className="link"
                    onClick={() => set({ alternatives: typed.alternatives.filter((one) => one.guid !== guid) })}
                  >
                    {t('templates:entry.remove', { name: called })}
                  </button>
                </li>
              ))}
            </ul>
          ) : null}
          {product(t('templates:entry.products'), true)}
        </>
      ) : null}
      {typed.type === 'template' ? (
        <LookupInput
          op={quoteTemplatesApi.list}
          option={(item) => ({ value: item.guid, label: item.name, hint: item.title })}
          value={typed.template}
          onChange={(template) => set({ template })}
          label={t('templates:template')}
          required
          error={at('entry.templateGuid')}
        />
      ) : null}
    </>
  )
}
