import { readable } from '../../contract/contrast.ts'
import type { DocumentBusiness, Suit } from './document.ts'

/** The colour of a paper, and the same as it is read on white. */
export function accentsOf({ primaryColour: own }: DocumentBusiness, suit: Suit | null = null) {
  const primaryColour = suit?.dress.light.primary ?? own
  const accent = /^#[0-9a-f]{6}$/i.test(primaryColour) ? primaryColour : '#675DD8'
  return { accent, accentInk: readable(accent) }
}

/** Every text in a value, made printable. */
export function cleaned<T>(value: T, clean: (text: string) => string): T {
  if (typeof value === 'string') return clean(value) as T
  if (Array.isArray(value)) return value.map((item: unknown) => cleaned(item, clean)) as T
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleaned(item, clean)])) as T
}
