import { invoicesApi } from '../../contract/invoices.ts'
import { useCan } from '../core/api/can.ts'

/** What an order is worth and what of it is billed is for those who read invoices; others do the work. */
export const useSeesMoney = (): boolean => useCan(invoicesApi.list)
