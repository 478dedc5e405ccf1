import { globSync, mkdirSync, rmSync } from 'node:fs'
import { ensureBrowser } from './browser.ts'
import { countPlaywright, countVitest, printSlowestPlaywright, printSlowestVitest } from './counts.ts'
import { dataDir, productEnv } from './journeys.ts'
import {
  type Check,
  goThrough,
  run,
  runPlaywright,
  runTogether,
  runVitest,
  staticChecks,
  type Step,
  typesOf,
} from './steps.ts'
import { ensureWebBuilt } from './web-build.ts'

// Everything, or with words (`npm test -- quotes money`) the test files whose path contains
// one, and the types they need.
const words = process.argv.slice(2)
const reports = { vitest: '.tmp/vitest.json', faults: '.tmp/faults.json', playwright: '.tmp/playwright.json' }
/**
 * Seconds that a test may take on average on a quiet machine with two cores: more tests may
 * take more, each of them not.
 */
const budgets = { rules: 0.15, faults: 6, journeys: 5 }
/** Of everything, on the same machine. */
const minutes = 6
const startedAt = performance.now()
const budgetOf = (seconds: number) => (words.length === 0 ? seconds : null)
mkdirSync('.tmp', { recursive: true })
for (const report of Object.values(reports)) rmSync(report, { force: true })
rmSync(dataDir, { recursive: true, force: true })

const matching = (...patterns: string[]) =>
  globSync(patterns).filter((path) => words.length === 0 || words.some((word) => path.includes(word)))
const rules = matching('{contract,server,web,scripts}/**/*.test.{ts,tsx}', 'test/{matrix,attacks}/**/*.test.ts')
const faults = matching('test/faults/**/*.test.ts')
const journeys = matching('test/e2e/**/*.spec.ts')
/** Named one by one, because a word may stand in the path of the whole checkout. */
const chosen = (files: string[]) => (words.length === 0 ? [] : files)
if (rules.length + faults.length + journeys.length === 0) {
  console.error(`No test file has ${words.map((word) => `"${word}"`).join(' or ')} in its path.`)
  process.exit(1)
}

const neededChecks = (): Check[] => {
  if (words.length === 0) return staticChecks
  const hasWeb = rules.some((path) => path.startsWith('web/'))
  return [
    ...(rules.length + faults.length > 0 ? [typesOf('server')] : []),
    ...(hasWeb || journeys.length > 0 ? [typesOf('web')] : []),
    ...(journeys.length > 0 ? [typesOf('e2e')] : []),
  ]
}
const failedChecks: string[] = []
/** What the rules need, and the rules; beside them the checks and what the journeys need. */
const steps: (Step | Step[])[] = []
const beside: Step[] = [
  {
    title: 'Checks',
    work: async () => {
      failedChecks.push(...(await runTogether(neededChecks())))
      return failedChecks.length === 0
    },
  },
]
const last: Step[] = []
/** At work beside whatever is, once the checks are done, because it waits more than it computes. */
const waiting: Step[] = []
const counts: (() => { passed: number; failed: number })[] = []

/** A step of tests: its slowest files are named at its end, whatever became of it. */
const tests = (title: string, run: () => Promise<boolean>, printSlowest: () => void): Step => ({
  title,
  work: () => run().finally(printSlowest),
})
if (journeys.length > 0) {
  const build = async () => {
    await ensureWebBuilt()
    return true
  }
  // Both before the rules, which look at the card form with a browser.
  steps.push([
    { title: 'Web app', work: build },
    { title: 'Browser', work: ensureBrowser },
  ])
  // So that they begin at once: a start that makes it has one core wait.
  beside.push({
    title: 'Sample company of the journeys',
    work: () => run('scripts/run.mjs', ['seed'], { env: { ...productEnv, MODE: 'demo' }, isHeld: true }),
  })
  last.push(
    tests(
      'Journeys in a browser',
      () => runPlaywright(reports.playwright, { files: chosen(journeys), isWhole: words.length > 0 }),
      () => printSlowestPlaywright(reports.playwright, budgetOf(budgets.journeys)),
    ),
  )
  counts.push(() => countPlaywright(reports.playwright))
}
if (rules.length > 0) {
  steps.push(
    tests(
      'Rules and API',
      () => runVitest('business', reports.vitest, chosen(rules)),
      () => printSlowestVitest(reports.vitest, budgetOf(budgets.rules)),
    ),
  )
  counts.push(() => countVitest(reports.vitest))
}
if (faults.length > 0) {
  // A few kills of each kind; `npm run prove` makes many.
  waiting.push(
    tests(
      'Faults',
      () => runVitest('faults', reports.faults, chosen(faults), { isHeld: true }),
      () => printSlowestVitest(reports.faults, budgetOf(budgets.faults)),
    ),
  )
  counts.push(() => countVitest(reports.faults))
}

const checked = goThrough(beside)
const inTurn = async () => {
  const before = (await Promise.all([goThrough(steps), checked])).flat()
  return [...before, ...(await goThrough(last))]
}
const failed = (await Promise.all([inTurn(), checked.then(() => goThrough(waiting))])).flat()
const testSteps = ['Rules and API', 'Faults', 'Journeys in a browser']
const otherFailures = failed.filter((title) => title !== 'Checks' && !testSteps.includes(title)).length
const total = { passed: 0, failed: failedChecks.length + otherFailures }
for (const count of counts) {
  const { passed, failed: failures } = count()
  total.passed += passed
  total.failed += failures
}

if (failed.length > 0)
  console.log(`\nFailed: ${[...failed.filter((title) => title !== 'Checks'), ...failedChecks].join(', ')}`)
const seconds = Math.round((performance.now() - startedAt) / 1000)
if (words.length === 0)
  console.log(
    `\nTook ${Math.trunc(seconds / 60)} min ${seconds % 60} s: ` +
      `${seconds > minutes * 60 ? 'OVER' : 'within'} the budget of ${minutes} min`,
  )
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(failed.length > 0 || total.failed > 0 ? 1 : 0)
