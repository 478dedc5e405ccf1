import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { Address } from '../../contract/core/address.ts'
import { formatAbn } from '../../contract/core/abn.ts'
import { useFormat, type Format } from '../core/i18n/format.ts'
import { useT, type T } from '../core/i18n/i18n.ts'
import type { PhraseKey } from '../core/i18n/phrases.ts'
import { breakingAt } from '../core/ui/breaking-at.tsx'
import type { KeyValue } from '../core/ui/key-values.tsx'
import { addressText } from './address-text.ts'
import { kindOf, type FieldKind } from './field-kinds.ts'

export interface Say {
  t: T
  f: Format
}

/** What a field is called on every screen. What its schema says of it is not said again. */
export interface FieldRow<V = unknown> {
  label: PhraseKey
  hint?: PhraseKey
  /** What the values of a choice are called. */
  words?: (value: string) => string
  /** How it reads where its kind does not tell; `whole` is the record it stands in. */
  show?(value: V | null, say: Say, whole: Readonly<Record<string, unknown>>): ReactNode
  /** Forms and facts draw the fields of a place in the order of the rows; without one, the noun draws it itself. */
  place?: string
}

/**
 * The fields of a noun: the contract's schema, and a row for each of its fields. One that
 * lacks its row does not compile.
 */
export interface Fields<I extends object> {
  schema: z.ZodObject & z.ZodType<I>
  rows: { readonly [K in keyof I]-?: FieldRow<NonNullable<I[K]>> }
}

export const namesOf = <I extends object>({ rows }: Fields<I>) => Object.keys(rows) as (keyof I & string)[]
export const namesAt = <I extends object>(fields: Fields<I>, place: string) =>
  namesOf(fields).filter((name) => fields.rows[name].place === place)
export const schemaOf = <I extends object>({ schema }: Fields<I>, name: string) => schema.shape[name] as z.ZodType

const dialled = (number: string) => `tel:${number.replaceAll(/[^\d+]/g, '')}`

function read(kind: FieldKind, value: unknown, { t, f }: Say): ReactNode {
  if (kind === 'switch') return t(value === true ? 'common:yes' : 'common:no')
  if (typeof value === 'number') return kind === 'money' ? f.money(value) : f.number(value)
  if (kind === 'address') return addressText(value as Address)
  if (typeof value !== 'string') return null
  if (kind === 'abn')
    return (
      <bdi dir="ltr" className="nowrap tabular">
        {formatAbn(value)}
      </bdi>
    )
  return kind === 'day' ? f.date(value) : value
}

/** How a value of a record reads: in facts, and where two versions stand side by side. */
export function useShown<I extends object>(fields: Fields<I>) {
  const t = useT('common')
  const f = useFormat()
  return (name: keyof I & string, whole: object): ReactNode => {
    const values = whole as Record<string, unknown>
    const row = fields.rows[name] as FieldRow
    const value = values[name] ?? null
    if (row.show) return row.show(value, { t, f }, values)
    if (value === null || value === '') return null
    return row.words && typeof value === 'string'
      ? row.words(value)
      : read(kindOf(schemaOf(fields, name)), value, { t, f })
  }
}

/** The facts of a record that have a place there, each in its own way: one writes to an address and calls a number. */
export function useFacts<I extends object>(fields: Fields<I>, place: string) {
  const t = useT('common')
  const shown = useShown(fields)
  return (record: object): KeyValue[] =>
    namesAt(fields, place).map((name) => {
      const value = shown(name, record)
      const kind = kindOf(schemaOf(fields, name))
      const reach = typeof value === 'string' && (kind === 'email' || kind === 'phone')
      return {
        label: t(fields.rows[name].label),
        value: reach ? <Reach address={value} isPhone={kind === 'phone'} /> : value,
      }
    })
}

export function Reach({ address, isPhone = false }: { address: string; isPhone?: boolean }) {
  return (
    <a className={`link ${isPhone ? 'nowrap' : ''}`} href={isPhone ? dialled(address) : `mailto:${address}`}>
      {breakingAt(address)}
    </a>
  )
}
