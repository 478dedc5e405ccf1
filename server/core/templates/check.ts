import { ForTag, IfTag, Output, type Template, type Token, TokenKind, UnlessTag, type Value } from 'liquidjs'
import {
  isList,
  missingVariable,
  type VariableFields,
  type VariableType,
} from '../../../contract/template-variables.ts'
import { fillTemplate, parseTemplate } from './engine.ts'

export interface TemplateProblem {
  /** Beginning with 1. */
  line: number
  /** The words it is about, as they are written there. */
  at: string
  message: string
}

/** What each filter takes; `any` takes whatever there is. */
const takes: Readonly<Record<string, readonly string[] | 'any' | 'list'>> = {
  money: ['money'],
  date: ['date', 'dateTime'],
  dateTime: ['dateTime'],
  number: ['number'],
  plural: ['number'],
  default: 'any',
  first: 'list',
}
/** Types that do not write themselves, and which filter does. */
const unwritten: Readonly<Record<string, (path: string) => string>> = {
  money: (path) => `\`${path}\` is an amount. Write \`${path} | money\` to show it with dollars and cents.`,
  date: (path) => `\`${path}\` is a date. Write \`${path} | date\` to show it in the customer’s language.`,
  dateTime: (path) =>
    `\`${path}\` is a date and time. Write \`${path} | dateTime\` to show it in the customer’s language.`,
}

const loop: VariableFields = { first: 'boolean', last: 'boolean', index: 'number' }

interface Walk {
  scope: VariableFields
  /** Of these, whatever was probably meant. */
  offered: VariableFields
  /** Where a path that is not there belongs, in a sentence. */
  elsewhere: (path: string) => string | null
  say: (token: Token, message: string) => void
}

interface PathToken extends Token {
  variable?: unknown
  props: Token[]
}

/** A name or a number between the dots of a path; null for what would have to be worked out. */
const nameOf = (token: Token): string | null => {
  const { content } = token as Token & { content?: unknown }
  if (token.kind !== TokenKind.Number && token.kind !== TokenKind.Word && token.kind !== TokenKind.Quoted) return null
  return typeof content === 'string' || typeof content === 'number' ? String(content) : null
}

/** What a path leads to; null where that is said already. */
function typeOfPath(token: PathToken, { scope, offered, elsewhere, say }: Walk): VariableType | null {
  const names = token.props.map(nameOf)
  if (token.variable !== undefined || names.includes(null)) {
    say(token, 'Write variables with dots, such as `customer.name`.')
    return null
  }
  const path = names.join('.')
  // A variable of a loop may be called like what other kinds have.
  const isOwn = typeof scope[names[0] ?? ''] === 'object'
  let type: VariableType = scope
  for (const name of names as string[]) {
    if (isList(type as VariableType) && name === 'size') type = 'number'
    else if (isList(type as VariableType) && (name === 'first' || name === 'last'))
      type = (type as { each: VariableFields }).each
    else if (typeof type === 'object' && !isList(type) && Object.hasOwn(type, name)) type = type[name] ?? 'text'
    else {
      say(token, (isOwn ? null : elsewhere(path)) ?? missingVariable(offered, path))
      return null
    }
  }
  return type
}

function typeOfToken(token: Token, walk: Walk): VariableType | null {
  if (token.kind === TokenKind.PropertyAccess) return typeOfPath(token as PathToken, walk)
  if (token.kind === TokenKind.Range) {
    walk.say(token, 'Ranges can’t be used here. Repeat over a list.')
    return null
  }
  return token.kind === TokenKind.Number ? 'number' : 'text'
}

const textOf = (token: Token) => token.input.slice(token.begin, token.end)

/** What an expression with its filters comes to. */
function typeOfValue(value: Value, walk: Walk): VariableType | null {
  let type: VariableType | null = 'text'
  const tokens = value.initial.postfix
  for (const token of tokens) if (token.kind !== TokenKind.Operator) type = typeOfToken(token, walk)
  if (tokens.length > 1) type = 'boolean'
  for (const filter of value.filters) {
    for (const arg of filter.args) typeOfToken(Array.isArray(arg) ? (arg[1] as Token) : (arg as Token), walk)
    const [first] = tokens
    if (type === null || !first) continue
    const wanted = takes[filter.name] ?? 'any'
    if (wanted === 'list') {
      if (isList(type)) type = type.each
      else walk.say(first, `\`${textOf(first)}\` isn’t a list.`)
      continue
    }
    if (wanted === 'any') continue
    if (typeof type !== 'string' || !wanted.includes(type)) {
      walk.say(first, `\`${filter.name}\` doesn’t work with \`${textOf(first)}\`.`)
      return null
    }
    type = 'text'
  }
  return type
}

function checkOutput(output: Output, walk: Walk) {
  const type = typeOfValue(output.value, walk)
  const [token] = output.value.initial.postfix
  if (type === null || !token) return
  const path = textOf(token)
  if (typeof type === 'string') {
    const sentence = unwritten[type]?.(path)
    if (sentence) walk.say(token, sentence)
  } else if (isList(type)) walk.say(token, `\`${path}\` is a list. Repeat over it with \`for\`.`)
  else if (!('' in type))
    walk.say(token, `Choose a field of \`${path}\`, such as \`${path}.${Object.keys(type)[0] ?? ''}\`.`)
}

function checkLoop(tag: ForTag, walk: Walk) {
  for (const token of Object.values(tag.hash.hash)) if (token) typeOfToken(token, walk)
  const type = typeOfToken(tag.collection as unknown as Token, walk)
  if (type !== null && !isList(type))
    walk.say(tag.token, `\`${textOf(tag.collection as unknown as Token)}\` isn’t a list.`)
  const each = type !== null && isList(type) ? type.each : null
  if (each) {
    const inner = { [tag.variable]: each, forloop: loop }
    const { scope, offered } = walk
    walkTemplates(tag.templates, { ...walk, scope: { ...scope, ...inner }, offered: { ...offered, ...inner } })
  }
  walkTemplates(tag.elseTemplates, walk)
}

function walkTemplates(templates: readonly Template[] | undefined, walk: Walk) {
  for (const template of templates ?? []) {
    if (template instanceof Output) checkOutput(template, walk)
    else if (template instanceof ForTag) checkLoop(template, walk)
    else if (template instanceof IfTag || template instanceof UnlessTag) {
      for (const branch of template.branches) {
        typeOfValue(branch.value, walk)
        walkTemplates(branch.templates, walk)
      }
      walkTemplates(template.elseTemplates, walk)
    }
  }
}

const lineOf = (token: Token | undefined): number => token?.getPosition()[0] ?? 1

/** Of braces that nothing closes, what stands in their line and element. */
const placeOf = (token: Token | undefined): string => {
  const text = token ? textOf(token) : ''
  return /[}%]\}$/.test(text) ? text : (/^[^<\n]*/.exec(text)?.[0] ?? '')
}

/** What is missing at the end of what was begun. */
function unclosed(text: string): string {
  const tag = /^\{%-?\s*(\w+)[^]*%\}$/.exec(text)?.[1]
  if (tag) return `Close \`{% ${tag} %}\` with \`{% end${tag} %}\`.`
  const begun = /^\{[{%]-?\s*[\w.]*/.exec(text)?.[0].trim() ?? ''
  return `Close \`${begun}\` with \`${begun.startsWith('{%') ? '%}' : '}}'}\`.`
}

/** What the engine says is for programmers; these are the mistakes people make. */
function sentenceOf(message: string, text: string): string {
  const tag = /tag "(\w+)" not found/.exec(message)?.[1]
  if (tag) return `The tag \`${tag}\` can’t be used here.`
  const filter = /undefined filter: (\w+)/.exec(message)?.[1]
  if (filter) return `The filter \`${filter}\` can’t be used here.`
  if (/not closed/.test(message)) return unclosed(text)
  if (/limit exceeded/i.test(message)) return 'This template takes too long or is too large.'
  return 'We can’t read this. Check the braces.'
}
function problemOf(error: unknown): TemplateProblem {
  const { message = '', token } = error as { message?: string; token?: Token }
  return { line: lineOf(token), at: placeOf(token), message: sentenceOf(message, token ? textOf(token) : '') }
}

const maxProblems = 20

interface Placed extends TemplateProblem {
  begin: number
}

/** From where to where the engine could not read: all of an output, since half of one is a mistake again. */
function stoppedAt(text: string, token: Token): [begin: number, end: number] {
  const begin = text.lastIndexOf('{{', token.begin)
  if (begin === -1 || begin < text.lastIndexOf('{%', token.begin)) return [token.begin, token.end]
  const close = text.indexOf('}}', begin)
  return [begin, Math.max(token.end, close === -1 ? 0 : close + 2)]
}

/** An output that reaches into the next one lacks its end. */
const halfOf = (output: string): Partial<TemplateProblem> =>
  /^\{\{[^]*\{\{/.test(output) ? { at: /^[^<\n]*/.exec(output)?.[0] ?? '', message: unclosed(output) } : {}

/** What the engine stops at is told and blanked, and the rest is read on. */
function readOn(text: string): { templates: Template[]; problems: Placed[] } {
  const problems: Placed[] = []
  const refused = new Set<string>()
  let rest = text
  while (problems.length < maxProblems) {
    try {
      return { templates: parseTemplate(rest), problems }
    } catch (error) {
      const { message = '', token } = error as { message?: string; token?: Token }
      const [, end, name = ''] = /tag "(end)?(\w+)" not found/.exec(message) ?? []
      const isPart = token?.input === rest && !/limit exceeded/i.test(message)
      const [from, to] = isPart ? stoppedAt(rest, token) : [0, 0]
      const stopped = rest.slice(from, to)
      // The end of a block that was told belongs to it, and so does what is left of an output.
      const isTold = (end && refused.has(name)) || stopped !== text.slice(from, to)
      if (!isTold) problems.push({ ...problemOf(error), ...halfOf(stopped), begin: token?.begin ?? 0 })
      if (name) refused.add(name)
      if (stopped.trim() === '') break
      rest = rest.slice(0, from) + stopped.replaceAll(/[^\n]/g, ' ') + rest.slice(to)
    }
  }
  return { templates: [], problems }
}

/**
 * Everything that is wrong with a template: every variable, also those of loops, is looked up in its scope with the
 * type it has there. One that passes writes something for every record. Of what isn’t there, the nearest that is
 * offered is named, unless it belongs elsewhere.
 */
export function checkTemplate(
  text: string,
  variables: VariableFields,
  { offered = variables, elsewhere = () => null }: Partial<Pick<Walk, 'offered' | 'elsewhere'>> = {},
): TemplateProblem[] {
  const { templates, problems } = readOn(text)
  const say = (token: Token, message: string) =>
    void problems.push({ line: lineOf(token), at: textOf(token), message, begin: token.begin })
  walkTemplates(templates, { scope: variables, offered, elsewhere, say })
  return problems
    .toSorted((a, b) => a.begin - b.begin)
    .slice(0, maxProblems)
    .map(({ line, at, message }) => ({ line, at, message }))
}

/** Fills a template, or says why that cannot be done; what could be written nonetheless is empty. */
export function tryTemplate(
  text: string,
  variables: VariableFields,
  values: object,
  settings: Parameters<typeof fillTemplate>[2],
): { text: string; problems: TemplateProblem[] } {
  const problems = checkTemplate(text, variables)
  if (problems.length > 0) return { text: '', problems }
  try {
    return { text: fillTemplate(text, values, settings), problems: [] }
  } catch (error) {
    return { text: '', problems: [problemOf(error)] }
  }
}
