import { AppError } from '../../contract/core/errors.ts'
import { type MergeField, mergeFields, type MergeValue, type Side } from '../../contract/merges.ts'
import type { Ctx } from '../core/ctx.ts'
import type { CustomerRow, TermsRow } from './merges.queries.ts'

/** A field of whoever is kept: what it was, and what merging made of it. */
interface Change {
  before: unknown
  after: unknown
}
export type Changes = Record<string, Change>

const ofTerms = ['termsDays', 'discountBp'] as const
type TermsField = (typeof ofTerms)[number]
const isOfTerms = (field: MergeField): field is TermsField => (ofTerms as readonly string[]).includes(field)

const isEmpty = (value: unknown) => value === null || value === undefined || value === '' || value === 0
const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

export const noTerms = (customerGuid: string, businessGuid: string): TermsRow => ({
  customerGuid,
  businessGuid,
  termsDays: null,
  limitCents: null,
  isOnHold: false,
  holdReason: null,
  discountBp: 0,
  priceListGuid: null,
})
const termsIn = (terms: readonly TermsRow[], customerGuid: string, businessGuid: string): TermsRow =>
  terms.find((row) => row.customerGuid === customerGuid && row.businessGuid === businessGuid) ??
  noTerms(customerGuid, businessGuid)

interface Two {
  keep: CustomerRow
  from: CustomerRow
  terms: readonly TermsRow[]
}

const valueOf = (row: CustomerRow, terms: TermsRow, field: MergeField) =>
  (isOfTerms(field) ? terms[field] : row[field]) as MergeValue

/** What the two say differently, and whose word counts: the kept one's, where it says anything. */
export function fieldsOf({ keep, from, terms }: Two, businessGuid: string) {
  const own = termsIn(terms, keep.guid, businessGuid)
  const other = termsIn(terms, from.guid, businessGuid)
  return mergeFields.flatMap((field) => {
    const [mine, theirs] = [valueOf(keep, own, field), valueOf(from, other, field)]
    if (isSame(mine, theirs)) return []
    const mustChoose = field === 'abn' && mine !== null && theirs !== null
    const chosen: Side | null = mustChoose ? null : isEmpty(mine) ? 'from' : 'keep'
    return [{ field, keep: mine, from: theirs, chosen }]
  })
}

export type Choices = Partial<Record<MergeField, Side>>

/** Where the two have different ABNs somebody has to say which one holds. */
export function mustBeChosen(two: Two, businessGuid: string, choices: Choices) {
  const open = fieldsOf(two, businessGuid).filter(({ field, chosen }) => chosen === null && !choices[field])
  if (open.length === 0) return
  throw new AppError('VALIDATION_FAILED', undefined, {
    fields: open.map(({ field }) => ({ path: `choices.${field}`, message: 'Choose which ABN to keep.' })),
  })
}

const joined = (mine: string | null, theirs: string | null) =>
  [mine, theirs].filter(Boolean).join('\n\n').slice(0, 4000) || null

const changesBetween = (before: object, after: object): Changes => {
  const old = new Map(Object.entries(before))
  return Object.fromEntries(
    Object.entries(after)
      .filter(([field, value]) => !isSame(old.get(field), value))
      .map(([field, value]) => [field, { before: old.get(field) ?? null, after: value as unknown }]),
  )
}

/** What becomes of the fields of whoever is kept. Notes are joined. */
export function plannedFields(two: Two, businessGuid: string, choices: Choices): Changes {
  const { keep, from } = two
  const after: Record<string, unknown> = { internalNotes: joined(keep.internalNotes, from.internalNotes) }
  for (const { field, from: theirs, chosen } of fieldsOf(two, businessGuid))
    if (!isOfTerms(field) && (choices[field] ?? chosen) === 'from') after[field] = theirs
  return changesBetween(keep, after)
}

const lower = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b))

/** The same of the terms each business has with him: a hold stays, and the lower limit wins. */
export function plannedTerms({ keep, from, terms }: Two, ctx: Pick<Ctx, 'business'>, choices: Choices) {
  const businesses = [...new Set(terms.map((row) => row.businessGuid))]
  return Object.fromEntries(
    businesses.flatMap((businessGuid) => {
      const own = termsIn(terms, keep.guid, businessGuid)
      const other = termsIn(terms, from.guid, businessGuid)
      const choiceOf = (field: TermsField): Side =>
        (businessGuid === ctx.business.guid ? choices[field] : undefined) ?? (isEmpty(own[field]) ? 'from' : 'keep')
      const after = {
        termsDays: choiceOf('termsDays') === 'from' ? other.termsDays : own.termsDays,
        discountBp: choiceOf('discountBp') === 'from' ? other.discountBp : own.discountBp,
        limitCents: lower(own.limitCents, other.limitCents),
        isOnHold: own.isOnHold || other.isOnHold,
        holdReason: own.isOnHold ? own.holdReason : other.holdReason,
        priceListGuid: own.priceListGuid ?? other.priceListGuid,
      }
      const changes = changesBetween(own, after)
      return Object.keys(changes).length > 0 ? [[businessGuid, changes] as const] : []
    }),
  )
}

/** What is still as it was merged goes back to what it was; the rest is left. */
export function takenBack(changes: Changes, now: object) {
  const present = new Map(Object.entries(now))
  const entries = Object.entries(changes)
  const back = entries.filter(([field, { after }]) => isSame(present.get(field), after))
  const left = entries.filter(([field, { after }]) => !isSame(present.get(field), after))
  return {
    restored: Object.fromEntries(back.map(([field, { before }]) => [field, before])),
    leftAsIs: left.map(([field]) => ({ field, value: (present.get(field) ?? null) as MergeValue })),
  }
}
