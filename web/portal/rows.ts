import { servicePages } from '../../contract/places.ts'
import type { PageRoute } from '../core/layout/route.ts'

/** What a customer opens from a mail. */
export const guestPages: PageRoute[] = [
  {
    ...servicePages.quote,
    layout: 'blank-margins',
    guest: true,
    title: 'service:quote.title',
    ns: ['lines'],
    page: 'portal/quote.page.tsx',
  },
  {
    ...servicePages.order,
    layout: 'blank-margins',
    guest: true,
    title: 'service:order.title',
    ns: ['lines'],
    page: 'portal/order.page.tsx',
  },
  {
    ...servicePages.invoice,
    layout: 'blank-margins',
    guest: true,
    title: 'service:invoice.title',
    ns: ['lines'],
    page: 'portal/invoice.page.tsx',
  },
  {
    ...servicePages.statement,
    layout: 'blank-margins',
    guest: true,
    title: 'service:statement.title',
    page: 'portal/statement.page.tsx',
  },
  {
    ...servicePages.unsubscribe,
    layout: 'blank-margins',
    guest: true,
    title: 'service:unsubscribe.title',
    page: 'portal/unsubscribe.page.tsx',
  },
]
