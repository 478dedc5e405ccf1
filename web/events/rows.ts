import { pageOf } from '../../contract/nouns.ts'
import { actionPages } from '../actions/rows.ts'
import type { PageRoute } from '../core/layout/route.ts'

/** What happened, and what is done when something does. */
export const eventPages: PageRoute[] = [
  ...actionPages,
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
    ns: ['timeline', 'record', 'actions'],
    page: 'events/event-preview.page.tsx',
  },
]
