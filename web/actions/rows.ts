import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const actionPages: PageRoute[] = [
  {
    ...pageOf('Actions', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'actions:list.title',
    nav: { group: 'setup', icon: 'action', label: 'shell:nav.actions' },
    ns: ['record'],
    page: 'actions/actions-list.page.tsx',
  },
  {
    ...pageOf('Actions', 'add'),
    ofOne: 'makes',
    layout: 'default',
    title: 'actions:add',
    ns: ['record'],
    page: 'actions/action-add.page.tsx',
  },
  {
    ...pageOf('Actions', 'register'),
    ofOne: 'shows',
    layout: 'default',
    title: 'actions:register.title',
    page: 'actions/register.page.tsx',
  },
  {
    ...pageOf('Actions', 'view'),
    layout: 'default',
    title: 'actions:one',
    ns: ['record'],
    page: 'actions/action-edit.page.tsx',
  },
]
