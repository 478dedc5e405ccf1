import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const seriesPages: PageRoute[] = [
  {
    ...pageOf('Series', 'list'),
    layout: 'default',
    title: 'series:list.title',
    nav: { group: 'apps', icon: 'series', label: 'shell:nav.series' },
    page: 'series/series-list.page.tsx',
  },
  {
    ...pageOf('Series', 'add'),
    ofOne: 'makes',
    layout: 'default',
    title: 'series:add.title',
    command: { icon: 'series', label: 'shell:command.newSeries' },
    ns: ['lines', 'quotes'],
    page: 'series/series-add.page.tsx',
  },
  {
    ...pageOf('Series', 'edit'),
    layout: 'default',
    title: 'series:edit.title',
    ns: ['lines', 'quotes'],
    page: 'series/series-edit.page.tsx',
  },
  {
    ...pageOf('Series', 'view'),
    layout: 'default',
    title: 'series:preview.title',
    ns: ['record', 'lines', 'quotes', 'timeline'],
    page: 'series/series-preview.page.tsx',
  },
  {
    ...pageOf('Series', 'rise'),
    ofOne: 'shows',
    layout: 'default',
    title: 'series:rise.title',
    page: 'series/price-rise.page.tsx',
  },
]
