import type { Language } from '../../contract/core/languages.ts'
import { allocateProportionally, computeTotals, depositAmount } from '../../contract/core/money.ts'
import { gstCodes, type DepositRule } from '../../contract/lines.ts'
import type { Ctx } from '../core/ctx.ts'
import { percentIn } from '../core/i18n/format.ts'
import { phrases } from '../core/i18n/phrases.ts'
import type { UpcomingDeposit } from '../documents/document-messages.service.ts'
import { documentData } from '../documents/documents.service.ts'
import { priceLines } from '../documents/lines.service.ts'
import { namedByCode } from './codes.ts'
import { insertDraft } from './invoices.drafts.ts'
import { problemsOf } from './invoices.issue.ts'
import { issueAndSend } from './invoices.messages.ts'

const depositName = (rule: DepositRule, number: string, language: Language) => {
  const t = phrases('documents', language)
  return rule.type === 'percent'
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
  const rule = quote.depositRule
  const amountCents = depositAmount(rule, quote.totalCents)
  if (!rule || amountCents <= 0) return null
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
  const lines = await depositLines(
    ctx,
    quote,
    amountCents,
    depositName(rule, quote.number ?? quote.title, language),
    language,
  )
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
  if (problemsOf(business, content, { depositAppliedCents: 0 }).some((p) => p.blocks)) return null
  const draft = await ctx.db.selectFrom('invoices').selectAll().where('guid', '=', guid).executeTakeFirstOrThrow()
  const { number, serviceGuid, isSent } = await issueAndSend(ctx, draft, { quietly: true }, before)
  if (isSent) await ctx.db.updateTable('invoices').set({ sentAt: ctx.now }).where('guid', '=', guid).execute()
  return { guid, number, serviceGuid, balanceCents: amountCents }
}

type QuoteFacts = Pick<Parameters<typeof computeTotals>[0], 'priceMode' | 'roundingRule'> & {
  guid: string
  discount: Parameters<typeof computeTotals>[0]['documentDiscount']
}

/** One line per kind of GST in the quote, each with its part of the deposit: usually one. */
async function depositLines(ctx: Ctx, quote: QuoteFacts, amountCents: number, name: string, language: Language) {
  const stored = await ctx.db
    .selectFrom('quoteLines')
    .selectAll()
    .where('quoteGuid', '=', quote.guid)
    .orderBy('position')
    .execute()
  const { gstByCode } = computeTotals({
    priceMode: quote.priceMode,
    roundingRule: quote.roundingRule,
    documentDiscount: quote.discount,
    lines: stored,
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
