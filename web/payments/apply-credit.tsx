import { useEffect } from 'react'
import { paymentsApi } from '../../contract/payments.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'

/** Lets a customer's credit pay what was due first, after saying what that would be. */
export function ApplyCredit({ customer, onClose }: { customer: { guid: string; name: string }; onClose: () => void }) {
  const t = useT('payments')
  const f = useFormat()
  const { mutate: ask, data: plan, error: refusal } = useWrite(paymentsApi.applyCredit)
  useEffect(() => ask({ guid: customer.guid, dryRun: true }), [ask, customer.guid])
  const used = (plan?.allocations ?? []).reduce((sum, one) => sum + one.cents, 0)
  const write = useWrite(paymentsApi.applyCredit, {
    onSuccess: () => {
      toast.success(t('payments:applyCredit.done', { amount: f.money(used) }))
      onClose()
    },
  })
  return (
    <AskDialog
      title={t('payments:applyCredit.menu')}
      action={t('payments:applyCredit.action', { amount: f.money(used) })}
      error={write.error ?? refusal}
      isBusy={write.isPending}
      isBlocked={used === 0}
      onClose={onClose}
      onAsk={() => plan && write.mutate({ guid: customer.guid, allocations: plan.allocations.map(asUse) })}
    >
      <p className="muted no-margin">{customer.name}</p>
      {plan ? (
        <>
          <ul className="plain-list">
            {plan.allocations.map((one) => (
              <li key={`${one.paymentGuid} ${one.invoiceGuid}`}>
                {unbroken(t('payments:applyCredit.line', { amount: f.money(one.cents), number: one.invoiceNumber }))}
              </li>
            ))}
          </ul>
          <p className="muted small no-margin" aria-live="polite">
            {plan.leftCents > 0
              ? t('payments:applyCredit.left', { amount: f.money(plan.leftCents) })
              : t('payments:applyCredit.none')}
          </p>
        </>
      ) : null}
    </AskDialog>
  )
}

const asUse = ({ paymentGuid, invoiceGuid, cents }: { paymentGuid: string; invoiceGuid: string; cents: number }) => ({
  paymentGuid,
  invoiceGuid,
  cents,
})
