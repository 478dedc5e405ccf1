import react from '@vitejs/plugin-react'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const web = join(import.meta.dirname, 'web')
const contract = join(import.meta.dirname, 'contract')
const inPackages = (...names: string[]) => new RegExp(`[\\\\/]node_modules[\\\\/](?:${names.join('|')})[\\\\/]`)

/**
 * What the first page has fetched already; naming it again with every page would make up a fifth of the first script.
 */
const isThere = /^assets\/(?:rolldown-runtime|base)-[\w-]{8}\.js$/

/**
 * Every schema carries along what describes it as JSON Schema, a fifth of the library. Only the server describes its
 * schemas (`/api/v2/openapi.json`); here each function of those two files does nothing.
 */
const withoutJsonSchema: Plugin = {
  name: 'without-json-schema',
  enforce: 'pre',
  transform: {
    filter: { id: /zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/ },
    handler: (code) => {
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map((found) => found[1])
      const renamed = [...code.matchAll(/^export \{ (\w+ as \w+) \};?$/gm)].map((found) => found[1])
      const method = (name = '') => (/^create\w+Method$/.test(name) ? '() => () => undefined' : '() => undefined')
      return {
        code: [
          ...names.map((name) => `export const ${name} = ${method(name)}`),
          ...renamed.map((name) => `export { ${name} }`),
        ].join('\n'),
        map: null,
      }
    },
  },
}

/**
 * Objects write themselves a parser of their own where code may be made of text. Our policy forbids that, and each page
 * would ask again, be refused, and carry what writes it.
 */
const withoutWrittenParsers: Plugin = {
  name: 'without-written-parsers',
  enforce: 'pre',
  transform: {
    filter: { id: /zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ },
    handler(code) {
      if (!code.includes('core.$ZodObjectJIT'))
        this.error('objects of zod are made in another way: look at this plugin again')
      return { code: code.replaceAll('core.$ZodObjectJIT', 'core.$ZodObject'), map: null }
    },
  },
}

/**
 * These files are run from end to end at once: compiled while they are fetched, not function by
 * function when each is first called.
 */
const compiledAhead: Plugin = {
  name: 'compiled-ahead',
  generateBundle: {
    order: 'post',
    handler: (_options, bundle) => {
      for (const part of Object.values(bundle))
        if (part.type === 'chunk' && /^(?:base|staff|list-\w+)$/.test(part.name))
          part.code = `//# allFunctionsCalledOnLoad\n${part.code}`
    },
  },
}

const kitCss = join(web, 'core/theme/kit.css')
const ofPart = /@mantine[\\/]core[\\/]esm[\\/]components[\\/].*[\\/](\w+)\.module\.mjs$/
const variables = '@mantine/core/styles/default-css-variables.layer.css'
/** Colours of the kit that nothing here has. */
const unused = '(?:cyan|grape|indigo|lime|orange|pink|violet)'
const isUnused = new RegExp(`--mantine-color-${unused}-|\\b(?:color|c|bg):\\s*["'\`]${unused}\\b`)

/**
 * `kit.css` names the styles of those parts of the kit that most pages have. Every other part brings its own to the
 * pages that have it, and colours that nobody uses stay away.
 */
const withKitStyles: Plugin = {
  name: 'with-kit-styles',
  enforce: 'pre',
  transform: {
    filter: { id: [ofPart, /kit\.css$/] },
    handler(code, id) {
      // While somebody works on the pages the kit comes as one package, whose parts bring nothing.
      if (this.environment.mode === 'dev') return { code: "@import '@mantine/core/styles.layer.css';", map: null }
      const kit = readFileSync(kitCss, 'utf8')
      if (id === kitCss) {
        const all = readFileSync(join(import.meta.dirname, 'node_modules', variables), 'utf8')
        const used = all.replaceAll(new RegExp(`^\\s*--mantine-color-${unused}-.*\\n`, 'gm'), '')
        return { code: kit.replace(`@import '${variables}';`, '') + used, map: null }
      }
      const part = ofPart.exec(id)?.[1] ?? ''
      return kit.includes(`/${part}.layer.css`)
        ? null
        : { code: `import '@mantine/core/styles/${part}.layer.css'\n${code}`, map: null }
    },
  },
  generateBundle(_options, bundle) {
    for (const part of Object.values(bundle)) {
      const found = isUnused.exec(String(part.type === 'chunk' ? part.code : part.source))
      if (found) this.error(`${part.fileName} has ${found[0]}, a colour that vite.config.ts leaves out`)
    }
  },
}

type ModuleInfo = { importedIds: readonly string[] } | null
interface Graph {
  getModuleInfo: (id: string) => ModuleInfo
}
const isOurs = (id: string) => !id.includes('node_modules') && !id.includes('\0')

/**
 * Our own modules that come with some: what they import, and so on. Packages are named below, because each has
 * all of its parts in one list.
 */
function withImports(graph: Graph, files: readonly string[]): Set<string> {
  const found = new Set<string>()
  const visit = (id: string) => {
    if (found.has(id) || !isOurs(id)) return
    found.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported)
  }
  for (const file of files) visit(join(web, file))
  return found
}

let known: { first: Set<string>; staff: Set<string>; groups: Map<string, string> } | null = null
const lists = ['quotes/quotes-list', 'orders/orders-list', 'invoices/invoices-list', 'customers/customers-list']

/** What rights are read with is fetched with them, from where its own packages are. */
const rights = '../contract/core/ability.ts'

const fieldsOfForms = ['core/ui/fields.tsx', 'core/ui/lookup.tsx', 'core/ui/form-card.tsx', 'record/plain-field.tsx']
const shown = [
  ...['invoices/invoice', 'quotes/quote', 'orders/order', 'customers/customer'].map(
    (noun) => `${noun}-preview.page.tsx`,
  ),
  ...['invoice', 'order', 'quote'].map((noun) => `portal/${noun}.page.tsx`),
  'dashboards/ecommerce.page.tsx',
]
const editors = ['quotes/quote', 'orders/order', 'invoices/invoice'].map((noun) => `${noun}-add.page.tsx`)

/**
 * What the first page needs, and what every page of staff needs besides: one file each instead of
 * seventy, which wait for one another.
 */
function placesIn(graph: Graph) {
  if (known) return known
  // With them the mark of the login and the styles of every page of staff: small ones, which
  // would be asked for one by one.
  const first = withImports(graph, [
    'main.tsx',
    'core/layout/brand.tsx',
    'core/layout/shell.css',
    'core/ui/table/table.css',
    'record/tags.css',
  ])
  const login = withImports(graph, ['auth/login.page.tsx'])
  const ofLists = lists.map((list) => withImports(graph, [`${list}.page.tsx`]))
  const all = [...new Set(ofLists.flatMap((found) => [...found]))].filter((id) => !id.endsWith('.page.tsx'))
  const shared = all.filter((id) => ofLists.filter((found) => found.has(id)).length > 1)
  // What a list has of its own: its page and columns. Its operations are asked for by editors,
  // previews and the dashboard too.
  const ofList = [...all, ...lists.map((list) => join(web, `${list}.page.tsx`))].filter(
    (id) => !first.has(id) && !login.has(id) && !shared.includes(id),
  )
  const isOperations = (id: string) => id.startsWith(contract)
  const nouns = new Map(
    ofList
      .filter((id) => !isOperations(id))
      .map((id) => [id, `list-${lists[ofLists.findIndex((found) => found.has(id))]?.split('/')[0] ?? ''}`]),
  )
  const staff = new Set(
    [...shared, ...ofList.filter(isOperations), ...withImports(graph, ['core/layout/shell.tsx', rights])].filter(
      (id) => !first.has(id) && !login.has(id),
    ),
  )
  const groups = new Map([...nouns])
  const assign = (name: string, ids: Iterable<string>) => {
    for (const id of ids)
      if (![first, login, staff].some((taken) => taken.has(id)) && !groups.has(id)) groups.set(id, name)
  }
  // The frame of what stands on a page, and its buttons: small, and asked for by most pages.
  assign(
    'parts',
    withImports(graph, [
      'core/ui/action-button.tsx',
      'core/ui/card.tsx',
      'core/ui/icon-tool.tsx',
      'core/ui/save-key.ts',
    ]),
  )
  // Fields of forms, and what the editors of documents have in common: two files instead of thirty. What pages without
  // fields have too stays apart.
  const apart = withImports(graph, shown)
  const isTogether = (id: string) => !apart.has(id)
  assign('forms', [...withImports(graph, fieldsOfForms)].filter(isTogether))
  const [some = new Set<string>(), ...others] = editors.map((page) => withImports(graph, [page]))
  const inAll = [...some].filter((id) => id.startsWith(join(web, 'lines')) && others.every((ids) => ids.has(id)))
  // The settings of a business have some of these fields too.
  const ofBusiness = withImports(graph, ['businesses/business-view.page.tsx'])
  assign(
    'documents',
    inAll.filter((id) => isTogether(id) && !ofBusiness.has(id)),
  )
  known = { first, groups, staff }
  return known
}

const kit = (...parts: string[]) =>
  new RegExp(`[\\\\/]@mantine[\\\\/]core[\\\\/]esm[\\\\/](?:${parts.join('|')})[\\\\/]`)
const ofKit = kit(
  'core',
  'utils',
  ...['Button', 'Loader', 'Transition', 'UnstyledButton'].map((name) => `components[\\\\/]${name}`),
)
const fields = kit(
  ...[
    'ActionIcon',
    'Checkbox',
    'CloseButton',
    'Combobox[\\\\/]ComboboxChevron',
    'InlineInput',
    'Input',
    'InputBase',
    'InputWrapper',
    'NativeSelect',
    'Skeleton',
    'TextInput',
  ].map((name) => `components[\\\\/]${name}`),
)
const inCombobox = /[\\/]Combobox[\\/](?:Combobox\.module|get-parsed-combobox-data)/
const inHelper = /vite[\\/]preload-helper/
const core = inPackages(
  'react',
  'react-dom',
  'scheduler',
  'use-sync-external-store',
  '@tanstack/react-router',
  '@tanstack/router-core',
  '@tanstack/history',
  '@tanstack/store',
  '@tanstack/react-store',
  'clsx',
  '@mantine/hooks',
)
/**
 * Of the kit's small parts those that windows, menus and sliders are made of: nothing of a list
 * needs them before it is opened.
 */
const windowHooks = 'use-(?:long-press|move|focus-trap|focus-return|eye-dropper)'
const inWindows = new RegExp(
  `/@mantine/(?:hooks/esm/${windowHooks}|core/esm/utils/Floating)/`.replaceAll('/', '[\\\\/]'),
)
/** With the key that saves. */
const inParts = /[\\/]@mantine[\\/]hooks[\\/]esm[\\/]use-hotkeys[\\/]/
const inForms = new RegExp(`${inPackages('react-hook-form').source}|${kit('components[\\\\/]Textarea').source}`)
const isFirst = (id: string) =>
  !inWindows.test(id) && !inParts.test(id) && [core, ofKit, fields, inCombobox, inHelper].some((test) => test.test(id))
const inStaff = inPackages('@tanstack', '@tabler', 'zod', '@casl', '@ucast')
function groupOf(id: string, graph: Graph): string | null {
  const { staff, groups } = placesIn(graph)
  if (inStaff.test(id) || staff.has(id)) return 'staff'
  if (inParts.test(id)) return 'parts'
  return inForms.test(id) ? 'forms' : (groups.get(id) ?? null)
}
const words = /[\\/]i18n[\\/](\w\w)[\\/](common|errors|shell|palette)\.json$/

export default defineConfig({
  root: 'web',
  base: '/',
  plugins: [withoutJsonSchema, withoutWrittenParsers, withKitStyles, react({ compiler: true }), compiledAhead],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    // Read by the build and taken away again.
    manifest: 'manifest.json',
    // What every page needs is one file on purpose; `npm run bench` weighs it as it is sent.
    chunkSizeWarningLimit: 560,
    // Strict CSP: nothing is inlined as data or script.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, parts, { hostType }) =>
        hostType === 'js' ? parts.filter((part) => !isThere.test(part)) : parts,
    },
    rolldownOptions: {
      output: {
        // Few files, because each waits for its turn: what every page needs, what every page of staff
        // needs besides, and the page.
        codeSplitting: {
          groups: [
            {
              debugName: 'first',
              name: (id, graph) => (isFirst(id) || placesIn(graph as unknown as Graph).first.has(id) ? 'base' : null),
              includeDependenciesRecursively: false,
            },
            // What every page says, one file of each language.
            { debugName: 'words', name: (id) => (words.exec(id) ? `words-${words.exec(id)?.[1]}` : null) },
            {
              debugName: 'staff',
              name: (id, graph) => groupOf(id, graph as unknown as Graph),
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
})
