import { useMemo, useState } from 'react'
import { maxListItems, priceListsApi } from '../../contract/price-lists.ts'
import { productsApi } from '../../contract/products.ts'
import { request } from '../core/api/client.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import type { Comma } from '../core/ui/amounts.ts'
import type { Cell } from './prices-grid.tsx'
import { cellsOf, isEmpty, isHeading, namedProduct, paste, type PriceRow, withPrice } from './price-rows.ts'
import type { RowDeeds } from './price-row.tsx'
import type { RowsStore } from './rows-store.ts'

/** What is said about the last thing that was done with many rows. */
export interface Notice {
  text: string
  isWrong?: boolean
  /** Rows whose product could not be looked up: to be tried again. */
  again?: readonly string[]
}

/** What may be done with the rows of a list, and what is said of it. */
export function usePrices(store: RowsStore, comma: Comma) {
  const t = useT('prices')
  const f = useFormat()
  const errorText = useErrorText()
  const [notice, setNotice] = useState<Notice | null>(null)

  /** Looks up what was typed or pasted; a row that has changed meanwhile is left alone. */
  const look = async (keys: readonly string[]): Promise<PriceRow[] | null> => {
    const asked = keys.flatMap((key) => store.row(key) ?? []).filter((row) => !row.product && row.text.trim())
    const texts = [...new Set(asked.map(({ text }) => text))]
    if (texts.length === 0) return []
    try {
      const { products, matches } = await request(priceListsApi.match, {
        texts: texts.map((text) => text.slice(0, 500)),
      })
      const byGuid = new Map(products.map((product) => [product.guid, product]))
      const meant = new Map(texts.map((text, i) => [text, matches[i]]))
      const wanted = new Set(asked.map(({ key }) => key))
      store.set(
        store.get().map((row) => {
          const match = meant.get(row.text)
          if (!wanted.has(row.key) || row.product || !match) return row
          const product = byGuid.get(match.productGuid ?? '') ?? null
          return { ...row, product, text: product?.name ?? row.text, found: match.count }
        }),
      )
      return keys.flatMap((key) => store.row(key) ?? [])
    } catch (error) {
      setNotice({ text: errorText(error), isWrong: true, again: keys })
      return null
    }
  }

  const told = (rows: readonly PriceRow[], isCut: boolean) => {
    const filled = rows.filter((row) => !isEmpty(row))
    const missing = filled.filter((row) => !row.product).length
    const parts = [
      missing > 0
        ? t('prices:pasted.some', { count: filled.length - missing, total: f.number(filled.length) })
        : t('prices:pasted.all', { count: filled.length }),
      ...(missing > 0 ? [t('prices:pasted.missing', { count: missing })] : []),
      ...(isCut ? [t('prices:pasted.cut')] : []),
    ]
    setNotice({ text: parts.join(' '), isWrong: missing > 0 })
  }

  const pasteInto = async (cell: Cell, cells: readonly string[][]) => {
    const rows = store.get()
    const index = rows.findIndex(({ key }) => key === cell.key)
    const pasted = index < 0 ? null : paste(rows, { index, column: cell.column }, cells)
    if (!pasted) {
      const text = t('prices:pasted.tooMany', { count: cells.length, most: f.number(maxListItems) })
      return setNotice({ text, isWrong: true })
    }
    const keys = new Set(pasted.keys)
    store.set(
      pasted.rows.map((row) => (keys.has(row.key) ? withPrice(row, comma) : row)),
      'step',
    )
    setNotice(null)
    const looked = await look(pasted.keys)
    if (!looked) return
    const [first] = looked
    if (cell.column === 'product' && looked.length > 1 && first && isHeading(first, comma)) {
      store.set(store.get().filter(({ key }) => key !== first.key))
      return told(looked.slice(1), pasted.isCut)
    }
    if (cell.column === 'product') told(looked, pasted.isCut)
    else if (pasted.isCut) setNotice({ text: t('prices:pasted.cut'), isWrong: true })
  }

  /** Tiers are not in what is searched: they are read once one is chosen. */
  const pick = async (key: string, guid: string, name: string) => {
    store.change(key, { product: namedProduct(guid, name), text: name, found: 1 })
    try {
      const { product } = await request(productsApi.get, { guid })
      if (store.row(key)?.product?.guid === guid)
        store.change(key, { product: { ...product, isPricedByParts: false }, text: product.name })
    } catch {
      // The price of the catalogue is not shown then; the list can be saved all the same.
    }
  }

  const deeds: RowDeeds = {
    change: store.change,
    pick: (key, guid, name) => void pick(key, guid, name),
    look: (keys) => void look(keys),
    remove: (key) =>
      store.set(
        store.get().filter((row) => row.key !== key),
        'step',
      ),
  }
  return {
    // oxlint-disable-next-line react/exhaustive-deps -- they speak to the store, which stays
    deeds: useMemo(() => deeds, [store]),
    notice,
    say: setNotice,
    look: async (keys: readonly string[]) => {
      setNotice(null)
      const rows = await look(keys)
      if (rows) told(rows, false)
    },
    /** Takes what a spreadsheet gives; a text of one cell is typed as any other. */
    onPaste: (cell: Cell, text: string): boolean => {
      const cells = cellsOf(text)
      if (cells.length === 0 || (cells.length === 1 && cells[0]?.length === 1)) return false
      void pasteInto(cell, cells)
      return true
    },
  }
}
