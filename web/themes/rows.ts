import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const themePages: PageRoute[] = [
  {
    ...pageOf('Themes', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'themes:list.title',
    nav: { group: 'setup', icon: 'palette', label: 'shell:nav.themes' },
    ns: ['record'],
    page: 'themes/themes-list.page.tsx',
  },
  {
    ...pageOf('Themes', 'add'),
    ofOne: 'makes',
    layout: 'default',
    title: 'themes:add.title',
    ns: ['record', 'service'],
    page: 'themes/theme-add.page.tsx',
  },
  {
    ...pageOf('Themes', 'edit'),
    layout: 'default',
    title: 'themes:edit.title',
    ns: ['record', 'service'],
    page: 'themes/theme-edit.page.tsx',
  },
  {
    ...pageOf('Themes', 'view'),
    layout: 'default',
    title: 'themes:one',
    ns: ['record', 'service'],
    page: 'themes/theme-preview.page.tsx',
  },
]
