import type { Claim } from '../../contract/documents.ts'
import { useT } from '../core/i18n/i18n.ts'
import { TotalsRow } from './totals-block.tsx'

/** Where a progress invoice stands in its contract: what was claimed before, and what is left. */
export function ClaimBlock({ claim }: { claim: Claim | null }) {
  const t = useT('lines')
  if (!claim) return null
  const { contractCents, earlierCents, thisCents } = claim
  return (
    <section className="claim" aria-labelledby="claim-title">
      <h3 id="claim-title">{t('lines:claim.heading')}</h3>
      <dl className="totals">
        <TotalsRow label={t('lines:claim.contract')} cents={contractCents} />
        <TotalsRow label={t('lines:claim.earlier')} cents={earlierCents} />
        <TotalsRow label={t('lines:claim.this')} cents={thisCents} isStrong />
        <TotalsRow label={t('lines:claim.left')} cents={contractCents - earlierCents - thisCents} />
      </dl>
    </section>
  )
}
