import { pageOf } from '../contract/nouns.ts'
import { dashboard, places, servicePath, serviceShort } from '../contract/places.ts'
import { accountingPages } from './accounting/rows.ts'
import { authPages } from './auth/rows.ts'
import { bookingOptionPages } from './booking-options/rows.ts'
import type { PageRoute } from './core/layout/route.ts'
import { makeRouter, type Shortcut } from './core/layout/routes.tsx'
import { hasDevPages } from './core/config.ts'
import { customerPages } from './customers/rows.ts'
import { devPages } from './dev/rows.ts'
import { emailTemplatePages } from './email-templates/rows.ts'
import { emailAccountPages } from './email-accounts/rows.ts'
import { jobPages } from './jobs/rows.ts'
import { jobTypePages } from './job-types/rows.ts'
import { catalogue } from './pages/rows.ts'
import { paymentPages } from './payments/rows.ts'
import { guestPages } from './portal/rows.ts'
import { priceListPages } from './price-lists/rows.ts'
import { themePages } from './themes/rows.ts'
import { webhookPages } from './webhooks/rows.ts'
import { holidayPages } from './holidays/rows.ts'
import { reminderPages } from './reminders/rows.ts'
import { requestPages } from './requests/rows.ts'
import { quoteTemplatePages } from './quotes/template-rows.ts'
import { eventPages } from './events/rows.ts'
import { seriesPages } from './series/rows.ts'

const dashboards: PageRoute[] = [
  {
    ...dashboard,
    layout: 'default',
    title: 'dashboards:ecommerce.title',
    nav: { group: 'home', icon: 'dashboard', label: 'shell:nav.dashboard', keys: 'g d' },
    ns: ['quotes', 'timeline'],
    page: 'dashboards/ecommerce.page.tsx',
  },
]

const quotes: PageRoute[] = [
  {
    ...pageOf('Quotes', 'list'),
    layout: 'default',
    title: 'quotes:list.title',
    nav: { group: 'apps', icon: 'quote', label: 'shell:nav.quotes', keys: 'g q' },
    command: {
      icon: 'create',
      label: 'shell:command.addQuoteEntry',
      need: pageOf('Quotes', 'entry').can,
      runs: 'quotes:begin.entry',
    },
    page: 'quotes/quotes-list.page.tsx',
  },
  {
    ...pageOf('Quotes', 'outcome'),
    layout: 'default',
    title: 'quotes:outcome.title',
    page: 'quotes/outcome.page.tsx',
  },
  {
    ...pageOf('Quotes', 'add'),
    ofOne: 'makes',
    layout: 'default',
    title: 'quotes:add.title',
    command: { icon: 'quote', label: 'shell:command.newQuote', keys: 'n q' },
    ns: ['lines'],
    page: 'quotes/quote-add.page.tsx',
  },
  {
    ...pageOf('Quotes', 'edit'),
    layout: 'default',
    title: 'quotes:edit.title',
    ns: ['lines'],
    page: 'quotes/quote-edit.page.tsx',
  },
  {
    ...pageOf('Quotes', 'view'),
    layout: 'default',
    title: 'quotes:preview.title',
    ns: ['record', 'lines', 'messages', 'compose', 'timeline'],
    page: 'quotes/quote-preview.page.tsx',
  },
]

const orders: PageRoute[] = [
  {
    ...pageOf('Orders', 'list'),
    layout: 'default',
    title: 'orders:list.title',
    nav: { group: 'apps', icon: 'order', label: 'shell:nav.orders', keys: 'g o' },
    page: 'orders/orders-list.page.tsx',
  },
  {
    ...pageOf('Orders', 'add'),
    ofOne: 'makes',
    layout: 'default',
    title: 'orders:add.title',
    command: { icon: 'order', label: 'shell:command.newOrder', keys: 'n o' },
    ns: ['lines'],
    page: 'orders/order-add.page.tsx',
  },
  {
    ...pageOf('Orders', 'view'),
    layout: 'default',
    title: 'orders:preview.title',
    ns: ['record', 'lines', 'compose', 'timeline'],
    page: 'orders/order-preview.page.tsx',
  },
  {
    ...pageOf('Orders', 'edit'),
    layout: 'default',
    title: 'orders:edit.title',
    ns: ['lines'],
    page: 'orders/order-edit.page.tsx',
  },
]

const invoices: PageRoute[] = [
  {
    ...pageOf('Invoices', 'list'),
    layout: 'default',
    title: 'invoices:list.title',
    nav: { group: 'apps', icon: 'invoice', label: 'shell:nav.invoices', keys: 'g i' },
    ns: ['mailing'],
    page: 'invoices/invoices-list.page.tsx',
  },
  {
    ...pageOf('Invoices', 'message'),
    ofOne: 'makes',
    layout: 'default',
    title: 'mailing:bulk.title',
    command: { icon: 'send', label: 'shell:command.messageInvoices' },
    ns: ['invoices', 'messages', 'record'],
    page: 'invoices/message.page.tsx',
  },
  {
    ...pageOf('Invoices', 'add'),
    ofOne: 'makes',
    layout: 'default',
    title: 'invoices:add.title',
    command: { icon: 'invoice', label: 'shell:command.newInvoice', keys: 'n i' },
    ns: ['lines'],
    page: 'invoices/invoice-add.page.tsx',
  },
  {
    ...pageOf('Invoices', 'edit'),
    layout: 'default',
    title: 'invoices:edit.title',
    ns: ['lines'],
    page: 'invoices/invoice-edit.page.tsx',
  },
  {
    ...pageOf('Invoices', 'view'),
    layout: 'default',
    title: 'invoices:preview.title',
    ns: ['record', 'payments', 'lines', 'messages', 'compose', 'timeline'],
    page: 'invoices/invoice-preview.page.tsx',
  },
]

const products: PageRoute[] = [
  {
    ...pageOf('Products', 'list'),
    layout: 'default',
    title: 'products:list.title',
    nav: { group: 'apps', icon: 'product', label: 'shell:nav.products', keys: 'g r' },
    ns: ['lines'],
    page: 'products/products-list.page.tsx',
  },
  {
    ...pageOf('Products', 'add'),
    ofOne: 'makes',
    layout: 'default',
    title: 'products:add.title',
    command: { icon: 'product', label: 'shell:command.newProduct', keys: 'n r' },
    ns: ['record', 'lines'],
    page: 'products/product-add.page.tsx',
  },
  {
    ...pageOf('Products', 'edit'),
    layout: 'default',
    title: 'products:edit.title',
    ns: ['record', 'lines'],
    page: 'products/product-edit.page.tsx',
  },
  {
    ...pageOf('Products', 'view'),
    layout: 'default',
    title: 'products:preview.title',
    ns: ['record', 'lines', 'options', 'files'],
    page: 'products/product-preview.page.tsx',
  },
]

const messages: PageRoute[] = [
  {
    ...pageOf('Messages', 'list'),
    layout: 'default',
    title: 'messages:list.title',
    nav: { group: 'apps', icon: 'mail', label: 'shell:nav.messages', keys: 'g m' },
    ns: ['record', 'mailing'],
    page: 'messages/messages-list.page.tsx',
  },
  {
    ...pageOf('Messages', 'add'),
    ofOne: 'makes',
    layout: 'default',
    title: 'compose:title',
    command: { icon: 'mail', label: 'shell:command.newMessage', keys: 'n m' },
    ns: ['messages', 'record', 'files', 'editor'],
    page: 'messages/message-add.page.tsx',
  },
  {
    ...pageOf('Messages', 'view'),
    layout: 'default',
    title: 'messages:preview.title',
    ns: ['record', 'compose'],
    page: 'messages/message-preview.page.tsx',
  },
]

const catalogueParts: PageRoute[] = [
  {
    ...pageOf('Categories', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'products:categories.title',
    nav: { group: 'apps', icon: 'tree', label: 'shell:nav.categories' },
    ns: ['lines'],
    page: 'categories/categories-list.page.tsx',
  },
]

const setup: PageRoute[] = [
  ...themePages,
  ...quoteTemplatePages,
  ...reminderPages,
  {
    ...pageOf('Substatuses', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'orders:substatus.title',
    nav: { group: 'setup', icon: 'palette', label: 'shell:nav.substatuses' },
    ns: ['record'],
    page: 'orders/substatuses-list.page.tsx',
  },
  ...holidayPages,
  ...webhookPages,
  {
    ...pageOf('RevenueStreams', 'list'),
    ofOne: 'shows',
    layout: 'default',
    title: 'products:streams.title',
    nav: { group: 'setup', icon: 'statistics', label: 'shell:nav.streams' },
    ns: ['record'],
    page: 'revenue-streams/revenue-streams-list.page.tsx',
  },
  {
    ...pageOf('Businesses', 'list'),
    layout: 'default',
    title: 'setup:businesses.title',
    nav: { group: 'setup', icon: 'business', label: 'shell:nav.businesses', keys: 'g b' },
    page: 'businesses/businesses-list.page.tsx',
  },
  {
    ...pageOf('Businesses', 'view'),
    layout: 'default',
    title: 'setup:businesses.one',
    ns: ['record', 'lines'],
    page: 'businesses/business-view.page.tsx',
  },
  {
    ...pageOf('Users', 'list'),
    layout: 'default',
    title: 'people:list.title',
    nav: { group: 'setup', icon: 'user', label: 'shell:nav.users', keys: 'g u' },
    command: {
      icon: 'invite',
      label: 'shell:command.inviteUser',
      need: pageOf('Users', 'add').can,
      runs: 'people:invite.action',
    },
    ns: ['record'],
    page: 'users/users-list.page.tsx',
  },
  {
    ...pageOf('Users', 'apps'),
    layout: 'default',
    title: 'people:list.title',
    ns: ['record'],
    page: 'users/users-list.page.tsx',
  },
  {
    ...pageOf('Users', 'view'),
    layout: 'default',
    title: 'people:profile',
    ns: ['record', 'access', 'account', 'timeline'],
    page: 'users/user-view.page.tsx',
  },
  {
    ...pageOf('Roles', 'list'),
    layout: 'default',
    title: 'roles:list.title',
    nav: { group: 'setup', icon: 'role', label: 'shell:nav.roles', keys: 'g l' },
    command: {
      icon: 'role',
      label: 'shell:command.newRole',
      need: pageOf('Roles', 'add').can,
      runs: 'roles:create.title',
    },
    ns: ['record', 'access'],
    page: 'roles/roles-list.page.tsx',
  },
  {
    ...pageOf('Roles', 'view'),
    layout: 'default',
    title: 'roles:matrix.rights',
    ns: ['record', 'access', 'people'],
    page: 'roles/role-edit.page.tsx',
  },
  {
    ...pageOf('Roles', 'compare'),
    layout: 'default',
    title: 'roles:compare.title',
    ns: ['access'],
    page: 'roles/role-compare.page.tsx',
  },
  {
    ...pageOf('Permissions', 'list'),
    layout: 'default',
    title: 'roles:permissions.title',
    nav: { group: 'setup', icon: 'permission', label: 'shell:nav.permissions' },
    ns: ['access'],
    page: 'roles/permissions-list.page.tsx',
  },
]

const account: PageRoute[] = [
  { path: places.accessControl, layout: 'default', title: 'access:title', page: 'access/access-control.page.tsx' },
  {
    path: places.settings,
    layout: 'default',
    title: 'account:title',
    ns: ['people', 'record'],
    page: 'account/account-settings.page.tsx',
  },
  {
    path: places.profile,
    layout: 'default',
    title: 'account:profile.title',
    ns: ['people', 'timeline', 'quotes', 'orders', 'invoices'],
    page: 'account/user-profile.page.tsx',
  },
]

/**
 * Every page there is. A row's `page` is the module's path below `web/`; it exports `Page`.
 * Navigation follows this order.
 */
const pages: readonly PageRoute[] = [
  ...authPages,
  ...dashboards,
  ...quotes,
  ...seriesPages,
  ...eventPages,
  ...requestPages,
  ...orders,
  ...invoices,
  ...paymentPages,
  ...accountingPages,
  ...customerPages,
  ...products,
  ...catalogueParts,
  ...priceListPages,
  ...bookingOptionPages,
  ...messages,
  ...jobPages,
  ...jobTypePages,
  ...emailTemplatePages,
  ...emailAccountPages,
  ...setup,
  ...account,
  ...(hasDevPages ? devPages : []),
  ...catalogue,
  ...guestPages,
]

const shortcuts: Shortcut[] = [
  { from: places.start, to: () => dashboard.path },
  ...(['quote', 'order', 'invoice'] as const).map((kind): Shortcut => ({
    from: `${serviceShort[kind]}{$guid}`,
    to: ({ guid }) => servicePath(kind, encodeURIComponent(guid ?? '')),
  })),
]

export const router = makeRouter(pages, shortcuts, import.meta.glob('./*/*.page.tsx'))
