import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const inPackages = (...names: string[]) => new RegExp(`[\\\\/]node_modules[\\\\/](?:${names.join('|')})[\\\\/]`)

/** What the first page has fetched already; naming it again with every page would make up a fifth of the first script. */
const isThere = /^assets\/(?:rolldown-runtime|react|router|i18n|format|storage|auth-state|error|refusals|page|message-page|empty-state|Box|Transition|Loader|UnstyledButton|Mantine\.context|use-media-query|use-reduced-motion|clsx|polymorphic-factory)-[\w-]{8}\.js$/

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
          ],
        },
      },
    },
  },
})
