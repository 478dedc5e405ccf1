import { invoicesApi, owingInvoiceStatuses } from '../../contract/invoices.ts'
import { useMay } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import type { OpenInvoice } from './allocation.ts'

/**
 * The invoices of a customer that wait for money of a legal entity with its brands, the oldest first; the one somebody
 * came from before all others. Another company's are paid to it.
 */
export function useOpenInvoices(
  customerGuid: string | null,
  first: OpenInvoice | undefined,
  entityGuid: string | undefined,
): OpenInvoice[] {
  const may = useMay()
  const query = {
    business: 'all' as const,
    customerGuid: customerGuid ?? '',
    status: [...owingInvoiceStatuses, 'overdue'].join(','),
    sort: 'dueOn',
    size: 100,
  }
  const read = useRead(invoicesApi.list, query, { enabled: customerGuid !== null && may(invoicesApi.list) })
  const found = (read.data?.items ?? []).flatMap(({ guid, number, dueOn, balanceCents, orderGuid, ...invoice }) =>
    invoice.entityGuid === entityGuid ? [{ guid, number: number ?? '', dueOn, balanceCents, orderGuid }] : [],
  )
  return first ? [first, ...found.filter((invoice) => invoice.guid !== first.guid)] : found
}
