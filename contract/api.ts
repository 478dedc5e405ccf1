import { actionsApi } from './actions.ts'
import { authApi } from './auth.ts'
import { automaticEmailsApi } from './automatic-emails.ts'
import { batchesApi } from './batches.ts'
import { bookingOptionsApi } from './booking-options-api.ts'
import { bookingSelectionsApi } from './booking-selections.ts'
import { businessesApi } from './businesses.ts'
import { calculatorsApi } from './calculators.ts'
import { categoriesApi } from './categories.ts'
import type { Api, Op } from './core/op.ts'
import { credentialsApi } from './credentials.ts'
import { consentsApi } from './consents.ts'
import { contactsApi } from './contacts.ts'
import { creditOverride, customersApi } from './customers.ts'
import { dashboardsApi } from './dashboards.ts'
import { depositsApi } from './deposits.ts'
import { inboundApi, quarantineApi } from './inbound.ts'
import { holidaysApi } from './holidays.ts'
import { importsApi } from './imports.ts'
import { emailAccountsApi } from './email-accounts.ts'
import { eventLogApi } from './event-log.ts'
import { exportsApi } from './exports.ts'
import { filesApi } from './files.ts'
import { invoiceBooksApi } from './invoice-books.ts'
import { instagramApi } from './instagram.ts'
import { invoicesApi } from './invoices.ts'
import { jobsApi } from './jobs.ts'
import { jobTypesApi } from './job-types.ts'
import { liveApi } from './live.ts'
import { maintenanceApi } from './maintenance.ts'
import { mergesApi } from './merges.ts'
import { messageMetricsApi } from './message-metrics.ts'
import { messagesApi } from './messages.ts'
import { messageWritesApi } from './message-writes.ts'
import { notificationsApi } from './notifications.ts'
import { nouns, nounsWith } from './nouns.ts'
import { odditiesApi } from './oddities.ts'
import { ordersApi } from './orders.ts'
import { journalApi } from './journal.ts'
import { overdueApi } from './overdue.ts'
import { paymentsApi } from './payments.ts'
import { devRight } from './places.ts'
import { priceListsApi } from './price-lists.ts'
import { productsApi } from './products.ts'
import { quoteEntriesApi } from './quote-entries.ts'
import { quoteTemplatesApi } from './quote-templates.ts'
import { quotesApi } from './quotes.ts'
import { refundRequestsApi } from './refund-requests.ts'
import { remindersApi } from './reminders.ts'
import { requestFormsApi, requestsApi, serviceRequestsApi } from './requests.ts'
import { rolesApi } from './roles.ts'
import { searchApi } from './search.ts'
import { revenueStreamsApi } from './revenue-streams.ts'
import { seriesApi } from './series.ts'
import { serviceApi } from './service.ts'
import { statementsApi } from './statements.ts'
import { suppressionsApi, unsubscribeApi } from './suppressions.ts'
import { substatusesApi } from './substatuses.ts'
import { emailTemplatesApi } from './email-templates.ts'
import { themesApi } from './themes.ts'
import { basApi } from './bas.ts'
import { taxApi } from './tax.ts'
import { usersApi } from './users.ts'
import { viewsApi } from './views.ts'
import { webhooksApi } from './webhooks.ts'

/** Every operation there is, by noun. */
export const api = {
  auth: authApi,
  credentials: credentialsApi,
  users: usersApi,
  roles: rolesApi,
  notifications: notificationsApi,
  maintenance: maintenanceApi,
  views: viewsApi,
  businesses: businessesApi,
  files: filesApi,
  customers: customersApi,
  imports: importsApi,
  categories: categoriesApi,
  revenueStreams: revenueStreamsApi,
  contacts: contactsApi,
  merges: mergesApi,
  consents: consentsApi,
  products: productsApi,
  priceLists: priceListsApi,
  bookingOptions: bookingOptionsApi,
  bookingSelections: bookingSelectionsApi,
  jobTypes: jobTypesApi,
  holidays: holidaysApi,
  reminders: remindersApi,
  calculators: calculatorsApi,
  quotes: quotesApi,
  quoteTemplates: quoteTemplatesApi,
  quoteEntries: quoteEntriesApi,
  series: seriesApi,
  requestForms: requestFormsApi,
  requests: requestsApi,
  serviceRequests: serviceRequestsApi,
  substatuses: substatusesApi,
  orders: ordersApi,
  invoices: invoicesApi,
  invoiceBooks: invoiceBooksApi,
  batches: batchesApi,
  deposits: depositsApi,
  payments: paymentsApi,
  refundRequests: refundRequestsApi,
  statements: statementsApi,
  tax: taxApi,
  bas: basApi,
  oddities: odditiesApi,
  eventLog: eventLogApi,
  actions: actionsApi,
  exports: exportsApi,
  journal: journalApi,
  emailAccounts: emailAccountsApi,
  messages: messagesApi,
  messageMetrics: messageMetricsApi,
  messageWrites: messageWritesApi,
  webhooks: webhooksApi,
  themes: themesApi,
  emailTemplates: emailTemplatesApi,
  suppressions: suppressionsApi,
  inbound: inboundApi,
  quarantine: quarantineApi,
  unsubscribe: unsubscribeApi,
  service: serviceApi,
  dashboards: dashboardsApi,
  jobs: jobsApi,
  overdue: overdueApi,
  automaticEmails: automaticEmailsApi,
  instagram: instagramApi,
  search: searchApi,
  live: liveApi,
} as const satisfies Readonly<Record<string, Api>>

export const operations: readonly { noun: string; name: string; op: Op }[] = Object.entries(api).flatMap(
  ([noun, ops]) => Object.entries(ops).map(([name, op]) => ({ noun, name, op: op as Op })),
)

export interface Subject {
  subject: string
  action: Op['can'][0]
}

/** Rights that no operation stands for: what a page of the web app asks for, or a single field. */
const pageRights: readonly Subject[] = [
  { subject: devRight[1], action: devRight[0] },
  { subject: 'Products:Costs', action: 'read' },
  { subject: 'Quotes:Price', action: 'update' },
  /** Writing to addresses that are not the customer's. */
  { subject: 'Messages:Send:Anyone', action: 'create' },
  { subject: creditOverride[1], action: creditOverride[0] },
  { subject: 'Files:Original', action: 'read' },
  ...nounsWith('amountFor').map((name) => ({ subject: nouns[name].amountFor[1], action: nouns[name].amountFor[0] })),
]

/**
 * Every right that some operation or page asks for, each once: what roles are made of. It comes from the
 * code itself, so it cannot drift.
 */
export const catalogue: readonly Subject[] = [
  ...new Map(
    [...operations.map(({ op: { can } }) => ({ action: can[0], subject: can[1] })), ...pageRights].map((right) => [
      `${right.action} ${right.subject}`,
      right,
    ]),
  ).values(),
].toSorted((a, b) => a.subject.localeCompare(b.subject) || a.action.localeCompare(b.action))
