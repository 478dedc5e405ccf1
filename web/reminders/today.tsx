import { type ReactNode, useState } from 'react'
import { messagesApi, messageTransitions } from '../../contract/messages.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import { remindersApi, type RemindersToday } from '../../contract/reminders.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { Money } from '../core/ui/money.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { reasonText } from './reason-text.ts'

type Made = RemindersToday['reminders'][number]
type Asked = Made['invoices'][number]

/** The reminders of today: those that were made, what the next run sends, and what is left out. */
export function Today({ minimumCents }: { minimumCents: number }) {
  const t = useT('reminders', 'messages')
  const read = useRead(remindersApi.today, {})
  return (
    <Loaded of={read} lines={4}>
      {(today) => (
        <Card title={t('reminders:today.title')}>
          <Reminders today={today} minimumCents={minimumCents} reread={() => void read.refetch()} />
        </Card>
      )}
    </Loaded>
  )
}

interface RemindersProps {
  today: RemindersToday
  minimumCents: number
  reread: () => void
}

function Reminders({ today, minimumCents, reread }: RemindersProps) {
  const t = useT('reminders', 'messages')
  const f = useFormat()
  const { reminders, planned, skipped, isOn, isQuiet, isPartial } = today
  const why = isOn ? (isQuiet ? t('reminders:today.quiet') : null) : t('reminders:today.off')
  if (reminders.length + planned.length + skipped.length === 0)
    return <EmptyState scene="mail" title={t('reminders:today.empty')} text={why ?? t('reminders:today.emptyText')} />
  return (
    <div className="stack">
      {why ? <p className="muted no-margin">{why}</p> : null}
      {reminders.length + planned.length === 0 ? <p className="no-margin">{t('reminders:today.empty')}</p> : null}
      <Group title={t('reminders:today.made')}>
        {reminders.map((reminder) => (
          <MadeRow key={reminder.messageGuid} reminder={reminder} reread={reread} />
        ))}
      </Group>
      <Group title={t('reminders:today.planned')}>
        {planned.map(({ customer, to, totalCents, invoices }) => (
          <Row key={`${customer.guid} ${to.join(' ')}`} customer={customer} cents={totalCents} invoices={invoices}>
            <span className="cell-sub">{t('reminders:today.to', { to: to.join(', ') })}</span>
          </Row>
        ))}
      </Group>
      <Group title={t('reminders:today.skipped')}>
        {skipped.map((one) => (
          <Row key={one.invoice.guid} customer={one.customer} cents={one.invoice.cents} invoices={[one.invoice]}>
            <StatusChip status={one.reason} tone="neutral" label={reasonText(t, f, one, minimumCents)} />
          </Row>
        ))}
      </Group>
      {isPartial ? <p className="muted small no-margin">{t('reminders:today.partial')}</p> : null}
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section>
      <h3 className="ladder-heading">{title}</h3>
      <ul className="reminder-rows">{children}</ul>
    </section>
  )
}

interface RowProps {
  customer: Made['customer']
  cents: number
  invoices: readonly Asked[]
  children: ReactNode
  action?: ReactNode
}

function Row({ customer, cents, invoices, children, action }: RowProps) {
  const t = useT('reminders')
  const f = useFormat()
  return (
    <li className="reminder-row">
      <div>
        <RecordLink noun="Customers" guid={customer.guid}>
          <bdi>{customer.label}</bdi>
        </RecordLink>
        {invoices.map(({ guid, label, dueOn }) => (
          <span key={guid} className="cell-sub">
            <RecordLink noun="Invoices" guid={guid}>
              <bdi>{label}</bdi>
            </RecordLink>{' '}
            {t('reminders:today.dueOn', { day: f.date(dueOn) })}
          </span>
        ))}
      </div>
      <div className="reminder-said">{children}</div>
      <Money cents={cents} className="reminder-amount" />
      <div className="no-print">{action}</div>
    </li>
  )
}

function MadeRow({ reminder, reread }: { reminder: Made; reread: () => void }) {
  const t = useT('reminders', 'messages')
  const mayCancel = useCan(messagesApi.cancel)
  const [isAsked, setAsked] = useState(false)
  const { messageGuid, customer, to, totalCents, invoices, status, scheduledAt, sentAt, failureReason } = reminder
  const name = customer.label
  const cancel = useWrite(messagesApi.cancel, {
    onSuccess: () => {
      toast.success(t('reminders:today.cancelled', { name }))
      reread()
    },
  })
  const at = status === 'scheduled' ? scheduledAt : sentAt
  const isCancellable = mayCancel && leadsFrom(messageTransitions, 'cancel', status)
  return (
    <Row
      customer={customer}
      cents={totalCents}
      invoices={invoices}
      action={
        isCancellable ? (
          <button
            type="button"
            className="link"
            aria-label={t('reminders:today.cancelOne', { name })}
            onClick={() => setAsked(true)}
          >
            {t('reminders:today.cancel')}
          </button>
        ) : null
      }
    >
      <RecordLink noun="Messages" guid={messageGuid}>
        <StatusChip status={status} ns="messages" />
      </RecordLink>
      <span className="cell-sub">
        {at ? <DateText value={at} as="time" /> : null} {t('reminders:today.to', { to: to.join(', ') })}
      </span>
      {failureReason ? <span className="cell-sub">{failureReason}</span> : null}
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={t('reminders:today.cancelTitle', { name })}
        confirmLabel={t('reminders:today.cancel')}
        cancelLabel={t('reminders:today.keep')}
        isDangerous
        onConfirm={() => cancel.mutateAsync({ guid: messageGuid })}
      >
        {t('reminders:today.cancelText')}
      </ConfirmDialog>
    </Row>
  )
}
