import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { waitForLock } from '../server/core/lock.ts'
import { compressAssets, printSizes, takeManifest } from './web-assets.ts'

const stamp = 'dist/.built'
const sources = [
  'web/**/*',
  'contract/**/*.ts',
  'index.html',
  'package-lock.json',
  'vite.config.ts',
  'scripts/web-assets.ts',
  'tsconfig.web.json',
  'tsconfig.base.json',
]

/** A file may go while the tree is read: an editor writes aside and renames. */
const contentOf = (path: string) => {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

const hashSources = () => {
  const hash = createHash('sha256')
  const files = sources
    .flatMap((pattern) => globSync(pattern, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
  for (const path of files.map((entry) => `${entry.parentPath}/${entry.name}`).toSorted())
    hash.update(path).update('\0').update(contentOf(path)).update('\0')
  return hash.digest('hex')
}
const isBuiltFrom = (hash: string) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash

const underBuildLock = async (work: () => Promise<void>) => {
  mkdirSync('.tmp', { recursive: true })
  const held = await waitForLock('.tmp/build.lock', 'exclusive', {
    seconds: 300,
    onWait: () => console.log('Waiting for another start to build the web app …'),
  })
  try {
    await work()
  } finally {
    held?.release()
  }
}

const vite = async ({ isTelling }: { isTelling: boolean }) => {
  const hash = hashSources()
  const child = spawn(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const code = await new Promise<number | null>((done) => child.once('close', done))
  if (code !== 0) {
    console.error('The web app could not be built; see above.')
    process.exit(1)
  }
  const manifest = takeManifest()
  await compressAssets()
  if (manifest && isTelling) printSizes(manifest)
  mkdirSync('dist', { recursive: true })
  writeFileSync(stamp, hash)
}

/** Builds the web app whether or not it has changed, and says how large its pages are. */
export const buildWeb = () => underBuildLock(() => vite({ isTelling: true }))

/** Builds the web app when its sources are not those of the last build. */
export const ensureWebBuilt = async () => {
  if (isBuiltFrom(hashSources())) return
  console.log('Building the web app …')
  await underBuildLock(async () => {
    if (!isBuiltFrom(hashSources())) await vite({ isTelling: false })
  })
}
