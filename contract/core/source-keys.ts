/*
 * What made a line that nobody entered, as `source_key` keeps it on quotes, orders and invoices:
 *
 *   part:<place>:<product>     a part of a bundle, by its place among them from 0
 *   fee:<option>:<choice>      what an answer costs once; `each` where the question has no choices
 *   added:<option>:<product>   a product that an answer brings
 *
 * These lie below a line and tell its children apart, so two lines of a document may each have a `part:0:…`. No input
 * sets them: a line is known again by its key when the one above is priced anew, and copies keep it. A kind that is
 * added here says what of it customers are told: nothing of a kind that is not.
 */

/** A part is given by its bundle, a fee and a product by the question that was answered. */
export const partKey = (place: number, productGuid: string): string => `part:${place}:${productGuid}`
export const feeKey = (option: string, choice: string): string => `fee:${option}:${choice}`
export const addedKey = (option: string, productGuid: string): string => `added:${option}:${productGuid}`

const kinds = ['part', 'fee', 'added'] as const
interface Source {
  kind: (typeof kinds)[number]
  /** The place of a part; the code of the question that brought anything else. */
  by: string
}

/** What a key says, also one that was shortened for customers; null where there is none or it is of another kind. */
export function readSource(key: string | null | undefined): Source | null {
  const [first, by] = key?.split(':') ?? []
  const kind = kinds.find((one) => one === first)
  return kind && by ? { kind, by } : null
}

export const isPartKey = (key: string | null | undefined): boolean => readSource(key)?.kind === 'part'
export const isFeeKey = (key: string | null | undefined): boolean => readSource(key)?.kind === 'fee'

/** What made a line, without the product or the choice it names. */
export function publicKey(key: string | null | undefined): string | null {
  const source = readSource(key)
  return source && `${source.kind}:${source.by}`
}
