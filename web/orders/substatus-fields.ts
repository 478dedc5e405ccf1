import { substatusInput, type SubstatusInput } from '../../contract/substatuses.ts'
import { phraseOr } from '../core/i18n/i18n.ts'
import { statusText } from '../core/ui/status-chip.tsx'
import type { Fields } from '../record/record-facts.tsx'

/** What is known of a sub-status, in the order of the form. */
export const substatusFields: Fields<SubstatusInput> = {
  schema: substatusInput,
  rows: {
    core: {
      label: 'orders:substatus.core',
      hint: 'orders:substatus.coreHint',
      show: (core) => (core ? statusText(core, 'orders') : null),
    },
    label: { label: 'orders:substatus.label' },
    colour: {
      label: 'orders:substatus.colour',
      show: (colour) => (colour ? phraseOr(`orders:colours.${colour}`, colour) : null),
    },
  },
}
