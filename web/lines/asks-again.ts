import type { EditorLine } from './line-state.ts'

/** Whether the discount of a line that is not saved yet is the customer's still, rather than one entered by hand. */
export const hasAgreedDiscount = ({ guid, productGuid, discount, agreed = null }: EditorLine): boolean =>
  !guid && productGuid !== null && JSON.stringify(discount) === JSON.stringify(agreed)

/** What goes with a change that the catalogue prices: its price is asked for again. */
export const asksAgain = (line: EditorLine): Pick<EditorLine, 'awaits'> =>
  line.productGuid !== null && !line.isPriceManual ? { awaits: true } : {}

/** What goes with another customer: a price entered by hand stays, the discount agreed with the former one does not. */
export const asksOfCustomer = (line: EditorLine): Pick<EditorLine, 'awaits' | 'awaitsDiscount'> =>
  line.isPriceManual && hasAgreedDiscount(line) ? { awaitsDiscount: true } : asksAgain(line)
