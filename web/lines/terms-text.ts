import type { DepositRule, Discount } from '../../contract/lines.ts'
import type { Stage } from '../../contract/stages.ts'
import type { Say } from '../record/record-facts.tsx'

/** `10%` or `$50`. */
const shareText = (share: Discount, { f }: Say) =>
  share.type === 'percent' ? f.percent(share.value) : f.money(share.value)

export const discountText = (discount: Discount | null, say: Say) => (discount ? shareText(discount, say) : null)

export const depositText = (rule: DepositRule | null, say: Say) =>
  !rule || rule.type === 'none' ? say.t('lines:depositNone') : shareText(rule, say)

const stageShare = ({ amount }: Stage, { t, f }: Say) => {
  if (amount.type === 'rest') return t('lines:stages.rest')
  return amount.type === 'percent' ? f.percent(amount.bp) : f.money(amount.cents)
}

/** Stages of a payment, each on a line of its own: `Frame up: 40%, when work starts`. */
export const stagesText = (stages: readonly Stage[], say: Say) =>
  stages
    .map((stage) => {
      const due = stage.due.type === 'day' ? say.f.date(stage.due.on) : say.t(`lines:stages.dues.${stage.due.type}`)
      return say.t('lines:stages.said', { label: stage.label, share: stageShare(stage, say), due })
    })
    .join('\n')
