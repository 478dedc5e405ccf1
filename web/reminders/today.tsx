import { Alert, Button } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { messagesApi, messageTransitions } from '../../contract/messages.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import { restoredReason } from '../../contract/jobs.ts'
import { remindersApi, type RemindersToday } from '../../contract/reminders.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { type T, useT } from '../core/i18n/i18n.ts'
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
          <div className="stack">
            {today.isPaused ? (
              <Alert className="reminder-paused" color="yellow" variant="light">
                {pausedText(t, today)}
              </Alert>
            ) : null}
            <Reminders today={today} minimumCents={minimumCents} reread={() => void read.refetch()} />
          </div>
        </Card>
      )}
    </Loaded>
  )
}

function pausedText(t: T, { pausedReason: reason }: RemindersToday): string {
  if (reason === restoredReason) return t('reminders:today.restored')
  return reason ? t('reminders:today.pausedFor', { reason }) : t('reminders:today.paused')
}

/** Why nothing is planned today, if that is so. */
function stillText(t: T, { hasSteps, isOn, isQuiet }: RemindersToday): string | null {
  if (!hasSteps) return t('reminders:today.noSteps')
  if (!isOn) return t('reminders:today.off')
  return isQuiet ? t('reminders:today.quiet') : null
}

interface RemindersProps {
  today: RemindersToday
  minimumCents: number
  reread: () => void
}

function Reminders({ today, minimumCents, reread }: RemindersProps) {
  const t = useT('reminders', 'messages')
  const f = useFormat()
  const { reminders, planned, skipped, isPartial } = today
  const why = stillText(t, today)
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
      <Group title={t('reminders:today.skipped')} isFolded>
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

/** So many rows of a folded group are shown at first: what is set up below is near then. */
const unfolded = 5

interface GroupProps {
  title: string
  children: ReactNode[]
  isFolded?: boolean
}

function Group({ title, children, isFolded = false }: GroupProps) {
  const t = useT('reminders')
  const f = useFormat()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  if (children.length === 0) return null
  const isLong = isFolded && children.length > unfolded
  return (
    <section>
      <h3 className="ladder-heading">{title}</h3>
      <ul id={id} className="reminder-rows">
        {isLong && !isOpen ? children.slice(0, unfolded) : children}
      </ul>
      {isLong ? (
        <Button
          variant="subtle"
          size="compact-sm"
          className="no-print"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('reminders:today.fewer') : t('reminders:today.all', { count: f.number(children.length) })}
        </Button>
      ) : null}
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
        confirmLabel={t('reminders:today.cancelReminder')}
        cancelLabel={t('reminders:today.keep')}
        isDangerous
        onConfirm={() => cancel.mutateAsync({ guid: messageGuid })}
      >
        {t('reminders:today.cancelText')}
      </ConfirmDialog>
    </Row>
  )
}
