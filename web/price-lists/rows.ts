import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const priceListPages: PageRoute[] = [
  {
    ...pageOf('PriceLists', 'list'),
    layout: 'default',
    title: 'prices:list.title',
    nav: { group: 'apps', icon: 'priceList', label: 'shell:nav.priceLists' },
    ns: ['record'],
    page: 'price-lists/price-lists-list.page.tsx',
  },
  {
    ...pageOf('PriceLists', 'view'),
    layout: 'default',
    title: 'prices:one',
    ns: ['record'],
    page: 'price-lists/price-list-edit.page.tsx',
  },
]
