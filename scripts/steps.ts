import { spawn } from 'node:child_process'

const tool = (name: string) => `node_modules/.bin/${name}`

/** Runs one of our tools under this Node and answers whether it was content. */
export const run = async (command: string, args: string[] = [], env: Record<string, string> = {}): Promise<boolean> => {
  const child = spawn(process.execPath, [command, ...args], { stdio: 'inherit', env: { ...process.env, ...env } })
  return (await new Promise<number | null>((done) => child.once('close', done))) === 0
}

export interface Check {
  title: string
  args: string[]
}

/** Several at once, each one's words kept together; answers the titles of those that failed. */
export const runTogether = async (checks: Check[]): Promise<string[]> => {
  const failed: string[] = []
  await Promise.all(
    checks.map(async ({ title, args }) => {
      const startedAt = performance.now()
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
      let told = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (told += data.toString()))
      const code = await new Promise<number | null>((done) => child.once('close', done))
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      console.log(`${told}${title}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)`)
      if (code !== 0) failed.push(title)
    }),
  )
  return failed
}

type Part = 'server' | 'web' | 'e2e'
const parts: Part[] = ['server', 'web', 'e2e']
export const typesOf = (part: Part): Check => ({
  title: `Types (${part})`,
  args: [tool('tsc'), '-p', `tsconfig.${part}.json`],
})
/** What needs neither a database nor a browser; the longest begins first. */
export const staticChecks: Check[] = [
  { title: 'Lint', args: [tool('oxlint'), '--deny-warnings'] },
  ...parts.map(typesOf),
  { title: 'Format', args: [tool('oxfmt'), '--check', '.'] },
  { title: 'Imports', args: ['scripts/check-imports.ts'] },
  { title: 'Phrases', args: ['scripts/check-phrases.ts'] },
  { title: 'Sentences', args: ['scripts/check-sentences.ts'] },
]

export const checkTypes = async () => (await runTogether(parts.map(typesOf))).length === 0
/** Rules of the code, and its form: 120 columns, as the formatter sets it. */
export const checkStyle = async () => {
  const isLinted = await run(tool('oxlint'), ['--deny-warnings'])
  return (await run(tool('oxfmt'), ['--check', '.'])) && isLinted
}
export const format = () => run(tool('oxfmt'), ['.'])
export const checkImports = () => run('scripts/check-imports.ts')
export const runVitest = (project: 'business' | 'faults', report: string, files: string[] = []) =>
  run(tool('vitest'), [
    'run',
    ...files,
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--passWithNoTests',
  ])
export const runPlaywright = (report: string, files: string[] = []) =>
  run(tool('playwright'), ['test', ...files, '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: report })

export interface Step {
  title: string
  work: () => Promise<boolean>
}

/** Goes through all steps whatever becomes of each, and answers the titles of those that failed. */
export const goThrough = async (steps: Step[]): Promise<string[]> => {
  const failed: string[] = []
  for (const { title, work } of steps) {
    console.log(`\n== ${title}`)
    const startedAt = performance.now()
    const isContent = await work().catch((error: unknown) => {
      console.error(error)
      return false
    })
    console.log(`${isContent ? 'ok' : 'FAILED'} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
    if (!isContent) failed.push(title)
  }
  return failed
}
