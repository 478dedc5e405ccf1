import { isRtl, type Language } from '../../contract/core/languages.ts'
import { isolated, localeOf } from '../core/i18n/languages.ts'

const units = ['byte', 'kilobyte', 'megabyte'] as const

/** A length as people read it: `412 byte`, `86 kB`, `2.9 MB`, in the units of the language. */
export function bytesText(bytes: number, language: Language): string {
  const step = bytes < 1000 ? 0 : bytes < 999_500 ? 1 : 2
  const shown = new Intl.NumberFormat(`${localeOf(language)}-u-nu-latn`, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: step === 2 ? 1 : 0,
  }).format(bytes / 1000 ** step)
  return isRtl(language) ? isolated(shown) : shown
}
