import { isList, type VariableFields, type VariableType } from '../../../../contract/template-variables.ts'
import type { ComboOption } from '../combo-list.tsx'

/** The variables that may be written, each with what is written for it. */
export interface VariableChoice {
  path: string
  type: Exclude<VariableType, object> | 'list'
  insert: string
}

const filters: Readonly<Record<string, string>> = {
  money: ' | money',
  date: ' | date',
  dateTime: ' | dateTime',
  number: ' | number',
}
const oneOf = (path: string) => {
  const last = path.split('.').at(-1) ?? ''
  return last.length > 2 && last.endsWith('s') ? last.slice(0, -1) : 'item'
}

function written(path: string, type: Exclude<VariableType, VariableFields>): string {
  if (typeof type === 'object') {
    const one = oneOf(path)
    const [field = 'name', of = 'text'] = Object.entries(type.each as VariableFields)[0] ?? []
    const filter = typeof of === 'string' ? (filters[of] ?? '') : ''
    return `{% for ${one} in ${path} %}{{ ${one}.${field}${filter} }}{% endfor %}`
  }
  return type === 'boolean' ? `{% if ${path} %}{% endif %}` : `{{ ${path}${filters[type] ?? ''} }}`
}

export const choicesOf = (fields: VariableFields, before = ''): VariableChoice[] =>
  Object.entries(fields).flatMap(([name, type]): VariableChoice[] => {
    if (name === '') return []
    const path = before ? `${before}.${name}` : name
    if (typeof type !== 'object') return [{ path, type, insert: written(path, type) }]
    if (isList(type)) return [{ path, type: 'list', insert: written(path, type) }]
    return choicesOf(type, path)
  })

export interface Completing {
  /** How many letters before the caret are replaced. */
  length: number
  query: string
}
/** `/` after a blank, or two braces: somebody asks for a variable. Null: nobody does. */
export function completingIn(before: string): Completing | null {
  const found = /(?:^|[\s\u00a0])(\/)([\w.]*)$/.exec(before) ?? /(\{\{[ \u00a0]?)([\w.]*)$/.exec(before)
  if (!found) return null
  const [, start = '', query = ''] = found
  return { length: start.length + query.length, query }
}

const most = 50
/** Those that match what was typed, the ones that begin with it first. */
export function matching(choices: readonly VariableChoice[], query: string): VariableChoice[] {
  const typed = query.toLowerCase()
  const rank = ({ path }: VariableChoice) => {
    const at = path.toLowerCase().indexOf(typed)
    return at < 0 ? 3 : at === 0 ? 0 : path[at - 1] === '.' ? 1 : 2
  }
  return choices
    .map((choice) => ({ choice, rank: rank(choice) }))
    .filter((one) => one.rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map((one) => one.choice)
}

export const optionOf = (choice: VariableChoice, hint: string): ComboOption => ({
  value: choice.insert,
  label: choice.path,
  hint,
})
