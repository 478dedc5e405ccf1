import { globSync, readFileSync } from 'node:fs'

/**
 * A style belongs to the component beside it: a stylesheet outside of `core` styles classes that components
 * of its own folder name, and everything else only inside of one of these. So nothing a page has fetched
 * changes how another page looks.
 */
const folderOf = (file: string) => file.split('/')[1] ?? ''
const read = (file: string) => readFileSync(file, 'utf8')
const styles = (file: string) => read(file).replaceAll(/\/\*[\s\S]*?\*\//g, '')
const classesIn = (text: string) => [...text.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].map((found) => found[1] ?? '')

/** The selectors of a stylesheet, each behind those around it; at-rules and the steps of animations are none. */
function selectorsOf(css: string): string[] {
  const found: string[] = []
  const around: string[] = []
  let text = ''
  for (const letter of css) {
    if (letter === '{') {
      const head = text.split(';').at(-1)?.trim() ?? ''
      const isSelector = !/^(@|from$|to$|[\d.]+%)/.test(head)
      around.push(isSelector ? head : '')
      if (isSelector) found.push(around.filter(Boolean).join(' '))
    }
    if (letter === '}') around.pop()
    text = letter === '{' || letter === '}' ? '' : text + letter
  }
  return found
}

/** The selectors of a list; a comma inside of brackets divides nothing. */
function partsOf(list: string): string[] {
  const parts = ['']
  let depth = 0
  for (const letter of list) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}

/** What components name: classes and ids among other words, and of `type-${level}` the beginning. */
const named = new Map<string, { words: Set<string>; beginnings: string[] }>()
for (const file of globSync('web/**/*.{ts,tsx}')) {
  const known = named.get(folderOf(file)) ?? { words: new Set<string>(), beginnings: [] }
  const text = read(file)
  for (const word of text.split(/[^\w-]+/)) known.words.add(word)
  known.beginnings.push(...[...text.matchAll(/([a-z][\w-]*)\$\{/g)].map((found) => found[1] ?? ''))
  named.set(folderOf(file), known)
}
const ofCore = new Set(globSync('web/core/**/*.css').flatMap((file) => classesIn(styles(file))))

const problems: string[] = []
const owners = new Map<string, string>()
const sheets = globSync('web/*/**/*.css').filter((file) => folderOf(file) !== 'core')
for (const file of sheets.toSorted()) {
  const folder = folderOf(file)
  const known = named.get(folder)
  const isNamed = (name: string) =>
    Boolean(known?.words.has(name) || known?.beginnings.some((beginning) => name.startsWith(beginning)))
  for (const selector of selectorsOf(styles(file)).flatMap(partsOf)) {
    const own = classesIn(selector).filter((name) => !ofCore.has(name) && !name.startsWith('mantine-') && isNamed(name))
    const isOwnPage = [...selector.matchAll(/#([\w-]+)|\[(data-service)/g)].some((found) =>
      isNamed(found[1] ?? 'service'),
    )
    if (!own.length && !isOwnPage)
      problems.push(`${file}: “${selector}” names no class of ${folder}, so it styles other pages, too`)
    // What stands first is styled here; what follows is styled inside of it.
    const [first] = own
    if (first && classesIn(selector)[0] === first) {
      const owner = owners.get(first) ?? folder
      if (owner !== folder) problems.push(`${file}: .${first} is a class of ${owner}`)
      owners.set(first, owner)
    }
  }
}

for (const problem of problems) console.error(problem)
console.log(`${sheets.length} stylesheets of parts and nouns, ${problems.length} problems with them`)
process.exitCode = problems.length > 0 ? 1 : 0
