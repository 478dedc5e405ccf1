import { pageOf } from '../../contract/nouns.ts'
import type { PageRoute } from '../core/layout/route.ts'

export const jobTypePages: PageRoute[] = [
  {
    ...pageOf('JobTypes', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'jobs:list.title',
    nav: { group: 'setup', icon: 'job', label: 'shell:nav.jobTypes' },
    ns: ['record'],
    page: 'job-types/job-types-list.page.tsx',
  },
  {
    ...pageOf('JobTypes', 'view'),
    layout: 'default',
    title: 'jobs:one',
    ns: ['record', 'lines', 'options'],
    page: 'job-types/job-type-preview.page.tsx',
  },
]
