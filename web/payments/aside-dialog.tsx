import { Radio, Textarea } from '@mantine/core'
import { useState } from 'react'
import { invoicesApi } from '../../contract/invoices.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { asApiError } from '../core/api/error.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import { Money } from '../core/ui/money.tsx'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'

type Aside = ItemOf<typeof paymentsApi.quarantine>
type Action = 'book' | 'refund' | 'dismiss'
const actions = ['book', 'refund', 'dismiss'] as const
const payable = 'sent,viewed,overdue,partially_paid'

/**
 * What becomes of a card payment that fits to nothing: recorded as it was taken, given back,
 * or left alone with a reason.
 */
export function AsideDialog({ aside, onClose }: { aside: Aside; onClose: () => void }) {
  const t = useT('payments')
  const f = useFormat()
  const offered = aside.isOpen ? actions : (['dismiss'] as const)
  const [action, setAction] = useState<Action>(offered[0])
  const [picked, setPicked] = useState<string | null>()
  const [note, setNote] = useState('')
  const release = useWrite(paymentsApi.release, {
    onSuccess: () => {
      toast.success(phraseOr(`payments:aside.done.${action}`, ''))
      onClose()
    },
  })
  const needsInvoice = action === 'book' && !aside.invoice
  const reference = aside.reference ?? ''
  const named = useRead(
    invoicesApi.list,
    { status: payable, search: reference, size: 2 },
    { enabled: needsInvoice && reference !== '' },
  ).data?.items.find(({ number }) => number === reference)
  // The invoice that the reference names, until another is chosen.
  const invoiceGuid = picked === undefined ? (named?.guid ?? null) : picked
  const isBlocked = (needsInvoice && !invoiceGuid) || (action === 'dismiss' && !note.trim())
  const asOption = (invoice: ItemOf<typeof invoicesApi.list>) => ({
    value: invoice.guid,
    label: `${invoice.number ?? ''} · ${invoice.customerName}`,
    hint: f.money(invoice.balanceCents),
  })
  const fieldError = (path: string) =>
    release.error ? asApiError(release.error).errors.find((error) => error.path === path)?.message : undefined
  const decide = () =>
    release.mutate({
      guid: aside.guid,
      action,
      note: note.trim() || null,
      ...(needsInvoice && invoiceGuid ? { invoiceGuid } : {}),
    })
  return (
    <AskDialog
      title={t('payments:aside.dialog')}
      action={phraseOr(`payments:aside.action.${action}`, action)}
      error={release.error}
      isBusy={release.isPending}
      isBlocked={isBlocked}
      onClose={onClose}
      onAsk={decide}
    >
      <KeyValueList
        items={[
          {
            label: t('payments:aside.reason'),
            value: aside.detail ?? phraseOr(`payments:aside.reasons.${aside.reason}`, aside.reason),
          },
          {
            label: t('payments:aside.taken'),
            value: <Money cents={aside.amountCents ?? 0} />,
            isHidden: aside.amountCents === null,
          },
          {
            label: t('payments:aside.expected'),
            value: <Money cents={aside.expectedCents ?? 0} />,
            isHidden: aside.expectedCents === null,
          },
          {
            label: t('payments:aside.back'),
            value: <Money cents={aside.refundedCents ?? 0} />,
            isHidden: !aside.refundedCents,
          },
          {
            label: aside.invoice ? t('payments:invoice') : t('payments:reference'),
            value: aside.invoice?.label ?? aside.reference,
            isHidden: !aside.invoice && !aside.reference,
          },
          { label: t('payments:customer'), value: aside.customerName, isHidden: !aside.customerName },
          { label: t('payments:aside.charge'), value: <bdi className="small">{aside.providerPaymentId}</bdi> },
        ]}
      />
      <Radio.Group
        label={t('payments:aside.what')}
        value={action}
        onChange={(value) => setAction(actions.find((known) => known === value) ?? 'dismiss')}
      >
        <div className="stack" style={{ '--gap': '0.75rem', marginBlockStart: '0.5rem' } as React.CSSProperties}>
          {offered.map((known) => (
            <Radio
              key={known}
              value={known}
              label={phraseOr(`payments:aside.${known}`, known)}
              description={phraseOr(`payments:aside.${known}Hint`, '')}
            />
          ))}
        </div>
      </Radio.Group>
      {needsInvoice ? (
        <LookupInput
          label={t('payments:aside.invoice')}
          op={invoicesApi.list}
          input={{ status: payable }}
          option={asOption}
          chosen={named ? asOption(named) : null}
          value={invoiceGuid}
          onChange={setPicked}
          required
          error={fieldError('invoiceGuid')}
        />
      ) : null}
      <Textarea
        label={t('payments:aside.note')}
        required={action === 'dismiss'}
        autosize
        minRows={2}
        maxLength={1000}
        value={note}
        error={fieldError('note')}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </AskDialog>
  )
}
