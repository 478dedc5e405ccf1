import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const inPackages = (...names: string[]) => new RegExp(`[\\\\/]node_modules[\\\\/](?:${names.join('|')})[\\\\/]`)

/** What the first page has fetched already; naming it again with every page would make up a fifth of the first script. */
const isThere = /^assets\/(?:rolldown-runtime|react|router|base|kit)-[\w-]{8}\.js$/

/**
 * Every schema carries along what describes it as JSON Schema, a fifth of the library. Only the server describes its schemas
 * (`/api/v2/openapi.json`); here each function of those two files does nothing.
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
      return { code: [...names.map((name) => `export const ${name} = ${method(name)}`), ...renamed.map((name) => `export { ${name} }`)].join('\n'), map: null }
    },
  },
}

type ModuleInfo = { importedIds: readonly string[] } | null
interface Graph {
  getModuleInfo: (id: string) => ModuleInfo
}
const web = join(import.meta.dirname, 'web')
const isOurs = (id: string) => !id.includes('node_modules') && !id.includes('\0')

/** Our own modules that come with some: what they import, and so on. Packages are named below, because each has all of its parts in one list. */
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

let known: { first: Set<string>; staff: Set<string> } | null = null
const lists = ['quotes/quotes-list', 'orders/orders-list', 'invoices/invoices-list', 'customers/customers-list']

/** What the first page needs, and what every page of staff needs besides: one file each instead of seventy, which wait for one another. */
function placesIn(graph: Graph) {
  if (known) return known
  const first = withImports(graph, ['main.tsx'])
  const login = withImports(graph, ['auth/login.page.tsx'])
  // Where a file is asked for by its own name, it stays one.
  first.delete(join(web, 'main.tsx'))
  const ofLists = lists.map((list) => withImports(graph, [`${list}.page.tsx`]))
  const shared = [...(ofLists[0] ?? [])].filter((id) => ofLists.every((found) => found.has(id)))
  known = { first, staff: new Set([...shared, ...withImports(graph, ['core/layout/shell.tsx'])].filter((id) => !first.has(id) && !login.has(id) && id !== join(web, 'core/layout/shell.tsx'))) }
  return known
}

const kit = (...parts: string[]) => new RegExp(`[\\\\/]@mantine[\\\\/]core[\\\\/]esm[\\\\/](?:${parts.join('|')})[\\\\/]`)
const ofKit = kit('core', 'utils', ...['Button', 'Loader', 'Transition', 'UnstyledButton'].map((name) => `components[\\\\/]${name}`))
const fields = kit(...['ActionIcon', 'Checkbox', 'CloseButton', 'Combobox[\\\\/]ComboboxChevron', 'InlineInput', 'Input', 'InputBase', 'InputWrapper', 'NativeSelect', 'Skeleton', 'TextInput'].map((name) => `components[\\\\/]${name}`))
const inCombobox = /[\\/]Combobox[\\/]Combobox\.module/
const inHelper = /vite[\\/]preload-helper/
const words = /[\\/]i18n[\\/](\w\w)[\\/](common|errors|shell|palette)\.json$/

export default defineConfig({
  root: 'web',
  base: '/',
  plugins: [withoutJsonSchema, react({ compiler: true })],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: false,
    // Read by the build and taken away again.
    manifest: 'manifest.json',
    // Strict CSP: nothing is inlined as data or script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: (_file, parts, { hostType }) => (hostType === 'js' ? parts.filter((part) => !isThere.test(part)) : parts) },
    rolldownOptions: {
      output: {
        // What never changes between releases stays in the browser's cache; the rest follows the pages.
        codeSplitting: {
          groups: [
            { name: 'react', test: inPackages('react', 'react-dom', 'scheduler') },
            { name: 'router', test: inPackages('@tanstack/react-router', '@tanstack/router-core', '@tanstack/history', '@tanstack/store', '@tanstack/react-store') },
            { name: 'zod', test: inPackages('zod') },
            { debugName: 'first', name: (id, graph) => (ofKit.test(id) || inPackages('clsx', '@mantine/hooks').test(id) ? 'kit' : fields.test(id) || inCombobox.test(id) ? 'fields' : inHelper.test(id) || placesIn(graph as unknown as Graph).first.has(id) ? 'base' : null), includeDependenciesRecursively: false },
            // What every page says, and what every page of staff says besides.
            {
              debugName: 'words',
              name: (id) => {
                const [, language, namespace = ''] = words.exec(id) ?? []
                return language ? `${['common', 'errors'].includes(namespace) ? 'words' : 'staff-words'}-${language}` : null
              },
            },
            { debugName: 'staff', name: (id, graph) => (inPackages('@tanstack').test(id) || placesIn(graph as unknown as Graph).staff.has(id) ? 'staff' : null), includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
})
