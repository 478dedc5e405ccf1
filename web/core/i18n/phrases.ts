import type access from './en/access.json'
import type accounting from './en/accounting.json'
import type actions from './en/actions.json'
import type account from './en/account.json'
import type auth from './en/auth.json'
import type catalogue from './en/catalogue.json'
import type changes from './en/changes.json'
import type common from './en/common.json'
import type compose from './en/compose.json'
import type customers from './en/customers.json'
import type dashboards from './en/dashboards.json'
import type dev from './en/dev.json'
import type editor from './en/editor.json'
import type emails from './en/emails.json'
import type events from './en/events.json'
import type errors from './en/errors.json'
import type imports from './en/imports.json'
import type files from './en/files.json'
import type inbound from './en/inbound.json'
import type invoices from './en/invoices.json'
import type jobs from './en/jobs.json'
import type lines from './en/lines.json'
import type mailing from './en/mailing.json'
import type mails from './en/mails.json'
import type messages from './en/messages.json'
import type options from './en/options.json'
import type orders from './en/orders.json'
import type pages from './en/pages.json'
import type palette from './en/palette.json'
import type record from './en/record.json'
import type payments from './en/payments.json'
import type people from './en/people.json'
import type prices from './en/prices.json'
import type products from './en/products.json'
import type quotes from './en/quotes.json'
import type reminders from './en/reminders.json'
import type roles from './en/roles.json'
import type requests from './en/requests.json'
import type scheduler from './en/scheduler.json'
import type series from './en/series.json'
import type service from './en/service.json'
import type setup from './en/setup.json'
import type shell from './en/shell.json'
import type templates from './en/templates.json'
import type themes from './en/themes.json'
import type talk from './en/talk.json'
import type timeline from './en/timeline.json'
import type views from './en/views.json'
import type webhooks from './en/webhooks.json'

/** One entry per file in `en/`. */
interface Phrases {
  access: typeof access
  account: typeof account
  actions: typeof actions
  accounting: typeof accounting
  auth: typeof auth
  catalogue: typeof catalogue
  changes: typeof changes
  common: typeof common
  compose: typeof compose
  customers: typeof customers
  dashboards: typeof dashboards
  dev: typeof dev
  editor: typeof editor
  emails: typeof emails
  errors: typeof errors
  events: typeof events
  imports: typeof imports
  files: typeof files
  inbound: typeof inbound
  invoices: typeof invoices
  jobs: typeof jobs
  lines: typeof lines
  mailing: typeof mailing
  mails: typeof mails
  messages: typeof messages
  options: typeof options
  orders: typeof orders
  pages: typeof pages
  palette: typeof palette
  record: typeof record
  payments: typeof payments
  people: typeof people
  prices: typeof prices
  products: typeof products
  quotes: typeof quotes
  reminders: typeof reminders
  roles: typeof roles
  requests: typeof requests
  scheduler: typeof scheduler
  series: typeof series
  service: typeof service
  setup: typeof setup
  shell: typeof shell
  templates: typeof templates
  themes: typeof themes
  talk: typeof talk
  timeline: typeof timeline
  views: typeof views
  webhooks: typeof webhooks
}

export type Namespace = keyof Phrases

type Singular<K extends string> = K extends `${infer Base}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}`
  ? Base
  : K
type Leaves<T> = { [K in keyof T & string]: T[K] extends string ? Singular<K> : `${K}.${Leaves<T[K]>}` }[keyof T &
  string]

/** Every phrase there is, as `namespace:path.to.key`; plural forms under their common name. */
export type PhraseKey = { [N in Namespace]: `${N}:${Leaves<Phrases[N]>}` }[Namespace]
