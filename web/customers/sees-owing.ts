import { nouns } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'

/** What customers owe is for those who may see it; others do the work. */
export const useSeesOwing = (): boolean => useCan(nouns.Customers.amountFor)
