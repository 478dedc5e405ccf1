import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const emailTemplatePages: PageRoute[] = [
  {
    ...pageOf('EmailTemplates', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'mails:list.title',
    nav: { group: 'setup', icon: 'mail', label: 'shell:nav.emailTemplates' },
    ns: ['record'],
    page: 'email-templates/templates-list.page.tsx',
  },
  {
    ...pageOf('EmailTemplates', 'view'),
    layout: 'default',
    title: 'mails:one',
    ns: ['record', 'editor'],
    page: 'email-templates/template-preview.page.tsx',
  },
]
