import type { DepositRule, Discount } from '../../contract/lines.ts'
import type { Say } from '../record/record-facts.tsx'

/** `10%` or `$50`. */
const shareText = (share: Discount, { f }: Say) =>
  share.type === 'percent' ? f.percent(share.value) : f.money(share.value)

export const discountText = (discount: Discount | null, say: Say) => (discount ? shareText(discount, say) : null)

export const depositText = (rule: DepositRule | null, say: Say) =>
  !rule || rule.type === 'none' ? say.t('lines:depositNone') : shareText(rule, say)
