import { z } from 'zod'
import { cents, day, guid, positiveCents } from './core/common.ts'

export const creditUse = z.strictObject({ paymentGuid: guid, invoiceGuid: guid, cents: positiveCents })
export type CreditUse = z.infer<typeof creditUse>

/** Money of a customer that pays nothing yet. */
const credit = z.object({
  guid,
  number: z.string(),
  receivedOn: day,
  cents,
  /** The order it is a prepayment of. */
  orderGuid: guid.nullable(),
  orderNumber: z.string().nullable(),
  /** It waits for the invoices of its order. */
  isKept: z.boolean(),
})
type Credit = z.infer<typeof credit>

/** An invoice that credit can pay, with what of it no payment is on its way for. */
const owed = z.object({
  guid,
  number: z.string(),
  dueOn: day.nullable(),
  cents,
  orderGuid: guid.nullable(),
})
type Owed = z.infer<typeof owed>

export const creditUses = z.object({
  allocations: z.array(creditUse.extend({ invoiceNumber: z.string() })),
  leftCents: cents,
  /** What there was to choose from: the oldest money, and what was due first. */
  credits: z.array(credit),
  invoices: z.array(owed),
})

type Money = Pick<Credit, 'guid' | 'cents' | 'orderGuid' | 'isKept'>
type Owing = Pick<Owed, 'guid' | 'cents' | 'orderGuid'>

/** A prepayment pays what its order owes and, while that is open, nothing else; all other money pays the oldest due. */
export function proposedUses(credits: readonly Money[], owing: readonly Owing[]): CreditUse[] {
  const left = owing.map((invoice) => ({ ...invoice }))
  const own = credits.flatMap((credit) =>
    oldestFirst(
      [credit],
      left.filter(({ orderGuid }) => credit.orderGuid !== null && orderGuid === credit.orderGuid),
    ),
  )
  const rest = credits.flatMap((credit) => {
    const used = own.reduce((sum, use) => sum + (use.paymentGuid === credit.guid ? use.cents : 0), 0)
    return credit.isKept ? [] : [{ ...credit, cents: credit.cents - used }]
  })
  return [...own, ...oldestFirst(rest, left)]
}

/** The oldest money pays what was due first, and `left` is less by it. Both are in that order; amounts in cents. */
function oldestFirst(
  credits: readonly { guid: string; cents: number }[],
  left: { guid: string; cents: number }[],
): CreditUse[] {
  return credits.flatMap((credit) => {
    let { cents } = credit
    return left.flatMap((invoice) => {
      const part = Math.min(cents, invoice.cents)
      if (part <= 0) return []
      cents -= part
      invoice.cents -= part
      return [{ paymentGuid: credit.guid, invoiceGuid: invoice.guid, cents: part }]
    })
  })
}

/** What each invoice gets, in cents. */
export function paidBy(uses: readonly CreditUse[]): Map<string, number> {
  const paid = new Map<string, number>()
  for (const { invoiceGuid, cents } of uses) paid.set(invoiceGuid, (paid.get(invoiceGuid) ?? 0) + cents)
  return paid
}
