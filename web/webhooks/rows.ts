import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const webhookPages: PageRoute[] = [
  {
    ...pageOf('Webhooks', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'webhooks:title',
    nav: { group: 'setup', icon: 'link', label: 'shell:nav.webhooks' },
    ns: ['record'],
    page: 'webhooks/webhooks-list.page.tsx',
  },
]
