import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { ensureBrowser } from './browser.ts'
import { countPlaywright, countVitest } from './counts.ts'
import { dataDir } from './journeys.ts'
import { goThrough, runPlaywright, runVitest } from './steps.ts'
import { ensureWebBuilt } from './web-build.ts'

// Long: everything the test command does a few of, in full number, with every wait that it shortens.
const reports = { faults: '.tmp/prove.json', numbers: '.tmp/prove-numbers.json', journeys: '.tmp/prove-journeys.json' }
mkdirSync('.tmp', { recursive: true })
for (const report of Object.values(reports)) rmSync(report, { force: true })
rmSync(dataDir, { recursive: true, force: true })
process.env.FAULTS = 'full'

/** Files that have a longer version of themselves, or are made of a helper that has one. */
const proofFiles = () => {
  const asks = (path: string) => readFileSync(path, 'utf8').includes('PROVE')
  const named = globSync('{contract,server,web,test/matrix}/**/*.test.{ts,tsx}').filter(asks)
  return [...new Set([...named, ...globSync('test/attacks/*.test.ts'), ...globSync('test/matrix/junk-*.test.ts')])]
}
/**
 * A million random documents, thousands of splits and attacks, the sample company at two hours of a day and by a first
 * run, fifty callers of every write, all junk, ten thousand rows of an import.
 */
const proveNumbers = () => runVitest('business', reports.numbers, proofFiles(), { env: { PROVE: '1' } })

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
