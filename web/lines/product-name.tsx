import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { productsApi } from '../../contract/products.ts'
import { useRead } from '../core/api/hooks.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Money } from '../core/ui/money.tsx'
import { withProduct, type EditorLine } from './line-state.ts'

export interface ProductNameProps {
  line: EditorLine
  label: string
  priceMode: 'exclusive' | 'inclusive'
  isRegistered: boolean
  error: string | undefined
  onChange: (line: EditorLine) => void
}

/** The name of a line: free text, or a product whose price, unit and GST come with it. */
export function ProductName({ line, label, priceMode, isRegistered, error, onChange }: ProductNameProps) {
  const t = useT('lines')
  const [isOpen, setOpen] = useState(false)
  const [search] = useDebouncedValue(line.name.trim(), 150)
  const maySearch = useCan(productsApi.list)
  const found = useRead(productsApi.list, { size: 10, sort: 'name', ...(search ? { search } : {}) }, { keep: true, enabled: isOpen && maySearch })
  const items = found.data?.items ?? []
  // Two products may share a name; the list needs distinct ones.
  const byName = new Map(items.map((product) => [product.name, product]))
  return (
    <Autocomplete
      aria-label={label}
      placeholder={t('lines:namePlaceholder')}
      value={line.name}
      maxLength={200}
      error={error}
      data={[...byName.keys()]}
      filter={({ options }) => options}
      comboboxProps={{ width: 360, position: 'bottom-start' }}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onChange={(name) => onChange({ ...line, name, productGuid: name === line.name ? line.productGuid : null })}
      onOptionSubmit={(name) => {
        const product = byName.get(name)
        if (product) onChange(withProduct(line, product, priceMode, isRegistered))
      }}
      renderOption={({ option }) => {
        const product = byName.get(option.value)
        return (
          <span className="lookup-option">
            <span>{option.value}</span>
            {product ? (
              <span className="muted small">
                {product.sku ? `${product.sku} · ` : ''}
                <Money cents={product.priceCents} />
              </span>
            ) : null}
          </span>
        )
      }}
    />
  )
}
