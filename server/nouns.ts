import { actionsApi } from '../contract/actions.ts'
import { authApi } from '../contract/auth.ts'
import { automaticEmailsApi } from '../contract/automatic-emails.ts'
import { batchesApi } from '../contract/batches.ts'
import { bookingOptionsApi } from '../contract/booking-options-api.ts'
import { bookingSelectionsApi } from '../contract/booking-selections.ts'
import { businessesApi } from '../contract/businesses.ts'
import { calculatorsApi } from '../contract/calculators.ts'
import { categoriesApi } from '../contract/categories.ts'
import { consentsApi } from '../contract/consents.ts'
import { contactsApi } from '../contract/contacts.ts'
import { customersApi } from '../contract/customers.ts'
import { dashboardsApi } from '../contract/dashboards.ts'
import { inboundApi, quarantineApi } from '../contract/inbound.ts'
import { importsApi } from '../contract/imports.ts'
import { eventLogApi } from '../contract/event-log.ts'
import { exportsApi } from '../contract/exports.ts'
import { filesApi } from '../contract/files.ts'
import { invoiceBooksApi } from '../contract/invoice-books.ts'
import { instagramApi } from '../contract/instagram.ts'
import { jobsApi } from '../contract/jobs.ts'
import { invoicesApi } from '../contract/invoices.ts'
import { mergesApi } from '../contract/merges.ts'
import { holidaysApi } from '../contract/holidays.ts'
import { jobTypesApi } from '../contract/job-types.ts'
import { emailAccountsApi } from '../contract/email-accounts.ts'
import { messageMetricsApi } from '../contract/message-metrics.ts'
import { messagesApi } from '../contract/messages.ts'
import { messageWritesApi } from '../contract/message-writes.ts'
import { credentialsApi } from '../contract/credentials.ts'
import { maintenanceApi } from '../contract/maintenance.ts'
import { notificationsApi } from '../contract/notifications.ts'
import { searchApi } from '../contract/search.ts'
import { nounOf } from '../contract/nouns.ts'
import { odditiesApi } from '../contract/oddities.ts'
import { ordersApi } from '../contract/orders.ts'
import { depositsApi } from '../contract/deposits.ts'
import { overdueApi } from '../contract/overdue.ts'
import { paymentsApi } from '../contract/payments.ts'
import { priceListsApi } from '../contract/price-lists.ts'
import { productsApi } from '../contract/products.ts'
import { quoteEntriesApi } from '../contract/quote-entries.ts'
import { quoteTemplatesApi } from '../contract/quote-templates.ts'
import { quotesApi } from '../contract/quotes.ts'
import { revenueStreamsApi } from '../contract/revenue-streams.ts'
import { rolesApi } from '../contract/roles.ts'
import { journalApi } from '../contract/journal.ts'
import { refundRequestsApi } from '../contract/refund-requests.ts'
import { remindersApi } from '../contract/reminders.ts'
import { requestFormsApi, requestsApi, serviceRequestsApi } from '../contract/requests.ts'
import { seriesApi } from '../contract/series.ts'
import { serviceApi } from '../contract/service.ts'
import { statementsApi } from '../contract/statements.ts'
import { suppressionsApi, unsubscribeApi } from '../contract/suppressions.ts'
import { substatusesApi } from '../contract/substatuses.ts'
import { basApi } from '../contract/bas.ts'
import { taxApi } from '../contract/tax.ts'
import { emailTemplatesApi } from '../contract/email-templates.ts'
import { themesApi } from '../contract/themes.ts'
import { usersApi } from '../contract/users.ts'
import { viewsApi } from '../contract/views.ts'
import { webhooksApi } from '../contract/webhooks.ts'
import { actions } from './actions/actions.service.ts'
import { beginRuns, runBatch, runJob } from './actions/engine.ts'
import { acceptance } from './acceptance/acceptance.service.ts'
import { auth } from './auth/auth.service.ts'
import { credentials } from './auth/credentials.service.ts'
import { accountEmailJob } from './auth/account-emails.service.ts'
import { bookingOptions } from './booking-options/booking-options.service.ts'
import { bookingSelections } from './booking-options/selections.service.ts'
import { businesses } from './businesses/businesses.service.ts'
import { calculators } from './calculators/calculators.service.ts'
import { categories } from './categories/categories.service.ts'
import { bind, type Mounted } from './core/ctx.ts'
import type { IsAmong, OpenDocument } from './core/http/live.ts'
import type { BatchDefinition, JobDefinition } from './core/jobs/jobs.ts'
import type { MadeJob } from './core/jobs/planned.ts'
import { figureBatch } from './core/figures.ts'
import { sealBatch } from './core/jobs/seals.ts'
import { pruneBatch } from './core/jobs/upkeep.ts'
import { consents } from './customers/consents.service.ts'
import { contacts } from './customers/contacts.service.ts'
import { customers } from './customers/customers.service.ts'
import { merges } from './customers/merges.service.ts'
import { duplicatesBatch } from './customers/duplicates.ts'
import { stagesBatch } from './orders/stages.jobs.ts'
import { dashboards } from './dashboards/dashboards.service.ts'
import { importJob } from './imports/run-import.service.ts'
import { imports } from './imports/imports.service.ts'
import { scanBatch, scanJob } from './files/files.jobs.ts'
import { files } from './files/files.service.ts'
import { sweepBatch } from './files/sweep.ts'
import { viewsJob } from './files/views.ts'
import { emailAccounts } from './email-accounts/email-accounts.service.ts'
import { feedsJob, imagesJob, instagram } from './jobs/instagram.ts'
import { jobsOf } from './jobs/jobs.service.ts'
import { hireJob } from './invoices/hire-bills.ts'
import { overdue, overdueJob } from './invoices/overdue.service.ts'
import { invoiceBatches } from './invoices/batches.service.ts'
import { invoiceBooks } from './invoices/invoice-books.service.ts'
import { invoices, orderInvoicing } from './invoices/invoices.service.ts'
import { queueJob, sendingJob } from './messages/messages.queue.ts'
import { messageMetrics } from './messages/metrics.ts'
import { inboundBatch } from './inbound/inbound.batch.ts'
import { quarantine } from './inbound/inbound.service.ts'
import { eventJobs } from './events/events.jobs.ts'
import { eventLog } from './events/events.service.ts'
import { holidays } from './holidays/holidays.service.ts'
import { jobTypes } from './job-types/job-types.service.ts'
import { inbound, messages, suppressions } from './messages/messages.service.ts'
import { scheduledJob } from './messages/scheduled.ts'
import { messageWrites } from './messages/writing.service.ts'
import { isRowNoun, filterVisible } from './row-scope/row-scope.service.ts'
import { maintenance } from './maintenance/maintenance.service.ts'
import { forgetBatch, noticeJob } from './notifications/notifications.jobs.ts'
import { notifications } from './notifications/notifications.service.ts'
import { orders } from './orders/orders.service.ts'
import { substatuses } from './orders/substatuses.service.ts'
import { automaticEmails, welcomeJob } from './orders/welcomes.service.ts'
import { crediting } from './payments/crediting.service.ts'
import { paymentBatches, paymentJobs } from './payments/payments.jobs.ts'
import { periodLocks } from './journal/locks.service.ts'
import { basWorksheet } from './tax/bas.service.ts'
import { oddities } from './tax/oddities.service.ts'
import { changeBasis } from './tax/basis.service.ts'
import { accountingExports } from './exports/exports.service.ts'
import { journal } from './journal/books.service.ts'
import { depositUses, payments, refundRequests } from './payments/payments.service.ts'
import { priceLists } from './price-lists/price-lists.service.ts'
import { products } from './products/products.service.ts'
import { quoteEntries } from './quote-templates/entries.service.ts'
import { quoteTemplates } from './quote-templates/quote-templates.service.ts'
import { quotes } from './quotes/quotes.service.ts'
import { reminderJob } from './reminders/ladder.ts'
import { reminders } from './reminders/reminders.service.ts'
import { requestForms } from './requests/request-forms.service.ts'
import { requests } from './requests/requests.service.ts'
import { serviceRequests } from './requests/sending.service.ts'
import { revenueStreams } from './revenue-streams/revenue-streams.service.ts'
import { roles } from './roles/roles.service.ts'
import { search } from './search/search.service.ts'
import { heldDeposits } from './statements/deposits-held.service.ts'
import { statements } from './statements/statements.service.ts'
import { seriesJob } from './series/cycles.service.ts'
import { series } from './series/series.service.ts'
import { service } from './portal/portal.service.ts'
import { emailTemplates } from './email-templates/email-templates.service.ts'
import { proveJob } from './email-templates/prove.ts'
import { themes } from './businesses/theme-preview.service.ts'
import { unsubscribing } from './portal/unsubscribe.service.ts'
import { users } from './users/users.service.ts'
import { views } from './views/views.service.ts'
import { deliveryBatch, deliveryJob } from './webhooks/webhooks.jobs.ts'
import { webhooks } from './webhooks/webhooks.service.ts'

/** Jobs due by the clock that have a call of their own and stand in the console. */
const scheduledJobs: readonly MadeJob[] = [
  ...[sendingJob, scheduledJob, welcomeJob, reminderJob, seriesJob, hireJob, overdueJob, feedsJob, imagesJob],
]

/** Every noun with its operations and their handlers: what the server answers. */
export const nouns: readonly Mounted[] = [
  bind('auth', authApi, auth),
  bind('credentials', credentialsApi, credentials),
  bind('notifications', notificationsApi, notifications),
  bind('maintenance', maintenanceApi, maintenance),
  bind('search', searchApi, search),
  bind('views', viewsApi, views),
  bind('users', usersApi, users),
  bind('roles', rolesApi, roles),
  bind('businesses', businessesApi, businesses),
  bind('files', filesApi, files),
  bind('customers', customersApi, customers),
  bind('imports', importsApi, imports),
  bind('categories', categoriesApi, categories),
  bind('revenueStreams', revenueStreamsApi, revenueStreams),
  bind('contacts', contactsApi, contacts),
  bind('consents', consentsApi, consents),
  bind('merges', mergesApi, merges),
  bind('products', productsApi, products),
  bind('priceLists', priceListsApi, priceLists),
  bind('bookingOptions', bookingOptionsApi, bookingOptions),
  bind('bookingSelections', bookingSelectionsApi, bookingSelections),
  bind('jobTypes', jobTypesApi, jobTypes),
  bind('holidays', holidaysApi, holidays),
  bind('reminders', remindersApi, reminders),
  bind('calculators', calculatorsApi, calculators),
  bind('quotes', quotesApi, { ...quotes, ...acceptance }),
  bind('quoteTemplates', quoteTemplatesApi, quoteTemplates),
  bind('quoteEntries', quoteEntriesApi, quoteEntries),
  bind('series', seriesApi, series),
  bind('requestForms', requestFormsApi, requestForms),
  bind('requests', requestsApi, requests),
  bind('serviceRequests', serviceRequestsApi, serviceRequests),
  bind('substatuses', substatusesApi, substatuses),
  bind('orders', ordersApi, { ...orders, ...orderInvoicing }),
  bind('invoices', invoicesApi, invoices),
  bind('batches', batchesApi, invoiceBatches),
  bind('invoiceBooks', invoiceBooksApi, { ...invoiceBooks, ...crediting }),
  bind('themes', themesApi, themes),
  bind('emailTemplates', emailTemplatesApi, emailTemplates),
  bind('payments', paymentsApi, payments),
  bind('deposits', depositsApi, { ...depositUses, ...heldDeposits }),
  bind('refundRequests', refundRequestsApi, refundRequests),
  bind('statements', statementsApi, statements),
  bind('tax', taxApi, { ...periodLocks, changeBasis }),
  bind('bas', basApi, basWorksheet),
  bind('oddities', odditiesApi, oddities),
  bind('eventLog', eventLogApi, eventLog),
  bind('actions', actionsApi, actions),
  bind('exports', exportsApi, accountingExports),
  bind('journal', journalApi, journal),
  bind('emailAccounts', emailAccountsApi, emailAccounts),
  bind('webhooks', webhooksApi, webhooks),
  bind('messages', messagesApi, messages),
  bind('messageWrites', messageWritesApi, messageWrites),
  bind('suppressions', suppressionsApi, suppressions),
  bind('inbound', inboundApi, inbound),
  bind('quarantine', quarantineApi, quarantine),
  bind('unsubscribe', unsubscribeApi, unsubscribing),
  bind('messageMetrics', messageMetricsApi, messageMetrics),
  bind('service', serviceApi, service),
  bind('dashboards', dashboardsApi, dashboards),
  bind('jobs', jobsApi, jobsOf(scheduledJobs)),
  bind('overdue', overdueApi, overdue),
  bind('automaticEmails', automaticEmailsApi, automaticEmails),
  bind('instagram', instagramApi, instagram),
]

const events = eventJobs(beginRuns)

/** Work that is queued, and work that is due by the clock. */
export const jobs: readonly JobDefinition[] = [
  queueJob,
  proveJob,
  accountEmailJob,
  events.job,
  runJob,
  noticeJob,
  importJob,
  scanJob,
  viewsJob,
  deliveryJob,
  ...paymentJobs,
]
export const batches: readonly BatchDefinition[] = [
  sealBatch,
  figureBatch,
  pruneBatch,
  sweepBatch,
  forgetBatch,
  duplicatesBatch,
  stagesBatch,
  events.batch,
  runBatch,
  ...scheduledJobs.map(({ batch }) => batch),
  inboundBatch,
  deliveryBatch,
  scanBatch,
  ...paymentBatches,
]

/** The document behind a service link, by the name its changes are announced under. */
export const openDocument: OpenDocument = async (db, serviceGuid) => {
  const link = await db
    .selectFrom('serviceLinks')
    .select(['kind', 'recordGuid'])
    .where('guid', '=', serviceGuid)
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
  // What a statement shows is of many records: its page looks again every few seconds.
  return link && link.kind !== 'statement' ? { noun: nounOf(link.kind), guid: link.recordGuid } : null
}

/** Records of nouns that keep no rows back one by one are nobody's by conditions. */
export const isAmong: IsAmong = async (ctx, rows, { noun, guid }) =>
  isRowNoun(noun) && (await filterVisible(ctx, rows, noun, [guid])).has(guid)
