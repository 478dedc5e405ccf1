import { invoicesApi } from '../../contract/invoices.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useMay } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { DocumentLines } from '../lines/document-lines.tsx'
import { NextActionButton } from '../record/next-action.tsx'
import { nextOf } from '../record/actions.ts'
import { invoiceActions } from './invoice-actions.ts'
import { InvoiceTotals } from './invoice-totals.tsx'
import { isNote, signedAmounts } from './invoice-kind.ts'
import { InvoiceChip } from './invoice-status.tsx'

/** An invoice at a glance, without leaving the list. */
export function InvoicePeek({ guid }: { guid: string }) {
  const t = useT('invoices', 'lines')
  const may = useMay()
  const read = useRead(invoicesApi.get, { guid })
  return (
    <Loaded of={read}>
      {({ invoice }) => (
        <div className="stack">
          {invoice.number ? <strong>{invoice.title}</strong> : null}
          <div className="row spread">
            <InvoiceChip invoice={invoice} />
            <NextActionButton next={nextOf(invoiceActions(invoice, t), may)} page={pathTo('Invoices', guid)} />
          </div>
          <KeyValueList
            items={[
              { label: t('invoices:customer'), value: invoice.customer.displayName },
              { label: t('invoices:issueOn'), value: <DateText value={invoice.issueOn} />, isHidden: !invoice.issueOn },
              {
                label: t('invoices:dueOn'),
                value: <DateText value={invoice.dueOn} />,
                isHidden: !invoice.dueOn || isNote(invoice.kind),
              },
              {
                label: t('invoices:balance'),
                value: <Money cents={invoice.balanceCents} />,
                isHidden: isNote(invoice.kind),
              },
            ]}
          />
          <DocumentLines lines={signedAmounts(invoice).lines} priceMode={invoice.priceMode} hasAllParts />
          <InvoiceTotals invoice={{ ...invoice, ...signedAmounts(invoice) }} />
        </div>
      )}
    </Loaded>
  )
}
