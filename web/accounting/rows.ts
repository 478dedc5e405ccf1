import { accounting, agedReceivables, statementPage } from '../../contract/places.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const accountingPages: PageRoute[] = [
  {
    ...accounting.journal,
    layout: 'default',
    title: 'accounting:journal.title',
    ofOne: 'shows',
    nav: { group: 'accounting', icon: 'journal', label: 'shell:nav.journal', keys: 'g j' },
    ns: ['record'],
    page: 'accounting/journal.page.tsx',
  },
  {
    ...accounting.trialBalance,
    layout: 'default',
    title: 'accounting:trial.title',
    ofOne: 'shows',
    nav: { group: 'accounting', icon: 'columns', label: 'shell:nav.trialBalance' },
    page: 'accounting/trial-balance.page.tsx',
  },
  {
    ...accounting.ledger,
    layout: 'default',
    title: 'accounting:ledger.title',
    ofOne: 'shows',
    page: 'accounting/ledger.page.tsx',
  },
  {
    ...accounting.bas,
    layout: 'default',
    title: 'accounting:bas.title',
    ofOne: 'shows',
    nav: { group: 'accounting', icon: 'lock', label: 'shell:nav.bas', keys: 'g x' },
    ns: ['record'],
    page: 'accounting/bas.page.tsx',
  },
  {
    ...accounting.exports,
    layout: 'default',
    title: 'accounting:exports.title',
    ofOne: 'shows',
    nav: { group: 'accounting', icon: 'download', label: 'shell:nav.exports' },
    ns: ['record'],
    page: 'accounting/exports.page.tsx',
  },
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
