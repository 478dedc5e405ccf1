/** An invoice that waits for money. */
export interface OpenInvoice {
  guid: string
  number: string
  dueOn: string | null
  balanceCents: number
  orderGuid?: string | null
  /** Given up, and owed again as far as it is paid after all. */
  writtenOffCents?: number
}

/** What an invoice is proposed to take: what it owes, or what was given up where that is all of it. */
const wants = ({ balanceCents, writtenOffCents = 0 }: OpenInvoice): number => balanceCents || writtenOffCents
/** The most that it takes. */
export const takes = ({ balanceCents, writtenOffCents = 0 }: OpenInvoice): number => balanceCents + writtenOffCents
/** Whether it wants more than is beside it. */
export const wantsMore = (invoice: OpenInvoice, cents: number): boolean => cents < wants(invoice)

export interface Proposal {
  /** Cents for each invoice. */
  cents: Map<string, number>
  /** What is kept as the customer's credit; below zero when more is applied than came in. */
  creditCents: number
}

/**
 * The money goes to the invoices in their order, oldest first; money for an order goes to the invoices of that order
 * alone. Once somebody has written an amount beside an invoice nothing goes anywhere by itself: what was written
 * stays, the others take nothing, and the rest is credit.
 */
export function propose(
  amountCents: number,
  invoices: readonly OpenInvoice[],
  own: ReadonlyMap<string, number>,
  orderGuid: string | null = null,
): Proposal {
  let left = amountCents
  const cents = new Map(
    invoices.map((invoice) => {
      const { guid, orderGuid: of } = invoice
      const isAsked = own.size === 0 && (orderGuid === null || of === orderGuid)
      const part = own.get(guid) ?? (isAsked ? Math.max(Math.min(wants(invoice), left), 0) : 0)
      left -= part
      return [guid, part]
    }),
  )
  return { cents, creditCents: left }
}

/** What is written beside the invoices, with one more amount: what was proposed beside the others stays there. */
export const written = ({ cents }: Proposal, guid: string, amountCents: number | null): ReadonlyMap<string, number> =>
  new Map(cents).set(guid, amountCents ?? 0)

/**
 * An invoice paid in full by one click. Where only proposals are beside the others and leave too little for it, they
 * make room.
 */
export function paidInFull(
  { cents, creditCents }: Proposal,
  own: ReadonlyMap<string, number>,
  invoice: OpenInvoice,
): ReadonlyMap<string, number> {
  const isEnough = creditCents >= wants(invoice) - (cents.get(invoice.guid) ?? 0)
  return new Map(own.size > 0 || isEnough ? cents : []).set(invoice.guid, wants(invoice))
}

/** What is left of an invoice under a part of a payment, where it is small enough to be given up; in cents. */
export function smallDifference({ balanceCents }: OpenInvoice, cents: number, limitCents: number): number {
  const left = balanceCents - cents
  return cents > 0 && left > 0 && left <= limitCents ? left : 0
}
