import { TextInput } from '@mantine/core'
import type { OptionAnswer } from '../../contract/booking-options.ts'
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
import { type ChosenProduct, ProductDetails } from './product-entry.tsx'

const types = ['product', 'line', 'section', 'alternative', 'template'] as const
type EntryType = (typeof types)[number]

/** What is typed for an entry, of whatever type. */
export interface TypedEntry {
  type: EntryType
  product: ChosenProduct | null
  quantity: string
  /** Of what is hired: both or none. */
  days: { from: string | null; to: string | null }
  /** To what the product asks; undefined until somebody has answered. */
  answers?: readonly OptionAnswer[] | undefined
  name: string
  cents: number | null
  group: string
  alternatives: readonly { guid: string; name: string }[]
  template: string | null
}
export const noEntry: TypedEntry = {
  ...{ type: 'product', product: null, quantity: '1', name: '', cents: null, group: '', alternatives: [] },
  ...{ template: null, days: { from: null, to: null } },
}

/** The same as it is sent; null while something is missing. */
export function entryOf(typed: TypedEntry): Entry | null {
  const quantity = typed.quantity.trim().replace(',', '.')
  const { from, to } = typed.days
  const given = {
    product: {
      ...{ type: 'product', productGuid: typed.product?.guid, quantity },
      ...(typed.answers ? { answers: typed.answers } : {}),
      ...(from || to ? { hire: { from, to } } : {}),
    },
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
  // What a product asks is written by these, too: read here, nothing waits for them while somebody types.
  const t = useT('templates', 'lines', 'options', 'record', 'files')
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
      onPick={({ guid, name: called, kind }) => {
        if (isMany) set({ alternatives: [...typed.alternatives, { guid, name: called }] })
        // What was asked of another product is not asked of this one.
        else set({ product: { guid, name: called, kind }, days: noEntry.days, answers: undefined })
      }}
      value={isMany ? null : (typed.product?.guid ?? null)}
      chosen={isMany || !typed.product ? null : { value: typed.product.guid, label: typed.product.name }}
      onChange={() => undefined}
      label={label}
      required={!isMany}
      autoFocus={isMany && typed.alternatives.length > 0}
      error={isMany ? at('entry.productGuids') : at('entry.productGuid')}
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
          {typed.product ? (
            <ProductDetails
              key={typed.product.guid}
              product={typed.product}
              quantity={typed.quantity}
              days={typed.days}
              onDays={(days) => set({ days })}
              answers={typed.answers}
              onAnswers={(answers) => set({ answers })}
              problemAt={at}
            />
          ) : null}
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
