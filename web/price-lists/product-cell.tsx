import { useState } from 'react'
import { productsApi } from '../../contract/products.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ComboInput, useSearchText } from '../core/ui/combo-input.tsx'
import { Money } from '../core/ui/money.tsx'
import type { PriceRow } from './price-rows.ts'

interface ProductCellProps {
  row: PriceRow
  label: string
  isWrong: boolean
  describedBy: string | undefined
  onText: (text: string) => void
  /** One of those that were found was chosen. */
  onPick: (guid: string, name: string) => void
  /** The cell is left with a text that means no product yet. */
  onLeave: () => void
}

/** The product of a row: chosen from what is found while one types, or named by its code. */
export function ProductCell({ row, label, isWrong, describedBy, onText, onPick, onLeave }: ProductCellProps) {
  const t = useT('prices')
  const [isOpen, setOpen] = useState(false)
  const { search, isSettled, hurry } = useSearchText(row.product ? '' : row.text.trim())
  const found = useRead(
    productsApi.list,
    { size: 10, sort: 'name', ...(search ? { search } : {}) },
    { keep: true, enabled: isOpen, isAsideWhenOff: true },
  )
  const products = found.data?.items ?? []
  return (
    <ComboInput
      variant="unstyled"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      aria-describedby={describedBy}
      listLabel={t('prices:product')}
      minWidth={320}
      opensByClick={false}
      title={row.text}
      text={row.text}
      onText={onText}
      options={products.map((product) => ({
        value: product.guid,
        label: product.name,
        isDisabled: product.isPricedByParts,
        hint: product.isPricedByParts ? (
          t('prices:pricedByParts')
        ) : (
          <>
            {product.sku ? `${product.sku} · ` : ''}
            <Money cents={product.priceCents} />
          </>
        ),
      }))}
      chosen={row.product?.guid ?? null}
      onPick={(guid) => onPick(guid, products.find((product) => product.guid === guid)?.name ?? '')}
      isOpen={isOpen}
      onOpen={setOpen}
      isCurrent={isSettled && !found.isPlaceholderData && !found.isPending}
      onHurry={hurry}
      nothing={t('prices:nothingFound')}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={() => {
        if (!row.product && row.text.trim()) onLeave()
      }}
    />
  )
}
