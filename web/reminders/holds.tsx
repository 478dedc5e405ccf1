import { type ReminderHold, remindersApi } from '../../contract/reminders.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { RecordLink } from '../record/record-link.tsx'

/** So many are shown; a business has a few. */
const shown = 100

/** What is kept back from reminders now. */
export function Holds() {
  const t = useT('reminders')
  const read = useRead(remindersApi.holds, { isInForce: 'true', size: shown })
  return (
    <Loaded of={read} lines={3}>
      {({ items, page: { total } }) => (
        <Card title={t('reminders:holds.title')}>
          {items.length === 0 ? (
            <EmptyState scene="done" title={t('reminders:holds.empty')} text={t('reminders:holds.emptyText')} />
          ) : (
            <HoldTable holds={items} />
          )}
          {total.value > items.length ? (
            <p className="muted small no-margin">
              {t('reminders:holds.more', { shown: items.length, total: total.value })}
            </p>
          ) : null}
        </Card>
      )}
    </Loaded>
  )
}

function HoldTable({ holds }: { holds: readonly ReminderHold[] }) {
  const t = useT('reminders')
  return (
    <div className="table-scroll" role="region" aria-label={t('reminders:holds.table')} tabIndex={0}>
      <table className="plain-table holds">
        <thead>
          <tr>
            <th scope="col">{t('reminders:holds.record')}</th>
            <th scope="col">{t('reminders:holds.reason')}</th>
            <th scope="col">{t('reminders:holds.until')}</th>
            <th scope="col">{t('reminders:holds.by')}</th>
            <th scope="col" className="no-print">
              {t('reminders:holds.actions')}
            </th>
          </tr>
        </thead>
        <tbody>
          {holds.map((hold) => (
            <tr key={hold.guid}>
              <th scope="row">
                <RecordLink noun={hold.invoiceGuid ? 'Invoices' : 'Customers'} guid={hold.record.guid}>
                  <bdi>{hold.record.label}</bdi>
                </RecordLink>
                {hold.invoiceGuid ? <span className="cell-sub">{hold.customerName}</span> : null}
              </th>
              <td>
                {t(`reminders:holdReason.${hold.reason}`)}
                {hold.note ? <span className="cell-sub">{hold.note}</span> : null}
              </td>
              <td>
                {hold.until ? (
                  <>
                    <span className="phone-label">{t('reminders:holds.until')} </span>
                    <DateText value={hold.until} />
                  </>
                ) : (
                  t('reminders:holds.lifted')
                )}
              </td>
              <td>
                <span className="phone-label">{t('reminders:holds.by')} </span>
                <bdi>{hold.createdBy}</bdi>
                <span className="cell-sub">
                  <DateText value={hold.createdAt} as="relative" />
                </span>
              </td>
              <td className="no-print">
                <LiftButton hold={hold} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Lets reminders go on, for those who may. */
export function LiftButton({ hold: { guid, record } }: { hold: ReminderHold }) {
  const t = useT('reminders')
  const text = useErrorText()
  const mayLift = useCan(remindersApi.lift)
  const name = record.label
  const lift = useWrite(remindersApi.lift, {
    onSuccess: ({ isStillHeld }) =>
      isStillHeld
        ? toast.info(t('reminders:holds.stillHeld', { name }))
        : toast.success(t('reminders:holds.liftedToast', { name })),
    onError: (error) => toast.error(text(error)),
  })
  if (!mayLift) return null
  return (
    <button
      type="button"
      className="link"
      aria-label={t('reminders:holds.liftOne', { name })}
      onClick={() => lift.mutate({ guid })}
    >
      {t('reminders:holds.lift')}
    </button>
  )
}
