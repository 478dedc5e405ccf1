import type { ImportField } from '../../contract/customer-files.ts'
import { phraseOr, type T } from '../core/i18n/i18n.ts'

/** What a field of an import is called. */
export function fieldText(t: T, field: ImportField): string {
  const [group, n, part] = field.split('.')
  if (group !== 'contact' || n === undefined) return phraseOr(`imports:fields.${field}`, field)
  if (part === 'first') return t('imports:fields.contactFirst', { n })
  return part === 'last' ? t('imports:fields.contactLast', { n }) : t('imports:fields.contactEmail', { n })
}
