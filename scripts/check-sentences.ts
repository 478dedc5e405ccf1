import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'
import { errorCatalogue } from '../contract/core/errors.ts'

/**
 * Every sentence with which the server or a schema refuses something is its own key in the dictionaries of the other
 * languages: this fails when one of them lacks a sentence, or when its values are not the same.
 */
interface Node {
  type: string
  [key: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The browser knows these by their English words, and says them itself. */
const fixed = new Set(['Insufficient permissions', 'No GUID was found', 'Guest Authentication Failed'])
/** Read by operators and programmers, in the terminal and in the description of the API. */
const spokenToOperators = [
  /^server\/(sandbox|sample|ledger|documents|core\/db\/embedded)/,
  /^server\/core\/(env|shutdown|data-dir|colour|qr|log)\.ts$/,
  /^server\/core\/http\/openapi\.ts$/,
  /^server\/[^/]+\.ts$/,
  /\.test\.ts$/,
]
const isSpokenToPeople = (file: string) => !spokenToOperators.some((pattern) => pattern.test(file))

/** Where the sentence stands among the arguments. */
const refusals: Readonly<Record<string, number>> = {
  AppError: 1,
  invalid: 1,
  alreadyExists: 1,
  conflict: 0,
  invalidTransition: 0,
  forbidden: 0,
  notFound: 0,
  countUse: 3,
  signatureProblem: 0,
  absent: 1,
  refuse: 2,
  wrong: 0,
}
const checks = new Set(['min', 'max', 'length', 'regex', 'refine', 'email', 'superRefine'])

const found = new Map<string, string>()

/** A sentence that is broken into two: its values are counted through. */
const joined = (beginning: string, end: string) => {
  const before = beginning.match(/\{\d\}/g)?.length ?? 0
  return beginning + end.replaceAll(/\{(\d)\}/g, (_, n: string) => `{${Number(n) + before}}`)
}

function textsOf(node: unknown, constants: ReadonlyMap<string, Node>): string[] {
  if (!isNode(node)) return []
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value]
  if (node.type === 'TemplateLiteral') {
    const quasis = (node.quasis as { value: { cooked: string } }[]).map((part) => part.value.cooked)
    return [quasis.reduce((text, part, i) => `${text}{${i - 1}}${part}`)]
  }
  if (node.type === 'ConditionalExpression')
    return [...textsOf(node.consequent, constants), ...textsOf(node.alternate, constants)]
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const ends = textsOf(node.right, constants)
    return textsOf(node.left, constants).flatMap((beginning) => ends.map((end) => joined(beginning, end)))
  }
  if (node.type === 'LogicalExpression') return [...textsOf(node.left, constants), ...textsOf(node.right, constants)]
  const known = node.type === 'Identifier' ? constants.get(String(node.name)) : undefined
  return known ? textsOf(known, new Map()) : []
}

const nameOf = (node: unknown): string =>
  isNode(node) ? String(node.name ?? (isNode(node.property) ? node.property.name : '')) : ''

function sentencesIn(node: Node, constants: ReadonlyMap<string, Node>): string[] {
  const given = Array.isArray(node.arguments) ? (node.arguments as Node[]) : []
  if (
    node.type === 'NewExpression' ||
    (node.type === 'CallExpression' && isNode(node.callee) && node.callee.type === 'Identifier')
  ) {
    const at = refusals[nameOf(node.callee)]
    return at === undefined ? [] : textsOf(given[at], constants)
  }
  if (node.type === 'CallExpression' && checks.has(nameOf(node.callee)))
    return given
      .flatMap((argument) =>
        ['Literal', 'TemplateLiteral', 'BinaryExpression'].includes(argument.type) ? textsOf(argument, constants) : [],
      )
      .filter((text) => text.includes(' '))
  if (node.type === 'ObjectExpression') {
    const properties = new Map((node.properties as Node[]).map((property) => [nameOf(property.key), property.value]))
    const isRefusal = ['path', 'code', 'column'].some((name) => properties.has(name))
    return properties.has('message') && isRefusal && !properties.has('summary')
      ? textsOf(properties.get('message'), constants)
      : []
  }
  if (node.type === 'ArrayExpression') {
    const [code, sentence] = node.elements as Node[]
    return isNode(code) && typeof code.value === 'string' && code.value in errorCatalogue
      ? textsOf(sentence, constants)
      : []
  }
  return []
}

function walk(value: unknown, visit: (node: Node) => void) {
  if (Array.isArray(value)) return value.forEach((item) => walk(item, visit))
  if (typeof value !== 'object' || value === null) return
  if (isNode(value)) visit(value)
  for (const child of Object.values(value)) walk(child, visit)
}

for (const file of globSync(['server/**/*.ts', 'contract/**/*.ts']).filter(isSpokenToPeople)) {
  const program = parseAst(readFileSync(file, 'utf8'), { lang: 'ts' })
  const constants = new Map<string, Node>()
  walk(program, (node) => {
    if (node.type === 'VariableDeclarator' && isNode(node.init)) constants.set(nameOf(node.id), node.init)
  })
  walk(program, (node) => {
    for (const sentence of sentencesIn(node, constants))
      if (/\p{L}{2}/u.test(sentence.replace(/\{\d\}/g, ''))) found.set(sentence, file)
  })
}
for (const [, sentence] of Object.values(errorCatalogue)) found.set(sentence, 'contract/core/errors.ts')

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
const holesOf = (text: string) => [...new Set(text.match(/\{\d\}/g))].toSorted().join('')
const problems: string[] = []
for (const language of ['fr', 'ar']) {
  const known = {
    ...readJson(`contract/i18n/${language}.json`),
    ...readJson(`server/core/i18n/${language}/errors.json`),
  }
  for (const [sentence, file] of found)
    if (!fixed.has(sentence) && known[sentence] === undefined)
      problems.push(`${file}: ${language} has no words for “${sentence}”`)
  for (const [sentence, text] of Object.entries(known))
    if (holesOf(sentence) !== holesOf(text))
      problems.push(`${language}: “${sentence}” and its translation name different values`)
}
for (const problem of problems) console.error(problem)
console.log(`${found.size} sentences, ${problems.length} problems with them`)
process.exit(problems.length > 0 ? 1 : 0)
