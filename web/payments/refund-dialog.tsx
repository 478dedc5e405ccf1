import { Radio, Textarea } from '@mantine/core'
import { refundEffects, refundReasons } from '../../contract/refunds.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { MoneyInput } from '../core/ui/inputs.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { GivenLines } from './given-lines.tsx'
import { type RefundForm, useRefundForm } from './refund-form.ts'
import type { RefundTarget } from './refund-targets.ts'
import { RefundWay } from './refund-way.tsx'
import './payments.css'

/**
 * Gives money back, and asks first what that does: a lower price makes an adjustment note; money that should not have
 * come makes none, and the invoice owes it again.
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
      action={
        form.isAsked ? t('payments:refund.ask') : t('payments:refund.action', { amount: f.money(form.amountCents) })
      }
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
        error={form.errorOf('invoiceGuid') ?? form.errorOf('effect')}
        onChange={(value) => form.choose(value ?? '')}
      />
      <RefundEffect form={form} />
      <ChoiceInput
        label={t('payments:refund.reason')}
        data={refundReasons.map((value) => ({ value, label: phraseOr(`payments:reasons.${value}`, value) }))}
        value={form.reasonCode}
        onChange={form.chooseReason}
      />
      <RefundAmount form={form} />
      {form.isAsked ? (
        <p className="no-margin" role="status">
          {unbroken(t('payments:refund.askHint', { amount: f.money(form.freeCents ?? 0) }))}
        </p>
      ) : null}
      <RefundWay form={form} />
      <Textarea
        label={t('payments:refund.note')}
        autosize
        minRows={2}
        maxLength={1000}
        value={form.note}
        onChange={(event) => form.setNote(event.currentTarget.value)}
      />
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
          error={form.isTooMuch ? most : form.errorOf('amountCents')}
          data-autofocus
        />
      )}
    </>
  )
}

/** What the refund is to do: each choice says what it comes to, to the cent, before anything is sent. */
function RefundEffect({ form }: { form: RefundForm }) {
  const t = useT('payments')
  const f = useFormat()
  const { target, basis, outcomes } = form
  if (!target) return null
  if (target.invoiceGuid === null)
    return <p className="muted small no-margin">{unbroken(t('payments:refund.effectCredit'))}</p>
  const sentences = () => {
    if (!basis || !outcomes)
      return { price_reduced: t('payments:refund.reduced.plain'), money_back: t('payments:refund.back.plain') }
    const { price_reduced: reduced, money_back: back } = outcomes
    const number = basis.invoiceNumber
    const still = { number, amount: f.money(reduced.owingCents) }
    const again = { number, amount: f.money(back.owingCents) }
    return {
      price_reduced: t('payments:refund.reduced.sum', {
        gst: f.money(reduced.gstCents),
        owing:
          reduced.owingCents > 0 ? t('payments:refund.reduced.still', still) : t('payments:refund.reduced.nothing'),
      }),
      money_back: t(`payments:refund.back.${basis.gstBasis}`, {
        gst: f.money(back.gstCents),
        owing: t(basis.balanceCents > 0 ? 'payments:refund.back.total' : 'payments:refund.back.again', again),
      }),
    }
  }
  const said = sentences()
  return (
    <Radio.Group
      label={t('payments:refund.effect')}
      value={form.effect}
      onChange={(value) => form.setEffect(refundEffects.find((known) => known === value) ?? null)}
    >
      <div className="refund-effects" aria-live="polite">
        {refundEffects.map((effect) => (
          <Radio key={effect} value={effect} label={unbroken(said[effect])} />
        ))}
      </div>
    </Radio.Group>
  )
}
