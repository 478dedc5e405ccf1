import { notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import { quoteDisplayStatuses, type quotesApi } from '../../contract/quotes.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { dayIn, listsIn, namesIn, reachOf, zoneIn } from '../core/reach.ts'
import { sayConstraints } from '../core/http/errors.ts'
import { archiving, bulkEdit } from '../core/bulk.ts'
import { renderPdf } from '../documents/documents.service.ts'
import { areTimeless, wearing } from '../documents/statuses.service.ts'
import { narrowed } from '../documents/list-search.service.ts'
import { taggedWith, tagging, withTags } from '../tags/tags.service.ts'
import { subjectsOf, timelineWith } from '../timeline/timeline.service.ts'
import { answerAsks, previewAnswers, replyToAsks, reviseQuote } from './answering.service.ts'
import { compare, evidence, frame, frames } from './evidence.service.ts'
import { cancelQuote, declineForCustomer, reissueQuoteLink, sendQuote } from './quotes.transitions.ts'
import { createQuote, duplicateQuote, setArchived, updateQuote } from './drafts.ts'
import {
  countByStatus,
  findMessageGuids,
  foundQuotes,
  listedQuotes,
  quotesWithin,
  visibleQuotes,
} from './quotes.queries.ts'
import { checkMarginsAsked } from './margin.ts'
import { one } from './quote.service.ts'
import { outcome } from './outcome.service.ts'
import { quotesByOutcome } from './outcome.queries.ts'

export { createQuote, setArchived as setQuoteArchived, updateQuote } from './drafts.ts'
export { declineQuote, sendQuote } from './quotes.transitions.ts'

type Api = typeof quotesApi

sayConstraints({ quote_revised_once: ['INVALID_TRANSITION', 'This quote already has a revision.'] })

const nullable = (column: string) => ({ column, nullable: true as const })
const sorts = {
  createdAt: 'q.createdAt',
  number: nullable('q.number'),
  title: 'q.title',
  totalCents: 'q.totalCents',
  marginBp: nullable('q.marginBp'),
  validUntil: nullable('q.validUntil'),
  sentAt: nullable('q.sentAt'),
}

async function list(ctx: Ctx, input: Input<Api['list']>) {
  checkMarginsAsked(ctx, input)
  const reach = await reachOf(ctx, input)
  const day = dayIn(reach, 'q.businessGuid')
  const statuses = input.status?.split(',')
  const anyOf = statuses ? wearing('Quotes', 'q', statuses, day) : undefined
  const tagged = await taggedWith(ctx, reach, 'Quotes', 'q', input.tag)
  const rows = await narrowed(ctx.db, foundQuotes(ctx, input), 'Quotes', 'q', {
    search: input.search,
    lists: listsIn(reach, 'q.businessGuid'),
    anyOf,
    within: [
      ...quotesWithin(input, zoneIn(reach, 'q.businessGuid')),
      ...quotesByOutcome(input, reach),
      ...tagged.within,
    ],
  })
  const page = await pageOf({
    query: listedQuotes(ctx, day),
    ...rows,
    ...(tagged.areMany && !input.search ? { areMany: true } : {}),
    isPlain: areTimeless('Quotes', statuses ?? []),
    input,
    sorts,
    guid: 'q.guid',
    defaultSort: '-createdAt',
  })
  return { ...page, items: page.items.map((item) => ({ ...item, businessName: namesIn(reach, item.businessGuid) })) }
}

async function metrics(ctx: Ctx, input: Input<Api['metrics']>) {
  const counted = await countByStatus(ctx, await reachOf(ctx, input))
  return {
    items: quoteDisplayStatuses.map(
      (status) => counted.find((row) => row.status === status) ?? { status, count: 0, totalCents: 0 },
    ),
  }
}

async function mustSee(ctx: Ctx, guid: string) {
  const row = await visibleQuotes(ctx).select('q.guid').where('q.guid', '=', guid).executeTakeFirst()
  if (!row) throw notFound()
}

async function timeline(ctx: Ctx, input: Input<Api['timeline']>) {
  await mustSee(ctx, input.guid)
  const messages = await findMessageGuids(ctx.db, input.guid)
  return { items: await timelineWith(ctx, { entity: 'Quotes', guid: input.guid }, subjectsOf('Messages', messages)) }
}

async function pdf(ctx: Ctx, input: Input<Api['pdf']>) {
  await mustSee(ctx, input.guid)
  return renderPdf(ctx, 'quote', input.guid)
}

/** Accepting and converting make orders and invoices, so they are in acceptance, which may know of both. */
export const quotes: Omit<Handlers<Api>, 'accept' | 'convert'> = {
  list,
  metrics,
  outcome,
  get: (ctx, input) => one(ctx, input.guid),
  timeline,
  create: async (ctx, input) => one(ctx, await createQuote(ctx, input)),
  update: updateQuote,
  edit: bulkEdit('Quotes', withTags('Quotes', updateQuote)),
  ...tagging('Quotes'),
  ...archiving('Quotes', setArchived, one),
  duplicate: duplicateQuote,
  send: sendQuote,
  decline: declineForCustomer,
  revise: reviseQuote,
  answer: answerAsks,
  answerPreview: previewAnswers,
  reply: replyToAsks,
  compare,
  frames,
  frame,
  evidence,
  cancel: cancelQuote,
  reissueLink: reissueQuoteLink,
  pdf,
}
