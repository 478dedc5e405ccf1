import { prepaidStatuses } from '../../contract/order-actions.ts'
import { ordersApi } from '../../contract/orders.ts'
import { useMay } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'

/** The orders of a customer that money may come for before there is an invoice, the newest first. */
export function useOpenOrders(customerGuid: string | null): { guid: string; number: string; title: string }[] {
  const may = useMay()
  const query = { customerGuid: customerGuid ?? '', status: prepaidStatuses.join(','), size: 100 }
  const read = useRead(ordersApi.list, query, { enabled: customerGuid !== null && may(ordersApi.list) })
  return read.data?.items ?? []
}
