import type { z } from 'zod'
import { isValidAbn } from './core/abn.ts'
import { securityDoubtedBp } from './deposit-natures.ts'
import type { GstCode, LineKind } from './lines.ts'
import type { documentProblem } from './invoices.ts'
import { surchargeProblems } from './surcharge.ts'

export type DocumentProblem = z.infer<typeof documentProblem>

export interface CheckedDocument {
  supplier: { abn: string | null; gstRegistered: boolean }
  /** Null while no customer is chosen. */
  buyer: { name: string; abn: string | null } | null
  lines: readonly {
    kind: LineKind
    name: string
    description?: string | null | undefined
    gstCode: GstCode
    gstCents: number
    totalCents?: number
  }[]
  totals: { gstCents: number; totalCents: number }
  /** The day it is, or would be, issued: with it words of surcharges are looked for in lines and texts. */
  issueOn?: string
  texts?: readonly (string | null)[]
  /** A deposit may cover the whole amount: then nothing is left to pay and that is right. */
  depositAppliedCents?: number
  /** Of a security deposit, what it is kept for and what the order comes to; null where it has none. */
  security?: { clause: string | null; orderCents: number | null } | null
}

/** From this total (GST included) on, a tax invoice names its buyer: GST Act s 29-70(1)(c)(ii). */
const buyerNamedFromCents = 100_000

/** Where in the form a problem belongs. */
export const problemPaths: Record<string, string> = {
  NO_LINES: 'lines',
  LINE_WITHOUT_NAME: 'lines',
  NOTHING_TO_PAY: 'totals.totalCents',
  SUPPLIER_ABN_MISSING: 'business.abn',
  SUPPLIER_ABN_INVALID: 'business.abn',
  GST_NOT_REGISTERED: 'lines',
  NOT_REGISTERED_LINE: 'lines',
  BUYER_MISSING: 'customerGuid',
  CARD_SURCHARGE: 'lines',
  CARD_SURCHARGE_TEXT: 'notes',
  FORFEITURE_CLAUSE_MISSING: 'forfeitureClause',
}

const isPriced = (line: { kind: LineKind }) =>
  line.kind !== 'section' && line.kind !== 'text' && line.kind !== 'deposit_credit'

/**
 * What keeps a draft from being a proper Australian (tax) invoice, live in the editor and again before it is issued.
 */
export function documentProblems(doc: CheckedDocument): DocumentProblem[] {
  return [
    ...problemsOfLines(doc),
    ...problemsOfSupplier(doc),
    ...problemsOfBuyer(doc),
    ...problemsOfSurcharges(doc),
    ...problemsOfSecurity(doc),
  ]
}

function problemsOfSurcharges({ issueOn, lines, texts = [] }: CheckedDocument): DocumentProblem[] {
  if (issueOn === undefined) return []
  const priced = lines
    .map((line, index) => ({ ...line, index, totalCents: line.totalCents ?? 0 }))
    .filter((line) => isPriced(line))
  return surchargeProblems({ issueOn, lines: priced, texts })
}

function problemsOfLines({ lines, totals, depositAppliedCents = 0 }: CheckedDocument): DocumentProblem[] {
  const problems: DocumentProblem[] = []
  if (!lines.some(isPriced))
    problems.push({ code: 'NO_LINES', message: 'Add at least one line with a price.', blocks: true })
  else if (totals.totalCents < 0 || (totals.totalCents === 0 && depositAppliedCents === 0))
    problems.push({ code: 'NOTHING_TO_PAY', message: 'The total must be more than zero.', blocks: true })
  if (lines.some((l) => isPriced(l) && l.name.trim() === ''))
    problems.push({ code: 'LINE_WITHOUT_NAME', message: 'Describe what was supplied on every line.', blocks: true })
  return problems
}

function problemsOfSupplier({ supplier, lines }: CheckedDocument): DocumentProblem[] {
  const chargesGst = lines.some((l) => l.gstCents !== 0)
  const isUnsure = supplier.gstRegistered && lines.some((l) => isPriced(l) && l.gstCode === 'NOT_REGISTERED')
  return [...problemsOfAbn(supplier, chargesGst), ...(isUnsure ? [notRegisteredLine] : [])]
}

const notRegisteredLine = {
  code: 'NOT_REGISTERED_LINE',
  message:
    'A line has the GST code of a business that is not registered. Your business is registered: ' +
    'choose GST or GST-free.',
  blocks: false,
}

function problemsOfAbn(supplier: CheckedDocument['supplier'], chargesGst: boolean): DocumentProblem[] {
  if (chargesGst && !supplier.gstRegistered)
    return [
      {
        code: 'GST_NOT_REGISTERED',
        message: 'Your business isn’t registered for GST, so lines can’t charge it.',
        blocks: true,
      },
    ]
  if (supplier.abn !== null && !isValidAbn(supplier.abn))
    return [
      {
        code: 'SUPPLIER_ABN_INVALID',
        message: 'Your business ABN isn’t valid. Correct it in the business settings.',
        blocks: chargesGst,
      },
    ]
  if (supplier.abn === null && chargesGst)
    return [
      {
        code: 'SUPPLIER_ABN_MISSING',
        message: 'A tax invoice must show your ABN. Add it in the business settings.',
        blocks: true,
      },
    ]
  // Without an ABN a business customer has to withhold at the top rate: Taxation Administration Act, sch 1 s 12-190.
  if (supplier.abn === null)
    return [
      {
        code: 'SUPPLIER_ABN_MISSING',
        message: 'Without your ABN on the invoice, a business customer may have to withhold tax from the payment.',
        blocks: false,
      },
    ]
  return []
}

function problemsOfBuyer({ buyer, lines, totals }: CheckedDocument): DocumentProblem[] {
  if (buyer === null) return [{ code: 'BUYER_MISSING', message: 'Choose a customer.', blocks: true }]
  const isTaxInvoice = lines.some((l) => l.gstCents !== 0)
  const isNamed = buyer.name.trim() !== '' || (buyer.abn !== null && isValidAbn(buyer.abn))
  if (isTaxInvoice && totals.totalCents >= buyerNamedFromCents && !isNamed)
    return [
      {
        code: 'BUYER_MISSING',
        message: 'A tax invoice of $1,000 or more must name the buyer or show the buyer’s ABN.',
        blocks: true,
      },
    ]
  return []
}

function problemsOfSecurity({ security, totals }: CheckedDocument): DocumentProblem[] {
  if (!security) return []
  const isDoubted = security.orderCents !== null && totals.totalCents * 10_000 > security.orderCents * securityDoubtedBp
  return [
    ...(security.clause?.trim()
      ? []
      : [
          {
            code: 'FORFEITURE_CLAUSE_MISSING',
            message: 'Say when you keep the deposit. Without a forfeiture clause it is a part payment.',
            blocks: true,
          },
        ]),
    ...(isDoubted
      ? [
          {
            code: 'SECURITY_LARGE',
            message: 'This is more than 10% of the order. The ATO may see it as a part payment, with GST due now.',
            blocks: false,
          },
        ]
      : []),
  ]
}
