import { nouns } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'

/** What an order is worth and what of it is billed is for those who may see amounts; others do the work. */
export const useSeesMoney = (): boolean => useCan(nouns.Orders.amountFor)
