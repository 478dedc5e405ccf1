import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { creditedGst, type Creditable, linesToCredit } from '../../contract/credit-notes.ts'
import { invoiceBooksApi } from '../../contract/invoice-books.ts'
import type { Invoice } from '../../contract/invoices.ts'
import type { GstCode } from '../../contract/lines.ts'
import { pathTo } from '../../contract/nouns.ts'
import { asApiError } from '../core/api/error.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { useGo } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toastWithAction } from '../core/ui/toast.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { CreditLines, type PickedLines, textOfPicked } from './credit-lines.tsx'
import { isSecurity } from './invoice-kind.ts'
import './invoices.css'

interface Props {
  invoice: Invoice
  onClose: () => void
}

interface Written {
  cents: number | null
  text: string
}
const nothing: Written = { cents: null, text: '' }

/** Credits a part of an invoice, by kind of GST, without giving money back: what was paid of it becomes credit. */
export function CreditDialog({ invoice, onClose }: Props) {
  const t = useT('invoices', 'lines')
  const f = useFormat()
  const go = useGo()
  const { guid, number } = invoice
  const isHeld = isSecurity(invoice)
  const read = useRead(invoiceBooksApi.creditable, { guid })
  const [reason, setReason] = useState('')
  const [written, setWritten] = useState<ReadonlyMap<GstCode, Written>>(new Map())
  const [picked, setPicked] = useState<PickedLines>(new Map())
  const credit = useWrite(invoiceBooksApi.credit, {
    onSuccess: ({ invoice: note }) => {
      const said = t('invoices:credit.done', { name: note.number ?? '', amount: f.money(note.totals.totalCents) })
      void toastWithAction(said, t('invoices:credit.view'), () => void go(pathTo('Invoices', note.guid)))
      onClose()
    },
  })
  const { parts = [], balanceCents = invoice.balanceCents, freeCents = 0 } = read.data ?? {}
  const mostCents = balanceCents + freeCents
  const offered = linesToCredit(invoice.lines, parts)
  const chosen = offered.flatMap((line) => {
    const one = picked.get(line.guid)
    return one?.cents ? [{ gstCode: line.gstCode, cents: one.cents, text: textOfPicked(line, one) }] : []
  })
  const isLineOver = offered.some(({ guid, totalCents }) => (picked.get(guid)?.cents ?? 0) > totalCents)
  const lines = [
    ...chosen,
    ...parts.flatMap(({ gstCode }) => {
      const { cents, text } = written.get(gstCode) ?? nothing
      return cents ? [{ gstCode, cents, text: text.trim() || reason.trim() }] : []
    }),
  ]
  const chosenOf = (gstCode: GstCode) =>
    chosen.reduce((total, line) => total + (line.gstCode === gstCode ? line.cents : 0), 0)
  const chosenSum = chosen.reduce((total, { cents }) => total + cents, 0)
  const sum = lines.reduce((total, { cents }) => total + cents, 0)
  const isTooMuch =
    sum > mostCents ||
    isLineOver ||
    parts.some(({ gstCode, cents }) => chosenOf(gstCode) + (written.get(gstCode)?.cents ?? 0) > cents)
  const hasGst = parts.some(({ gstCents }) => gstCents > 0)
  const effect = (isCredit: boolean) =>
    isCredit ? 'invoices:credit.effectCredit' : isHeld ? 'invoices:credit.effectHeld' : 'invoices:credit.effect'
  const write = (gstCode: GstCode, change: Partial<Written>) =>
    setWritten(new Map(written).set(gstCode, { ...nothing, ...written.get(gstCode), ...change }))
  const errorOf = (path: string) =>
    credit.error ? asApiError(credit.error).errors.find((error) => error.path === path)?.message : undefined
  return (
    <AskDialog
      title={t(isHeld ? 'invoices:credit.titleHeld' : 'invoices:credit.title', { number: number ?? '' })}
      action={t(isHeld ? 'invoices:credit.actionHeld' : 'invoices:credit.action')}
      error={credit.error}
      isBusy={credit.isPending}
      isBlocked={!reason.trim() || sum <= 0 || isTooMuch || lines.length > 20}
      onClose={onClose}
      onAsk={() => credit.mutate({ invoiceGuid: guid, lines, reason: reason.trim() })}
    >
      <TextInput
        label={t('invoices:credit.reason')}
        maxLength={400}
        value={reason}
        error={errorOf('reason')}
        onChange={(event) => setReason(event.currentTarget.value)}
        required
        data-autofocus
      />
      <Loaded of={read}>
        {() => (
          <>
            {hasGst ? <p className="muted small no-margin">{t('invoices:credit.includes')}</p> : null}
            {offered.length > 0 ? <CreditLines lines={offered} picked={picked} onPick={setPicked} /> : null}
            {offered.length > 0 ? <p className="strong no-margin">{t('invoices:credit.other')}</p> : null}
            {parts.map((part) => (
              <PartFields
                key={part.gstCode}
                part={part}
                isAlone={parts.length === 1}
                most={Math.max(Math.min(part.cents - chosenOf(part.gstCode), mostCents - chosenSum), 0)}
                written={written.get(part.gstCode) ?? nothing}
                error={errorOf(`lines.${lines.findLastIndex(({ gstCode }) => gstCode === part.gstCode)}.cents`)}
                onWrite={(change) => write(part.gstCode, change)}
              />
            ))}
          </>
        )}
      </Loaded>
      <p className="muted small no-margin" aria-live="polite">
        {sum > 0 && !isTooMuch
          ? unbroken(
              t(effect(sum > balanceCents), {
                gst: f.money(creditedGst(lines, parts).reduce((total, gst) => total + gst, 0)),
                left: f.money(balanceCents - sum),
                credit: f.money(sum - balanceCents),
              }),
            )
          : t(sum > 0 ? 'invoices:credit.tooMuch' : 'invoices:credit.most', { amount: f.money(mostCents) })}
      </p>
    </AskDialog>
  )
}

interface PartProps {
  part: Creditable
  /** Everything is of one kind: it needs no name. */
  isAlone: boolean
  most: number
  written: Written
  error: string | undefined
  onWrite: (change: Partial<Written>) => void
}

function PartFields({ part, isAlone, most, written, error, onWrite }: PartProps) {
  const t = useT('invoices', 'lines')
  const f = useFormat()
  const upTo = t('invoices:credit.most', { amount: f.money(most) })
  const isTooMuch = (written.cents ?? 0) > most
  const kind = t(`lines:gstCodes.${part.gstCode}`)
  return (
    <div className="grid-2 form-grid">
      <MoneyInput
        label={isAlone ? t('invoices:credit.amount') : t('invoices:credit.amountOf', { kind })}
        value={written.cents}
        onChange={(cents) => onWrite({ cents })}
        description={isTooMuch ? null : upTo}
        error={isTooMuch ? upTo : error}
      />
      <TextInput
        label={isAlone ? t('invoices:credit.text') : t('invoices:credit.textOf', { kind })}
        description={t('invoices:credit.textHint')}
        maxLength={200}
        value={written.text}
        onChange={(event) => onWrite({ text: event.currentTarget.value })}
      />
    </div>
  )
}
