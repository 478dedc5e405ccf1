import { mkdirSync, rmSync } from 'node:fs'
import { countVitest } from './counts.ts'
import { goThrough, runVitest } from './steps.ts'

// Minutes long: the faults of the test command in full number, with every wait that it shortens.
process.env.FAULTS = 'full'
const report = '.tmp/prove.json'
mkdirSync('.tmp', { recursive: true })
rmSync(report, { force: true })
const failed = await goThrough([{ title: 'Faults', work: () => runVitest('faults', report) }])
const { passed, failed: failures } = countVitest(report)
console.log(`\n${passed} passed, ${failures} failed`)
process.exit(failed.length > 0 || failures > 0 ? 1 : 0)
