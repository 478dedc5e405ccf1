import { mkdirSync, rmSync } from 'node:fs'
import { ensureBrowser } from './browser.ts'
import { countPlaywright, countVitest } from './counts.ts'
import { dataDir } from './journeys.ts'
import { goThrough, run, runPlaywright, runVitest } from './steps.ts'
import { ensureWebBuilt } from './web-build.ts'

// Long: everything the test command does a few of, in full number, with every wait that it shortens.
const reports = { faults: '.tmp/prove.json', numbers: '.tmp/prove-numbers.json', journeys: '.tmp/prove-journeys.json' }
mkdirSync('.tmp', { recursive: true })
for (const report of Object.values(reports)) rmSync(report, { force: true })
rmSync(dataDir, { recursive: true, force: true })
process.env.FAULTS = 'full'

/**
 * A million random documents, thousands of splits and attacks, the sample company at two hours of a day, fifty
 * callers of every write, all junk.
 */
const proveNumbers = () =>
  run(
    'node_modules/.bin/vitest',
    [
      'run',
      '--project',
      'business',
      'money.property',
      'split',
      'invoices.test',
      'sample.test',
      'crowd.test',
      'test/attacks',
      'test/matrix/junk',
      'users/setup.test',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reports.numbers}`,
    ],
    { env: { PROVE: '1' } },
  )

/**
 * Every journey in every variant, and every page × both sizes × both themes × English and
 * Arabic, and the widths in French.
 */
const proveJourneys = async () => {
  if (!(await ensureBrowser())) return false
  await ensureWebBuilt()
  return runPlaywright(reports.journeys, { isWhole: true, env: { FULL: '1' } })
}

const failed = await goThrough([
  { title: 'Random documents and attacks', work: proveNumbers },
  { title: 'Every journey, and every page in every look', work: proveJourneys },
  { title: 'Faults', work: () => runVitest('faults', reports.faults) },
])
const counts = [countVitest(reports.numbers), countPlaywright(reports.journeys), countVitest(reports.faults)]
const total = counts.reduce(
  (sum, { passed, failed: failures }) => ({ passed: sum.passed + passed, failed: sum.failed + failures }),
  { passed: 0, failed: 0 },
)

if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(failed.length > 0 || total.failed > 0 ? 1 : 0)
