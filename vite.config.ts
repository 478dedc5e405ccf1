import react from '@vitejs/plugin-react'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const inPackages = (...names: string[]) => new RegExp(`[\\\\/]node_modules[\\\\/](?:${names.join('|')})[\\\\/]`)

/** What the first page has fetched already; naming it again with every page would make up a fifth of the first script. */
const isThere = /^assets\/(?:rolldown-runtime|base)-[\w-]{8}\.js$/

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

let known: { first: Set<string>; staff: Set<string>; nouns: Map<string, string> } | null = null
const lists = ['quotes/quotes-list', 'orders/orders-list', 'invoices/invoices-list', 'customers/customers-list']

/** What the first page needs, and what every page of staff needs besides: one file each instead of seventy, which wait for one another. */
function placesIn(graph: Graph) {
  if (known) return known
  const first = withImports(graph, ['main.tsx'])
  const login = withImports(graph, ['auth/login.page.tsx'])
  // Where a file is asked for by its own name, it stays one.
  first.delete(join(web, 'main.tsx'))
  const ofLists = lists.map((list) => withImports(graph, [`${list}.page.tsx`]))
  const all = [...new Set(ofLists.flatMap((found) => [...found]))].filter((id) => !id.endsWith('.page.tsx'))
  const shared = all.filter((id) => ofLists.filter((found) => found.has(id)).length > 1)
  // What a list has of its own: columns, operations.
  const nouns = new Map(all.filter((id) => !first.has(id) && !login.has(id) && !shared.includes(id)).map((id) => [id, `list-${lists[ofLists.findIndex((found) => found.has(id))]?.split('/')[0] ?? ''}`]))
  known = { first, nouns, staff: new Set([...shared, ...withImports(graph, ['core/layout/shell.tsx'])].filter((id) => !first.has(id) && !login.has(id) && id !== join(web, 'core/layout/shell.tsx'))) }
  return known
}

const kit = (...parts: string[]) => new RegExp(`[\\\\/]@mantine[\\\\/]core[\\\\/]esm[\\\\/](?:${parts.join('|')})[\\\\/]`)
const ofKit = kit('core', 'utils', ...['Button', 'Loader', 'Transition', 'UnstyledButton'].map((name) => `components[\\\\/]${name}`))
const fields = kit(...['ActionIcon', 'Checkbox', 'CloseButton', 'Combobox[\\\\/]ComboboxChevron', 'InlineInput', 'Input', 'InputBase', 'InputWrapper', 'NativeSelect', 'Skeleton', 'TextInput'].map((name) => `components[\\\\/]${name}`))
const inCombobox = /[\\/]Combobox[\\/](?:Combobox\.module|get-parsed-combobox-data)/
const inHelper = /vite[\\/]preload-helper/
const core = inPackages('react', 'react-dom', 'scheduler', 'use-sync-external-store', '@tanstack/react-router', '@tanstack/router-core', '@tanstack/history', '@tanstack/store', '@tanstack/react-store', 'clsx', '@mantine/hooks')
const isFirst = (id: string) => [core, ofKit, fields, inCombobox, inHelper].some((test) => test.test(id))
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
        // Few files, because each waits for its turn: what every page needs, what every page of staff needs besides, and the page.
        codeSplitting: {
          groups: [
            { debugName: 'first', name: (id, graph) => (isFirst(id) || placesIn(graph as unknown as Graph).first.has(id) ? 'base' : null), includeDependenciesRecursively: false },
            // What every page says, one file of each language.
            { debugName: 'words', name: (id) => (words.exec(id) ? `words-${words.exec(id)?.[1]}` : null) },
            { debugName: 'staff', name: (id, graph) => (inPackages('@tanstack', 'zod', '@casl', '@ucast').test(id) || placesIn(graph as unknown as Graph).staff.has(id) ? 'staff' : (placesIn(graph as unknown as Graph).nouns.get(id) ?? null)), includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
})
