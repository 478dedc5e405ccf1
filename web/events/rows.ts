import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const eventPages: PageRoute[] = [
  {
    ...pageOf('Events', 'list'),
    layout: 'default',
    title: 'events:list.title',
    nav: { group: 'setup', icon: 'event', label: 'shell:nav.events' },
    ns: ['timeline', 'access'],
    page: 'events/events-list.page.tsx',
  },
  {
    ...pageOf('Events', 'view'),
    layout: 'default',
    title: 'events:one',
    ns: ['timeline', 'record'],
    page: 'events/event-preview.page.tsx',
  },
]
