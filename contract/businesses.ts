import { z } from 'zod'
import { abn } from './core/abn.ts'
import { address, states } from './core/address.ts'
import {
  amountCents,
  day,
  email,
  guid,
  listQuery,
  longText,
  maybe,
  pageOf,
  phone,
  recordShape,
  text,
  timestamp,
} from './core/common.ts'
import { del, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { depositRule, priceMode, roundingRule } from './lines.ts'
import { nouns } from './nouns.ts'
import { pageTheme } from './shown-theme.ts'

const { pages } = nouns.Businesses

const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Enter a colour such as #7367F0.')
const bankAccount = z.strictObject({
  accountName: text(80),
  bsb: z.string().regex(/^\d{3}-?\d{3}$/, 'Enter six digits.'),
  accountNumber: z.string().regex(/^\d{4,9}$/, 'Enter four to nine digits.'),
  payId: maybe(text(120)),
})
export const numberedKinds = ['quote', 'order', 'invoice', 'adjustment_note', 'payment', 'refund'] as const
export type NumberedKind = (typeof numberedKinds)[number]
/** How numbers of one kind look: prefix and padding; `next` is given to the next document that is issued. */
export const numbering = z.strictObject({
  kind: z.enum(numberedKinds),
  prefix: z
    .string()
    .max(12)
    .regex(/^[A-Z0-9/-]*$/, 'Use only capital letters, digits, - and /.'),
  padding: z.int().min(1).max(10),
  next: z.int().min(1).max(999_999_999),
})

const photoLocations = ['strip', 'keep'] as const
export type PhotoLocation = (typeof photoLocations)[number]

export const gstBases = ['accrual', 'cash'] as const
export type GstBasis = (typeof gstBases)[number]
const basCycles = ['monthly', 'quarterly', 'annual'] as const
export type BasCycle = (typeof basCycles)[number]

export const businessFields = {
  legalName: text(160),
  tradingName: maybe(text(160)),
  abn: maybe(abn),
  gstRegistered: z.boolean(),
  email: maybe(email),
  phone: maybe(phone),
  website: maybe(z.url({ protocol: /^https?$/ }).max(200)),
  address: maybe(address),
  bankAccount: maybe(bankAccount),
  defaultTermsDays: z.int().min(0).max(365),
  defaultValidityDays: z.int().min(1).max(365),
  defaultDepositRule: depositRule,
  defaultPriceMode: priceMode,
  roundingRule,
  quoteTerms: maybe(longText(8000)),
  invoiceNotes: maybe(longText(4000)),
  primaryColour: colour,
  timeZone: text(60),
  /** Whose public holidays it keeps; none: those of the state in its address. */
  holidayState: maybe(z.enum(states)),
  /** What becomes of the place a photo was taken at: taken out, or kept with the original for `Files:Original`. */
  photoLocation: z.enum(photoLocations),
  /** The first day of the books: no payment can be older. */
  beganOn: day,
  /** How often it reports GST. */
  basCycle: z.enum(basCycles),
  /** What one person gives back to one customer in 24 hours without somebody else who approves it. */
  refundLimitCents: amountCents,
  /** What may be written off of an invoice along with its payment. */
  writeOffLimitCents: amountCents,
}
/** A logo as PNG or JPEG, base64, at most 512 KiB; `null` takes it away. */
const logo = z.strictObject({ base64: z.base64().max(700_000) }).nullable()

/** A brand has these of the legal entity whose brand it is. */
export const entityFields = [
  'legalName',
  'abn',
  'gstRegistered',
  'bankAccount',
  'beganOn',
  'basCycle',
  'refundLimitCents',
  'writeOffLimitCents',
] as const
/** Numbered by business; the other kinds, which are of money, by legal entity. */
export const brandNumbers: readonly NumberedKind[] = ['quote', 'order']

/** Whose customers and whose catalogue it works with: its own, or those of a business that has its own. */
const pools = { customersOf: guid, catalogueOf: guid }
const standing = {
  ...pools,
  /** The legal entity whose brand it is; null: it is one itself. */
  parentGuid: guid.nullable(),
  parentName: z.string().nullable(),
  customersOfName: z.string(),
  catalogueOfName: z.string(),
}

const business = z.object({
  ...recordShape,
  ...businessFields,
  ...standing,
  /** When GST counts: with the invoice, or with the money. */
  gstBasis: z.enum(gstBases),
  hasLogo: z.boolean(),
  numbering: z.array(z.object({ kind: z.enum(numberedKinds), prefix: z.string(), padding: z.int(), next: z.int() })),
})
export type Business = z.infer<typeof business>
const businessListItem = z.object({
  guid,
  legalName: z.string(),
  tradingName: z.string().nullable(),
  abn: z.string().nullable(),
  gstRegistered: z.boolean(),
  email: z.string().nullable(),
  createdAt: timestamp,
  archivedAt: timestamp.nullable(),
  ...standing,
})
/** The business as its customers see it. */
export const publicBusiness = z.object({
  name: z.string(),
  legalName: z.string(),
  /** Its name is a business name of the legal entity. */
  isBrand: z.boolean(),
  abn: z.string().nullable(),
  gstRegistered: z.boolean(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  website: z.string().nullable(),
  address: address.nullable(),
  bankAccount: bankAccount.nullable(),
  primaryColour: z.string(),
  timeZone: z.string(),
  /** `data:` address of the logo. */
  logo: z.string().nullable(),
  theme: pageTheme,
})
export type PublicBusiness = z.infer<typeof publicBusiness>

/** Another business the caller works in than the call's; any other is not there. */
const ofRecord = z.strictObject({ businessGuid: guid.optional() })

export const businessesApi = {
  list: get({
    path: '/Businesses',
    effect: 'read',
    can: pages.list.can,
    summary: 'The businesses',
    query: listQuery(['legalName', 'createdAt'], { archived: z.literal('true').optional() }),
    response: pageOf(businessListItem),
  }),
  get: get({
    path: '/Businesses/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One business with its settings',
    response: z.object({ business }),
  }),
  create: post({
    path: '/Businesses',
    effect: 'write',
    can: ['create', 'Businesses:Create'],
    status: 201,
    message: 'Business created.',
    summary: 'Makes a legal entity, or with `parentGuid` a brand of one',
    body: z.strictObject({ ...businessFields, ...pools, parentGuid: guid }).partial(),
    response: z.object({ business }),
  }),
  update: patch({
    path: '/Businesses/:guid',
    effect: 'write',
    can: ['update', 'Businesses:Update:Guid'],
    message: 'Business saved.',
    summary: 'Changes a business; numbering can only move forward',
    body: patchOf(
      z.strictObject({ ...businessFields, ...pools, logo, numbering: z.array(numbering).max(numberedKinds.length) }),
    ),
    response: z.object({ business }),
  }),
  remove: del({
    path: '/Businesses/:guid',
    effect: 'write',
    can: ['delete', 'Businesses:Archive:Guid'],
    message: 'Business archived.',
    summary: 'Archives a business that has no open documents',
    response: z.object({ business }),
  }),
  restore: post({
    path: '/Businesses/Restore/:guid',
    effect: 'write',
    can: ['delete', 'Businesses:Archive:Guid'],
    message: 'Business restored.',
    summary: 'Brings an archived business back',
    response: z.object({ business }),
  }),
  /** The choice is remembered for calls that name no business. */
  choose: post({
    path: '/Businesses/Choose/:guid',
    effect: 'write',
    can: ['read', 'Businesses:Current'],
    summary: 'Works in a business from now on, where a call names none in `X-Business-Guid`',
    unaudited: 'looks elsewhere and changes no record',
    response: z.object({ business: z.object({ guid, name: z.string() }) }),
  }),
  letterhead: get({
    path: '/Businesses/Letterhead',
    effect: 'read',
    can: ['read', 'Businesses:Current'],
    summary: 'The business, or that of a record, as its customers see it: on a document in the theme it was sent in',
    query: ofRecord.extend({ quoteGuid: guid.optional(), invoiceGuid: guid.optional() }),
    response: z.object({ business: publicBusiness }),
  }),
  /** What every signed-in person needs to price and show documents. */
  current: get({
    path: '/Businesses/Current',
    effect: 'read',
    can: ['read', 'Businesses:Current'],
    summary: 'The business the signed-in person works for, or that of a record: defaults for documents',
    query: ofRecord,
    response: z.object({
      business: z.object({
        guid,
        /** The legal entity, whose its money is. */
        entityGuid: guid,
        name: z.string(),
        abn: z.string().nullable(),
        gstRegistered: z.boolean(),
        /** What small differences of one invoice may come to. */
        writeOffLimitCents: z.int(),
        gstBasis: z.enum(gstBases),
        basCycle: z.enum(basCycles),
        defaultTermsDays: z.int(),
        defaultValidityDays: z.int(),
        defaultDepositRule: depositRule,
        defaultPriceMode: priceMode,
        roundingRule,
        quoteTerms: z.string().nullable(),
        invoiceNotes: z.string().nullable(),
        primaryColour: z.string(),
        timeZone: z.string(),
        photoLocation: z.enum(photoLocations),
        /** The first day of the books. */
        beganOn: day,
        /** The last day of the books that is locked: what comes for it counts on the day after. */
        lockedThrough: day.nullable(),
        /** Today in the business's time zone. */
        today: z.string(),
      }),
      /** Those the person works in, by name. */
      businesses: z.array(
        z.object({
          guid,
          entityGuid: guid,
          name: z.string(),
          legalName: z.string(),
          primaryColour: z.string(),
          ...pools,
        }),
      ),
    }),
  }),
}
