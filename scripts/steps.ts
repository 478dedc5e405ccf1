import { type ChildProcess, spawn } from 'node:child_process'

export const tool = (name: string) => `node_modules/.bin/${name}`

interface RunOptions {
  env?: Record<string, string>
  /** Says everything at its end, because something else is at work beside it. */
  isHeld?: boolean
}

/** Runs one of our tools under this Node and answers whether it was content. */
export const run = async (command: string, args: string[] = [], { env = {}, isHeld = false }: RunOptions = {}) => {
  const child = spawn(process.execPath, [command, ...args], {
    stdio: isHeld ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, ...env },
  })
  const told = hear(child)
  const code = await new Promise<number | null>((done) => child.once('close', done))
  process.stdout.write(told())
  return code === 0
}

/** What a process writes, for when it has ended. */
const hear = ({ stdout, stderr }: ChildProcess) => {
  let told = ''
  for (const stream of [stdout, stderr]) stream?.on('data', (data: Buffer) => (told += data.toString()))
  return () => told
}

export interface Check {
  title: string
  args: string[]
  env?: Record<string, string>
}

/** Several at once, each one's words kept together; answers the titles of those that failed. */
export const runTogether = async (checks: Check[]): Promise<string[]> => {
  const failed: string[] = []
  await Promise.all(
    checks.map(async ({ title, args, env = {} }) => {
      const startedAt = performance.now()
      const child = spawn(process.execPath, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...env },
      })
      const told = hear(child)
      const code = await new Promise<number | null>((done) => child.once('close', done))
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      console.log(`${told()}${title}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)`)
      if (code !== 0) failed.push(title)
    }),
  )
  return failed
}

type Part = 'server' | 'web' | 'e2e'
export const typeParts: Part[] = ['server', 'web', 'e2e']
/**
 * One checker each: several work out the same types, twice the work in all, and other parts are at work beside it. What
 * was found stays in a file, so that the next check looks at what has changed and at what depends on it.
 */
export const typesOf = (part: Part): Check => ({
  title: `Types (${part})`,
  args: [
    ...[tool('tsc'), '-p', `tsconfig.${part}.json`, '--checkers', '1'],
    ...['--incremental', '--tsBuildInfoFile', `.tmp/types/${part}.tsbuildinfo`],
  ],
})
const typedCheck: Check = { title: 'All typed', args: ['scripts/check-typed.ts'] }
/** Files, exports and packages that nothing uses. */
const unusedCheck: Check = { title: 'Unused', args: [tool('knip'), '--no-progress'] }
/** Its types for one processor, for the same reason. */
const lintCheck: Check = { title: 'Lint', args: [tool('oxlint'), '--deny-warnings'], env: { GOMAXPROCS: '1' } }
const formatCheck: Check = { title: 'Format', args: [tool('oxfmt'), '--check', '.'] }
const importsCheck: Check = { title: 'Imports', args: ['scripts/check-imports.ts'] }
const linesCheck: Check = { title: 'Lines', args: ['scripts/check-lines.ts'] }
/** What needs neither a database nor a browser; the longest begins first. */
export const staticChecks: Check[] = [
  lintCheck,
  ...typeParts.map(typesOf),
  formatCheck,
  unusedCheck,
  typedCheck,
  importsCheck,
  linesCheck,
  { title: 'Styles', args: ['scripts/check-styles.ts'] },
  { title: 'Phrases', args: ['scripts/check-phrases.ts'] },
  { title: 'Sentences', args: ['scripts/check-sentences.ts'] },
]

export const checkTypes = async () => (await runTogether([...typeParts.map(typesOf), typedCheck])).length === 0
/** Rules of the code, its form, what nothing uses, and who imports whom. */
export const checkStyle = async () =>
  (await runTogether([lintCheck, formatCheck, unusedCheck, importsCheck, linesCheck])).length === 0
export const format = () => run(tool('oxfmt'), ['.'])
export const runVitest = (
  project: 'business' | 'faults',
  report: string,
  files: string[] = [],
  options: RunOptions = {},
) => {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return run(tool('vitest'), ['run', ...files, '--project', project, ...reporters, '--passWithNoTests'], options)
}
/** A journey whose title ends so is a second variant of another, or a detail that other tests hold. */
const onlyProved = '@prove'
export const runPlaywright = (
  report: string,
  { files = [], isWhole, env = {} }: { files?: string[]; isWhole: boolean; env?: Record<string, string> },
) =>
  run(
    tool('playwright'),
    ['test', ...files, '--reporter=list,json', ...(isWhole ? [] : ['--grep-invert', `${onlyProved}$`])],
    { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...env } },
  )

export interface Step {
  title: string
  work: () => Promise<boolean>
}

/**
 * Goes through all steps whatever becomes of each, those of a list side by side, and answers the
 * titles of those that failed.
 */
export const goThrough = async (steps: readonly (Step | readonly Step[])[]): Promise<string[]> => {
  const failed: string[] = []
  for (const together of steps.map((step) => [step].flat())) {
    console.log(`\n== ${together.map(({ title }) => title).join(', ')}`)
    await Promise.all(
      together.map(async ({ title, work }) => {
        const startedAt = performance.now()
        const isContent = await work().catch((error: unknown) => {
          console.error(error)
          return false
        })
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
        console.log(`${title}: ${isContent ? 'ok' : 'FAILED'} (${seconds} s)`)
        if (!isContent) failed.push(title)
      }),
    )
  }
  return failed
}
