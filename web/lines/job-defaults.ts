import type { JobDefaults } from '../../contract/job-types.ts'
import type { DepositRule } from '../../contract/lines.ts'
import { isBlank, newLine, ofProduct, type EditorLine, type Terms } from './line-state.ts'

/** What a kind of job fills in besides lines. */
export interface JobTexts {
  title: string
  intro: string
  depositRule: DepositRule
}
type Changes = { [K in keyof JobTexts]?: { before: JobTexts[K]; after: JobTexts[K] } }

/** What was filled in, with what it takes to take it back. */
export interface Filled {
  guid: string
  name: string
  /** The lines it brought, as they were then. */
  lines: readonly EditorLine[]
  /** Those that went for it. */
  replaced: readonly EditorLine[]
  texts: Changes
  /** Products that can’t be chosen, by name. */
  missing: readonly string[]
  /** The kind of job there was before. */
  before: string | null
}

/** Lines, and how they are priced. */
interface Setting {
  priceMode: Terms['priceMode']
  isRegistered: boolean
}

const bringing = (defaults: JobDefaults, { priceMode, isRegistered }: Setting): EditorLine[] =>
  defaults.lines.map(({ product, quantity }) => {
    const line = newLine('item', isRegistered ? 'GST' : 'NOT_REGISTERED')
    return { ...line, ...ofProduct(line, product, priceMode, isRegistered), quantity }
  })

/** Whether nobody has changed a line since it was brought; its price follows customer and quantity. */
function isAsBrought(line: EditorLine, brought: readonly EditorLine[]): boolean {
  const was = brought.find(({ key }) => key === line.key)
  return (
    was !== undefined &&
    !line.isPriceManual &&
    (['productGuid', 'name', 'description', 'quantity', 'isOptional', 'alternativeGroup'] as const).every(
      (field) => line[field] === was[field],
    )
  )
}

/** The lines that somebody entered: neither blank nor just as the last kind of job brought them. */
export const enteredLines = (lines: readonly EditorLine[], last: Filled | null): EditorLine[] =>
  lines.filter((line) => !isBlank(line) && !isAsBrought(line, last?.lines ?? []))

interface Content {
  lines: readonly EditorLine[]
  texts: Partial<JobTexts>
}
interface Choice extends Setting {
  /** What was filled in before and is as it was then goes. */
  last: Filled | null
  /** Whether lines that somebody entered stay above. */
  keepsLines: boolean
  /** What the fields hold in a document that nothing was entered into. */
  untouched: Partial<JobTexts>
  before: string | null
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Fills in what a kind of job brings. Words and a deposit that somebody entered stay as they are; so does the deposit
 * of a document that has lines.
 */
export function fillIn(defaults: JobDefaults, now: Content, choice: Choice): { content: Content; filled: Filled } {
  const { last, keepsLines } = choice
  const entered = enteredLines(now.lines, last)
  const kept = keepsLines ? entered : []
  const lines = bringing(defaults, choice)
  const texts: Changes = {}
  const next: Partial<JobTexts> = { ...now.texts }
  const fill = <K extends keyof JobTexts>(name: K, after: JobTexts[K] | null) => {
    const current = now.texts[name]
    if (current === undefined) return
    const brought = last?.texts[name]
    const before = brought && same(brought.after, current) ? brought.before : current
    const isFree = before !== current || current === '' || same(current, choice.untouched[name])
    const value = after ?? before
    if (!isFree || same(value, current)) return
    next[name] = value
    if (!same(value, before)) texts[name] = { before, after: value } as Changes[K]
  }
  fill('title', defaults.title)
  fill('intro', defaults.intro)
  // Who is asked about lines is asked about nothing else: the deposit stays, but for one that the last kind brought.
  if (entered.length === 0 || last?.texts.depositRule) fill('depositRule', defaults.depositRule)
  const all = [...kept, ...lines]
  return {
    content: { lines: all.length > 0 ? all : [newLine()], texts: next },
    filled: {
      guid: defaults.guid,
      name: defaults.name,
      lines,
      replaced: keepsLines ? [] : entered,
      texts,
      missing: defaults.missing,
      before: choice.before,
    },
  }
}

/** Takes back what was filled in; what was entered since stays. */
export function takeBack(filled: Filled, now: Content): Content {
  const brought = new Set(filled.lines.map(({ key }) => key))
  const others = now.lines.filter((line) => !brought.has(line.key) && !isBlank(line))
  const lines = [...filled.replaced, ...others]
  const texts: Partial<JobTexts> = { ...now.texts }
  const back = <K extends keyof JobTexts>(name: K) => {
    const change = filled.texts[name]
    if (change && same(now.texts[name], change.after)) texts[name] = change.before
  }
  back('title')
  back('intro')
  back('depositRule')
  return { lines: lines.length > 0 ? lines : [newLine()], texts }
}

/** The words again, for another customer, as far as nobody has changed them since. */
export function reworded(filled: Filled, defaults: JobDefaults, now: Partial<JobTexts>): Filled | null {
  const texts: Changes = { ...filled.texts }
  for (const name of ['title', 'intro'] as const) {
    const change = texts[name]
    if (change && now[name] === change.after && defaults[name] !== '')
      texts[name] = { before: change.before, after: defaults[name] }
  }
  return same(texts, filled.texts) ? null : { ...filled, texts }
}
