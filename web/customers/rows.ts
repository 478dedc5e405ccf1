import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

/** Customers, and the files they come in. */
export const customerPages: PageRoute[] = [
  {
    ...pageOf('Customers', 'list'),
    layout: 'default',
    title: 'customers:list.title',
    nav: { group: 'apps', icon: 'customers', label: 'shell:nav.customers', keys: 'g c' },
    ns: ['record', 'imports'],
    page: 'customers/customers-list.page.tsx',
  },
  {
    ...pageOf('Customers', 'add'),
    ofOne: 'makes',
    layout: 'default',
    title: 'customers:add.title',
    command: { icon: 'customers', label: 'shell:command.newCustomer', keys: 'n c' },
    ns: ['record'],
    page: 'customers/customer-add.page.tsx',
  },
  {
    ...pageOf('Imports', 'import'),
    ofOne: 'makes',
    layout: 'default',
    title: 'imports:title',
    command: { icon: 'customers', label: 'imports:title' },
    ns: ['imports', 'customers'],
    page: 'imports/import.page.tsx',
  },
  {
    ...pageOf('Customers', 'duplicates'),
    ofOne: 'shows',
    layout: 'default',
    title: 'customers:duplicates.title',
    command: { icon: 'customers', label: 'customers:duplicates.title' },
    ns: ['customers', 'record'],
    page: 'customers/duplicates.page.tsx',
  },
  {
    ...pageOf('Customers', 'edit'),
    layout: 'default',
    title: 'customers:edit.title',
    ns: ['record'],
    page: 'customers/customer-edit.page.tsx',
  },
  {
    ...pageOf('Customers', 'view'),
    layout: 'default',
    title: 'customers:preview.title',
    ns: ['record', 'quotes', 'orders', 'invoices', 'payments', 'messages', 'compose', 'timeline', 'lines'],
    page: 'customers/customer-preview.page.tsx',
  },
]
