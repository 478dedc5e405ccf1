import { type RawBuilder, sql } from 'kysely'
import { isDated } from '../../contract/display-status.ts'
import type { Hit, Noun, Pool } from '../../contract/noun.ts'
import { rowOf } from '../../contract/nouns.ts'
import { nounOfKind, type SearchKind, searchKinds } from '../../contract/search.ts'
import type { Action } from '../../contract/core/op.ts'
import { searchText } from '../core/records.ts'
import { digitsOf } from '../documents/search-terms.service.ts'
import { displayStatusOf } from '../documents/statuses.service.ts'
import { isRowNoun, type RowNoun } from '../row-scope/row-scope.service.ts'

/** How one kind of record is found: made of the noun's row, on the alias `d`. */
export interface Source {
  kind: SearchKind
  /** The noun whose row filter holds, and the column of its records where these are parts of them. */
  rows: { noun: RowNoun; by?: string }
  table: string
  /** The column of the business in whose lists it stands; users are of no business. */
  business: string | undefined
  /** Where businesses may share that list: what a business tells it by. */
  pool: Pool | undefined
  /** The columns of a hit. */
  openGuid: RawBuilder<unknown>
  label: RawBuilder<unknown>
  detail: RawBuilder<unknown>
  /** When it was issued, received or else made, where that tells it from others: a day of the business. */
  day: (timeZone: RawBuilder<string>) => RawBuilder<unknown>
  /** The word it wears on a day of the business. */
  status: (today: RawBuilder<string>) => RawBuilder<unknown>
  /** Cents, where it has an amount it is found by. */
  amount?: RawBuilder<unknown>
  /** The amount with its sign. */
  amountShown: RawBuilder<unknown>
  /** The right that its amount asks for, where seeing the record is not enough. */
  amountFor?: readonly [Action, string] | undefined
  text: RawBuilder<unknown>
  /** Has numbers that people quote. */
  isNumbered: boolean
  /** Digits of phone numbers, as their index has them. */
  phone?: RawBuilder<unknown>
  /** The customer it is made for: found by his name, too. */
  customer?: RawBuilder<unknown>
  isLive: RawBuilder<unknown>
  newest: RawBuilder<unknown>
  /** A text that this many of the newest records have is common: then the newest ones are the answer. */
  commonFrom: number
}

/** The alias of whatever is found. */
export const alias = 'd'
export const of = (column: string) => sql.ref(`${alias}.${column}`)
const first = (columns: readonly RawBuilder<unknown>[]) => sql`coalesce(${sql.join(columns)})`
const customerName = sql`(select m.display_name from parties m where m.member_guid = ${of('customerGuid')})`
/** Descriptions are long. */
const longestDetail = 80
/** Of documents few are alike: names of people and things are. */
const commonFrom = { numbered: 10, named: 50 } as const

const dayOf = (columns: readonly string[], timeZone: RawBuilder<string>) =>
  first(
    columns.map((column) => (column.endsWith('At') ? sql`(${of(column)} at time zone ${timeZone})::date` : of(column))),
  )

/** Of whom no amount is told. */
export const noAmount = sql`null::bigint`

/** What stands beside the label, without what the label says itself. */
const detailOf = ({ detail }: Hit, label: RawBuilder<unknown>) =>
  sql`concat_ws(' · ', ${sql.join(
    detail.map((column) =>
      column === 'customer' ? customerName : sql`nullif(left(${of(column)}, ${sql.lit(longestDetail)}), ${label})`,
    ),
  )})`

function amountsOf(
  { scope, amountFor }: Noun,
  { takenBack }: Hit,
): Pick<Source, 'amount' | 'amountShown' | 'amountFor'> {
  if (!scope?.amount) return { amountShown: noAmount }
  const amount = of(scope.amount)
  if (!takenBack) return { amount, amountShown: amount, amountFor }
  const [column, value] = takenBack
  return {
    amount,
    amountShown: sql`case when ${of(column)} = ${sql.lit(value)} then -${amount} else ${amount} end`,
    amountFor,
  }
}

function sourceOf(kind: SearchKind): Source {
  const noun = nounOfKind(kind)
  const row = rowOf(noun)
  const { hit, searchText: columns = [], partOf, scope } = row
  const rowNoun = partOf?.noun ?? noun
  if (!hit || !isRowNoun(rowNoun)) throw new Error(`${noun} is not found`)
  const label = first(hit.label.map(of))
  const isNumbered = columns.includes('number')
  return {
    kind,
    rows: { noun: rowNoun, ...(partOf && { by: partOf.by }) },
    table: row.table,
    business: partOf?.listed ?? scope?.business,
    pool: row.pool,
    openGuid: of(partOf?.by ?? 'guid'),
    label,
    detail: detailOf(hit, label),
    day: (timeZone) => (hit.day ? dayOf(hit.day, timeZone) : sql`null::date`),
    status: (today) =>
      isDated(noun) ? displayStatusOf(noun, alias, today) : scope?.status ? of(scope.status) : sql`null::text`,
    ...amountsOf(row, hit),
    text: searchText(alias),
    isNumbered,
    ...(columns.includes('phone') && { phone: digitsOf(`${alias}.phone`) }),
    ...(row.isDocument && { customer: of('customerGuid') }),
    isLive: row.isForGood
      ? sql`true`
      : sql`${of('archivedAt')} is null${row.merged ? sql` and ${of(row.merged)} is null` : sql``}`,
    newest: of('createdAt'),
    commonFrom: isNumbered ? commonFrom.numbered : commonFrom.named,
  }
}

export const sources: readonly Source[] = searchKinds.map(sourceOf)
