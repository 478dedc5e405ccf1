import { addDays, localDay } from '../../contract/core/dates.ts'
import type { Language } from '../../contract/core/languages.ts'
import { sampleValues } from '../../contract/template-variables.ts'
import type { BusinessRow } from '../core/business.ts'
import type { Ctx } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { logosOf, type ThemeVersionRow } from '../themes/dressing.service.ts'
import { nothingHappened, totalsOf } from './content.ts'
import type { DocumentContent, DocumentData, DocumentKind, RenderData } from './document.ts'
import { askerOf, documentData } from './documents.service.ts'
import { letterheadOf } from './statement-paper.service.ts'
import { suitIn } from './suit.service.ts'

/** An invoice that nobody was sent. */
function example(business: BusinessRow, language: Language, today: string): DocumentData {
  const { invoice, customer, site } = sampleValues
  const lines = invoice.lines.map(({ name, description, quantity, total }) => {
    const gstCents = business.gstRegistered ? Math.round((total ?? 0) / 11) : 0
    const netCents = (total ?? 0) - gstCents
    return {
      guid: newGuid(),
      kind: 'item' as const,
      name: name ?? '',
      description,
      quantity: String(quantity),
      unit: 'each',
      unitPriceCents: Math.round(netCents / Number(quantity)),
      discount: null,
      gstCode: business.gstRegistered ? ('GST' as const) : ('FREE' as const),
      ...{ isOptional: false, alternativeGroup: null, isSelected: true },
      ...{ netCents, gstCents, totalCents: total ?? 0 },
    }
  })
  const sum = (field: 'netCents' | 'gstCents' | 'totalCents') => lines.reduce((all, line) => all + line[field], 0)
  const totals = totalsOf({
    subtotalCents: sum('netCents'),
    discountCents: 0,
    gstCents: sum('gstCents'),
    totalCents: sum('totalCents'),
  })
  const content: DocumentContent = {
    format: 1,
    language,
    kind: 'invoice',
    invoiceKind: 'standard',
    isTaxInvoice: business.gstRegistered,
    number: invoice.number,
    revision: 0,
    title: invoice.title ?? '',
    reference: null,
    issueOn: today,
    dueOn: addDays(today, business.defaultTermsDays),
    validUntil: null,
    scheduledOn: null,
    business: letterheadOf(business),
    billTo: {
      name: customer.name ?? '',
      abn: null,
      email: customer.email,
      contact: null,
      address: {
        line1: site.line1 ?? '',
        suburb: site.suburb ?? '',
        state: 'NSW',
        postcode: site.postcode ?? '',
      },
    },
    site: null,
    priceMode: 'exclusive',
    discount: null,
    deposit: null,
    intro: null,
    terms: null,
    notes: business.invoiceNotes,
    lines,
    totals,
    adjusts: null,
  }
  return { content, state: { ...nothingHappened, status: 'issued', balanceCents: totals.totalCents } }
}

interface Asked {
  business: BusinessRow
  version: ThemeVersionRow
  language: Language
  document: { kind: DocumentKind; guid: string } | null
}

/** A paper as it would be in a version of a theme, of a document or of an example; nothing is kept. */
export async function samplePaper(ctx: Ctx, { business, version, language, document }: Asked): Promise<Uint8Array> {
  const today = localDay(ctx.now.toISOString(), business.timeZone)
  const { content, state } = document
    ? await documentData(ctx.db, document.kind, document.guid)
    : example(business, language, today)
  const logo = logosOf(version).light
  const logoBytes = logo ? await ctx.deps.files.get(logo.sha256) : null
  const data: RenderData = {
    content: { ...content, language, business: { ...content.business, primaryColour: version.light.primary, logo } },
    state: { ...state, accepted: state.accepted && { ...state.accepted, signature: null } },
    link: null,
    canPayByCard: false,
    acceptedOn: null,
    logo: logo && logoBytes ? { bytes: logoBytes, mime: logo.mime } : null,
    signature: null,
    suit: suitIn(version, language),
  }
  return ctx.deps.renderer.render({ key: newGuid(), template: content.kind, data: { ...data } }, askerOf(ctx))
}
