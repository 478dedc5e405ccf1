import { Radio, Textarea } from '@mantine/core'
import { manualMethods, refundReasons } from '../../contract/payments.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { GivenLines } from './given-lines.tsx'
import { methodText } from './payment-columns.tsx'
import { type RefundForm, useRefundForm } from './refund-form.ts'
import type { RefundTarget } from './refund-targets.ts'

/**
 * Gives money back. A lower price makes an adjustment note; money that should not have come makes none,
 * and the invoice owes it again.
 */
export function RefundDialog({
  targets: all,
  targetLabel,
  onClose,
}: {
  targets: readonly RefundTarget[]
  targetLabel: string
  onClose: () => void
}) {
  const t = useT('payments')
  const f = useFormat()
  const targets = all.filter((target) => target.maxCents > 0)
  const form = useRefundForm(targets, onClose)
  return (
    <AskDialog
      title={t('payments:refund.title')}
      action={t('payments:refund.action', { amount: f.money(form.amountCents) })}
      error={form.refund.error}
      isBusy={form.refund.isPending}
      isBlocked={form.isBlocked}
      onClose={onClose}
      onAsk={form.send}
    >
      <ChoiceInput
        label={targetLabel}
        data={targets.map(({ key, label, maxCents }) => ({ value: key, label: `${label} · ${f.money(maxCents)}` }))}
        value={form.target?.key ?? ''}
        onChange={(value) => form.choose(value ?? '')}
      />
      <ChoiceInput
        label={t('payments:refund.reason')}
        data={refundReasons.map((value) => ({ value, label: phraseOr(`payments:reasons.${value}`, value) }))}
        value={form.reasonCode}
        onChange={form.chooseReason}
      />
      <RefundAmount form={form} />
      {form.target && !form.isCard ? (
        <ChoiceInput
          label={t('payments:refund.way')}
          data={manualMethods.map((value) => ({ value, label: methodText(value) }))}
          value={form.method ?? form.target.method}
          onChange={(value) => form.setMethod(manualMethods.find((known) => known === value) ?? null)}
        />
      ) : null}
      <Textarea
        label={t('payments:refund.note')}
        autosize
        minRows={2}
        maxLength={1000}
        value={form.note}
        onChange={(event) => form.setNote(event.currentTarget.value)}
      />
      <RefundEffect form={form} />
    </AskDialog>
  )
}

/** How much: an amount, or an amount for each line. */
function RefundAmount({ form }: { form: RefundForm }) {
  const t = useT('payments')
  const f = useFormat()
  const most = t('payments:refund.most', { amount: f.money(form.maxCents) })
  return (
    <>
      {form.canChooseLines ? (
        <Radio.Group
          label={t('payments:refund.what')}
          value={form.isByLine ? 'lines' : 'share'}
          onChange={(value) => form.setByLine(value === 'lines')}
        >
          <div className="row refund-ways">
            <Radio value="share" label={t('payments:refund.byShare')} />
            <Radio value="lines" label={t('payments:refund.byLine')} />
          </div>
        </Radio.Group>
      ) : null}
      {form.choosesLines ? (
        <GivenLines
          lines={form.lines}
          given={form.given}
          amountCents={form.amountCents}
          maxCents={form.maxCents}
          onGive={form.give}
        />
      ) : (
        <MoneyInput
          label={t('payments:refund.amount')}
          value={form.typed}
          onChange={form.setTyped}
          description={form.isTooMuch ? null : most}
          error={form.isTooMuch ? most : null}
          data-autofocus
        />
      )}
    </>
  )
}

/** What the refund will do, to the cent, before it is done. */
function RefundEffect({ form: { target, makesNote, isCard, amountCents } }: { form: RefundForm }) {
  const t = useT('payments')
  const f = useFormat()
  const effect = () => {
    if (!target) return ''
    if (target.invoiceGuid === null) return t('payments:refund.effectCredit')
    if (!makesNote)
      return t('payments:refund.effectOwing', { number: target.invoiceNumber, amount: f.money(amountCents) })
    return t(isCard ? 'payments:refund.card' : 'payments:refund.manual')
  }
  return (
    <p className="muted small no-margin" aria-live="polite">
      {unbroken(effect())}
    </p>
  )
}
