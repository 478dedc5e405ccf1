import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { relative } from 'node:path'
import { promisify } from 'node:util'
import { tool, typeParts } from './steps.ts'

/** Every source file belongs to one of the type checks: what none of them reads could hold anything. */
const filesOf = async (part: string) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [tool('tsc'), '-p', `tsconfig.${part}.json`, '--listFilesOnly'],
    { maxBuffer: 50_000_000 },
  )
  return stdout.split('\n').map((path) => relative('.', path))
}

const checked = new Set((await Promise.all(typeParts.map(filesOf))).flat())
const folders = ['node_modules', 'dist', 'data', '.tmp', 'test-results', 'playwright-report']
const files = globSync('**/*.{ts,tsx,mts,cts}', { exclude: (name) => folders.includes(name) })
const outside = files.filter((file) => !checked.has(file))
for (const file of outside) console.error(`${file} is in no tsconfig.*.json, so its types are not checked`)
console.log(`${files.length} source files, ${outside.length} without a type check`)
process.exit(outside.length)
