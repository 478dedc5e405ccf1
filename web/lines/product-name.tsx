import { memo, useState } from 'react'
import { productsApi } from '../../contract/products.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { readStored, writeStored } from '../core/storage.ts'
import { ComboInput, useSearchText } from '../core/ui/combo-input.tsx'
import { Money } from '../core/ui/money.tsx'
import { ofProduct } from './line-state.ts'
import type { LinesStore } from './lines-store.ts'

const lastKey = 'lastProductGuid'

export interface ProductNameProps {
  store: LinesStore
  lineKey: string
  name: string
  productGuid: string | null
  label: string
  /** Its name with the number of the line. */
  spoken: string
  priceMode: 'exclusive' | 'inclusive'
  isRegistered: boolean
  error: string | undefined
  onEnter: (key: string, presses: number) => void
  onPicked: (key: string) => void
}

const shown = 10
/** Of those that can't be chosen: enough to see why. */
const shownClosed = 3
const onDocuments = 'service,goods,hire,labour,fee'
const canStand = ({ kind }: { kind: string }) => kind !== 'bundle' && kind !== 'discount'

/**
 * A name that begins with what is typed comes first, then one that holds it; a code or a description may hold it, too.
 */
function byName<P extends { name: string }>(products: readonly P[], typed: string): P[] {
  const wanted = typed.toLowerCase()
  const rank = ({ name }: P) => {
    const at = name.toLowerCase().indexOf(wanted)
    return at === 0 ? 0 : at > 0 ? 1 : 2
  }
  return products.toSorted((one, other) => rank(one) - rank(other))
}

/** Products by what is typed; the one that was chosen last in this browser comes first. */
function useProducts(name: string, isOpen: boolean) {
  const { search, isSettled, hurry } = useSearchText(name.trim())
  const maySearch = useCan(productsApi.list)
  const mayGet = useCan(productsApi.get)
  const last = isOpen ? (readStored<string>(lastKey)?.value ?? null) : null
  const found = useRead(
    productsApi.list,
    { size: 25, sort: 'name', status: 'active', ...(search ? { search } : { kind: onDocuments }) },
    { keep: true, enabled: isOpen && maySearch, isAsideWhenOff: true },
  )
  const remembered = useRead(
    productsApi.get,
    { guid: last ?? '' },
    { enabled: isOpen && mayGet && last !== null && search === '', isAsideWhenOff: true },
  )
  const items = found.data?.items ?? []
  const first =
    items.find(({ guid }) => guid === last) ??
    (search === '' && remembered.data?.product.status === 'active' ? remembered.data.product : undefined)
  const ranked = byName(first ? [first, ...items.filter(({ guid }) => guid !== first.guid)] : items, search)
  const closed = ranked.filter((product) => !canStand(product)).slice(0, shownClosed)
  const products = [...ranked.filter(canStand).slice(0, shown - closed.length), ...closed]
  return { products, isCurrent: !maySearch || (isSettled && !found.isPlaceholderData && !found.isPending), hurry }
}

/** The name of a line: free text, or a product whose price, unit, GST and description come with it. */
export const ProductName = memo(function ProductName({
  store,
  lineKey,
  name,
  productGuid,
  label,
  spoken,
  priceMode,
  isRegistered,
  error,
  onEnter,
  onPicked,
}: ProductNameProps) {
  const t = useT('lines')
  const [isOpen, setOpen] = useState(false)
  const { products, isCurrent, hurry } = useProducts(name, isOpen)
  const pick = (guid: string) => {
    const product = products.find((candidate) => candidate.guid === guid)
    const line = store.line(lineKey)
    if (!product || !line || !canStand(product)) return
    onPicked(lineKey)
    if (line.productGuid === guid) return
    writeStored(lastKey, guid)
    store.change(lineKey, ofProduct(line, product, priceMode, isRegistered))
  }
  return (
    <ComboInput
      label={label}
      aria-label={spoken}
      listLabel={t('lines:products')}
      placeholder={t('lines:namePlaceholder')}
      maxLength={200}
      error={error}
      minWidth={360}
      opensByClick={name === ''}
      text={name}
      // Other words are another thing than the product.
      onText={(text) =>
        store.change(lineKey, {
          name: text,
          productGuid: null,
          isPriceManual: true,
          awaits: false,
          why: [],
        })
      }
      options={products.map((product) => ({
        value: product.guid,
        label: product.name,
        isDisabled: !canStand(product),
        hint: canStand(product) ? (
          <>
            {product.sku ? `${product.sku} · ` : ''}
            <Money cents={product.priceCents} />
            {product.unit === 'each' ? '' : ` / ${phraseOr(`lines:units.${product.unit}`, product.unit)}`}
          </>
        ) : (
          t(product.kind === 'bundle' ? 'lines:noBundles' : 'lines:noDiscounts')
        ),
      }))}
      chosen={productGuid}
      onPick={pick}
      isOpen={isOpen}
      onOpen={setOpen}
      isCurrent={isCurrent}
      onHurry={hurry}
      onEnter={(presses) => onEnter(lineKey, presses)}
    />
  )
})
