import { isRtl, type Language } from '../../contract/core/languages.ts'
import { isolated, localeOf } from '../core/i18n/languages.ts'

/** A length as people read it: `1 kB` and less, `86 kB`, `2.9 MB`, in the units of the language. */
export function bytesText(bytes: number, language: Language): string {
  const isLarge = bytes >= 999_500
  const shown = new Intl.NumberFormat(`${localeOf(language)}-u-nu-latn`, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    unitDisplay: 'short',
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(isLarge ? bytes / 1e6 : Math.ceil(bytes / 1000))
  return isRtl(language) ? isolated(shown) : shown
}
