import { pageOf } from '../../contract/nouns.ts'
import { servicePages } from '../../contract/places.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const requestPages: PageRoute[] = [
  {
    ...pageOf('Requests', 'list'),
    layout: 'default',
    title: 'requests:list.title',
    nav: { group: 'apps', icon: 'request', label: 'shell:nav.requests' },
    page: 'requests/requests-list.page.tsx',
  },
  {
    ...pageOf('Requests', 'view'),
    layout: 'default',
    title: 'requests:one',
    ns: ['record', 'options', 'quotes'],
    page: 'requests/request-preview.page.tsx',
  },
  {
    ...pageOf('RequestForms', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'requests:forms.title',
    nav: { group: 'setup', icon: 'requestForm', label: 'shell:nav.requestForms' },
    ns: ['record'],
    page: 'requests/forms-list.page.tsx',
  },
  {
    ...pageOf('RequestForms', 'view'),
    layout: 'default',
    title: 'requests:forms.one',
    ns: ['record'],
    page: 'requests/form-preview.page.tsx',
  },
  {
    ...servicePages.request,
    layout: 'blank-margins',
    guest: true,
    title: 'requests:page.kind',
    ns: ['service', 'options', 'record'],
    page: 'requests/request.page.tsx',
  },
]
