import type { ChangeAction, ChangeOrder } from '../../contract/change-orders.ts'
import type { FieldError } from '../../contract/core/errors.ts'
import { isText } from '../../contract/core/money.ts'
import { trimQuantity, type LineInput } from '../../contract/lines.ts'
import type { Order } from '../../contract/orders.ts'
import { editorLine } from '../lines/entered-lines.ts'
import type { EditorLine } from '../lines/line-state.ts'

/** A line of the order as the form of a change has it. */
export interface Entry {
  lineGuid: string
  name: string
  quantity: string
  unitPriceCents: number | null
  isRemoved: boolean
}
type Lines = Pick<Order, 'lines'>
type Draft = Pick<ChangeOrder, 'actions'>

const actionsOfDraft = ({ actions }: Draft) => actions as readonly ChangeAction[]

/** The lines that can be changed, as they are, or as a draft has them. */
export function entriesOf({ lines }: Lines, draft?: Draft): Entry[] {
  const drafted = new Map(
    draft ? actionsOfDraft(draft).flatMap((action) => (action.kind === 'add' ? [] : [[action.lineGuid, action]])) : [],
  )
  return lines
    .filter((line) => line.parentLineGuid === null && !isText(line))
    .map(({ guid, name, quantity, unitPriceCents }) => {
      const action = drafted.get(guid)
      const now = action?.kind === 'change' ? action : undefined
      return {
        lineGuid: guid,
        name,
        quantity: trimQuantity(now?.quantity ?? quantity),
        unitPriceCents: now?.unitPriceCents ?? unitPriceCents,
        isRemoved: action?.kind === 'remove',
      }
    })
}

/** The lines a draft adds, as they are edited. */
export const addedLines = (draft?: Draft): EditorLine[] =>
  draft ? actionsOfDraft(draft).flatMap((action) => (action.kind === 'add' ? [editorLine(action.line)] : [])) : []

/** What was entered of the order's lines, as far as it is other than it is. */
function actionsOfEntries(entries: readonly Entry[], { lines }: Lines): ChangeAction[] {
  const known = new Map(lines.map((line) => [line.guid, line]))
  return entries.flatMap((entry): ChangeAction[] => {
    const { lineGuid, quantity, isRemoved } = entry
    const unitPriceCents = entry.unitPriceCents ?? 0
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

/** All that is sent: what becomes of the order's lines first, then the lines that come. */
export const actionsOf = (entries: readonly Entry[], order: Lines, added: readonly LineInput[]): ChangeAction[] => [
  ...actionsOfEntries(entries, order),
  ...added.map(({ guid: _guid, ...line }): ChangeAction => ({ kind: 'add', line })),
]

/**
 * What the server says of actions, by who shows it: lines of the order by their guid and field, lines that come by
 * `lines.<i>.<field>`, and what belongs to no line.
 */
export function problemsOf(actions: readonly ChangeAction[], errors: readonly FieldError[]) {
  const first = actions.findIndex(({ kind }) => kind === 'add')
  const ofEntries = new Map<string, string>()
  const ofAdded: FieldError[] = []
  const others: string[] = []
  for (const { path, message } of errors) {
    const [, index = '', field = ''] = /^actions\.(\d+)\.(.+)$/.exec(path) ?? []
    const action = actions[Number(index)]
    if (index === '' || !action) others.push(message)
    else if (action.kind === 'add')
      ofAdded.push({ path: `lines.${Number(index) - first}.${field.replace(/^line\./, '')}`, message })
    else ofEntries.set(`${action.lineGuid}.${field}`, message)
  }
  return { ofEntries, ofAdded, others }
}
