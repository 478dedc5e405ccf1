import { pageOf } from '../../contract/nouns.ts'
import { refundRequests } from '../../contract/places.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const paymentPages: PageRoute[] = [
  {
    ...pageOf('Payments', 'list'),
    layout: 'default',
    title: 'payments:list.title',
    nav: { group: 'apps', icon: 'cash', label: 'shell:nav.payments', keys: 'g p' },
    page: 'payments/payments-list.page.tsx',
  },
  {
    ...pageOf('Payments', 'check'),
    layout: 'default',
    title: 'payments:aside.title',
    ns: ['record'],
    page: 'payments/aside-list.page.tsx',
  },
  {
    ...refundRequests,
    layout: 'default',
    title: 'payments:requests.title',
    nav: { group: 'accounting', icon: 'refund', label: 'shell:nav.refundRequests', isAlone: true },
    ns: ['record'],
    page: 'payments/refund-requests.page.tsx',
  },
  {
    ...pageOf('Payments', 'view'),
    layout: 'default',
    title: 'payments:one.title',
    page: 'payments/payment-preview.page.tsx',
  },
]
