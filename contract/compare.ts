import { isText } from './core/money.ts'
import type { Discount, Line } from './lines.ts'
import type { Comparison } from './negotiation.ts'
import type { DepositRule } from './lines.ts'
import type { Stage } from './stages.ts'

type ComparedLine = Pick<
  Line,
  | 'guid'
  | 'parentLineGuid'
  | 'kind'
  | 'name'
  | 'description'
  | 'quantity'
  | 'quantityMin'
  | 'quantityMax'
  | 'unit'
  | 'unitPriceCents'
  | 'discount'
  | 'gstCode'
  | 'hireFrom'
  | 'hireTo'
  | 'isOptional'
  | 'alternativeGroup'
  | 'isSelected'
  | 'netCents'
> & { originLineGuid: string | null }

/** A revision as far as it is compared. */
export interface ComparedQuote {
  revision: number
  number: string | null
  title: string
  validUntil: string | null
  intro: string | null
  terms: string | null
  discount: Discount | null
  depositRule: DepositRule | null
  schedule: readonly Stage[] | null
  totalCents: number
  lines: readonly ComparedLine[]
}

type Change = Comparison['document'][number]
type LineChange = Comparison['lines'][number]

/** A value as text that two revisions are compared by: amounts in cents, discounts and stages as JSON. */
const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
}

function changesOf<T extends object>(before: T, after: T, fields: readonly (keyof T & string)[]): Change[] {
  return fields.flatMap((field): Change[] => {
    const change = { field, before: textOf(before[field]), after: textOf(after[field]) }
    return change.before === change.after ? [] : [change]
  })
}

const lineFields = [
  'kind',
  'name',
  'description',
  'quantity',
  'quantityMin',
  'quantityMax',
  'unit',
  'unitPriceCents',
  'discount',
  'gstCode',
  'hireFrom',
  'hireTo',
  'isOptional',
  'alternativeGroup',
] as const
const documentFields = ['title', 'validUntil', 'intro', 'terms', 'discount', 'depositRule', 'schedule'] as const

/** Known again in every revision by the line that was first. */
const originOf = ({ originLineGuid, guid }: ComparedLine): string => originLineGuid ?? guid

/** What a line comes to with those below it, without GST; nothing while it is not chosen. */
function netOf(line: ComparedLine, all: readonly ComparedLine[]): number {
  if (isText(line) || ((line.isOptional || line.alternativeGroup !== null) && !line.isSelected)) return 0
  return all
    .filter(({ guid, parentLineGuid }) => guid === line.guid || parentLineGuid === line.guid)
    .reduce((cents, { netCents }) => cents + netCents, 0)
}

/** The members of a longest sequence that rises: whatever is not in it has moved. */
function risingOf(places: readonly number[]): Set<number> {
  const lengths: number[] = []
  const before: (number | null)[] = []
  places.forEach((place, i) => {
    let best: number | null = null
    for (let j = 0; j < i; j++)
      if ((places[j] ?? 0) < place && (best === null || (lengths[j] ?? 0) > (lengths[best] ?? 0))) best = j
    lengths[i] = best === null ? 1 : (lengths[best] ?? 0) + 1
    before[i] = best
  })
  const rising = new Set<number>()
  let at: number | null = lengths.length === 0 ? null : lengths.indexOf(Math.max(...lengths))
  while (at !== null) {
    rising.add(at)
    at = before[at] ?? null
  }
  return rising
}

/** What changed from one revision of a quote to another, line by line in the order of the later one. */
export function compareQuotes(from: ComparedQuote, to: ComparedQuote): Comparison {
  const top = (quote: ComparedQuote) => quote.lines.filter(({ parentLineGuid }) => parentLineGuid === null)
  const earlier = top(from)
  const later = top(to)
  const places = new Map(earlier.map((line, i) => [originOf(line), i]))
  const common = later.filter((line) => places.has(originOf(line)))
  const rising = risingOf(common.map((line) => places.get(originOf(line)) ?? 0))
  const lines = later.map((line): LineChange => {
    const originLineGuid = originOf(line)
    const was = earlier[places.get(originLineGuid) ?? -1]
    const net = netOf(line, to.lines)
    if (!was) return { change: 'added', originLineGuid, name: line.name, fields: [], deltaCents: net }
    const fields = changesOf(was, line, lineFields)
    const deltaCents = net - netOf(was, from.lines)
    const isMoved = !rising.has(common.indexOf(line))
    const change = fields.length > 0 || deltaCents !== 0 ? 'changed' : isMoved ? 'moved' : 'same'
    return { change, originLineGuid, name: line.name, fields, deltaCents }
  })
  const here = new Set(later.map(originOf))
  const removed = earlier
    .filter((line) => !here.has(originOf(line)))
    .map((line): LineChange => ({
      change: 'removed',
      originLineGuid: originOf(line),
      name: line.name,
      fields: [],
      deltaCents: 0 - netOf(line, from.lines),
    }))
  const side = ({ revision, number, totalCents }: ComparedQuote) => ({ revision, number: number ?? '', totalCents })
  return {
    from: side(from),
    to: side(to),
    lines: [...lines, ...removed],
    document: changesOf(from, to, documentFields),
    deltaCents: to.totalCents - from.totalCents,
  }
}
