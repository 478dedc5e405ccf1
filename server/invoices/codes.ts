import type { CodeAmount } from '../../contract/code-amounts.ts'
import type { Language } from '../../contract/core/languages.ts'
import { type GstCode, gstCodes } from '../../contract/lines.ts'
import { phrases } from '../core/i18n/phrases.ts'

/** What a line of one kind of GST is called beside lines of other kinds. */
export function namedByCode(name: string, gstCode: GstCode, isMixed: boolean, language: Language): string {
  const suffix = isMixed ? ` (${phrases('documents', language)(`made.gstCodes.${gstCode}`)})` : ''
  return name.slice(0, 200 - suffix.length) + suffix
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
