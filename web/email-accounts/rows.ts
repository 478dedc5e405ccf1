import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const emailAccountPages: PageRoute[] = [
  {
    ...pageOf('EmailAccounts', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'emails:title',
    nav: { group: 'setup', icon: 'mail', label: 'shell:nav.emailAccounts' },
    ns: ['record'],
    page: 'email-accounts/email-accounts-list.page.tsx',
  },
]
