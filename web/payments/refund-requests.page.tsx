import { useState } from 'react'
import { pathTo } from '../../contract/nouns.ts'
import { type RefundRequest, refundRequestsApi, requestStatuses } from '../../contract/refund-requests.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { toast } from '../core/ui/toast.tsx'
import { RecordLink } from '../record/record-link.tsx'
import { PayeeText } from './payment-details.tsx'
import '../record/record.css'

type Deed = 'approve' | 'decline'

/** Refunds beyond the limit: each waits until somebody else than who asked has decided. */
export function Page() {
  const t = useT('payments')
  const f = useFormat()
  const mayDecide = useCan(refundRequestsApi.approve)
  const mayCancel = useCan(refundRequestsApi.cancel)
  const [asked, ask] = useState<{ deed: Deed; request: RefundRequest } | null>(null)
  const approve = useWrite(refundRequestsApi.approve)
  const decline = useWrite(refundRequestsApi.decline)
  const cancel = useWrite(refundRequestsApi.cancel)
  const amount = f.money(asked?.request.amountCents ?? 0)
  const decide = async (reason: string) => {
    if (!asked) return
    const { guid } = asked.request
    if (asked.deed === 'approve') await approve.mutateAsync({ guid })
    else await decline.mutateAsync({ guid, reason: reason || null })
    toast.success(t(asked.deed === 'approve' ? 'payments:requests.approved' : 'payments:requests.declined', { amount }))
  }
  return (
    <>
      <PageHeader
        title={t('payments:requests.title')}
        subtitle={t('payments:requests.subtitle')}
        crumbs={[{ to: pathTo('Payments'), label: t('payments:list.title') }]}
      />
      <DataTable
        op={refundRequestsApi.list}
        label={t('payments:requests.title')}
        hasSearch={false}
        defaultSort="-createdAt"
        filters={[
          {
            type: 'many',
            field: 'status',
            label: t('payments:requests.status'),
            options: requestStatuses.map((value) => ({ value, label: t(`payments:requests.statuses.${value}`) })),
          },
        ]}
        columns={[
          {
            id: 'createdAt',
            header: t('payments:requests.asked'),
            sort: true,
            cell: (r) => <DateText value={r.createdAt} />,
          },
          { id: 'requestedBy', header: t('payments:requests.by'), cell: (r) => r.requestedBy },
          {
            id: 'customerName',
            header: t('payments:customer'),
            card: 'title',
            cell: (r) => (
              <>
                <RecordLink noun="Payments" guid={r.payment.guid} className="link">
                  {r.customerName}
                </RecordLink>
                <span className="cell-sub">{[r.payment.label, r.invoice?.label].filter(Boolean).join(' · ')}</span>
              </>
            ),
          },
          {
            id: 'amountCents',
            header: t('payments:amount'),
            sort: true,
            align: 'end',
            card: 'side',
            cell: (r) => <Money cents={r.amountCents} />,
          },
          {
            id: 'reason',
            header: t('payments:refund.reason'),
            cell: (r) => (
              <>
                {phraseOr(`payments:reasons.${r.reasonCode}`, r.reasonCode)}
                {r.effect && r.invoice ? (
                  <span className="cell-sub">{t(`payments:refund.effects.${r.effect}`)}</span>
                ) : null}
                {r.note ? <span className="cell-sub">{r.note}</span> : null}
                {r.payee ? <PayeeText payee={r.payee} /> : null}
              </>
            ),
          },
          {
            id: 'status',
            header: t('payments:requests.status'),
            cell: (r) => (
              <>
                <StatusChip status={r.status} label={t(`payments:requests.statuses.${r.status}`)} />
                {r.decidedBy ? (
                  <span className="cell-sub">{[r.decidedBy, r.decisionNote].filter(Boolean).join(' · ')}</span>
                ) : null}
              </>
            ),
          },
          ...(mayDecide || mayCancel
            ? [
                {
                  id: 'decide',
                  header: t('common:table.actions'),
                  align: 'end' as const,
                  cell: (request: RefundRequest) =>
                    request.status === 'requested' ? (
                      <Deeds
                        request={request}
                        mayDecide={mayDecide}
                        onAsk={(deed) => ask({ deed, request })}
                        onCancel={() =>
                          cancel.mutate(
                            { guid: request.guid },
                            {
                              onSuccess: () =>
                                toast.success(
                                  t('payments:requests.cancelled', { amount: f.money(request.amountCents) }),
                                ),
                            },
                          )
                        }
                      />
                    ) : null,
                },
              ]
            : []),
        ]}
        rowLabel={(r) => `${r.customerName} ${f.money(r.amountCents)}`}
        empty={{ title: t('payments:requests.empty.title'), text: t('payments:requests.empty.text') }}
      />
      <ConfirmDialog
        isOpen={asked !== null}
        onClose={() => ask(null)}
        title={
          asked?.deed === 'decline'
            ? t('payments:requests.declineTitle')
            : t('payments:requests.approveTitle', { amount, name: asked?.request.customerName ?? '' })
        }
        confirmLabel={t(asked?.deed === 'decline' ? 'payments:requests.decline' : 'payments:requests.approve')}
        {...(asked?.deed === 'decline' ? { reasonLabel: t('payments:requests.why'), isDangerous: true } : {})}
        onConfirm={decide}
      >
        {asked?.deed === 'approve' ? t('payments:requests.approveCard') : null}
      </ConfirmDialog>
    </>
  )
}

interface DeedsProps {
  request: RefundRequest
  mayDecide: boolean
  onAsk: (deed: Deed) => void
  onCancel: () => void
}

function Deeds({ request, mayDecide, onAsk, onCancel }: DeedsProps) {
  const t = useT('payments')
  const own = request.isOwn ? t('payments:requests.own') : null
  return (
    <div className="row row-deeds">
      {mayDecide ? (
        <>
          <ActionButton variant="light" size="compact-sm" disabledReason={own} onClick={() => onAsk('approve')}>
            {t('payments:requests.approve')}
          </ActionButton>
          <ActionButton variant="default" size="compact-sm" disabledReason={own} onClick={() => onAsk('decline')}>
            {t('payments:requests.decline')}
          </ActionButton>
        </>
      ) : null}
      {request.isOwn ? (
        <ActionButton variant="default" size="compact-sm" onClick={onCancel}>
          {t('payments:requests.cancel')}
        </ActionButton>
      ) : null}
    </div>
  )
}
