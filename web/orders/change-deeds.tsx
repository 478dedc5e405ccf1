import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type ChangeOrder, recordMethods } from '../../contract/change-orders.ts'
import { ordersApi, type Order } from '../../contract/orders.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { ChangedLines } from '../lines/changed-lines.tsx'

interface DeedProps {
  order: Order
  change: ChangeOrder
  onClose: () => void
}

const named = ({ order, change }: DeedProps) => ({
  guid: order.guid,
  version: order.version,
  changeGuid: change.guid,
})

/** Sends a change to be signed. */
export function SendChange(props: DeedProps) {
  const { order, change, onClose } = props
  const { number } = change
  const t = useT('changes')
  const [to, setTo] = useState(order.contact?.email ?? order.customer.email ?? '')
  const send = useWrite(ordersApi.sendChange, {
    onSuccess: () => {
      toast.success(t('changes:done.send', { number }))
      onClose()
    },
  })
  return (
    <AskDialog
      title={t('changes:deeds.sendNamed', { number })}
      action={t('changes:deeds.send')}
      error={send.error}
      isBusy={send.isPending}
      isBlocked={!to.trim()}
      onClose={onClose}
      onAsk={() => send.mutate({ ...named(props), to: [to.trim()] })}
    >
      <ChangedLines {...change} />
      <TextInput
        type="email"
        label={t('changes:to')}
        description={t('changes:toText')}
        value={to}
        required
        onChange={(event) => setTo(event.currentTarget.value)}
      />
    </AskDialog>
  )
}

/** Says that the customer agreed by word, or on paper. */
export function RecordChange(props: DeedProps) {
  const { change, onClose } = props
  const { number } = change
  const t = useT('changes')
  const [method, setMethod] = useState<(typeof recordMethods)[number]>('phone')
  const [name, setName] = useState('')
  const record = useWrite(ordersApi.recordChange, {
    onSuccess: () => {
      toast.success(t('changes:done.record', { number }))
      onClose()
    },
  })
  return (
    <AskDialog
      title={t('changes:deeds.recordNamed', { number })}
      action={t('changes:deeds.record')}
      error={record.error}
      isBusy={record.isPending}
      isBlocked={!name.trim()}
      onClose={onClose}
      onAsk={() => record.mutate({ ...named(props), method, name: name.trim() })}
    >
      <ChangedLines {...change} />
      <TextInput
        label={t('changes:agreedBy')}
        value={name}
        required
        maxLength={120}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label={t('changes:how')}
        value={method}
        data={recordMethods.map((value) => ({ value, label: t(`changes:methods.${value}`) }))}
        onChange={(event) => setMethod(recordMethods.find((known) => known === event.currentTarget.value) ?? 'phone')}
      />
    </AskDialog>
  )
}

/** Takes back a change that nobody answered. */
export function CancelChange(props: DeedProps) {
  const { change, onClose } = props
  const { number } = change
  const t = useT('changes')
  const cancel = useWrite(ordersApi.cancelChange, {
    onSuccess: () => {
      toast.success(t('changes:done.cancel', { number }))
      onClose()
    },
  })
  return (
    <AskDialog
      title={t('changes:deeds.cancelNamed', { number })}
      action={t('changes:deeds.cancelAction')}
      error={cancel.error}
      isBusy={cancel.isPending}
      onClose={onClose}
      onAsk={() => cancel.mutate(named(props))}
    >
      <p className="no-margin">{t(change.status === 'sent' ? 'changes:cancelSent' : 'changes:cancelDraft')}</p>
    </AskDialog>
  )
}
