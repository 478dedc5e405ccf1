import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const quoteTemplatePages: PageRoute[] = [
  {
    ...pageOf('QuoteTemplates', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'templates:list.title',
    nav: { group: 'setup', icon: 'copy', label: 'shell:nav.quoteTemplates' },
    ns: ['record'],
    page: 'quotes/templates-list.page.tsx',
  },
  {
    ...pageOf('QuoteTemplates', 'edit'),
    layout: 'default',
    title: 'templates:edit',
    ns: ['lines', 'quotes'],
    page: 'quotes/template-edit.page.tsx',
  },
  {
    ...pageOf('QuoteTemplates', 'view'),
    layout: 'default',
    title: 'templates:one',
    ns: ['record', 'lines'],
    page: 'quotes/template-preview.page.tsx',
  },
]
