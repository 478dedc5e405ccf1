import { serverMeta } from '../../contract/places.ts'
import type { PageRoute } from '../core/layout/route.ts'

/** For whoever keeps the product running. */
export const jobPages: PageRoute[] = [
  {
    ...serverMeta,
    layout: 'default',
    title: 'scheduler:title',
    nav: { group: 'setup', icon: 'clock', label: 'shell:nav.scheduler' },
    page: 'jobs/server-meta.page.tsx',
  },
]
