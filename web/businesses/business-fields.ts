import { phraseOr } from '../core/i18n/i18n.ts'
import { depositText } from '../lines/terms-text.ts'
import type { Fields } from '../record/record-facts.tsx'
import { businessSchema, type SentBusiness } from './business-values.ts'

/** What the settings of a business are called. */
export const businessFields: Fields<SentBusiness> = {
  schema: businessSchema,
  rows: {
    legalName: { label: 'setup:business.legalName', hint: 'setup:business.legalNameHint' },
    tradingName: { label: 'setup:business.tradingName', hint: 'setup:business.tradingNameHint' },
    abn: { label: 'setup:businesses.abn' },
    timeZone: { label: 'setup:business.timeZone' },
    holidayState: { label: 'setup:business.holidayState', hint: 'setup:business.holidayStateHint' },
    beganOn: { label: 'setup:business.beganOn', hint: 'setup:business.beganOnHint' },
    basCycle: {
      label: 'setup:business.basCycle',
      words: (cycle) => phraseOr(`setup:business.basCycles.${cycle}`, cycle),
    },
    refundLimitCents: { label: 'setup:business.refundLimit', hint: 'setup:business.refundLimitHint' },
    writeOffLimitCents: { label: 'setup:business.writeOffLimit', hint: 'setup:business.writeOffLimitHint' },
    gstRegistered: { label: 'setup:business.gstRegistered', hint: 'setup:business.gstHint' },
    customersOf: { label: 'setup:businesses.customersOf' },
    catalogueOf: { label: 'setup:businesses.catalogueOf' },
    email: { label: 'setup:businesses.email' },
    phone: { label: 'setup:business.phone' },
    website: { label: 'setup:business.website' },
    address: { label: 'setup:business.address' },
    bankAccount: {
      label: 'setup:business.bank',
      show: (account) =>
        account && [account.accountName, account.bsb, account.accountNumber, account.payId].filter(Boolean).join(' · '),
    },
    defaultTermsDays: { label: 'setup:business.termsDays' },
    defaultValidityDays: { label: 'setup:business.validityDays' },
    defaultPriceMode: {
      label: 'setup:business.priceMode',
      words: (mode) => phraseOr(`lines:priceModes.${mode}`, mode),
    },
    defaultDepositRule: { label: 'lines:deposit', show: depositText },
    roundingRule: {
      label: 'lines:rounding',
      words: (rule) => phraseOr(`lines:roundings.${rule}`, rule),
    },
    quoteTerms: { label: 'setup:business.quoteTerms', hint: 'setup:business.quoteTermsHint' },
    invoiceNotes: { label: 'setup:business.invoiceNotes', hint: 'setup:business.invoiceNotesHint' },
    photoLocation: {
      label: 'setup:business.photoLocation',
      hint: 'setup:business.photoLocationHint',
      words: (rule) => phraseOr(`setup:business.photoLocations.${rule}`, rule),
    },
    primaryColour: { label: 'setup:business.colour' },
    logo: {
      label: 'setup:business.logo',
      show: (logo, { t }, { hasLogo, ...whole }) =>
        logo
          ? t('setup:business.logoAlt')
          : t(hasLogo && whole.logo !== null ? 'setup:business.logoKept' : 'setup:business.noLogo'),
    },
    numbering: {
      label: 'setup:business.numbering',
      show: (kinds) =>
        kinds?.map(({ prefix, padding, next }) => `${prefix}${String(next).padStart(padding, '0')}`).join(', '),
    },
  },
}
