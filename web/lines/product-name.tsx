import { memo, useContext, useState } from 'react'
import { reached } from '../../contract/pricing.ts'
import { productKinds, productsApi } from '../../contract/products.ts'
import { businessHere } from '../core/api/business.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useOwner } from '../core/api/of-business.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phrase, phraseOr, useT } from '../core/i18n/i18n.ts'
import { readStored, writeStored } from '../core/storage.ts'
import { ComboInput, useSearchText } from '../core/ui/combo-input.tsx'
import { Money } from '../core/ui/money.tsx'
import { PricedFor } from './catalogue-prices.ts'
import { ofProduct } from './line-state.ts'
import type { LinesStore } from './lines-store.ts'

/** Of each catalogue its own: another one's cannot stand there. */
const lastKeyOf = (business: string | null) => `lastProductGuid.${business ?? businessHere() ?? ''}`

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
  /** What the product says of its quantities becomes the customer's choice. */
  offersRange: boolean
  error: string | undefined
  onEnter: (key: string, presses: number) => void
  onPicked: (key: string) => void
}

const shown = 10

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

/** A few letters say little: from so many on a word of theirs may be a kind's. */
const fewest = 3

/** The kinds of products whose name, in the language of the page, begins with what is typed. */
function kindsNamed(typed: string): string {
  const wanted = typed.toLowerCase()
  if (wanted.length < fewest) return ''
  return productKinds.filter((kind) => phrase(`products:kinds.${kind}`).toLowerCase().startsWith(wanted)).join(',')
}

/** Products by what is typed; the one that was chosen last in this browser comes first. */
function useProducts(name: string, isOpen: boolean) {
  const { search, isSettled, hurry } = useSearchText(name.trim())
  const customerGuid = useContext(PricedFor)
  const searchKinds = kindsNamed(search)
  const maySearch = useCan(productsApi.list)
  const mayGet = useCan(productsApi.get)
  const lastKey = lastKeyOf(useOwner())
  const last = isOpen ? (readStored<string>(lastKey)?.value ?? null) : null
  const found = useRead(
    productsApi.list,
    {
      size: 25,
      sort: 'name',
      status: 'active',
      ...(search ? { search } : {}),
      ...(searchKinds ? { searchKinds } : {}),
      ...(customerGuid ? { customerGuid } : {}),
    },
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
  const products = ranked.slice(0, shown)
  return { products, isCurrent: !maySearch || (isSettled && !found.isPlaceholderData && !found.isPending), hurry }
}

type Found = ReturnType<typeof useProducts>['products'][number]

const isByParts = (product: Found) =>
  'isPricedByParts' in product ? product.isPricedByParts : (product.bundle?.mode ?? 'fixed') !== 'fixed'

/** What tells a product from others of its name. */
function Hint({ product, quantity }: { product: Found; quantity: string }) {
  const t = useT('lines')
  const f = useFormat()
  const { sku, kind, unit, priceCents } = product
  const isAgreed = useContext(PricedFor) !== null
  const listPrices = 'listPrices' in product ? product.listPrices : undefined
  // The product that was chosen last comes without what was agreed: no price is better than a wrong one.
  const isKnown = !isAgreed || listPrices !== undefined
  const agreed = reached(listPrices ?? [], /^\d+(\.\d+)?$/.test(quantity) ? quantity : '1')
  const [later] = agreed ? [] : (listPrices ?? [])
  const cost = (cents: number) => (kind === 'discount' ? -Math.abs(cents) : cents)
  const code = sku ? `${sku} · ` : ''
  const per = unit === 'each' ? '' : ` / ${phraseOr(`lines:units.${unit}`, unit)}`
  if (isByParts(product))
    return (
      <>
        {code}
        {t('lines:byParts')}
        {per}
      </>
    )
  if (!isKnown) return <>{sku}</>
  return (
    <>
      {code}
      <Money cents={cost(agreed?.priceCents ?? priceCents)} />
      {per}
      {later
        ? ` · ${t('lines:priceFrom', { amount: f.money(cost(later.priceCents)), from: f.quantity(later.from) })}`
        : ''}
    </>
  )
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
  offersRange,
  error,
  onEnter,
  onPicked,
}: ProductNameProps) {
  const t = useT('lines', 'products')
  const [isOpen, setOpen] = useState(false)
  const business = useOwner()
  const { products, isCurrent, hurry } = useProducts(name, isOpen)
  const pick = (guid: string) => {
    const product = products.find((candidate) => candidate.guid === guid)
    const line = store.line(lineKey)
    if (!product || !line) return
    onPicked(lineKey)
    if (line.productGuid === guid) return
    writeStored(lastKeyOf(business), guid)
    store.change(lineKey, ofProduct(line, product, priceMode, isRegistered, offersRange))
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
          ...(store.line(lineKey)?.kind === 'bundle' ? { kind: 'item' as const } : {}),
          below: undefined,
          asking: undefined,
          answers: undefined,
          productGuid: null,
          isPriceManual: true,
          awaits: false,
          why: [],
        })
      }
      options={products.map((product) => ({
        value: product.guid,
        label: product.name,
        hint: <Hint product={product} quantity={store.line(lineKey)?.quantity ?? ''} />,
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
