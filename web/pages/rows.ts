import { devRight } from '../../contract/places.ts'
import type { PageRoute } from '../core/layout/route.ts'

/** Those who look after the product find its demonstrations; nobody else is shown them. */
const forAdministrators = devRight

const misc = ['coming-soon', 'server-error', 'not-authorized', 'not-found', 'under-maintenance'] as const
const layouts = ['login', 'register', 'forgot-password', 'reset-password', 'two-steps', 'verify-email'] as const

/** The catalogue of what the product is made of, and the pages it shows in unusual moments. */
export const catalogue: PageRoute[] = [
  {
    path: '/pages/icons',
    layout: 'default',
    can: forAdministrators,
    title: 'catalogue:icons.title',
    nav: { group: 'pages', icon: 'icons', label: 'shell:nav.icons' },
    page: 'pages/icons.page.tsx',
  },
  {
    path: '/pages/typography',
    layout: 'default',
    can: forAdministrators,
    title: 'catalogue:typography.title',
    nav: { group: 'pages', icon: 'typography', label: 'shell:nav.typography' },
    page: 'pages/typography.page.tsx',
  },
  {
    path: '/pages/cards/basic',
    layout: 'default',
    can: forAdministrators,
    title: 'catalogue:cards.basic',
    nav: { group: 'pages', icon: 'cards', label: 'shell:nav.cardsBasic', isAlone: true },
    page: 'pages/cards-basic.page.tsx',
  },
  {
    path: '/pages/cards/statistics',
    layout: 'default',
    can: forAdministrators,
    title: 'catalogue:cards.statistics',
    nav: { group: 'pages', icon: 'statistics', label: 'shell:nav.cardsStatistics', isAlone: true },
    page: 'pages/cards-statistics.page.tsx',
  },
  {
    path: '/pages/cards/actions',
    layout: 'default',
    can: forAdministrators,
    title: 'catalogue:cards.actions',
    nav: { group: 'pages', icon: 'actions', label: 'shell:nav.cardsActions', isAlone: true },
    page: 'pages/cards-actions.page.tsx',
  },
  {
    path: '/pages/dialog-examples',
    layout: 'default',
    can: forAdministrators,
    title: 'catalogue:dialogs.title',
    nav: { group: 'pages', icon: 'dialogs', label: 'shell:nav.dialogs' },
    page: 'pages/dialog-examples.page.tsx',
  },
  ...misc.map((name): PageRoute => ({
    path: `/pages/misc/${name}`,
    layout: 'blank',
    title: `pages:${name}.title`,
    open: true,
    nav: { group: 'layouts', can: forAdministrators, icon: 'note', label: `shell:misc.${name}`, isAlone: true },
    page: `pages/${name}.page.tsx`,
  })),
  ...layouts.flatMap((name) =>
    (['v1', 'v2'] as const).map((version): PageRoute => ({
      path: `/pages/authentication/${name}-${version}`,
      layout: 'blank',
      title: `pages:auth.${name}`,
      open: true,
      nav: {
        group: 'layouts',
        can: forAdministrators,
        icon: 'lock',
        label: `shell:layout.${name}-${version}`,
        isAlone: true,
      },
      page: 'pages/auth-layout.page.tsx',
    })),
  ),
]
