import type { Figure } from './load.ts'

/** What was said in this run, for the file of results. */
export const said: string[] = []
export const say = (text: string) => {
  console.log(text)
  said.push(text)
}

export const argument = (name: string) => process.argv.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3)
const only = argument('only')?.split(',') ?? null
export const wants = (name: string) => only === null || only.includes(name)
/** Only when it is named, because it takes long or speaks of other data. */
export const wantsNamed = (name: string) => only?.includes(name) ?? false
export const seconds = Number(argument('seconds') ?? 4)

export const f = (value: number, digits = 1) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
export const verdict = (value: number, most: number) => (value <= most ? 'OK' : 'over')
export const table = (heads: readonly string[]) => {
  say(`\n| ${heads.join(' | ')} |`)
  say(`|${heads.map((_, i) => (i === 0 ? '---' : '--:')).join('|')}|`)
}
export const row = (cells: readonly string[]) => say(`| ${cells.join(' | ')} |`)

export const errorsOf = (ours: Figure, thin: Figure) =>
  thin.errors > 0 ? `${ours.errors} (thin ${thin.errors})` : String(ours.errors)
