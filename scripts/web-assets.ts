import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, gzipSync } from 'node:zlib'

const folder = 'dist/web'
const manifestFile = join(folder, 'manifest.json')
/** Smaller files gain nothing from it. */
const leastBytes = 1024

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/**
 * Puts `.br` and `.gz` next to every hashed script, style and picture that gains from it; the
 * server sends them as they are.
 */
export const compressAssets = async () => {
  const files = globSync(`${folder}/assets/*.{js,css,svg,json}`)
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file)
      if (bytes.length < leastBytes) return
      const [small, smaller] = await Promise.all([
        zip(bytes, { level: 9 }),
        brotli(bytes, {
          params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
        }),
      ])
      if (small.length < bytes.length) writeFileSync(`${file}.gz`, small)
      if (smaller.length < small.length) writeFileSync(`${file}.br`, smaller)
    }),
  )
}

interface Chunk {
  file: string
  imports?: string[]
}
type Manifest = Record<string, Chunk>

/** What vite says of its chunks; not for the web. */
export const takeManifest = (): Manifest | null => {
  if (!existsSync(manifestFile)) return null
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  rmSync(manifestFile)
  return manifest
}

/** Files that hold more than one of the build's parts, the entry and pages among them. */
const shared = { base: 'base', staff: 'staff', list: 'list-quotes' }
/** Kilobytes of gzipped scripts: the login, a list in all, and what each further page may add to it. */
const most = { login: 170, list: 240, further: 60 }
const forms = ['quotes/quote-add.page.tsx', 'customers/customer-add.page.tsx', 'products/product-add.page.tsx']

/** Prints what the login, the first list and each further page make the browser fetch. */
export const printSizes = (manifest: Manifest) => {
  const sizes = new Map<string, number>()
  const sizeOf = (file: string) => {
    const known = sizes.get(file) ?? gzipSync(readFileSync(join(folder, file)), { level: 9 }).length / 1024
    sizes.set(file, known)
    return known
  }
  const filesOf = (names: readonly string[], found = new Set<string>(), seen = new Set<string>()): Set<string> => {
    for (const name of names) {
      const chunk = manifest[name]
      if (!chunk || seen.has(name)) continue
      seen.add(name)
      if (chunk.file.endsWith('.js')) found.add(chunk.file)
      filesOf(chunk.imports ?? [], found, seen)
    }
    return found
  }
  const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + sizeOf(file), 0)
  const named = (name: string) =>
    Object.keys(manifest).filter((key) => key.startsWith(`_${name}-`) && key.endsWith('.js'))
  const phrases = (...spaces: string[]) => spaces.map((space) => `core/i18n/en/${space}.json`)
  const own = (page: string) => phrases(page.split('/')[0] ?? '')
  const login = filesOf([...named(shared.base), 'auth/login.page.tsx', ...phrases('common', 'errors', 'auth')])
  const list = filesOf([
    ...Object.values(shared).flatMap(named),
    ...phrases('common', 'errors', 'shell', 'palette', 'quotes'),
  ])
  const before = new Set([...login, ...list])
  const more = (page: string) => [...filesOf([page, ...own(page)])].filter((file) => !before.has(file))
  /** Fields, drop-downs and dialogs: fetched with the first form, and never again. */
  const ofForms = new Set(forms.map(more).reduce((common, files) => common.filter((file) => files.includes(file))))
  const line = (name: string, size: number, limit: number, rest = '') =>
    console.log(
      `  ${name.padEnd(44)} ${size.toFixed(1).padStart(7)} kB${rest}${size > limit ? `  more than ${limit}` : ''}`,
    )
  console.log('\nScripts of each page, gzipped:')
  line('login', sum(login), most.login)
  line('first list, in all', sum(list), most.list)
  line('what all forms share, once', sum(ofForms), most.further)
  console.log('\nWhat each further page adds to the list, without and with what forms share:')
  const pages = Object.keys(manifest).filter((name) => name.endsWith('.page.tsx') && !name.startsWith('auth/'))
  const added = pages.map((name) => ({
    name,
    alone: sum(more(name).filter((file) => !ofForms.has(file))),
    all: sum(more(name)),
  }))
  for (const { name, alone, all } of added.toSorted((x, y) => y.alone - x.alone))
    line(
      `+ ${name.replace('.page.tsx', '')}`,
      alone,
      most.further,
      all > alone ? ` ${all.toFixed(1).padStart(7)} kB` : '',
    )
}
