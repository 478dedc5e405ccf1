import type { Invoice } from '../../contract/invoices.ts'
import { mayBePaid } from '../../contract/invoice-transitions.ts'
import { type Format, useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { PaidAmount, RelatedCard, type RelatedItem } from '../lines/related-card.tsx'
import { ServiceLinkCard } from '../lines/service-link-card.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { signedCents } from './invoice-kind.ts'
import { isUnsent } from './invoice-status.tsx'
import { ProblemList } from './problem-list.tsx'

function relatedOf(invoice: Invoice, t: ReturnType<typeof useT>, f: Format): RelatedItem[] {
  const { related } = invoice
  return [
    ...(related.quote
      ? [
          {
            key: 'quote',
            kind: t('invoices:quote'),
            label: related.quote.label,
            noun: 'Quotes',
            guid: related.quote.guid,
          },
        ]
      : []),
    ...(related.order
      ? [
          {
            key: 'order',
            kind: t('invoices:order'),
            label: related.order.label,
            noun: 'Orders',
            guid: related.order.guid,
          },
        ]
      : []),
    ...(related.adjusts
      ? [
          {
            key: 'adjusts',
            kind: t('invoices:adjusts'),
            label: related.adjusts.label,
            noun: 'Invoices',
            guid: related.adjusts.guid,
          },
        ]
      : []),
    ...related.adjustmentNotes.map((note) => ({
      key: note.guid,
      kind: t('invoices:adjustmentNote'),
      label: note.label,
      noun: 'Invoices',
      guid: note.guid,
      end: <Money cents={-note.totalCents} />,
    })),
    ...related.payments.map((payment) => ({
      key: payment.guid,
      kind: `${t('invoices:payment')} · ${phraseOr(`payments:methods.${payment.method}`, payment.method)}`,
      label: payment.number,
      noun: 'Payments',
      guid: payment.guid,
      end: <PaidAmount cents={payment.cents} isDisputed={payment.isDisputed} />,
    })),
    ...related.depositUses.map((use) => ({
      key: use.guid,
      kind: t(use.isForfeit ? 'invoices:deposits.keptOn' : 'invoices:deposits.usedOn'),
      label: use.label,
      noun: 'Invoices',
      guid: use.guid,
      end: <Money cents={use.cents} />,
    })),
    ...(related.forfeits
      ? [
          {
            key: 'forfeits',
            kind: t('invoices:deposits.of'),
            label: related.forfeits.label,
            noun: 'Invoices',
            guid: related.forfeits.guid,
          },
        ]
      : []),
    ...related.refunds.map((refund) => ({
      key: refund.guid,
      kind: t('invoices:refundOf'),
      label: refund.number,
      end: <Money cents={-refund.amountCents} />,
    })),
    ...related.writeOffs.map((one) => ({
      key: one.guid,
      kind: one.isRecovery
        ? t('invoices:recover.row')
        : `${t('invoices:writtenOff')} · ${t(`invoices:writeOff.reasons.${one.reasonCode}`)}`,
      label: f.date(one.on),
      end: <Money cents={one.isRecovery ? one.cents : -one.cents} />,
    })),
    ...related.messages.map((message) => ({
      key: message.guid,
      kind: t('invoices:message'),
      label: message.label,
      noun: 'Messages',
      guid: message.guid,
      end: <StatusChip status={message.status} ns="messages" />,
    })),
  ]
}

/** What became of the money of a security deposit. */
function securityItems({ security }: Invoice, t: ReturnType<typeof useT>) {
  if (!security) return []
  const { heldCents, appliedCents, forfeitedCents, returnedCents } = security
  return [
    { label: t('invoices:deposits.held'), value: <Money cents={heldCents} /> },
    {
      label: t('invoices:deposits.appliedSum'),
      value: <Money cents={appliedCents} />,
      isHidden: appliedCents === 0,
    },
    {
      label: t('invoices:deposits.forfeited'),
      value: <Money cents={forfeitedCents} />,
      isHidden: forfeitedCents === 0,
    },
    {
      label: t('invoices:deposits.returnedSum'),
      value: <Money cents={returnedCents} />,
      isHidden: returnedCents === 0,
    },
  ]
}

/** When the newest email about it left; else whether one is still to leave. */
function Emailed({ invoice: { sentAt, emailedAt } }: { invoice: Invoice }) {
  const t = useT('invoices')
  if (emailedAt) return <DateText value={emailedAt} as="dateTime" />
  return t(sentAt ? 'invoices:emailWaits' : 'invoices:notEmailed')
}

/** Beside the invoice: money, what is missing before issue, the customer's page, what belongs to it. */
export function InvoiceRail({ invoice }: { invoice: Invoice }) {
  const t = useT('invoices', 'payments')
  const f = useFormat()
  return (
    <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
      <Card title={t('invoices:money')}>
        <KeyValueList
          items={[
            {
              label: t('invoices:total'),
              value: <Money cents={signedCents(invoice.kind, invoice.totals.totalCents)} />,
            },
            {
              label: t('invoices:depositApplied'),
              value: <Money cents={invoice.depositAppliedCents} />,
              isHidden: invoice.depositAppliedCents === 0,
            },
            {
              label: t('invoices:paid'),
              value: <Money cents={invoice.paidCents} />,
              isHidden: invoice.paidCents === 0,
            },
            {
              label: t('invoices:credited'),
              value: <Money cents={invoice.creditedCents} />,
              isHidden: invoice.creditedCents === 0,
            },
            {
              label: t('invoices:refunded'),
              value: <Money cents={invoice.refundedCents} />,
              isHidden: invoice.refundedCents === 0 || invoice.security !== null,
            },
            ...securityItems(invoice, t),
            {
              label: t('invoices:writtenOff'),
              value: <Money cents={invoice.writtenOffCents} />,
              isHidden: invoice.writtenOffCents === 0,
            },
            {
              label: t('invoices:balance'),
              value: <Money cents={invoice.balanceCents} />,
              isHidden: !mayBePaid(invoice),
            },
            {
              label: t('invoices:emailed'),
              value: <Emailed invoice={invoice} />,
              isHidden: !invoice.sentAt && !isUnsent(invoice),
            },
            {
              label: t('invoices:customer'),
              value: (
                <RecordLink noun="Customers" guid={invoice.customerGuid}>
                  {invoice.customer.displayName}
                </RecordLink>
              ),
            },
            { label: t('invoices:internalNotes'), value: invoice.internalNotes, isHidden: !invoice.internalNotes },
          ]}
        />
      </Card>
      {invoice.status === 'draft' ? (
        <Card>
          <ProblemList problems={invoice.problems} />
        </Card>
      ) : null}
      {invoice.serviceUrl ? (
        <ServiceLinkCard
          url={invoice.serviceUrl}
          seen={invoice.viewCount ? t('invoices:views', { count: invoice.viewCount }) : null}
        />
      ) : null}
      <RelatedCard
        title={t('invoices:related')}
        items={relatedOf(invoice, t, f)}
        empty={t('invoices:nothingRelated')}
      />
    </div>
  )
}
