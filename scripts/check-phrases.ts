import { existsSync, globSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'

/**
 * Holds the words of the product together: every phrase that the code names exists in English, every phrase there is
 * has a use, every other language has exactly the same keys, and no text stands in the code itself.
 */
const folder = 'web/core/i18n'
/** Phrases that are named by data: the rest of the key comes from the server or from a table. */
const namedByData = [/:status\.[^.]+$/, /^timeline:/]

type Tree = { [key: string]: string | Tree }
interface Node {
  type: string
  start: number
  [key: string]: unknown
}

const problems: string[] = []

const flatten = (tree: Tree, prefix: string): string[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : flatten(value, `${prefix}${key}.`),
  )
const keysOf = (language: string) =>
  new Set(
    globSync(`${folder}/${language}/*.json`).flatMap((file) => {
      const namespace = file.split('/').at(-1)?.replace('.json', '') ?? ''
      return flatten(JSON.parse(readFileSync(file, 'utf8')) as Tree, `${namespace}:`)
    }),
  )
interface JsonNode {
  type: string
  properties?: { key: { value: string }; value: JsonNode }[]
}
/** Keys that stand twice in one place of a file: reading it keeps the last one and says nothing. */
function doubled({ properties = [] }: JsonNode): string[] {
  const names = properties.map(({ key }) => key.value)
  return [...names.filter((name, i) => names.indexOf(name) < i), ...properties.flatMap(({ value }) => doubled(value))]
}
for (const file of globSync(['web/core/i18n/*/*.json', 'server/core/i18n/*/*.json', 'contract/i18n/*.json'])) {
  const [statement] = parseAst(`(${readFileSync(file, 'utf8')})`).body as unknown as { expression: JsonNode }[]
  if (statement) problems.push(...doubled(statement.expression).map((key) => `${file}: “${key}” stands twice`))
}

/** English has fewer forms than others: of plurals, and none for the gender of a noun. */
const singular = (key: string) => key.replace(/_(zero|one|two|few|many|other|feminine)$/, '')

const english = keysOf('en')
const known = new Set([...english].map(singular))
const namespaces = new Set([...english].map((key) => key.split(':', 1)[0] ?? ''))

const used = new Set<string>()
/** Beginnings of keys that are put together: `quotes:reason.${code}`. */
const beginnings = new Set<string>()
/** Keys of whichever noun it is: `${noun}:archived` is used for every noun. */
const endings = new Set<string>()

const isKey = (text: string) => /^[a-z]+:[\w.-]+$/.test(text) && namespaces.has(text.split(':', 1)[0] ?? '')
const isWord = (text: string) => /\p{L}{2,}/u.test(text)
/** Properties whose text a person reads or hears. */
const spoken = new Set([
  'label',
  'title',
  'subtitle',
  'placeholder',
  'alt',
  'description',
  'text',
  'header',
  'hint',
  'aria-label',
  'aria-description',
  'confirmLabel',
  'reasonLabel',
  'name',
])
/** `name` is spoken of people and records, but in forms and icons it is a name for the program. */
const isSpoken = (attribute: string, value: string) =>
  spoken.has(attribute) && (attribute !== 'name' || / /.test(value))

const place = (file: string, source: string, start: number) => `${file}:${source.slice(0, start).split('\n').length}`

function look(node: Node, file: string, source: string) {
  const text = typeof node.value === 'string' ? node.value : ''
  if (node.type === 'Literal' && isKey(text)) {
    used.add(text)
    if (!known.has(text)) problems.push(`${place(file, source, node.start)}: there is no phrase ${text}`)
  }
  if (node.type === 'TemplateLiteral') {
    const quasis = node.quasis as { value: { cooked: string } }[]
    const first = quasis[0]?.value.cooked ?? ''
    const last = quasis.at(-1)?.value.cooked ?? ''
    if (quasis.length === 2 && first === '' && /^:[a-z]+[\w.-]*$/.test(last)) endings.add(last)
    const namespace = first.split(':', 1)[0] ?? ''
    if (quasis.length > 1 && first.includes(':') && namespaces.has(namespace) && /^[a-z]+:[\w.-]*$/.test(first)) {
      beginnings.add(first)
      if (![...known].some((key) => key.startsWith(first)))
        problems.push(`${place(file, source, node.start)}: no phrase begins with ${first}`)
    }
  }
  if (node.type === 'JSXText' && isWord(text))
    problems.push(`${place(file, source, node.start)}: text in the code: ${text.trim()}`)
  if (node.type === 'JSXAttribute') {
    const attribute = ((node.name as Node).name as string) ?? ''
    const value = (node.value as Node | null)?.value
    if (typeof value === 'string' && isSpoken(attribute, value) && isWord(value))
      problems.push(`${place(file, source, node.start)}: text in the code: ${attribute}="${value}"`)
  }
}

function walk(value: unknown, file: string, source: string) {
  if (Array.isArray(value)) return value.forEach((item) => walk(item, file, source))
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') look(value as Node, file, source)
  for (const child of Object.values(value)) walk(child, file, source)
}

for (const file of globSync('web/**/*.{ts,tsx}').filter(
  (name) => !name.endsWith('.test.ts') && !name.endsWith('.d.ts'),
)) {
  const source = readFileSync(file, 'utf8')
  walk(parseAst(source, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts' }), file, source)
}

for (const key of known) {
  if (
    used.has(key) ||
    namedByData.some((pattern) => pattern.test(key)) ||
    [...beginnings].some((beginning) => key.startsWith(beginning)) ||
    [...endings].some((ending) => key.endsWith(ending))
  )
    continue
  problems.push(`${folder}/en: nothing uses ${key}`)
}

/** Plural forms differ from language to language: the forms a language needs, not those English has. */
function compare(language: string) {
  const theirs = keysOf(language)
  const theirSingular = new Set([...theirs].map(singular))
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  for (const key of english) {
    const base = singular(key)
    const wanted = base === key ? [key] : forms.map((form) => `${base}_${form}`)
    for (const form of wanted) if (!theirs.has(form)) problems.push(`${folder}/${language}: ${form} is missing`)
  }
  for (const base of theirSingular)
    if (!known.has(base)) problems.push(`${folder}/${language}: ${base} is not in English`)
}
for (const language of ['fr', 'ar']) if (existsSync(`${folder}/${language}`)) compare(language)

const unique = [...new Set(problems)]
for (const problem of unique) console.error(problem)
console.log(`${known.size} phrases, ${unique.length} problems with them`)
process.exit(unique.length ? 1 : 0)
