import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const holidayPages: PageRoute[] = [
  {
    ...pageOf('Holidays', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'setup:holidays.title',
    nav: { group: 'setup', icon: 'calendar', label: 'shell:nav.holidays' },
    ns: ['record'],
    page: 'holidays/holidays-list.page.tsx',
  },
]
