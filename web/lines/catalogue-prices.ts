import { createContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { calculatorsApi } from '../../contract/calculators.ts'
import { useOwner } from '../core/api/of-business.ts'
import { useCan } from '../core/api/can.ts'
import { request } from '../core/api/client.ts'
import type { Answer } from '../core/api/types.ts'
import { asksOfCustomer } from './asks-again.ts'
import { isBlank, sentLines, takenFrom, type Terms } from './line-state.ts'
import { useLines, type LinesStore } from './lines-store.ts'

type Answered = Answer<typeof calculatorsApi.totals>
export interface Margin extends NonNullable<Answered['margin']> {
  /** How many lines with a price count as if they cost nothing, because nobody has said what they cost. */
  uncosted: number
}

type Priced = Answered['lines'][number]
const isUncosted = ({ kind, isCounted, netCents, costCents, children }: Priced) =>
  isCounted &&
  (kind === 'bundle' ? children.some((part) => part.costCents === null) : netCents > 0 && costCents === null)

/** The customer whose prices are shown where products are looked up. */
export const PricedFor = createContext<string | null>(null)
/** Whether products have no price here but the catalogue's, as in a template. */
export const FollowsCatalogue = createContext(false)

/** Typing ends before it is asked. */
const restMs = 250

/**
 * Keeps prices of products as the catalogue has them for this customer, quantity and days, and says why; answers with
 * the margin, to those who may see costs. Lines that somebody priced by hand keep their price.
 */
export function useCataloguePrices(store: LinesStore, terms: Terms, customerGuid: string | null): Margin | null {
  const may = useCan(calculatorsApi.totals)
  const business = useOwner()
  const lines = useLines(store)
  const [margin, setMargin] = useState<Margin | null>(null)
  const asked = lines.filter((line) => !isBlank(line))
  const isNeeded = may && asked.some((line) => line.productGuid !== null)
  // Another customer may have another price, and so has another way of stating prices.
  const pricedFor = JSON.stringify([customerGuid, terms.priceMode])
  const before = useRef(pricedFor)
  const askAgain = useEffectEvent(() => store.set(store.get().map((line) => ({ ...line, ...asksOfCustomer(line) }))))
  useEffect(() => {
    if (before.current === pricedFor) return
    before.current = pricedFor
    askAgain()
  }, [pricedFor])
  // What the customer may choose costs nothing yet, and may be half typed.
  const priced = asked.map((line) => ({ ...line, range: null }))
  const body = isNeeded ? JSON.stringify({ ...terms, customerGuid, lines: sentLines(priced) }) : null
  const take = useEffectEvent((answer: Answered, keys: readonly string[]) => {
    setMargin(answer.margin && { ...answer.margin, uncosted: answer.lines.filter(isUncosted).length })
    answer.lines.forEach((found, i) => {
      const line = store.line(keys[i] ?? '')
      if (!line?.productGuid) return
      const { children, showsParts } = found
      const change = takenFrom(line, { ...found, unit: found.catalogueUnit, below: { children, showsParts } })
      if (change) store.change(line.key, change)
    })
  })
  const askNow = useEffectEvent(async (input: string, signal: AbortSignal) => {
    const keys = asked.map((line) => line.key)
    try {
      const given = JSON.parse(input) as Parameters<typeof request<typeof calculatorsApi.totals>>[1]
      const answer = await request(calculatorsApi.totals, given, { signal, business })
      if (!signal.aborted) take(answer, keys)
    } catch {
      // What is half typed is no line yet; saving says what is wrong with it.
    }
  })
  useEffect(() => {
    if (body === null) return
    const stopped = new AbortController()
    const timer = setTimeout(() => void askNow(body, stopped.signal), restMs)
    return () => {
      clearTimeout(timer)
      stopped.abort()
    }
  }, [body])
  return isNeeded ? margin : null
}
