/** An invoice that waits for money. */
export interface OpenInvoice {
  guid: string
  number: string
  dueOn: string | null
  balanceCents: number
  orderGuid?: string | null
}

export interface Proposal {
  /** Cents for each invoice. */
  cents: Map<string, number>
  /** What is kept as the customer's credit; below zero when more is applied than came in. */
  creditCents: number
}

/**
 * What somebody has written beside invoices stays; the rest of the money goes to the others
 * in their order, oldest first. Money for an order goes to the invoices of that order alone.
 */
export function propose(
  amountCents: number,
  invoices: readonly OpenInvoice[],
  own: ReadonlyMap<string, number>,
  orderGuid: string | null = null,
): Proposal {
  let left = amountCents - [...own.values()].reduce((sum, cents) => sum + cents, 0)
  const cents = new Map(
    invoices.map(({ guid, balanceCents, orderGuid: of }) => {
      const written = own.get(guid)
      if (written !== undefined) return [guid, written]
      if (orderGuid !== null && of !== orderGuid) return [guid, 0]
      const part = Math.max(Math.min(balanceCents, left), 0)
      left -= part
      return [guid, part]
    }),
  )
  return { cents, creditCents: left }
}

/** What is left of an invoice under a part of a payment, where it is small enough to be given up; in cents. */
export function smallDifference({ balanceCents }: OpenInvoice, cents: number, limitCents: number): number {
  const left = balanceCents - cents
  return cents > 0 && left > 0 && left <= limitCents ? left : 0
}
