import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'

/**
 * Who may import whom. A noun of the server imports from its left only; when something on the left must cause something
 * on the right, it hands over a job.
 */
const serverNouns =
  `row-scope tags timeline service-links journal files themes documents email-accounts messages email-templates
  reminders inbound events webhooks businesses holidays roles auth users maintenance notifications views customers
  imports booking-options job-types revenue-streams categories products price-lists calculators quotes
  quote-templates requests series orders invoices payments statements tax exports acceptance actions portal live
  search ledger dashboards jobs sample sandbox`.split(/\s+/)
/**
 * The same for the web: parts that several nouns show come first, each noun imports from its left only, and what shows
 * all of them stands at the end.
 */
const webNouns =
  `files record timeline questions lines access people auth portal messages email-accounts themes email-templates
  reminders payments quotes orders invoices booking-options job-types products
  categories revenue-streams price-lists customers imports
  users account roles businesses holidays webhooks actions events series requests accounting dashboards jobs dev
  pages`.split(/\s+/)
/**
 * A noun that nobody has named yet stands behind the others: it imports any of them, and what
 * shows all of them imports it.
 */
const placeIn = (order: readonly string[], last: string, name: string) =>
  order.includes(name) ? order.indexOf(name) : order.indexOf(last) + 0.5
const serverPlace = (name: string) => placeIn(serverNouns, 'payments', name)
const webPlace = (name: string) => placeIn(webNouns, 'businesses', name)

const packages = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>
const contractPackages = ['zod', '@casl/ability']

const problems: string[] = []
const refuse = (file: string, reason: string) => problems.push(`${file}: ${reason}`)

interface Import {
  target: string
  isTypeOnly: boolean
}
const statement = /(?:^|\n)\s*(?:import|export)\s(?<kind>type\s)?(?:[^'";]*?\sfrom\s)?['"](?<from>[^'"]+)['"]/g
const lazily = /\bimport\(\s*['"](?<from>[^'"]+)['"]\s*\)/g
const importsOf = (text: string): Import[] => [
  ...[...text.matchAll(statement)].map(({ groups = {} }) => ({
    target: groups.from ?? '',
    isTypeOnly: groups.kind !== undefined,
  })),
  ...[...text.matchAll(lazily)].map(({ groups = {} }) => ({ target: groups.from ?? '', isTypeOnly: true })),
]

const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.startsWith('test/')
const part = (file: string, index: number) => file.split('/').at(index) ?? ''
const root = (file: string) => part(file, 0)
const name = (file: string) => part(file, -1)
/** The folder inside the root; a file directly in the root has none. */
const noun = (file: string) => (file.split('/').length > 2 ? part(file, 1) : '')
const isCore = (file: string) => noun(file) === 'core'

const checkPackage = (file: string, target: string) => {
  const isBuiltIn = target.startsWith('node:') || builtinModules.includes(target)
  if (isBuiltIn && ['contract', 'web'].includes(root(file)) && !isTest(file))
    return refuse(file, `${root(file)} runs in the browser too and must not import ${target}`)
  if (isBuiltIn) return
  const pack = target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')
  if (root(file) === 'contract' && !isTest(file) && !contractPackages.includes(pack))
    return refuse(file, `contract may use ${contractPackages.join(' and ')} alone, not ${pack}`)
  if (packages.dependencies[pack]) return
  if (!packages.devDependencies[pack]) return refuse(file, `${pack} is not in package.json`)
  if (root(file) === 'server' && !isTest(file))
    refuse(file, `the server runs with ${pack}, so it belongs in dependencies`)
}

/** What takes long or may run wild is done in a process apart: no other file reads it. */
const renderWorker = 'server/render-worker.ts'
const mailThread = 'server/inbound/mail-thread.ts'
const apart: Readonly<Record<string, string>> = {
  'server/messages/layout.ts': renderWorker,
  'server/documents/render.ts': renderWorker,
  'server/documents/render-statement.ts': renderWorker,
  'server/files/draw.ts': renderWorker,
  'server/inbound/parse-mail.ts': mailThread,
}

const checkServer = (file: string, target: string) => {
  const program = apart[target]
  if (program && file !== program) refuse(file, `only ${program} may import ${target}`)
  if (!['server', 'contract'].includes(root(target))) return refuse(file, `the server must not import ${target}`)
  if (isCore(file) && noun(target) && !isCore(target) && root(target) === 'server')
    return refuse(file, `core must not know the noun of ${target}`)
  if (name(target) === 'app.ts' && noun(file) && !['sample', 'acceptance'].includes(noun(file)))
    return refuse(file, 'nobody imports app.ts but main.ts, the sample and tests')
  const [from, to] = [serverPlace(noun(file)), serverPlace(noun(target))]
  if (
    !noun(file) ||
    isCore(file) ||
    isCore(target) ||
    root(target) !== 'server' ||
    !noun(target) ||
    noun(file) === noun(target)
  )
    return
  if (from < to)
    refuse(file, `${noun(file)} stands left of ${noun(target)}, so it must not import ${target}; hand over a job`)
  if (!name(target).endsWith('.service.ts')) refuse(file, `${target} is private to ${noun(target)}; import its service`)
}

const checkWeb = (file: string, target: string) => {
  if (!['web', 'contract'].includes(root(target))) return refuse(file, `the web app must not import ${target}`)
  if (isCore(file) && root(target) === 'web' && noun(target) && !isCore(target))
    refuse(file, `core must not know the noun of ${target}`)
  if (noun(file) && !isCore(file) && noun(target) && !isCore(target) && root(target) === 'web') {
    if (webPlace(noun(file)) < webPlace(noun(target)))
      refuse(file, `${noun(file)} stands left of ${noun(target)}, so it must not import ${target}`)
  }
  if (['web/router.tsx', 'web/main.tsx'].includes(target) && file !== 'web/main.tsx')
    refuse(file, `nobody imports ${target}`)
}

const checkContract = (file: string, target: string) => {
  if (root(target) !== 'contract') refuse(file, `contract must not import ${target}`)
  else if (isCore(file) && !isCore(target)) refuse(file, `core must not know the noun of ${target}`)
}

/**
 * Where pages are is written once: in the rows of nouns, in the places that are no noun's, and in the
 * catalogue of the product's own parts.
 */
const sayAddresses = [
  'contract/noun.ts',
  'contract/noun-orders.ts',
  'contract/noun-requests.ts',
  'contract/noun-setup.ts',
  'contract/noun-themes.ts',
  'contract/nouns.ts',
  'contract/places.ts',
  'web/pages/rows.ts',
]
const folders = 'apps|setup|dashboards|service|dev|pages/(?:account-settings|user-profile)'
const doors =
  'access-control|not-authorized|login|forgot-password|reset-password|accept-invitation|auth-lobby|auth-waiting'
const address = new RegExp(`['"\`]/(?:(?:${folders})/|(?:${doors})\\b)[^'"\`\\n]*`, 'g')

const checkAddresses = (file: string, text: string) => {
  if (!['web', 'server', 'contract'].includes(root(file)) || isTest(file) || sayAddresses.includes(file)) return
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/[^\n]*/g, '')
  for (const [found] of code.matchAll(address))
    refuse(
      file,
      `${found.slice(1)} is an address: take it from contract/nouns.ts (pathTo, pathOf) or contract/places.ts`,
    )
}

const checkFile = (file: string, text: string) => {
  checkAddresses(file, text)
  if (/(^|\/)index\.tsx?$/.test(file) || /^export \* from/m.test(text))
    refuse(file, 'no barrels: import from the file that has it')
  if (root(file) === 'server' && noun(file) && !isCore(file) && !serverNouns.includes(noun(file)))
    refuse(file, `give the noun ${noun(file)} its place in the order in scripts/check-imports.ts`)
  if (root(file) === 'web' && noun(file) && !isCore(file) && !webNouns.includes(noun(file)))
    refuse(file, `give the noun ${noun(file)} its place in the order in scripts/check-imports.ts`)
  if (/^export default /m.test(text) && !/\.config\.ts$|^test\/support\/global-setup\.ts$/.test(file))
    refuse(file, 'no default exports')
}

const checkImport = (file: string, { target }: Import) => {
  if (!target.startsWith('.')) return checkPackage(file, target)
  const path = normalize(join(dirname(file), target))
  if (isTest(file)) return
  if (isTest(path)) return refuse(file, `only tests import ${path}`)
  if (root(file) === 'server') checkServer(file, path)
  if (root(file) === 'web') checkWeb(file, path)
  if (root(file) === 'contract') checkContract(file, path)
}

/** Types may refer to each other; what runs may not. */
const checkCircles = (graph: Map<string, string[]>) => {
  const done = new Set<string>()
  const visit = (file: string, path: string[]) => {
    const at = path.indexOf(file)
    if (at >= 0) return void refuse(file, `a circle: ${[...path.slice(at), file].join(' → ')}`)
    if (done.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
}

const files = globSync('{contract,server,web,test,scripts,bench}/**/*.{ts,tsx,mjs}').toSorted()
const graph = new Map<string, string[]>()
for (const file of files) {
  const text = readFileSync(file, 'utf8')
  const imports = importsOf(text)
  checkFile(file, text)
  for (const one of imports) checkImport(file, one)
  graph.set(
    file,
    imports
      .filter((one) => one.target.startsWith('.') && !one.isTypeOnly)
      .map((one) => normalize(join(dirname(file), one.target))),
  )
}
checkCircles(graph)

for (const problem of problems) console.error(problem)
console.log(`${files.length} files, ${problems.length} problems with imports`)
process.exitCode = problems.length > 0 ? 1 : 0
