import type { PageRoute } from './core/layout/route.ts'
import { makeRouter, type Shortcut } from './core/layout/routes.tsx'
import { hasDevPages } from './core/config.ts'
import { catalogue } from './pages/rows.ts'

const auth: PageRoute[] = [
  {
    path: '/login',
    layout: 'blank',
    subject: 'Auth:Login',
    title: 'auth:login.title',
    notLoggedIn: true,
    page: 'auth/login.page.tsx',
  },
  {
    path: '/forgot-password',
    layout: 'blank',
    title: 'auth:forgot.title',
    notLoggedIn: true,
    page: 'auth/forgot-password.page.tsx',
  },
  {
    path: '/reset-password',
    layout: 'blank',
    title: 'auth:reset.title',
    open: true,
    page: 'auth/reset-password.page.tsx',
  },
  {
    path: '/accept-invitation',
    layout: 'blank',
    title: 'auth:invited.pageTitle',
    open: true,
    page: 'auth/accept-invitation.page.tsx',
  },
  { path: '/auth-lobby', layout: 'blank', title: 'auth:wait.title', open: true, page: 'auth/lobby.page.tsx' },
  { path: '/auth-waiting', layout: 'blank', title: 'auth:wait.title', open: true, page: 'auth/waiting.page.tsx' },
  {
    path: '/not-authorized',
    layout: 'blank',
    title: 'auth:notAuthorized.title',
    open: true,
    page: 'auth/not-authorized.page.tsx',
  },
]

const dashboards: PageRoute[] = [
  {
    path: '/dashboards/ecommerce',
    layout: 'default',
    subject: 'Dashboards:Ecommerce',
    title: 'dashboards:ecommerce.title',
    nav: { group: 'home', icon: 'dashboard', label: 'shell:nav.dashboard', keys: 'g d' },
    ns: ['quotes', 'timeline'],
    page: 'dashboards/ecommerce.page.tsx',
  },
]

const quotes: PageRoute[] = [
  {
    path: '/apps/quotes/list',
    layout: 'default',
    subject: 'Quotes:Preview:All',
    title: 'quotes:list.title',
    nav: { group: 'apps', icon: 'quote', label: 'shell:nav.quotes', keys: 'g q' },
    page: 'quotes/quotes-list.page.tsx',
  },
  {
    path: '/apps/quotes/add',
    layout: 'default',
    subject: 'Quotes:Create',
    action: 'create',
    title: 'quotes:add.title',
    command: { icon: 'quote', label: 'shell:command.newQuote', keys: 'n q' },
    ns: ['lines'],
    page: 'quotes/quote-add.page.tsx',
  },
  {
    path: '/apps/quotes/edit/$guid',
    layout: 'default',
    subject: 'Quotes:Update:Guid',
    action: 'update',
    title: 'quotes:edit.title',
    ns: ['lines'],
    page: 'quotes/quote-edit.page.tsx',
  },
  {
    path: '/apps/quotes/preview/$guid',
    layout: 'default',
    subject: 'Quotes:Preview:Guid',
    title: 'quotes:preview.title',
    ns: ['record', 'lines', 'messages', 'timeline'],
    page: 'quotes/quote-preview.page.tsx',
  },
]

const orders: PageRoute[] = [
  {
    path: '/apps/orders/list',
    layout: 'default',
    subject: 'Orders:Preview:All',
    title: 'orders:list.title',
    nav: { group: 'apps', icon: 'order', label: 'shell:nav.orders', keys: 'g o' },
    page: 'orders/orders-list.page.tsx',
  },
  {
    path: '/apps/orders/add',
    layout: 'default',
    subject: 'Orders:Create',
    action: 'create',
    title: 'orders:add.title',
    command: { icon: 'order', label: 'shell:command.newOrder', keys: 'n o' },
    ns: ['lines'],
    page: 'orders/order-add.page.tsx',
  },
  {
    path: '/apps/orders/preview/$guid',
    layout: 'default',
    subject: 'Orders:Preview:Guid',
    title: 'orders:preview.title',
    ns: ['record', 'lines', 'timeline'],
    page: 'orders/order-preview.page.tsx',
  },
  {
    path: '/apps/orders/edit/$guid',
    layout: 'default',
    subject: 'Orders:Update:Guid',
    action: 'update',
    title: 'orders:edit.title',
    ns: ['lines'],
    page: 'orders/order-edit.page.tsx',
  },
]

const invoices: PageRoute[] = [
  {
    path: '/apps/invoices/list',
    layout: 'default',
    subject: 'Invoices:Preview:All',
    title: 'invoices:list.title',
    nav: { group: 'apps', icon: 'invoice', label: 'shell:nav.invoices', keys: 'g i' },
    page: 'invoices/invoices-list.page.tsx',
  },
  {
    path: '/apps/invoices/add',
    layout: 'default',
    subject: 'Invoices:Create',
    action: 'create',
    title: 'invoices:add.title',
    command: { icon: 'invoice', label: 'shell:command.newInvoice', keys: 'n i' },
    ns: ['lines'],
    page: 'invoices/invoice-add.page.tsx',
  },
  {
    path: '/apps/invoices/edit/$guid',
    layout: 'default',
    subject: 'Invoices:Update:Guid',
    action: 'update',
    title: 'invoices:edit.title',
    ns: ['lines'],
    page: 'invoices/invoice-edit.page.tsx',
  },
  {
    path: '/apps/invoices/preview/$guid',
    layout: 'default',
    subject: 'Invoices:Preview:Guid',
    title: 'invoices:preview.title',
    ns: ['record', 'payments', 'lines', 'messages', 'timeline'],
    page: 'invoices/invoice-preview.page.tsx',
  },
]

const payments: PageRoute[] = [
  {
    path: '/apps/payments/list',
    layout: 'default',
    subject: 'Payments:Preview:All',
    title: 'payments:list.title',
    nav: { group: 'apps', icon: 'cash', label: 'shell:nav.payments', keys: 'g p' },
    page: 'payments/payments-list.page.tsx',
  },
  {
    path: '/apps/payments/check',
    layout: 'default',
    subject: 'Payments:Quarantine',
    title: 'payments:aside.title',
    ns: ['record'],
    page: 'payments/aside-list.page.tsx',
  },
  {
    path: '/apps/payments/preview/$guid',
    layout: 'default',
    subject: 'Payments:Preview:Guid',
    title: 'payments:one.title',
    page: 'payments/payment-preview.page.tsx',
  },
]

const customers: PageRoute[] = [
  {
    path: '/apps/customers/list',
    layout: 'default',
    subject: 'Customers:Preview:All',
    title: 'customers:list.title',
    nav: { group: 'apps', icon: 'customers', label: 'shell:nav.customers', keys: 'g c' },
    ns: ['record'],
    page: 'customers/customers-list.page.tsx',
  },
  {
    path: '/apps/customers/add',
    layout: 'default',
    subject: 'Customers:Create',
    action: 'create',
    title: 'customers:add.title',
    command: { icon: 'customers', label: 'shell:command.newCustomer', keys: 'n c' },
    ns: ['record'],
    page: 'customers/customer-add.page.tsx',
  },
  {
    path: '/apps/customers/edit/$guid',
    layout: 'default',
    subject: 'Customers:Update:Guid',
    action: 'update',
    title: 'customers:edit.title',
    ns: ['record'],
    page: 'customers/customer-edit.page.tsx',
  },
  {
    path: '/apps/customers/preview/$guid',
    layout: 'default',
    subject: 'Customers:Preview:Guid',
    title: 'customers:preview.title',
    ns: ['record', 'quotes', 'orders', 'invoices', 'payments', 'messages', 'timeline', 'lines'],
    page: 'customers/customer-preview.page.tsx',
  },
]

const products: PageRoute[] = [
  {
    path: '/apps/products/list',
    layout: 'default',
    subject: 'Products:Preview:All',
    title: 'products:list.title',
    nav: { group: 'apps', icon: 'product', label: 'shell:nav.products', keys: 'g r' },
    ns: ['lines'],
    page: 'products/products-list.page.tsx',
  },
  {
    path: '/apps/products/add',
    layout: 'default',
    subject: 'Products:Create',
    action: 'create',
    title: 'products:add.title',
    command: { icon: 'product', label: 'shell:command.newProduct', keys: 'n r' },
    ns: ['record', 'lines'],
    page: 'products/product-add.page.tsx',
  },
  {
    path: '/apps/products/edit/$guid',
    layout: 'default',
    subject: 'Products:Update:Guid',
    action: 'update',
    title: 'products:edit.title',
    ns: ['record', 'lines'],
    page: 'products/product-edit.page.tsx',
  },
  {
    path: '/apps/products/preview/$guid',
    layout: 'default',
    subject: 'Products:Preview:Guid',
    title: 'products:preview.title',
    ns: ['record', 'lines'],
    page: 'products/product-preview.page.tsx',
  },
]

const messages: PageRoute[] = [
  {
    path: '/apps/messages/list',
    layout: 'default',
    subject: 'Messages:Preview:All',
    title: 'messages:list.title',
    nav: { group: 'apps', icon: 'mail', label: 'shell:nav.messages', keys: 'g m' },
    ns: ['record'],
    page: 'messages/messages-list.page.tsx',
  },
  {
    path: '/apps/messages/preview/$guid',
    layout: 'default',
    subject: 'Messages:Preview:Guid',
    title: 'messages:preview.title',
    ns: ['record'],
    page: 'messages/message-preview.page.tsx',
  },
]

const setup: PageRoute[] = [
  {
    path: '/setup/businesses/list',
    layout: 'default',
    subject: 'Businesses:Preview:All',
    title: 'setup:businesses.title',
    nav: { group: 'setup', icon: 'business', label: 'shell:nav.businesses', keys: 'g b' },
    page: 'businesses/businesses-list.page.tsx',
  },
  {
    path: '/setup/businesses/view/$guid',
    layout: 'default',
    subject: 'Businesses:Preview:Guid',
    title: 'setup:businesses.one',
    ns: ['record', 'lines'],
    page: 'businesses/business-view.page.tsx',
  },
  {
    path: '/setup/users/list',
    layout: 'default',
    subject: 'Users:Preview:All',
    title: 'people:list.title',
    nav: { group: 'setup', icon: 'user', label: 'shell:nav.users', keys: 'g u' },
    command: {
      icon: 'invite',
      label: 'shell:command.inviteUser',
      need: ['create', 'Users:Create'],
      runs: 'people:invite.action',
    },
    ns: ['record'],
    page: 'users/users-list.page.tsx',
  },
  {
    path: '/apps/users/list',
    layout: 'default',
    subject: 'Users:Preview:All',
    title: 'people:list.title',
    ns: ['record'],
    page: 'users/users-list.page.tsx',
  },
  {
    path: '/apps/users/view/$id',
    layout: 'default',
    subject: 'Users:Preview:Guid',
    title: 'people:profile',
    ns: ['record', 'access', 'account', 'timeline'],
    page: 'users/user-view.page.tsx',
  },
  {
    path: '/setup/roles/list',
    layout: 'default',
    subject: 'Roles:Preview:All',
    title: 'roles:list.title',
    nav: { group: 'setup', icon: 'role', label: 'shell:nav.roles', keys: 'g l' },
    command: {
      icon: 'role',
      label: 'shell:command.newRole',
      need: ['create', 'Roles:Create'],
      runs: 'roles:create.title',
    },
    ns: ['record', 'access'],
    page: 'roles/roles-list.page.tsx',
  },
  {
    path: '/setup/roles/edit/$guid',
    layout: 'default',
    subject: 'Roles:Preview:Guid',
    title: 'roles:matrix.rights',
    ns: ['record', 'access', 'people'],
    page: 'roles/role-edit.page.tsx',
  },
  {
    path: '/setup/roles/compare',
    layout: 'default',
    subject: 'Roles:Preview:All',
    title: 'roles:compare.title',
    ns: ['access'],
    page: 'roles/role-compare.page.tsx',
  },
  {
    path: '/setup/permissions/list',
    layout: 'default',
    subject: 'Permissions:Preview:All',
    title: 'roles:permissions.title',
    nav: { group: 'setup', icon: 'permission', label: 'shell:nav.permissions' },
    ns: ['access'],
    page: 'roles/permissions-list.page.tsx',
  },
]

const account: PageRoute[] = [
  { path: '/access-control', layout: 'default', title: 'access:title', page: 'access/access-control.page.tsx' },
  {
    path: '/pages/account-settings/$tab',
    layout: 'default',
    title: 'account:title',
    ns: ['people', 'record'],
    page: 'account/account-settings.page.tsx',
  },
  {
    path: '/pages/user-profile/$tab',
    layout: 'default',
    title: 'account:profile.title',
    ns: ['people', 'timeline', 'quotes', 'orders', 'invoices'],
    page: 'account/user-profile.page.tsx',
  },
]

const dev: PageRoute[] = [
  {
    path: '/dev/email-accounts',
    layout: 'default',
    subject: 'Dev',
    title: 'dev:outbox.title',
    nav: { group: 'dev', icon: 'inbox', label: 'shell:nav.outbox' },
    ns: ['record'],
    page: 'dev/email-accounts.page.tsx',
  },
  {
    path: '/dev/test-data-cards',
    layout: 'default',
    subject: 'Dev',
    title: 'dev:cards.title',
    nav: { group: 'dev', icon: 'card', label: 'shell:nav.testCards' },
    page: 'dev/test-data-cards.page.tsx',
  },
  {
    path: '/dev/banking-journals',
    layout: 'default',
    subject: 'Dev',
    title: 'dev:journals.title',
    nav: { group: 'dev', icon: 'journal', label: 'shell:nav.journals' },
    page: 'dev/banking-journals.page.tsx',
  },
  {
    path: '/dev/role-permissions',
    layout: 'default',
    subject: 'Dev',
    title: 'dev:permissions.title',
    nav: { group: 'dev', icon: 'lock', label: 'shell:nav.devPermissions' },
    ns: ['access'],
    page: 'dev/role-permissions.page.tsx',
  },
]

const service: PageRoute[] = [
  {
    path: '/service/q/$guid',
    layout: 'blank-margins',
    subject: 'Service:Quote',
    guest: true,
    title: 'service:quote.title',
    ns: ['lines'],
    page: 'portal/quote.page.tsx',
  },
  {
    path: '/service/o/$guid',
    layout: 'blank-margins',
    subject: 'Service:Order',
    guest: true,
    title: 'service:order.title',
    ns: ['lines'],
    page: 'portal/order.page.tsx',
  },
  {
    path: '/service/i/$guid',
    layout: 'blank-margins',
    subject: 'Service:Invoice',
    guest: true,
    title: 'service:invoice.title',
    ns: ['lines'],
    page: 'portal/invoice.page.tsx',
  },
]

/** Every page there is. A row's `page` is the module's path below `web/`; it exports `Page`. Navigation follows this order. */
export const pages: readonly PageRoute[] = [
  ...auth,
  ...dashboards,
  ...quotes,
  ...orders,
  ...invoices,
  ...payments,
  ...customers,
  ...products,
  ...messages,
  ...setup,
  ...account,
  ...(hasDevPages ? dev : []),
  ...catalogue,
  ...service,
]

const shortcuts: Shortcut[] = [
  { from: '/', to: () => '/dashboards/ecommerce' },
  ...['q', 'o', 'i'].map((kind): Shortcut => ({
    from: `/service-${kind}-{$guid}`,
    to: ({ guid }) => `/service/${kind}/${encodeURIComponent(guid ?? '')}`,
  })),
]

export const router = makeRouter(pages, shortcuts, import.meta.glob('./*/*.page.tsx'))
