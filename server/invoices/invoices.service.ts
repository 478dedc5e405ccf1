import { leadsFrom } from '../../contract/core/transitions.ts'
import { invoiceRefusal } from '../../contract/invoice-actions.ts'
import type { Updateable } from 'kysely'
import { localDay } from '../../contract/core/dates.ts'
import { invalid, invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { displayStatus } from '../../contract/display-status.ts'
import { documentProblems } from '../../contract/invoice-rules.ts'
import { invoiceDisplayStatuses, type Invoice, type invoicesApi } from '../../contract/invoices.ts'
import { invoiceTransitions, isUnissued } from '../../contract/invoice-transitions.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import type { Invoices } from '../core/db/schema-business.ts'
import { dayIn, dayOfRow, listsIn, namesIn, reachOf } from '../core/reach.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { asJson, blankToNull, changed, stamp, userOf } from '../core/records.ts'
import { mustNotBeBlocked } from '../customers/credit.service.ts'
import { checkParties, partiesAfter } from '../customers/customers.service.ts'
import { renderPdf } from '../documents/documents.service.ts'
import { filledInstalments } from '../documents/instalments.service.ts'
import { fromCatalogue } from '../documents/catalogue-lines.service.ts'
import { checkProducts, priceNew } from '../documents/lines.service.ts'
import { termsAfter } from '../documents/terms.service.ts'
import { queueDocumentMessage } from '../messages/messages.service.ts'
import { reissueLink, shownLink } from '../service-links/service-links.service.ts'
import { areTimeless, wearing } from '../documents/statuses.service.ts'
import { narrowed } from '../documents/list-search.service.ts'
import { filterReadableReferences, readableReference } from '../row-scope/row-scope.service.ts'
import { taggedWith, tagging, withTags } from '../tags/tags.service.ts'
import { relatedSubjects, subjectsOf, timelineWith } from '../timeline/timeline.service.ts'
import { bulkEdit, eachInSavepoint } from '../core/bulk.ts'
import { allow, archiveDraft, insertDraft, lockVisibleInvoice, restoreDraft } from './invoices.drafts.ts'
import { termsOf } from './invoices.terms.ts'
import { issueInvoice } from './invoices.issue.ts'
import { issueAndSend } from './invoices.messages.ts'
import { linesOfNature, repricedLines } from './invoices.lines.ts'
import { natureAfter } from './security.ts'
import { findInvoice, foundInvoices, invoicesWithin, listedInvoices } from './invoices.queries.ts'
import { sumByStatus } from './status-sums.queries.ts'
import { voidLocked } from './invoices.void.ts'

export { creditableOf, makeCreditNote } from './credit-notes.ts'
export type { InvoiceRow } from './invoices.queries.ts'
export { createAdjustmentNote, lockForGivingBack, planNote, standingForRefund } from './invoices.notes.ts'
export { createDeposit } from './invoices.deposit.ts'
export { forfeit, heldOf, lockSecurity, stampSecurity } from './security.ts'

export { orderInvoicing } from './invoices.from-order.ts'

type Api = typeof invoicesApi

sayConstraints({
  invoice_of_stage: ['CONFLICT', 'This stage is already invoiced.'],
  deposit_invoice_once: ['CONFLICT', 'The deposit for this quote has already been invoiced.'],
  invoice_number_taken: [
    'CONFLICT',
    'The next invoice number is already used. Set a higher next number in the business settings.',
  ],
  issued_is_immutable: ['INVALID_TRANSITION', 'An issued document can’t be edited.'],
  security_void_was_unpaid: ['CONFLICT', 'Money was received for this deposit, so it can’t be voided.'],
  void_has_no_money: ['CONFLICT', 'This invoice has payments. Refund them first.'],
})

/** One invoice as its screen shows it; outside the caller's rows there is none. */
export async function showInvoice(ctx: Ctx, guid: string): Promise<{ invoice: Invoice }> {
  const row = await findInvoice(ctx, guid)
  if (!row) throw notFound()
  const {
    payments,
    refunds,
    adjustmentNotes,
    adjusts,
    order,
    quote,
    messages,
    writeOffs,
    depositUses,
    forfeits,
    orderCents,
    timeZone,
    supplierAbn,
    gstRegistered,
    buyerName,
    buyerAbn,
    ...rest
  } = row
  const { subtotalCents, discountCents, gstCents, totalCents, ...invoice } = rest
  const totals = { subtotalCents, discountCents, gstCents, totalCents }
  const { lines, depositAppliedCents } = invoice
  const isDraft = isUnissued(invoice.status)
  return {
    invoice: {
      ...invoice,
      instalments: filledInstalments(invoice),
      totals,
      isTaxInvoice: isDraft ? gstRegistered && lines.some((l) => l.gstCents !== 0) : invoice.isTaxInvoice,
      displayStatus: displayStatus('Invoices', invoice, localDay(ctx.now.toISOString(), timeZone)),
      problems: isDraft
        ? documentProblems({
            supplier: { abn: supplierAbn, gstRegistered },
            buyer: { name: buyerName, abn: buyerAbn },
            lines,
            totals,
            depositAppliedCents,
            ...(invoice.kind === 'adjustment_note'
              ? {}
              : { issueOn: localDay(ctx.now.toISOString(), timeZone), texts: [invoice.notes] }),
            security: invoice.depositNature === 'security' ? { clause: invoice.forfeitureClause, orderCents } : null,
          })
        : [],
      ...shownLink(ctx, 'invoice', invoice.serviceGuid),
      related: {
        quote: await readableReference(ctx, 'Quotes', quote),
        order: await readableReference(ctx, 'Orders', order),
        adjusts: await readableReference(ctx, 'Invoices', adjusts),
        adjustmentNotes: await filterReadableReferences(ctx, 'Invoices', adjustmentNotes),
        // Money on an invoice is a part of it.
        payments,
        refunds,
        messages: await filterReadableReferences(ctx, 'Messages', messages),
        writeOffs,
        depositUses: await filterReadableReferences(ctx, 'Invoices', depositUses),
        forfeits: await readableReference(ctx, 'Invoices', forfeits),
      },
    },
  }
}

const nullable = (column: string) => ({ column, nullable: true as const })
const sorts = {
  createdAt: 'i.createdAt',
  title: 'i.title',
  totalCents: 'i.totalCents',
  balanceCents: 'i.balanceCents',
  number: nullable('i.number'),
  issueOn: nullable('i.issueOn'),
  dueOn: nullable('i.dueOn'),
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const reach = await reachOf(ctx, input)
  const statuses = input.status?.split(',')
  const anyOf = statuses ? wearing('Invoices', 'i', statuses, dayIn(reach, 'i.businessGuid')) : undefined
  const tagged = await taggedWith(ctx, reach, 'Invoices', 'i', input.tag)
  const rows = await narrowed(ctx.db, foundInvoices(ctx, input), 'Invoices', 'i', {
    search: input.search,
    lists: listsIn(reach, 'i.businessGuid'),
    anyOf,
    within: [...invoicesWithin(input), ...tagged.within],
  })
  const { items, page } = await pageOf({
    query: listedInvoices(ctx, reach),
    ...rows,
    ...(tagged.areMany && !input.search ? { areMany: true } : {}),
    isPlain: areTimeless('Invoices', statuses ?? []),
    input,
    sorts,
    guid: 'i.guid',
    defaultSort: '-createdAt',
  })
  const shown = (item: (typeof items)[number]) => ({
    ...item,
    businessName: namesIn(reach, item.businessGuid),
    displayStatus: displayStatus('Invoices', item, dayOfRow(reach, item.businessGuid)),
  })
  return { items: items.map(shown), page }
}

async function metrics(ctx: Ctx, input: Input<Api['metrics']>) {
  const found = new Map((await sumByStatus(ctx, await reachOf(ctx, input))).map((row) => [row.displayStatus, row]))
  return {
    items: invoiceDisplayStatuses.map((status) => ({
      status,
      count: found.get(status)?.count ?? 0,
      totalCents: found.get(status)?.totalCents ?? 0,
    })),
  }
}

async function create(ctx: Ctx, input: Input<Api['create']>) {
  const { business } = ctx
  const customerGuid = await checkParties(ctx, business.guid, input)
  await checkProducts(ctx, business.guid, input.lines)
  const { lines: _lines, notes, termsDays, ...rest } = input
  const { guid: businessGuid, gstRegistered } = business
  const priceMode = input.priceMode ?? business.defaultPriceMode
  const lines = await fromCatalogue(ctx, { businessGuid, gstRegistered, customerGuid, priceMode }, input.lines)
  const { pricing, rows, totals } = priceNew(business, { ...input, lines }, { withoutChoices: true })
  const terms = await termsOf(ctx, business.guid, customerGuid)
  const given = {
    ...blankToNull({ ...rest, notes: notes === undefined ? terms.notes : notes }),
    termsDays: termsDays ?? terms.termsDays,
    customerGuid,
    ...pricing,
    businessGuid: business.guid,
    ownerGuid: userOf(ctx),
  }
  const guid = await insertDraft(ctx, given, rows, totals)
  ctx.audit({
    action: 'invoice.created',
    entity: 'Invoices',
    guid,
    after: { title: input.title, kind: 'standard', totalCents: totals.totalCents },
  })
  return showInvoice(ctx, guid)
}

/** The present record is told to whoever changed an older one. */
const seenAs = (ctx: Ctx, guid: string, version: number) => ({ version, shown: () => showInvoice(ctx, guid) })
const lockedFor = (ctx: Ctx, guid: string, version: number) => lockVisibleInvoice(ctx, guid, seenAs(ctx, guid, version))

async function update(ctx: Ctx, input: Input<Api['update']>) {
  const { guid, version, lines, discount, depositNature, forfeitureClause, ...rest } = input
  const before = await lockedFor(ctx, guid, version)
  allow('update', before)
  if (before.kind === 'adjustment_note')
    throw invalidTransition('A draft adjustment note can’t be edited. Archive it instead.')
  if (before.archivedAt !== null) throw invalidTransition('This draft is archived. Restore it first.')
  const { customerGuid, contactGuid, siteGuid } = partiesAfter(before, rest)
  if (before.orderGuid && customerGuid !== before.customerGuid)
    throw invalid('customerGuid', 'Keep the customer of the order.')
  const movesParties =
    customerGuid !== before.customerGuid || rest.contactGuid !== undefined || rest.siteGuid !== undefined
  if (movesParties)
    rest.customerGuid = await checkParties(ctx, before.businessGuid, { customerGuid, contactGuid, siteGuid }, before)
  const terms = termsAfter(before, { ...rest, discount })
  const nature = natureAfter(before, { depositNature, forfeitureClause })
  const totals =
    (await repricedLines(ctx, before, terms, lines)) ?? (nature && (await linesOfNature(ctx, before, nature)))
  const changes: Updateable<Invoices> = {
    ...blankToNull(rest),
    ...nature,
    ...terms,
    discount: asJson(terms.discount),
    contactGuid,
    siteGuid,
    ...totals,
  }
  const after = await ctx.db
    .updateTable('invoices')
    .set({ ...changes, ...stamp(ctx, before.version) })
    .where('guid', '=', guid)
    .returningAll()
    .executeTakeFirstOrThrow()
  const change = changed(before, after)
  ctx.audit({
    action: 'invoice.updated',
    entity: 'Invoices',
    guid,
    before: change.before,
    after: { title: after.title, ...change.after, ...(lines ? { lines: lines.length } : {}) },
  })
  return showInvoice(ctx, guid)
}

async function issue(ctx: Ctx, input: Input<Api['issue']>) {
  await issueInvoice(ctx, input.guid, seenAs(ctx, input.guid, input.version))
  return showInvoice(ctx, input.guid)
}

/** Sends what is issued; a draft is issued first. Without an address nothing happens at all. */
async function send(ctx: Ctx, input: Input<Api['send']>) {
  const { guid, to, subject, note } = input
  const before = await lockedFor(ctx, guid, input.version)
  const refusal = invoiceRefusal('send', before)
  if (refusal === 'void') throw invalidTransition(`Invoice ${before.number} is void and can’t be sent.`)
  if (refusal === 'writtenOff') throw invalidTransition(`Invoice ${before.number} is written off.`)
  await mustNotBeBlocked(ctx, before.customerGuid)
  const message = { to, subject, note }
  const number = isUnissued(before.status) ? (await issueAndSend(ctx, before, message)).number : before.number
  if (!isUnissued(before.status))
    await queueDocumentMessage(ctx, { ...message, template: 'invoice', ownerType: 'invoice', ownerGuid: guid })
  const version = isUnissued(before.status) ? before.version + 1 : before.version
  await ctx.db
    .updateTable('invoices')
    .set({ sentAt: ctx.now, ...stamp(ctx, version) })
    .where('guid', '=', guid)
    .execute()
  ctx.audit({
    action: 'invoice.sent',
    entity: 'Invoices',
    guid,
    after: { number, kind: before.kind, ...(to ? { to: to.join(', ') } : {}) },
  })
  return showInvoice(ctx, guid)
}

async function voidInvoice(ctx: Ctx, input: Input<Api['void']>) {
  await voidLocked(ctx, await lockedFor(ctx, input.guid, input.version), input.reason)
  return showInvoice(ctx, input.guid)
}

async function newLink(ctx: Ctx, input: Input<Api['reissueLink']>) {
  const invoice = await lockedFor(ctx, input.guid, input.version)
  if (!leadsFrom(invoiceTransitions, 'reissueLink', invoice.status))
    throw invalidTransition('Send the draft to create its link.')
  await reissueLink(ctx, 'invoice', input.guid)
  await ctx.db.updateTable('invoices').set(stamp(ctx, invoice.version)).where('guid', '=', input.guid).execute()
  ctx.audit({
    action: 'invoice.link_reissued',
    entity: 'Invoices',
    guid: input.guid,
    after: { number: invoice.number, kind: invoice.kind },
  })
  return showInvoice(ctx, input.guid)
}

const bulkDeeds = {
  issue: { done: 'Issued.', work: (ctx: Ctx, guid: string): Promise<unknown> => issueInvoice(ctx, guid) },
  archive: { done: 'Archived.', work: (ctx: Ctx, guid: string): Promise<unknown> => archiveDraft(ctx, guid) },
  restore: { done: 'Restored.', work: (ctx: Ctx, guid: string): Promise<unknown> => restoreDraft(ctx, guid) },
} as const

function bulk(ctx: Ctx, input: Input<Api['bulk']>) {
  const { done, work } = bulkDeeds[input.action]
  return eachInSavepoint(ctx, 'Invoices', input.guids, done, work)
}

async function timeline(ctx: Ctx, input: Input<Api['timeline']>) {
  const { invoice } = await showInvoice(ctx, input.guid)
  const { related } = invoice
  const others = [...relatedSubjects(related), ...subjectsOf('Invoices', related.adjustmentNotes)]
  return { items: await timelineWith(ctx, { entity: 'Invoices', guid: invoice.guid }, others) }
}

export const invoices: Handlers<Api> = {
  list,
  metrics,
  get: (ctx, input) => showInvoice(ctx, input.guid),
  timeline,
  create,
  update,
  remove: async (ctx, input) => {
    await archiveDraft(ctx, input.guid)
    return showInvoice(ctx, input.guid)
  },
  restore: async (ctx, input) => {
    await restoreDraft(ctx, input.guid)
    return showInvoice(ctx, input.guid)
  },
  edit: bulkEdit('Invoices', withTags('Invoices', update)),
  ...tagging('Invoices'),
  bulk,
  issue,
  send,
  void: voidInvoice,
  reissueLink: newLink,
  pdf: async (ctx, input) => {
    await showInvoice(ctx, input.guid)
    return renderPdf(ctx, 'invoice', input.guid)
  },
}
