import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ordersApi, type AnyOrder } from '../../contract/orders.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DialogForm } from '../core/ui/confirm-form.tsx'
import { Dialog, DialogActions } from '../core/ui/dialog.tsx'
import { toast } from '../core/ui/toast.tsx'

const billedOf = (order: AnyOrder) => (order.hasAmounts ? order.money.creditableCents : 0)

/** Cancels an order. Of one that is partly billed it says what stays and what could be credited, before and after. */
export function CancelDialog({ order, onClose }: { order: AnyOrder; onClose: () => void }) {
  const t = useT('orders', 'common')
  const f = useFormat()
  const text = useErrorText()
  const [reason, setReason] = useState('')
  const [left, setLeft] = useState<number | null>(null)
  const cancel = useWrite(ordersApi.status, {
    onSuccess: ({ order: after }) => {
      const cents = billedOf(after)
      if (cents > 0) return setLeft(cents)
      toast.success(t('orders:done.cancel', { name: order.number }))
      return onClose()
    },
  })
  if (left !== null)
    return (
      <Dialog title={t('orders:done.cancel', { name: order.number })} onClose={onClose}>
        <p className="no-margin">{t('orders:cancelling.after', { amount: f.money(left) })}</p>
        <DialogActions>
          <Button onClick={onClose} data-autofocus>
            {t('common:close')}
          </Button>
        </DialogActions>
      </Dialog>
    )
  const billed = billedOf(order)
  return (
    <DialogForm
      isOpen
      title={t('orders:deeds.cancel')}
      action={t('orders:deeds.cancel')}
      cancelLabel={t('orders:cancelling.keep')}
      isDangerous
      isBusy={cancel.isPending}
      isBlocked={!reason.trim()}
      problem={cancel.error ? text(cancel.error) : null}
      onClose={onClose}
      onSubmit={() =>
        cancel.mutate({
          guid: order.guid,
          version: order.version,
          deed: 'cancel',
          reason: reason.trim(),
        })
      }
    >
      {billed > 0 ? <p className="no-margin">{t('orders:cancelling.before', { amount: f.money(billed) })}</p> : null}
      <TextInput
        label={t('orders:reasonFor.cancel')}
        value={reason}
        required
        maxLength={400}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </DialogForm>
  )
}
