import { type Comparison, type Condition, isLeaf, type Leaf, partsOf } from './core/conditions.ts'
import { type FieldError } from './core/errors.ts'
import { factsOf } from './event-log.ts'
import { type EventName, events, type EventValue } from './events.ts'
import { isList, missingVariable, type VariableFields, type VariableType } from './template-variables.ts'

/** What the audit log says of an event, by the names conditions have for it: amounts without their cents. */
const valueTypes: Readonly<Record<EventValue, readonly [name: string, type: VariableType]>> = {
  number: ['number', 'text'],
  title: ['title', 'text'],
  name: ['name', 'text'],
  amountCents: ['amount', 'money'],
  totalCents: ['total', 'money'],
  balanceCents: ['balance', 'money'],
  reason: ['reason', 'text'],
  to: ['to', 'text'],
  note: ['note', 'text'],
  status: ['status', 'text'],
  method: ['method', 'text'],
  kind: ['kind', 'text'],
  subject: ['subject', 'text'],
  count: ['count', 'number'],
  until: ['until', 'date'],
}

/** What a condition of an event may speak of: what the log says of it, and what its record says. */
export function eventFields(event: EventName): VariableFields {
  const { noun, values } = events[event]
  return {
    ...Object.fromEntries(values.map((value) => valueTypes[value])),
    ...(noun ? factsOf(noun) : {}),
  }
}

export type FieldType = Extract<VariableType, string> | 'list'
export interface EventField {
  path: string
  type: FieldType
}

/** The same as one list, in order: what stands inside of lists is left out. */
export function fieldsOf(event: EventName): EventField[] {
  const flat = (fields: VariableFields, before: string): EventField[] =>
    Object.entries(fields).flatMap(([name, type]) => {
      if (name === '') return []
      const path = before + name
      if (typeof type === 'string') return [{ path, type }]
      return isList(type) ? [{ path, type: 'list' as const }] : flat(type, `${path}.`)
    })
  return flat(eventFields(event), '')
}

const ordered = ['equals', 'notEquals', 'above', 'atLeast', 'below', 'atMost'] as const
const ofText = ['equals', 'notEquals', 'contains', 'oneOf'] as const
/** How a value of each type is compared; every one may also be asked for being there. */
export const comparisonsOf: Readonly<Record<FieldType, readonly Comparison[]>> = {
  text: ofText,
  link: ofText,
  money: ordered,
  number: ordered,
  date: ordered,
  dateTime: ordered,
  boolean: ['equals'],
  list: [],
}

const dayShape = /^\d{4}-\d{2}-\d{2}$/
const isCents = (value: unknown) => Number.isSafeInteger(value)
const isText = (value: unknown) => typeof value === 'string'
/** What a value of each type is compared with, and what is said of anything else. */
const wanted: Readonly<Record<FieldType, readonly [(value: unknown) => boolean, string]>> = {
  text: [isText, 'Enter a text.'],
  link: [isText, 'Enter a text.'],
  money: [isCents, 'Enter an amount in cents.'],
  number: [Number.isFinite, 'Enter a number.'],
  date: [(value) => isText(value) && dayShape.test(String(value)), 'Enter a date such as 2026-07-01.'],
  dateTime: [(value) => isText(value) && dayShape.test(String(value)), 'Enter a date such as 2026-07-01.'],
  boolean: [(value) => typeof value === 'boolean', 'Choose yes or no.'],
  list: [() => false, 'Choose whether it is empty.'],
}

function typeAt(fields: VariableFields, path: string): VariableType | null {
  let type: VariableType = fields
  for (const name of path.split('.')) {
    if (typeof type !== 'object' || isList(type) || !Object.hasOwn(type, name)) return null
    type = type[name] ?? 'text'
  }
  return type
}

/** What is wrong with one question about a value; null where nothing is. */
function problemOf(
  leaf: Leaf,
  fields: VariableFields,
): readonly [field: 'path' | 'is' | 'value', message: string] | null {
  const type = typeAt(fields, leaf.path)
  if (type === null) return ['path', missingVariable(fields, leaf.path)]
  if (typeof type === 'object' && !isList(type))
    return ['path', `Choose a field of \`${leaf.path}\`, such as \`${leaf.path}.${Object.keys(type)[0] ?? ''}\`.`]
  if (!('value' in leaf)) return null
  const kind: FieldType = typeof type === 'object' ? 'list' : type
  if (!comparisonsOf[kind].includes(leaf.is)) return ['is', 'This comparison doesn’t fit the field.']
  const [fits, sentence] = wanted[kind]
  const isOne = leaf.is === 'oneOf' ? Array.isArray(leaf.value) : !Array.isArray(leaf.value)
  return isOne && [leaf.value].flat().every(fits) ? null : ['value', sentence]
}

/** Everything in a condition that an event cannot answer, each at its place. */
export function conditionProblems(condition: Condition, fields: VariableFields, at: string): FieldError[] {
  if (!isLeaf(condition)) {
    const group = Object.keys(condition)[0] ?? ''
    const place = (i: number) => (group === 'not' ? `${at}.not` : `${at}.${group}.${i}`)
    return partsOf(condition).flatMap((part, i) => conditionProblems(part, fields, place(i)))
  }
  const problem = problemOf(condition, fields)
  return problem ? [{ path: `${at}.${problem[0]}`, message: problem[1] }] : []
}
