import type { Language } from '../../contract/core/languages.ts'
import { type GstCode, gstCodes } from '../../contract/lines.ts'
import { phrases } from '../core/i18n/phrases.ts'

/** An amount of one kind of GST. */
export interface CodeAmount {
  gstCode: GstCode
  netCents: number
  gstCents: number
}

export const totalOf = ({ netCents, gstCents }: CodeAmount) => netCents + gstCents

/** What a line of one kind of GST is called beside lines of other kinds. */
export function namedByCode(name: string, gstCode: GstCode, isMixed: boolean, language: Language): string {
  const suffix = isMixed ? ` (${phrases('documents', language)(`made.gstCodes.${gstCode}`)})` : ''
  return name.slice(0, 200 - suffix.length) + suffix
}

/** Half up; all above or equal zero. */
export const share = (cents: bigint, part: bigint, whole: bigint) =>
  whole === 0n ? 0n : (2n * cents * part + whole) / (2n * whole)

/** A part of an amount of one kind, with its part of the GST: with the whole of it goes all the GST there is. */
export function partOf(amount: CodeAmount, cents: number): CodeAmount {
  const gstCents = Number(share(BigInt(amount.gstCents), BigInt(cents), BigInt(totalOf(amount))))
  return { gstCode: amount.gstCode, netCents: cents - gstCents, gstCents }
}

/** What lines come to by kind of GST, in the order of the kinds. */
export function byCode(amounts: readonly CodeAmount[]): CodeAmount[] {
  return gstCodes.flatMap((gstCode) => {
    const mine = amounts.filter((a) => a.gstCode === gstCode)
    const netCents = mine.reduce((sum, a) => sum + a.netCents, 0)
    const gstCents = mine.reduce((sum, a) => sum + a.gstCents, 0)
    return netCents === 0 && gstCents === 0 ? [] : [{ gstCode, netCents, gstCents }]
  })
}
