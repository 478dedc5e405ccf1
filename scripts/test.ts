import { existsSync, globSync, mkdirSync, rmSync } from 'node:fs'
import { ensureBrowser } from './browser.ts'
import { countPlaywright, countVitest } from './counts.ts'
import { checkImports, checkStyle, checkTypes, goThrough, run, runPlaywright, runVitest, type Step } from './steps.ts'
import { ensureWebBuilt } from './web-build.ts'

const reports = { vitest: '.tmp/vitest.json', faults: '.tmp/faults.json', playwright: '.tmp/playwright.json' }
mkdirSync('.tmp', { recursive: true })
for (const report of Object.values(reports)) rmSync(report, { force: true })
rmSync('.tmp/e2e', { recursive: true, force: true })

const build = async () => {
  await ensureWebBuilt()
  return true
}
const steps: Step[] = [
  { title: 'Browser', work: ensureBrowser },
  { title: 'Types', work: checkTypes },
  { title: 'Lint', work: checkStyle },
  { title: 'Imports', work: checkImports },
  ...(existsSync('scripts/check-phrases.ts')
    ? [{ title: 'Phrases', work: () => run('scripts/check-phrases.ts') }]
    : []),
  { title: 'Sentences', work: () => run('scripts/check-sentences.ts') },
  { title: 'Rules and API', work: () => runVitest('business', reports.vitest) },
  // A few kills of each kind; `npm run prove` makes many.
  { title: 'Faults', work: () => runVitest('faults', reports.faults) },
  { title: 'Web app', work: build },
  ...(globSync('test/e2e/**/*.{spec,test}.ts').length > 0
    ? [{ title: 'Journeys in a browser', work: () => runPlaywright(reports.playwright) }]
    : []),
]
const failed = await goThrough(steps)

const counts = [
  countVitest(reports.vitest),
  countVitest(reports.faults),
  ...(steps.some((step) => step.title === 'Journeys in a browser') ? [countPlaywright(reports.playwright)] : []),
]
const checks = failed.filter((title) => !['Rules and API', 'Faults', 'Journeys in a browser'].includes(title)).length
const total = counts.reduce(
  (sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }),
  { passed: 0, failed: checks },
)

if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
process.exit(failed.length > 0 || total.failed > 0 ? 1 : 0)
