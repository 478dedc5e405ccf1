import type { Address } from './core/address.ts'
import { z } from 'zod'
import { cents, guid, longText, maybe, text, version } from './core/common.ts'
import { discount, priceMode, roundingRule } from './lines.ts'

/** Whom a quote, an order or an invoice is for, and what it is called, as a person sends it. */
export const partiesInput = { customerGuid: guid, contactGuid: maybe(guid), siteGuid: maybe(guid), title: text(200) }
/** The same as it is shown, with the business in whose name it is. */
export const partiesShape = {
  businessGuid: guid,
  customerGuid: guid,
  customer: z.object({
    guid,
    displayName: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    address: z.string().nullable(),
  }),
  contactGuid: guid.nullable(),
  contact: z.object({ guid, name: z.string(), email: z.string().nullable(), phone: z.string().nullable() }).nullable(),
  siteGuid: guid.nullable(),
  site: z.object({ guid, name: z.string(), label: z.string() }).nullable(),
}

/** What the lines are priced on; the business's own when not sent. */
/** Where a progress invoice stands in its contract; amounts include GST, before deposits are credited. */
export const claim = z.object({ contractCents: cents, earlierCents: cents, thisCents: cents })
export type Claim = z.infer<typeof claim>

export const termsInput = {
  priceMode: priceMode.optional(),
  roundingRule: roundingRule.optional(),
  discount: maybe(discount),
}
export const termsShape = { priceMode, roundingRule, discount: discount.nullable() }

/** Sending a document: `to` is the customer's address when not given. */
export const sendInput = z.strictObject({
  version,
  to: z.array(z.email()).min(1).max(10).optional(),
  subject: text(200).optional(),
  note: maybe(longText(4000)),
})

/** One tile: how many documents wear this status and what they add up to, GST included. */
export const statusMetric = z.object({ status: z.string(), count: z.int(), totalCents: cents })
export const statusMetrics = z.object({ items: z.array(statusMetric) })

/** Whom a paper is from. */
export interface Letterhead {
  name: string
  legalName: string
  /** Its name is a business name of the legal entity. */
  isBrand?: boolean
  abn: string | null
  gstRegistered: boolean
  email: string | null
  phone: string | null
  website: string | null
  address: Address | null
  bankAccount: { accountName: string; bsb: string; accountNumber: string; payId?: string | null | undefined } | null
  primaryColour: string
  timeZone: string
  logo: { sha256: string; mime: string } | null
  /** What it is dressed in; missing from what was frozen before there were themes, which has its colour alone. */
  themeVersionGuid?: string
}
/** Whom it is for. */
export interface BilledParty {
  name: string
  abn: string | null
  email: string | null
  address: Address | null
  contact: string | null
}
