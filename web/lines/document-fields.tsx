import { customersApi } from '../../contract/customers.ts'
import type { quoteInput } from '../../contract/quotes.ts'
import type { z } from 'zod'
import { useRead } from '../core/api/hooks.ts'
import { phraseOr } from '../core/i18n/i18n.ts'
import type { Fields } from '../record/record-facts.tsx'
import { totalOf, type Terms } from './line-state.ts'
import { discountText } from './terms-text.ts'

type Common = Pick<
  z.output<typeof quoteInput>,
  'customerGuid' | 'contactGuid' | 'siteGuid' | 'title' | 'priceMode' | 'roundingRule' | 'discount' | 'lines'
>

/** The name of a customer, or of one of the customer's contacts or sites. */
function Party({ customerGuid, of, guid }: { customerGuid: unknown; of?: 'contacts' | 'sites'; guid: string }) {
  const read = useRead(customersApi.get, { guid: String(customerGuid) })
  const customer = read.data?.customer
  return of ? customer?.[of].find((one) => one.guid === guid)?.name : customer?.displayName
}

/** What the lines come to, and each of them: enough to see which set of lines one would lose. */
const linesText: NonNullable<Fields<Common>['rows']['lines']['show']> = (lines, { f }, whole) =>
  lines ? (
    <>
      <strong className="block tabular">{f.money(totalOf({ lines }, whole as unknown as Terms))}</strong>
      {lines.map((line, index) => (
        <span key={index} className="block small">{`${f.quantity(line.quantity)} × ${line.name}`}</span>
      ))}
    </>
  ) : null

/** What the editors of quotes, orders and invoices have in common. */
export const documentRows: Fields<Common>['rows'] = {
  customerGuid: {
    label: 'lines:customer',
    show: (guid) => (guid ? <Party customerGuid={guid} guid={guid} /> : null),
  },
  contactGuid: {
    label: 'lines:contact',
    show: (guid, _say, { customerGuid }) =>
      guid ? <Party customerGuid={customerGuid} of="contacts" guid={guid} /> : null,
  },
  siteGuid: {
    label: 'lines:site',
    show: (guid, _say, { customerGuid }) =>
      guid ? <Party customerGuid={customerGuid} of="sites" guid={guid} /> : null,
  },
  title: { label: 'lines:documentTitle' },
  priceMode: { label: 'lines:priceMode', words: (mode) => phraseOr(`lines:priceModes.${mode}`, mode) },
  roundingRule: { label: 'lines:rounding', words: (rule) => phraseOr(`lines:roundings.${rule}`, rule) },
  discount: { label: 'lines:documentDiscount', show: discountText },
  lines: { label: 'lines:title', show: linesText },
}

/**
 * Prices and the lines they are of, the customer and the customer's contact: changed by two
 * people, they are asked about.
 */
export const documentGroups = [
  ['lines', 'priceMode', 'roundingRule', 'discount'],
  ['customerGuid', 'contactGuid', 'siteGuid'],
] as const
