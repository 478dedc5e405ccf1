import type { Line } from '../../contract/lines.ts'
import { isPartKey } from '../../contract/core/source-keys.ts'
import type { calculatorsApi } from '../../contract/calculators.ts'
import type { Answer } from '../core/api/types.ts'
import type { EditorLine } from './line-state.ts'

/** A line below another while that is edited: the server makes it, and nobody types into it. */
export type ChildLine = Pick<
  Answer<typeof calculatorsApi.totals>['lines'][number]['children'][number],
  'sourceKey' | 'kind' | 'name' | 'quantity' | 'unit' | 'unitPriceCents' | 'discount' | 'gstCode'
>
/** What lies below a line, and for which state of the line that holds. */
export interface Below {
  children: readonly ChildLine[]
  /** Of a bundle, whether its customer sees its parts. */
  showsParts: boolean | null
  of: string
}

/** What decides what lies below a line. */
export const stateOf = (
  line: Pick<EditorLine, 'productGuid' | 'quantity' | 'unitPriceCents' | 'hireFrom' | 'hireTo' | 'answers'>,
): string =>
  [
    line.productGuid,
    Number(line.quantity),
    line.unitPriceCents,
    line.hireFrom ?? '',
    line.hireTo ?? '',
    JSON.stringify(line.answers ?? []),
  ].join(' ')

const childOf = (line: Line): ChildLine => ({
  sourceKey: line.sourceKey ?? '',
  kind: line.kind as ChildLine['kind'],
  name: line.name,
  quantity: line.quantity,
  unit: line.unit,
  unitPriceCents: line.unitPriceCents,
  discount: line.discount,
  gstCode: line.gstCode,
})

/** What lies below a saved line. */
export const savedBelow = (line: Line, lines: readonly Line[]): Below | undefined => {
  const children = lines.filter((other) => other.parentLineGuid === line.guid)
  if (children.length === 0 && line.kind !== 'bundle') return undefined
  return { children: children.map(childOf), showsParts: line.showsParts, of: stateOf(line) }
}

/** Of a part there is as much as of its line; what answers bring says itself how much of it there is. */
const isPartOfIt = ({ sourceKey }: ChildLine) => isPartKey(sourceKey)

/**
 * A line and what lies below it, as a document is priced. A bundle whose parts are not known yet counts as a line of
 * its own.
 */
export function withBelow(line: EditorLine) {
  const quantity = line.quantity || '0'
  const children = line.below?.children ?? []
  const kind = line.kind === 'bundle' && children.length === 0 ? ('item' as const) : line.kind
  const { isOptional, alternativeGroup, isSelected } = line
  return [
    { ...line, kind, quantity, guid: line.key, parentLineGuid: null, sourceKey: null },
    ...children.map((child) => ({
      ...child,
      ...{ isOptional, alternativeGroup, isSelected },
      quantity: isPartOfIt(child) ? quantity : child.quantity,
      guid: undefined,
      parentLineGuid: line.key,
    })),
  ]
}
