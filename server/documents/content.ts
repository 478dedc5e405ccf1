import { inLanguage } from '../../contract/booking-options.ts'
import type { Language } from '../../contract/core/languages.ts'
import { publicKey } from '../../contract/core/source-keys.ts'
import { type AnswerWords, answerTexts, feeWording } from '../../contract/line-options.ts'
import type { Line } from '../../contract/lines.ts'
import { wornVersion } from '../themes/dressing.service.ts'
import { longDay, quantityIn } from '../core/i18n/format.ts'
import { phrases } from '../core/i18n/phrases.ts'
import type {
  DocumentBusiness,
  DocumentContent,
  DocumentLine,
  DocumentParty,
  DocumentState,
  DocumentTotals,
} from './document.ts'

export interface Loaded {
  content: DocumentContent
  state: DocumentState
  businessGuid: string
  customerGuid: string
  /** What the customer reads now. */
  language: Language
  /** What was frozen when the document was sent or issued. */
  frozen: DocumentContent | null
}

export const businessColumns = [
  'b.guid as businessGuid',
  'b.legalName',
  'b.tradingName',
  'b.parentGuid as businessParent',
  'b.abn as businessAbn',
  'b.gstRegistered',
  'b.email as businessEmail',
  'b.phone as businessPhone',
  'b.website',
  'b.address as businessAddress',
  'b.bankAccount',
  'b.primaryColour',
  'b.timeZone',
  wornVersion.as('themeVersionGuid'),
  'b.logoSha256',
  'b.logoMime',
] as const
export const partyColumns = [
  'c.guid as customerGuid',
  'c.displayName',
  'c.language',
  'c.abn as customerAbn',
  'c.email as customerEmail',
  'c.billingAddress',
  'p.name as contactName',
  'p.email as contactEmail',
  's.name as siteName',
  's.address as siteAddress',
] as const

interface Parties {
  legalName: string
  tradingName: string | null
  businessParent: string | null
  businessAbn: string | null
  gstRegistered: boolean
  businessEmail: string | null
  businessPhone: string | null
  website: string | null
  businessAddress: DocumentBusiness['address']
  bankAccount: DocumentBusiness['bankAccount']
  primaryColour: string
  timeZone: string
  logoSha256: string | null
  logoMime: string | null
  themeVersionGuid: string | null
  displayName: string
  language: Language
  customerAbn: string | null
  customerEmail: string | null
  billingAddress: DocumentParty['address']
  contactName: string | null
  contactEmail: string | null
  siteName: string | null
  siteAddress: DocumentParty['address']
}

const businessOf = (row: Parties): DocumentBusiness => ({
  name: row.tradingName ?? row.legalName,
  legalName: row.legalName,
  ...(row.businessParent === null ? {} : { isBrand: true }),
  abn: row.businessAbn,
  gstRegistered: row.gstRegistered,
  email: row.businessEmail,
  phone: row.businessPhone,
  website: row.website,
  address: row.businessAddress,
  bankAccount: row.bankAccount,
  primaryColour: row.primaryColour,
  timeZone: row.timeZone,
  logo: row.logoSha256 && row.logoMime ? { sha256: row.logoSha256, mime: row.logoMime } : null,
  ...(row.themeVersionGuid ? { themeVersionGuid: row.themeVersionGuid } : {}),
})

const partyOf = (row: Parties): DocumentParty => ({
  name: row.displayName,
  abn: row.customerAbn,
  email: row.contactEmail ?? row.customerEmail,
  address: row.billingAddress,
  contact: row.contactName,
})

const siteOf = (row: Parties): DocumentContent['site'] =>
  row.siteName && row.siteAddress ? { name: row.siteName, address: row.siteAddress } : null

export const totalsOf = (row: {
  subtotalCents: number
  discountCents: number
  gstCents: number
  totalCents: number
  optionalTotalCents?: number
}): DocumentTotals => ({
  subtotalCents: row.subtotalCents,
  discountCents: row.discountCents,
  gstCents: row.gstCents,
  totalCents: row.totalCents,
  optionalTotalCents: row.optionalTotalCents ?? 0,
})

/** What is printed of every line; a line that may be chosen prints its choice besides. */
export const printedOfLine = [
  'guid',
  'kind',
  'name',
  'description',
  'quantity',
  'unit',
  'unitPriceCents',
  'discount',
  'gstCode',
  'netCents',
  'gstCents',
  'totalCents',
] as const
const lineFields = [...printedOfLine, 'isOptional', 'alternativeGroup', 'isSelected'] as const
/** What is printed of a line: no product, no position. */
export function linesOf(rows: StoredLine[], language: Language) {
  const { day } = documentWords(language)
  const asked = new Map(rows.map(({ guid, options = [] }) => [guid, options]))
  return rows.map((row) => {
    const fields = Object.fromEntries(lineFields.map((field) => [field, row[field]])) as unknown as DocumentLine
    const wording = feeWording(asked.get(row.parentLineGuid ?? '') ?? [], row)
    const name = wording ? inLanguage(wording, language) : row.name
    const printed = { ...fields, name, ...placeOf(row), ...questionsOf(row, language) }
    const days = row.hireFrom && row.hireTo ? `${day(row.hireFrom)} – ${day(row.hireTo)}` : null
    return days ? { ...printed, description: [days, printed.description].filter(Boolean).join('\n') } : printed
  })
}

/** Where a line lies, as far as that is said of it. */
const placeOf = ({ parentLineGuid, sourceKey, showsParts }: StoredLine) => ({
  ...(parentLineGuid ? { parentLineGuid, sourceKey: publicKey(sourceKey) ?? '' } : {}),
  ...(typeof showsParts === 'boolean' ? { showsParts } : {}),
})

/** Answers as documents write them. */
export function documentWords(language: Language): AnswerWords {
  const t = phrases('documents', language)
  return {
    yes: t('answers.yes'),
    no: t('answers.no'),
    day: (day) => longDay(day, t),
    quantity: quantityIn(language),
  }
}

/** What was asked of a line, and what was answered; nothing of lines that nothing was asked of. */
function questionsOf(
  { options = [], selections = [] }: Partial<Pick<Line, 'options' | 'selections'>>,
  language: Language,
): Pick<DocumentLine, 'options' | 'answers'> {
  if (options.length === 0) return {}
  const values = new Map(selections.map(({ optionCode, value }) => [optionCode, value]))
  const answers = answerTexts({ asked: options, selections }, language, documentWords(language)).flatMap((text) => {
    const value = values.get(text.option)
    return value ? [{ ...text, value }] : []
  })
  return { options, answers }
}

type StoredLine = Omit<DocumentLine, 'parentLineGuid' | 'sourceKey' | 'showsParts' | 'answers' | 'options'> &
  Partial<Pick<Line, 'parentLineGuid' | 'sourceKey' | 'showsParts' | 'hireFrom' | 'hireTo' | 'options' | 'selections'>>

export const nothingHappened: DocumentState = {
  status: 'draft',
  paymentStatus: null,
  paidCents: 0,
  creditedCents: 0,
  writtenOffCents: 0,
  instalments: [],
  refundedCents: 0,
  balanceCents: 0,
  paidOn: null,
  depositUses: [],
  accepted: null,
  chosen: null,
  serviceGuid: null,
}

type Common = Parties & {
  number: string | null
  title: string
  priceMode: DocumentContent['priceMode']
  discount: DocumentContent['discount']
}

export const common = (row: Common, lines: DocumentLine[], totals: DocumentTotals): DocumentContent => ({
  format: 1,
  language: row.language,
  kind: 'quote',
  invoiceKind: null,
  isTaxInvoice: false,
  number: row.number,
  revision: 0,
  title: row.title,
  reference: null,
  issueOn: null,
  dueOn: null,
  validUntil: null,
  scheduledOn: null,
  business: businessOf(row),
  billTo: partyOf(row),
  site: siteOf(row),
  priceMode: row.priceMode,
  discount: row.discount,
  deposit: null,
  intro: null,
  terms: null,
  notes: null,
  lines,
  totals,
  adjusts: null,
})
