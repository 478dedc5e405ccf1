import { useState } from 'react'
import { paymentsApi } from '../../contract/payments.ts'
import { pathTo } from '../../contract/nouns.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useCan } from '../core/api/can.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { RecordLink } from '../record/record-link.tsx'
import '../record/record.css'

const AsideDialog = whenOpen(() => import('./aside-dialog.tsx').then((module) => module.AsideDialog))

type Aside = ItemOf<typeof paymentsApi.quarantine>

/** Card payments that the provider tells of and that fit to nothing here: each waits for somebody's decision. */
export function Page() {
  const t = useT('payments')
  const mayDecide = useCan(paymentsApi.release)
  const [decided, decide] = useState<Aside | null>(null)
  return (
    <>
      <PageHeader
        title={t('payments:aside.title')}
        subtitle={t('payments:aside.subtitle')}
        crumbs={[{ to: pathTo('Payments'), label: t('payments:list.title') }]}
      />
      <DataTable
        op={paymentsApi.quarantine}
        label={t('payments:aside.title')}
        searchPlaceholder={t('payments:aside.search')}
        defaultSort="-receivedAt"
        columns={[
          {
            id: 'reason',
            header: t('payments:aside.reason'),
            card: 'title',
            cell: (a) => phraseOr(`payments:aside.reasons.${a.reason}`, a.reason),
          },
          {
            id: 'receivedAt',
            header: t('payments:aside.receivedAt'),
            sort: true,
            cell: (a) => <DateText value={a.receivedAt} />,
          },
          {
            id: 'customer',
            header: t('payments:customer'),
            cell: (a) => a.customerName ?? <span className="muted">–</span>,
          },
          {
            id: 'invoice',
            header: t('payments:aside.invoiceOrReference'),
            cell: (a) =>
              a.invoice ? (
                <RecordLink noun="Invoices" guid={a.invoice.guid} className="link">
                  {a.invoice.label}
                </RecordLink>
              ) : (
                (a.reference ?? <span className="muted">–</span>)
              ),
          },
          { id: 'charge', header: t('payments:aside.charge'), isHidden: true, cell: (a) => a.providerPaymentId },
          {
            id: 'expectedCents',
            header: t('payments:aside.expected'),
            align: 'end',
            cell: (a) =>
              a.expectedCents === null ? <span className="muted">–</span> : <Money cents={a.expectedCents} />,
          },
          {
            id: 'amountCents',
            header: t('payments:aside.taken'),
            align: 'end',
            card: 'side',
            cell: (a) => (a.amountCents === null ? <span className="muted">–</span> : <Money cents={a.amountCents} />),
          },
          ...(mayDecide
            ? [
                {
                  id: 'decide',
                  header: t('common:table.actions'),
                  align: 'end' as const,
                  cell: (a: Aside) => (
                    <ActionButton variant="light" size="compact-sm" onClick={() => decide(a)}>
                      {t('payments:aside.decide')}
                    </ActionButton>
                  ),
                },
              ]
            : []),
        ]}
        rowLabel={(a) => a.providerPaymentId ?? a.guid}
        empty={{ title: t('payments:aside.empty.title'), text: t('payments:aside.empty.text') }}
      />
      {decided ? <AsideDialog aside={decided} onClose={() => decide(null)} /> : null}
    </>
  )
}
