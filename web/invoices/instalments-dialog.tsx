import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { evenInstalments } from '../../contract/instalments.ts'
import { invoiceBooksApi } from '../../contract/invoice-books.ts'
import type { Invoice } from '../../contract/invoices.ts'
import { asApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { DateInput } from '../core/ui/date-input.tsx'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import './invoices.css'

interface Row {
  label: string
  dueOn: string
  cents: number | null
}
const counts = [1, 2, 3, 4, 5, 6, 8, 10, 12, 18, 24, 36]

/** Divides what an invoice comes to into parts that are due one by one. */
export function InstalmentsDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const t = useT('invoices')
  const f = useFormat()
  const { guid, version, number, issueOn, totals } = invoice
  const begin = invoice.dueOn ?? issueOn ?? ''
  const even = (count: number): Row[] =>
    evenInstalments(totals.totalCents, count, begin).map((part, i) => ({
      label: t('invoices:plan.label', { position: f.number(i + 1) }),
      ...part,
    }))
  const [rows, setRows] = useState<readonly Row[]>(() =>
    invoice.instalments.length > 0
      ? invoice.instalments.map(({ label, dueOn, cents }) => ({ label, dueOn, cents }))
      : even(3),
  )
  const save = useWrite(invoiceBooksApi.instalments, {
    onSuccess: () => {
      toast.success(t('invoices:plan.done', { name: number ?? '' }))
      onClose()
    },
  })
  const sum = rows.reduce((total, { cents }) => total + (cents ?? 0), 0)
  const missing = totals.totalCents - sum
  const errorOf = (path: string) =>
    save.error ? asApiError(save.error).errors.find((error) => error.path === path)?.message : undefined
  const change = (at: number, part: Partial<Row>) =>
    setRows(rows.map((row, i) => (i === at ? { ...row, ...part } : row)))
  return (
    <AskDialog
      title={t('invoices:plan.title', { number: number ?? '' })}
      action={t('invoices:plan.action')}
      error={save.error}
      isBusy={save.isPending}
      isBlocked={missing !== 0 || rows.some(({ label, cents }) => !label.trim() || !cents)}
      onClose={onClose}
      onAsk={() =>
        save.mutate({
          guid,
          version,
          instalments: rows.map(({ label, dueOn, cents }) => ({ label: label.trim(), dueOn, cents: cents ?? 0 })),
        })
      }
    >
      <ChoiceInput
        label={t('invoices:plan.count')}
        data={[...new Set([...counts, rows.length])]
          .toSorted((a, b) => a - b)
          .map((count) => ({ value: String(count), label: f.number(count) }))}
        value={String(rows.length)}
        onChange={(value) => value && setRows(even(Number(value)))}
      />
      <ol className="plan-rows">
        {rows.map((row, i) => (
          <li key={i}>
            <TextInput
              label={t('invoices:plan.name')}
              maxLength={80}
              value={row.label}
              error={errorOf(`instalments.${i}.label`)}
              onChange={(event) => change(i, { label: event.currentTarget.value })}
            />
            <DateInput
              label={t('invoices:plan.dueOn')}
              {...(issueOn ? { min: issueOn } : {})}
              value={row.dueOn}
              error={errorOf(`instalments.${i}.dueOn`)}
              onChange={(day) => change(i, { dueOn: day ?? row.dueOn })}
            />
            <MoneyInput
              label={t('invoices:plan.amount')}
              value={row.cents}
              error={errorOf(`instalments.${i}.cents`)}
              onChange={(cents) => change(i, { cents })}
            />
          </li>
        ))}
      </ol>
      <p className={`small no-margin ${missing === 0 ? 'muted' : 'overdue'}`} aria-live="polite">
        {missing === 0
          ? t('invoices:plan.fits', { amount: f.money(totals.totalCents) })
          : t('invoices:plan.sum', { amount: f.money(totals.totalCents), missing: f.money(Math.abs(missing)) })}
      </p>
    </AskDialog>
  )
}
