import type { ChangeAction } from '../../contract/change-orders.ts'
import { isText } from '../../contract/core/money.ts'
import { trimQuantity } from '../../contract/lines.ts'
import type { Order } from '../../contract/orders.ts'

/** A line as the form of a change has it; of a new one there is no `lineGuid`. */
export interface Entry {
  key: string
  lineGuid: string | null
  name: string
  quantity: string
  unitPriceCents: number | null
  isRemoved: boolean
}

/** The lines that can be changed, as they are. */
export const entriesOf = ({ lines }: Pick<Order, 'lines'>): Entry[] =>
  lines
    .filter((line) => line.parentLineGuid === null && !isText(line))
    .map(({ guid, name, quantity, unitPriceCents }) => ({
      key: guid,
      lineGuid: guid,
      name,
      quantity: trimQuantity(quantity),
      unitPriceCents,
      isRemoved: false,
    }))

export const newEntry = (key: string): Entry => ({
  key,
  lineGuid: null,
  name: '',
  quantity: '1',
  unitPriceCents: null,
  isRemoved: false,
})

/** What was entered, as far as it is other than it was; a new line counts once it has a name. */
export function actionsOfEntries(entries: readonly Entry[], { lines }: Pick<Order, 'lines'>): ChangeAction[] {
  const known = new Map(lines.map((line) => [line.guid, line]))
  return entries.flatMap((entry): ChangeAction[] => {
    const { lineGuid, quantity, isRemoved } = entry
    const unitPriceCents = entry.unitPriceCents ?? 0
    if (lineGuid === null) {
      const name = entry.name.trim()
      if (!name || isRemoved) return []
      const line = { kind: 'item', name, quantity, unit: 'each', unitPriceCents, gstCode: 'GST', isOptional: false }
      return [{ kind: 'add', line } as ChangeAction]
    }
    if (isRemoved) return [{ kind: 'remove', lineGuid }]
    const line = known.get(lineGuid)
    if (!line) return []
    const moved = {
      ...(trimQuantity(line.quantity) === trimQuantity(quantity) ? {} : { quantity }),
      ...(line.unitPriceCents === unitPriceCents ? {} : { unitPriceCents }),
    }
    return Object.keys(moved).length > 0 ? [{ kind: 'change', lineGuid, ...moved }] : []
  })
}
