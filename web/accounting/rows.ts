import { agedReceivables, statementPage } from '../../contract/places.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const accountingPages: PageRoute[] = [
  {
    ...agedReceivables,
    layout: 'default',
    title: 'accounting:aged.title',
    ofOne: 'shows',
    nav: { group: 'accounting', icon: 'clock', label: 'shell:nav.aged' },
    page: 'accounting/aged.page.tsx',
  },
  {
    ...statementPage,
    layout: 'default',
    title: 'accounting:statement.title',
    ofOne: 'shows',
    nav: { group: 'accounting', icon: 'receipt', label: 'shell:nav.statements', keys: 'g t' },
    page: 'accounting/statements.page.tsx',
  },
]
