import { devRight, places } from '../../contract/places.ts'
import type { PageRoute } from '../core/layout/route.ts'

/** For whoever tries the product out or looks after it. */
export const devPages: PageRoute[] = [
  {
    path: places.outbox,
    layout: 'default',
    can: devRight,
    title: 'dev:outbox.title',
    nav: { group: 'dev', icon: 'inbox', label: 'shell:nav.outbox' },
    ns: ['record'],
    page: 'dev/email-accounts.page.tsx',
  },
  {
    path: places.testCards,
    layout: 'default',
    can: devRight,
    title: 'dev:cards.title',
    nav: { group: 'dev', icon: 'card', label: 'shell:nav.testCards' },
    page: 'dev/test-data-cards.page.tsx',
  },
  {
    path: places.journals,
    layout: 'default',
    can: devRight,
    title: 'dev:journals.title',
    nav: { group: 'dev', icon: 'journal', label: 'shell:nav.journals' },
    ns: ['accounting'],
    page: 'dev/banking-journals.page.tsx',
  },
  {
    path: places.devPermissions,
    layout: 'default',
    can: devRight,
    title: 'dev:permissions.title',
    nav: { group: 'dev', icon: 'lock', label: 'shell:nav.devPermissions' },
    ns: ['access'],
    page: 'dev/role-permissions.page.tsx',
  },
  {
    path: places.jobStrings,
    layout: 'default',
    can: devRight,
    title: 'dev:strings.title',
    nav: { group: 'dev', icon: 'language', label: 'shell:nav.jobStrings' },
    ns: ['jobs'],
    page: 'dev/job-strings.page.tsx',
  },
]
