import { z } from 'zod'
import { businessesApi, businessFields, numberedKinds, numbering, type Business } from '../../contract/businesses.ts'
import { formatAbn } from '../../contract/core/abn.ts'
import type { DepositRule } from '../../contract/lines.ts'
import { addressValues, type AddressValues } from '../record/address-fields.tsx'

/** What the settings page saves; the logo is sent only when it was changed. */
export const businessSchema = z.strictObject({
  ...businessFields,
  customersOf: businessesApi.update.body.shape.customersOf.unwrap(),
  catalogueOf: businessesApi.update.body.shape.catalogueOf.unwrap(),
  logo: businessesApi.update.body.shape.logo,
  numbering: z.array(numbering).max(numberedKinds.length),
})
export type SentBusiness = z.output<typeof businessSchema>

export interface BusinessValues {
  legalName: string
  tradingName: string
  abn: string
  gstRegistered: boolean
  email: string
  phone: string
  website: string
  address: AddressValues
  bankAccount: { accountName: string; bsb: string; accountNumber: string; payId: string }
  defaultTermsDays: number | null
  defaultValidityDays: number | null
  defaultDepositRule: DepositRule
  defaultPriceMode: string
  roundingRule: string
  quoteTerms: string
  invoiceNotes: string
  photoLocation: string
  primaryColour: string
  timeZone: string
  holidayState: string | null
  beganOn: string
  basCycle: string
  refundLimitCents: number | null
  writeOffLimitCents: number | null
  customersOf: string | null
  catalogueOf: string | null
  /** Undefined as it was; null takes it away. */
  logo?: { base64: string } | null
  numbering: Business['numbering']
}

export const valuesOfBusiness = (b: Business): BusinessValues => ({
  legalName: b.legalName,
  tradingName: b.tradingName ?? '',
  abn: formatAbn(b.abn ?? ''),
  gstRegistered: b.gstRegistered,
  email: b.email ?? '',
  phone: b.phone ?? '',
  website: b.website ?? '',
  address: addressValues(b.address ?? null),
  bankAccount: {
    accountName: b.bankAccount?.accountName ?? '',
    bsb: b.bankAccount?.bsb ?? '',
    accountNumber: b.bankAccount?.accountNumber ?? '',
    payId: b.bankAccount?.payId ?? '',
  },
  defaultTermsDays: b.defaultTermsDays,
  defaultValidityDays: b.defaultValidityDays,
  defaultDepositRule: b.defaultDepositRule,
  defaultPriceMode: b.defaultPriceMode,
  roundingRule: b.roundingRule,
  quoteTerms: b.quoteTerms ?? '',
  invoiceNotes: b.invoiceNotes ?? '',
  photoLocation: b.photoLocation,
  primaryColour: b.primaryColour,
  timeZone: b.timeZone,
  holidayState: b.holidayState ?? null,
  beganOn: b.beganOn,
  basCycle: b.basCycle,
  refundLimitCents: b.refundLimitCents,
  writeOffLimitCents: b.writeOffLimitCents,
  customersOf: b.customersOf,
  catalogueOf: b.catalogueOf,
  numbering: b.numbering.map(({ kind, prefix, padding, next }) => ({ kind, prefix, padding, next })),
})
