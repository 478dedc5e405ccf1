import type { Discount } from '../../contract/lines.ts'
import type { Terms } from './lines.service.ts'

export const isSameDiscount = (a: Discount | null | undefined, b: Discount | null | undefined) =>
  a?.type === b?.type && a?.value === b?.value

/** The terms of a document after a change: what is not sent stays. */
export const termsAfter = (before: Terms, sent: { [K in keyof Terms]?: Terms[K] | null | undefined }): Terms => ({
  priceMode: sent.priceMode ?? before.priceMode,
  roundingRule: sent.roundingRule ?? before.roundingRule,
  discount: sent.discount === undefined ? before.discount : sent.discount,
})

/** Whether the lines have to be priced again. */
export const isRepriced = (now: Terms, before: Terms) =>
  now.priceMode !== before.priceMode ||
  now.roundingRule !== before.roundingRule ||
  !isSameDiscount(now.discount, before.discount)
