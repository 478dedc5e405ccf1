import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { businessesApi } from '../../contract/businesses.ts'
import { day, positiveCents } from '../../contract/core/common.ts'
import { localDay } from '../../contract/core/dates.ts'
import { invoiceBooksApi } from '../../contract/invoice-books.ts'
import type { Invoice } from '../../contract/invoices.ts'
import { recoverInput, writeOffGst, writeOffInput, writeOffReasons } from '../../contract/write-offs.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateField, MoneyField, SelectField, TextAreaField } from '../core/ui/fields.tsx'
import { toast } from '../core/ui/toast.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { formValues } from '../record/form-values.ts'
import { useSchemaForm } from '../record/schema-form.ts'

interface Props {
  invoice: Invoice
  onClose: () => void
}

/** The day it is where the business is; until that is known, where the person is. */
function useToday(): string {
  const { zone } = useFormat()
  const [here] = useState(() => localDay(new Date().toISOString(), zone))
  return useRead(businessesApi.current, {}).data?.business.today ?? here
}

const given = writeOffInput.omit({ version: true }).extend({ cents: positiveCents, on: day })

/** Gives up what is owing of an invoice, or a part of it. */
export function WriteOffDialog({ invoice, onClose }: Props) {
  const t = useT('invoices', 'record')
  const f = useFormat()
  const today = useToday()
  const write = useWrite(invoiceBooksApi.writeOff)
  const form = useSchemaForm(given, {
    ...formValues(given),
    cents: invoice.balanceCents,
    on: today,
    reasonCode: 'bad_debt' as const,
  })
  const { control } = form
  const cents = useWatch({ control, name: 'cents' }) ?? 0
  const { guid, version, number } = invoice
  return (
    <FormDialog
      form={form}
      title={t('invoices:writeOff.title', { number: number ?? '' })}
      action={t('invoices:writeOff.action')}
      size="md"
      onSave={async (input) => {
        await write.mutateAsync({ guid, version, ...input })
        const amount = f.money(input.cents)
        toast.success(t('invoices:writeOff.done', { amount, name: number ?? '' }))
      }}
      onClose={onClose}
    >
      <div className="grid-2 form-grid">
        <MoneyField control={control} name="cents" label={t('invoices:writeOff.amount')} isRequired />
        <DateField
          control={control}
          name="on"
          label={t('invoices:writeOff.on')}
          max={today}
          {...(invoice.issueOn ? { min: invoice.issueOn } : {})}
          isRequired
        />
      </div>
      <SelectField
        control={control}
        name="reasonCode"
        label={t('invoices:writeOff.reason')}
        options={writeOffReasons.map((value) => ({ value, label: t(`invoices:writeOff.reasons.${value}`) }))}
        isRequired
      />
      <TextAreaField control={control} name="note" label={t('invoices:writeOff.note')} />
      <Effect invoice={invoice} cents={cents} />
    </FormDialog>
  )
}

/** What it does to the books, to the cent, before it is done. */
function Effect({ invoice, cents }: { invoice: Invoice; cents: number }) {
  const t = useT('invoices')
  const f = useFormat()
  if (cents <= 0 || cents > invoice.balanceCents) return null
  const left = f.money(invoice.balanceCents - cents)
  const gst = writeOffGst(stateOf(invoice), cents)
  return (
    <p className="muted small no-margin" aria-live="polite">
      {unbroken(
        invoice.creditedCents > 0
          ? t('invoices:writeOff.effectNet', { left })
          : t('invoices:writeOff.effect', { net: f.money(cents - gst), gst: f.money(gst), left }),
      )}
    </p>
  )
}

function stateOf({ totals, paidCents, refundedCents, writtenOffCents, related }: Invoice) {
  const signed = related.writeOffs.map((one) => (one.isRecovery ? -one.gstCents : one.gstCents))
  return {
    totalCents: totals.totalCents,
    gstCents: totals.gstCents,
    paidCents: paidCents - refundedCents,
    writtenOffCents,
    writtenOffGstCents: signed.reduce((sum, gst) => sum + gst, 0),
  }
}

const owedAgain = recoverInput.omit({ version: true }).extend({ cents: positiveCents, on: day })

/** Makes an invoice owe again what was written off. */
export function RecoverDialog({ invoice, onClose }: Props) {
  const t = useT('invoices', 'record')
  const f = useFormat()
  const today = useToday()
  const write = useWrite(invoiceBooksApi.recover)
  const form = useSchemaForm(owedAgain, { ...formValues(owedAgain), cents: invoice.writtenOffCents, on: today })
  const { control } = form
  const { guid, version, number } = invoice
  return (
    <FormDialog
      form={form}
      title={t('invoices:recover.title', { number: number ?? '' })}
      action={t('invoices:recover.action')}
      size="md"
      onSave={async (input) => {
        await write.mutateAsync({ guid, version, ...input })
        const amount = f.money(input.cents)
        toast.success(t('invoices:recover.done', { amount, name: number ?? '' }))
      }}
      onClose={onClose}
    >
      <div className="grid-2 form-grid">
        <MoneyField
          control={control}
          name="cents"
          label={t('invoices:writeOff.amount')}
          description={t('invoices:recover.text')}
          isRequired
        />
        <DateField control={control} name="on" label={t('invoices:writeOff.on')} max={today} isRequired />
      </div>
    </FormDialog>
  )
}
