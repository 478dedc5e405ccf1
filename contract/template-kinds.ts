import type { MessagePurpose, TemplateKind } from './messages.ts'
import { isList, sampleValues, templateVariables, type VariableFields } from './template-variables.ts'

/** What can be said of any document in words that are there already; what does not apply is empty. */
const words = [
  ...['greeting', 'business', 'number', 'title', 'documentTitle', 'documentName', 'total', 'gstWords', 'note'],
  ...['deposit', 'evidence', 'validity', 'replaces', 'orderNumber', 'schedule', 'payment', 'period', 'owing'],
  ...['change', 'changeTitle', 'contractBefore', 'contractAfter', 'reference', 'amount', 'receivedOn', 'method'],
  ...['allocation', 'balanceSentence', 'paymentNumber', 'adjustment', 'wayBack'],
] as const
export type TemplateWord = (typeof words)[number]

/** Which record a template of a kind is filled from. */
export type TemplateRecord = 'quote' | 'order' | 'invoice' | 'payment' | 'refund' | 'statement' | 'customer'

export interface TemplateKindFacts {
  record: TemplateRecord
  purpose: MessagePurpose
  /** What a new template of the kind is called. */
  name: string
  /** Words that say something for this kind: they are offered, the others are empty. */
  words: readonly TemplateWord[]
  fields: VariableFields
}

const { business, customer } = templateVariables.job
const invoices = {
  each: { number: 'text', title: 'text', dueOn: 'date', daysLate: 'number', balance: 'money', link: 'link' },
} as const
const payment = { number: 'text', amount: 'money', receivedOn: 'date' } as const
const refund = { number: 'text', amount: 'money' } as const
const reminder = { total: 'money', invoices } as const
const change = { number: 'text', title: 'text', contractBefore: 'money', contractAfter: 'money' } as const
const document = ['greeting', 'number', 'title', 'total', 'gstWords', 'note'] as const
const { quote, order, invoice } = templateVariables
const money = ['greeting', 'number', 'amount', 'note'] as const
/** What both receipts are. */
const received = {
  record: 'payment',
  purpose: 'billing',
  words: [...money, 'receivedOn', 'method', 'allocation', 'balanceSentence'],
  fields: { business, customer, payment },
} as const

/** One kind for each occasion; whoever makes messages about something new adds its kind here. */
export const templateKindFacts: Readonly<Record<TemplateKind, TemplateKindFacts>> = {
  quote: {
    record: 'quote',
    purpose: 'bookings',
    name: 'Quote',
    words: [...document, 'deposit', 'validity', 'replaces'],
    fields: quote,
  },
  quote_accepted: {
    record: 'quote',
    purpose: 'bookings',
    name: 'Quote accepted',
    words: [...document, 'orderNumber', 'deposit', 'evidence'],
    fields: quote,
  },
  quote_answered: {
    record: 'quote',
    purpose: 'bookings',
    name: 'Our answers on a quote',
    words: [...document, 'validity'],
    fields: quote,
  },
  quote_followup: {
    record: 'quote',
    purpose: 'bookings',
    name: 'Quote follow-up',
    words: [...document, 'deposit', 'validity'],
    fields: quote,
  },
  change_order: {
    record: 'order',
    purpose: 'bookings',
    name: 'Change to an order',
    words: [...document, 'change', 'changeTitle', 'contractBefore', 'contractAfter'],
    fields: { ...order, change },
  },
  change_accepted: {
    record: 'order',
    purpose: 'bookings',
    name: 'Change accepted',
    words: [...document, 'change', 'changeTitle', 'contractBefore', 'contractAfter', 'evidence'],
    fields: { ...order, change },
  },
  request_received: {
    record: 'quote',
    purpose: 'bookings',
    name: 'Request received',
    words: ['title', 'reference', 'note'],
    // Anybody may have entered the address: nothing of the draft is said.
    fields: { business },
  },
  order: { record: 'order', purpose: 'bookings', name: 'Order', words: [...document, 'schedule'], fields: order },
  welcome: { record: 'order', purpose: 'bookings', name: 'Welcome', words: [...document, 'schedule'], fields: order },
  invoice: {
    record: 'invoice',
    purpose: 'billing',
    name: 'Invoice',
    words: [...document, 'documentTitle', 'documentName', 'payment'],
    fields: invoice,
  },
  receipt: { ...received, name: 'Receipt' },
  statement: {
    record: 'statement',
    purpose: 'billing',
    name: 'Statement',
    words: ['greeting', 'amount', 'period', 'owing', 'payment', 'note'],
    fields: { business, customer },
  },
  statement_receipt: { ...received, name: 'Receipt for a statement' },
  refund: {
    record: 'refund',
    purpose: 'billing',
    name: 'Refund',
    words: [...money, 'paymentNumber', 'adjustment', 'wayBack'],
    fields: { business, customer, refund, payment },
  },
  reminder: {
    record: 'customer',
    purpose: 'billing',
    name: 'Reminder',
    words: ['greeting', 'note'],
    fields: { business, customer, reminder },
  },
  general: {
    record: 'customer',
    purpose: 'general',
    name: 'General',
    words: ['greeting', 'note'],
    fields: { business, customer },
  },
}

/** What emails may be about, with the fields that only those have. */
const subjects = {
  quote: quote.quote,
  order: order.order,
  invoice: invoice.invoice,
  ...{ payment, refund, change, reminder },
} as const satisfies VariableFields
export type TemplateSubject = keyof typeof subjects

/** What an email must be about for a variable to be there; null of one that none or that most have. */
export function subjectOf(path: string): TemplateSubject | null {
  const [first, name = '', ...rest] = path.split('.')
  const subject = (Object.keys(subjects) as TemplateSubject[]).find((one) => one === first)
  return subject && rest.length === 0 && Object.hasOwn(subjects[subject], name) ? subject : null
}

/** Addresses: of the customer's page, and of the page that ends offers. */
const links = { link: 'link', unsubscribe_link: 'link' } as const

const titles = ['documentTitle', 'documentName'] as const
const ofInvoice = [...document, ...titles, 'payment'] as const
/** Words that have a value for every kind of a record. Not all are offered; templates from before name them. */
const wordsOfRecord: Readonly<Record<TemplateRecord, readonly TemplateWord[]>> = {
  quote: [...document, ...titles, 'deposit', 'validity', 'replaces'],
  order: [...document, ...titles, 'schedule'],
  invoice: ofInvoice,
  // Money says what the invoice says that it was for.
  payment: ofInvoice,
  refund: ofInvoice,
  statement: [],
  customer: [],
}

/** Some words beside the fields. A word that is also the name of fields is written by its name alone. */
function withWords(kind: TemplateKind, said: readonly TemplateWord[]): VariableFields {
  const { fields } = templateKindFacts[kind]
  const named = said.map((name): [string, VariableFields[string]] => {
    const inner = fields[name]
    return [name, typeof inner === 'object' && !isList(inner) ? { '': 'text', ...inner } : 'text']
  })
  return { ...fields, ...Object.fromEntries(named), ...links }
}

/** Everything a template of a kind may name: whatever can have a value for it. */
export function variablesOf(kind: TemplateKind): VariableFields {
  const { record, words: own } = templateKindFacts[kind]
  return withWords(kind, ['business', ...wordsOfRecord[record], ...own])
}

/** What one in use may name as well: words that were never of its kind, and are empty. Its emails still go out. */
export const fillableVariables = (kind: TemplateKind): VariableFields => withWords(kind, words)

/** What is offered of it, to whoever writes. */
export const offeredVariables = (kind: TemplateKind): VariableFields => {
  const { fields, words: own } = templateKindFacts[kind]
  return { ...Object.fromEntries(own.map((name) => [name, 'text' as const])), ...fields, ...links }
}

const sampleInvoices = [
  {
    ...{ number: 'INV-0042', title: 'Marquee for the garden party', dueOn: '2026-12-28', daysLate: 7 },
    ...{ balance: 92_092, link: 'https://demo.example/service/i/42' },
  },
  {
    ...{ number: 'INV-0047', title: 'Chairs', dueOn: '2027-01-02', daysLate: 2 },
    ...{ balance: 18_150, link: 'https://demo.example/service/i/47' },
  },
]
/** Stand in where there is no record yet. */
export const sampleFields = {
  ...sampleValues,
  payment: { number: 'PAY-0042', amount: 92_092, receivedOn: '2026-12-16' },
  refund: { number: 'REF-0042', amount: 12_100 },
  change: {
    number: '1',
    title: 'One more marquee',
    contractBefore: 131_560,
    contractAfter: 217_360,
  },
  reminder: { total: 110_242, invoices: sampleInvoices },
  link: 'https://demo.example/service/i/42',
  unsubscribe_link: 'https://demo.example/service/unsubscribe/42',
}
export const sampleWords: Readonly<Record<TemplateWord, string>> = {
  greeting: 'Alex',
  business: 'Our business',
  number: '0042',
  title: 'Marquee for the garden party',
  documentTitle: 'Tax invoice',
  documentName: 'tax invoice',
  total: '$1,315.60',
  gstWords: 'including GST',
  note: 'We look forward to your day.',
  deposit: 'A deposit of $394.68 is due once you accept.',
  evidence: 'The record of what you accepted has the SHA-256 fingerprint 0f9a.',
  validity: 'The quote is valid until 18 December 2026.',
  replaces: '',
  orderNumber: 'ORD-0042',
  schedule: 'The work is scheduled for 12 December 2026.',
  payment: 'Please pay $920.92 by 28 December 2026.',
  period: 'as at 14 December 2026',
  owing: 'You owe $920.92.',
  change: '1',
  changeTitle: 'One more marquee',
  contractBefore: '$1,315.60',
  contractAfter: '$2,173.60',
  reference: 'R-0042',
  amount: '$920.92',
  receivedOn: '16 December 2026',
  method: 'card',
  allocation: 'Paid towards: INV-0042.',
  balanceSentence: 'Nothing more is owing on this invoice. Thank you.',
  paymentNumber: 'PAY-0042',
  adjustment: '',
  wayBack: 'It went back to your card.',
}
