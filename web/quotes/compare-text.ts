import type { Comparison } from '../../contract/negotiation.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { comparedText } from '../lines/compared-text.ts'

type Change = Comparison['document'][number]

/** What a field of a comparison is called, and how its values read. */
export function useCompareText() {
  const t = useT('quotes', 'lines', 'common')
  const f = useFormat()
  return {
    nameOf: (field: string) => phraseOr(`quotes:compare.fields.${field}`, field),
    valueOf: ({ field }: Change, value: string | null): string =>
      field === 'kind' && value !== null
        ? phraseOr(`quotes:compare.kinds.${value}`, value)
        : (comparedText(field, value, { t, f }) ?? '–'),
  }
}
