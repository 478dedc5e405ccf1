import type { Language } from '../../contract/core/languages.ts'
import { allocateProportionally, computeTotals, depositAmount } from '../../contract/core/money.ts'
import type { DepositNature } from '../../contract/deposit-natures.ts'
import { gstCodes, type DepositRule } from '../../contract/lines.ts'
import { today } from '../businesses/businesses.service.ts'
import type { Ctx } from '../core/ctx.ts'
import { percentIn } from '../core/i18n/format.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { userOf } from '../core/records.ts'
import type { OpenStage, OrderRow } from '../orders/stages.service.ts'
import type { UpcomingDeposit } from '../documents/document-messages.service.ts'
import { documentData } from '../documents/documents.service.ts'
import { priceLines } from '../documents/lines.service.ts'
import { namedByCode } from './codes.ts'
import { insertDraft } from './invoices.drafts.ts'
import { termsOf, termsOfStage } from './invoices.terms.ts'
import { problemsOf } from './invoices.issue.ts'
import { issueAndSend } from './invoices.messages.ts'
import { securityLine } from './security.ts'

const depositName = (rule: DepositRule | null, number: string, language: Language) => {
  const t = phrases('documents', language)
  return rule?.type === 'percent'
    ? t('made.depositPercent', { number, percent: percentIn(language)(rule.value) })
    : t('made.depositOf', { number })
}

/**
 * The invoice for the deposit an accepted quote asks for, issued at once and due at once. Null when the quote asks for
 * none, or when the business may not issue it as it stands: then it waits as a draft. Quote and order are locked by the
 * caller, who does what else needs time `before` others wait for its number.
 */
export async function createDeposit(
  ctx: Ctx,
  { quoteGuid, orderGuid }: { quoteGuid: string; orderGuid: string },
  before: (upcoming: UpcomingDeposit) => Promise<unknown>,
): Promise<{ guid: string; number: string; serviceGuid: string; balanceCents: number } | null> {
  const quote = await ctx.db.selectFrom('quotes').selectAll().where('guid', '=', quoteGuid).executeTakeFirstOrThrow()
  const stage = quote.schedule ? await firstStage(ctx, orderGuid) : null
  const amountCents = stage ? stage.cents : quote.schedule ? 0 : depositAmount(quote.depositRule, quote.totalCents)
  if (amountCents <= 0) return null
  const business = await ctx.db
    .selectFrom('businesses')
    .selectAll()
    .where('guid', '=', quote.businessGuid)
    .executeTakeFirstOrThrow()
  const { language } = await ctx.db
    .selectFrom('parties')
    .select('language')
    .where('memberGuid', '=', quote.customerGuid)
    .executeTakeFirstOrThrow()
  const stored = await ctx.db
    .selectFrom('quoteLines')
    .selectAll()
    .where('quoteGuid', '=', quoteGuid)
    .orderBy('position')
    .execute()
  const quoteNumber = quote.number ?? quote.title
  const name = stage
    ? stageName(stage.label, quoteNumber, language)
    : depositName(quote.depositRule, quoteNumber, language)
  const lines = depositLines({ ...quote, lines: stored }, amountCents, name, language)
  const priced = priceLines(lines, {
    priceMode: 'inclusive',
    roundingRule: quote.roundingRule,
    gstRegistered: business.gstRegistered,
  })
  const { businessGuid, customerGuid, contactGuid, siteGuid, ownerGuid, roundingRule } = quote
  const guid = await insertDraft(
    ctx,
    {
      businessGuid,
      customerGuid,
      contactGuid,
      siteGuid,
      ownerGuid,
      roundingRule,
      orderGuid,
      quoteGuid,
      kind: 'deposit',
      stageGuid: stage?.guid ?? null,
      title: phrases('documents', language)('made.deposit', { title: quote.title }).slice(0, 200),
      termsDays: 0,
      priceMode: 'inclusive',
      discount: null,
      notes: business.invoiceNotes,
    },
    priced.rows,
    priced.totals,
  )
  ctx.audit({
    action: 'invoice.created',
    entity: 'Invoices',
    guid,
    after: { title: quote.title, kind: 'deposit', totalCents: amountCents },
  })
  const { content } = await documentData(ctx.db, 'invoice', guid)
  // What is missing in the settings of the business must not keep a customer from accepting.
  if (problemsOf(business, content, { depositAppliedCents: 0 }, today(business, ctx.now)).some((p) => p.blocks))
    return null
  const draft = await ctx.db.selectFrom('invoices').selectAll().where('guid', '=', guid).executeTakeFirstOrThrow()
  const { number, serviceGuid, isSent } = await issueAndSend(ctx, draft, { quietly: true }, before)
  if (isSent) await ctx.db.updateTable('invoices').set({ sentAt: ctx.now }).where('guid', '=', guid).execute()
  return { guid, number, serviceGuid, balanceCents: amountCents }
}

const stageName = (label: string, number: string, language: Language) =>
  phrases('documents', language)('made.stage', { label, number }).slice(0, 200)

/** The stage of an order that is due on acceptance, if one is. */
const firstStage = (ctx: Ctx, orderGuid: string) =>
  ctx.db
    .selectFrom('orderStages')
    .select(['guid', 'label', 'cents'])
    .where('orderGuid', '=', orderGuid)
    .where('dueType', '=', 'acceptance')
    .executeTakeFirst()

/** What a stage of an order is billed by: a draft of a deposit over its amount. */
export async function draftStage(ctx: Ctx, order: OrderRow, stage: Omit<OpenStage, 'isLast'>) {
  const { language } = await ctx.db
    .selectFrom('parties')
    .select('language')
    .where('memberGuid', '=', order.customerGuid)
    .executeTakeFirstOrThrow()
  const business = await ctx.db
    .selectFrom('businesses')
    .select('gstRegistered')
    .where('guid', '=', order.businessGuid)
    .executeTakeFirstOrThrow()
  const stored = await ctx.db
    .selectFrom('orderLines')
    .selectAll()
    .where('orderGuid', '=', order.guid)
    .orderBy('position')
    .execute()
  const name = `${stage.label} · ${order.number}`.slice(0, 200)
  const lines = depositLines({ ...order, lines: stored }, stage.cents, name, language)
  const { roundingRule, businessGuid, customerGuid, contactGuid, siteGuid, ownerGuid } = order
  const pricing = { priceMode: 'inclusive', roundingRule } as const
  const priced = priceLines(lines, { ...pricing, gstRegistered: business.gstRegistered })
  const guid = await insertDraft(
    ctx,
    {
      businessGuid,
      customerGuid,
      contactGuid,
      siteGuid,
      ownerGuid: ownerGuid ?? userOf(ctx),
      orderGuid: order.guid,
      stageGuid: stage.guid,
      reference: order.customerReference,
      kind: 'deposit',
      title: `${stage.label}: ${order.title}`.slice(0, 200),
      discount: null,
      ...pricing,
      ...(await termsOfStage(ctx, order, stage.due)),
    },
    priced.rows,
    priced.totals,
  )
  return { guid, totals: priced.totals }
}

/** A deposit of an order over an amount with GST: a part payment by kinds of GST, or what is only held. */
export async function draftDeposit(
  ctx: Ctx,
  order: OrderRow,
  { cents, nature, clause }: { cents: number; nature: DepositNature; clause: string | null },
) {
  const { businessGuid, customerGuid, contactGuid, siteGuid, roundingRule } = order
  const { language } = await ctx.db
    .selectFrom('parties')
    .select('language')
    .where('memberGuid', '=', customerGuid)
    .executeTakeFirstOrThrow()
  const priced = await depositRows(ctx, order, { cents, nature, language })
  const { notes } = await termsOf(ctx, businessGuid, customerGuid)
  const guid = await insertDraft(
    ctx,
    {
      ...{ businessGuid, customerGuid, contactGuid, siteGuid, roundingRule, notes },
      ownerGuid: order.ownerGuid ?? userOf(ctx),
      orderGuid: order.guid,
      reference: order.customerReference,
      kind: 'deposit',
      depositNature: nature,
      forfeitureClause: clause,
      title: titleOf(nature, order.title, language),
      termsDays: 0,
      priceMode: 'inclusive',
      discount: null,
    },
    priced.rows,
    priced.totals,
  )
  return { guid, totals: priced.totals }
}

const titleOf = (nature: DepositNature, title: string, language: Language) =>
  phrases('documents', language)(nature === 'security' ? 'made.security' : 'made.deposit', { title }).slice(0, 200)

/** The lines of a deposit of an order, as its nature asks for. */
export async function depositRows(
  ctx: Ctx,
  order: Pick<OrderRow, 'guid' | 'number' | 'businessGuid' | 'priceMode' | 'roundingRule' | 'discount'>,
  { cents, nature, language }: { cents: number; nature: DepositNature; language: Language },
) {
  const t = phrases('documents', language)
  const { number, businessGuid, roundingRule } = order
  if (nature === 'security')
    return securityLine(ctx, order, { name: t('made.securityOf', { number }), cents, isTaxed: false })
  const { gstRegistered } = await ctx.db
    .selectFrom('businesses')
    .select('gstRegistered')
    .where('guid', '=', businessGuid)
    .executeTakeFirstOrThrow()
  const lines = await ctx.db
    .selectFrom('orderLines')
    .selectAll()
    .where('orderGuid', '=', order.guid)
    .orderBy('position')
    .execute()
  const divided = depositLines({ ...order, lines }, cents, t('made.depositOfOrder', { number }), language)
  return priceLines(divided, { priceMode: 'inclusive', roundingRule, gstRegistered })
}

/** What is divided by kinds of GST: a quote or an order. */
type Divided = Pick<Parameters<typeof computeTotals>[0], 'priceMode' | 'roundingRule' | 'lines'> & {
  discount: Parameters<typeof computeTotals>[0]['documentDiscount']
}

/** One line per kind of GST in the work, each with its part of the amount: usually one. */
function depositLines(work: Divided, amountCents: number, name: string, language: Language) {
  const { gstByCode } = computeTotals({
    priceMode: work.priceMode,
    roundingRule: work.roundingRule,
    documentDiscount: work.discount,
    lines: work.lines,
  })
  const codes = gstCodes.filter((code) => (gstByCode[code]?.totalCents ?? 0) > 0)
  const parts = allocateProportionally(
    amountCents,
    codes.map((code) => gstByCode[code]?.totalCents ?? 0),
  )
  return codes.flatMap((gstCode, i) => {
    const unitPriceCents = parts[i] ?? 0
    if (unitPriceCents === 0) return []
    return [
      {
        kind: 'item' as const,
        name: namedByCode(name, gstCode, codes.length > 1, language),
        quantity: '1',
        unit: 'each' as const,
        unitPriceCents,
        gstCode,
        isOptional: false,
      },
    ]
  })
}
