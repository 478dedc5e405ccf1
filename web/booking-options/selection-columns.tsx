import type { bookingSelectionsApi } from '../../contract/booking-selections.ts'
import { customersApi } from '../../contract/customers.ts'
import { inLanguage } from '../../contract/booking-options.ts'
import { answerText } from '../../contract/line-options.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import type { Column } from '../core/ui/table/types.ts'

type Item = ItemOf<typeof bookingSelectionsApi.list>

export function useSelectionColumns(): Column<Item>[] {
  const t = useT('options', 'common')
  const f = useFormat()
  const language = useLanguage()
  const opensCustomers = useCan(customersApi.get)
  const words = { yes: t('common:yes'), no: t('common:no'), day: f.date, quantity: f.quantity }
  const answerOf = ({ said }: Item) => answerText(said, language, words).answer
  return [
    {
      id: 'document',
      header: t('options:selections.document'),
      card: 'title',
      grow: 1.25,
      cell: (one) => one.document.label,
    },
    {
      id: 'customer',
      header: t('options:selections.customer'),
      grow: 1.75,
      cell: (one) =>
        opensCustomers ? (
          <span className="one-line" dir="auto" title={one.customerName}>
            <AppLink to={pathTo('Customers', one.customerGuid)}>{one.customerName}</AppLink>
          </span>
        ) : (
          one.customerName
        ),
    },
    {
      id: 'option',
      header: t('options:selections.option'),
      grow: 1,
      cell: ({ said }) => inLanguage(said.label, language),
    },
    { id: 'choice', header: t('options:selections.choice'), grow: 1, cell: answerOf },
    {
      id: 'answeredAt',
      header: t('options:selections.date'),
      sort: true,
      cell: (one) => <DateText value={one.answeredAt} />,
    },
    {
      id: 'by',
      header: t('options:selections.by'),
      isSpare: true,
      cell: (one) => (one.answeredBy === 'guest' ? t('options:answerers.guest') : one.userName),
    },
    {
      id: 'amount',
      header: t('options:selections.amount'),
      align: 'end',
      card: 'side',
      cell: (one) => <Money cents={one.cents === 0 ? null : one.cents} />,
    },
  ]
}
