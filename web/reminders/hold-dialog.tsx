import type { z } from 'zod'
import { holdInput, type ReminderHold, remindersApi } from '../../contract/reminders.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phrase, useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { formValues, type FormValues } from '../record/form-values.ts'
import type { Fields } from '../record/record-facts.tsx'
import { RecordField } from '../record/record-fields.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import { LiftButton } from './holds.tsx'
import './reminders.css'

/** What is asked; whom it is about is known. */
const wanted = holdInput.omit({ customerGuid: true, invoiceGuid: true })
type HoldInput = z.output<typeof wanted>
type About = { customerGuid: string } | { invoiceGuid: string }

const fields: Fields<HoldInput> = {
  schema: wanted,
  rows: {
    reason: {
      label: 'reminders:hold.reason',
      words: (reason) => phrase(`reminders:holdReason.${reason as HoldInput['reason']}`),
    },
    until: { label: 'reminders:hold.until', hint: 'reminders:hold.untilHint' },
    note: { label: 'reminders:hold.note' },
  },
}

interface HoldDialogProps {
  about: About
  /** Who or what is held, as it is told afterwards. */
  name: string
  onClose: () => void
}

/** Keeps a customer or an invoice back from reminders, and shows what keeps it back already. */
export function HoldDialog({ about, name, onClose }: HoldDialogProps) {
  const t = useT('reminders', 'record', 'common')
  const form = useSchemaForm<FormValues<HoldInput>, HoldInput>(wanted, formValues(wanted, { reason: 'promised' }))
  const hold = useWrite(remindersApi.hold)
  return (
    <FormDialog
      form={form}
      title={t('record:holdReminders')}
      action={t('record:holdReminders')}
      size="md"
      onSave={async ({ reason, until, note }) => {
        await hold.mutateAsync({ ...about, reason, until, note })
        toast.success(t('reminders:hold.done', { name }))
      }}
      onClose={onClose}
    >
      <HeldNow about={about} />
      <RecordField of={fields} control={form.control} name="reason" isRequired autoFocus />
      <RecordField of={fields} control={form.control} name="until" />
      <RecordField of={fields} control={form.control} name="note" />
    </FormDialog>
  )
}

function HeldNow({ about }: { about: About }) {
  const t = useT('reminders')
  const mayRead = useCan(remindersApi.holds)
  const { data } = useRead(remindersApi.holds, { ...about, isInForce: 'true', size: 25 }, { enabled: mayRead })
  if (!data?.items.length) return null
  return (
    <section className="held-now">
      <h3 className="ladder-heading">{t('reminders:hold.existing')}</h3>
      <ul className="reminder-rows">
        {data.items.map((hold) => (
          <HeldRow key={hold.guid} hold={hold} />
        ))}
      </ul>
    </section>
  )
}

function HeldRow({ hold }: { hold: ReminderHold }) {
  const t = useT('reminders')
  const f = useFormat()
  const until = hold.until
    ? t('reminders:reason.on_hold_until', { day: f.date(hold.until) })
    : t('reminders:reason.on_hold')
  return (
    <li className="held-row">
      <div>
        <bdi>{hold.record.label}</bdi>
        <span className="cell-sub">
          {t(`reminders:holdReason.${hold.reason}`)} · <span className="nowrap">{until}</span>
        </span>
        {hold.note ? <span className="cell-sub">{hold.note}</span> : null}
      </div>
      <LiftButton hold={hold} />
    </li>
  )
}
