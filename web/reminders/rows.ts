import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const reminderPages: PageRoute[] = [
  {
    ...pageOf('Reminders', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'reminders:title',
    nav: { group: 'setup', icon: 'bell', label: 'shell:nav.reminders' },
    ns: ['record', 'messages'],
    page: 'reminders/reminders-list.page.tsx',
  },
]
