import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'

interface Counts {
  passed: number
  failed: number
}
interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: { name: string; status: string; startTime: number; endTime: number; assertionResults: unknown[] }[]
}
interface PlaywrightSuite {
  file: string
  specs: { tests: { results: { duration: number }[] }[] }[]
  suites?: PlaywrightSuite[]
}
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number }
  errors: unknown[]
  suites: PlaywrightSuite[]
}

/** A run that ended before it could write its report counts as one failure. */
const read = <T>(path: string, count: (report: T) => Counts): Counts => {
  try {
    return count(JSON.parse(readFileSync(path, 'utf8')) as T)
  } catch {
    return { passed: 0, failed: 1 }
  }
}

/** A test file that could not even be loaded has no tests to fail, so the file counts. */
export const countVitest = (path: string) =>
  read<VitestReport>(path, (report) => ({
    passed: report.numPassedTests,
    failed:
      report.numFailedTests +
      report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length,
  }))

export const countPlaywright = (path: string) =>
  read<PlaywrightReport>(path, ({ stats, errors }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
  }))

/** The twenty files that take longest, so that a slow one is seen when it comes, and whether the tests grow slower. */
const printSlowest = (files: { name: string; milliseconds: number; tests: number }[], budget: number | null) => {
  const slowest = files.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 20)
  console.log('Slowest files:')
  for (const { name, milliseconds } of slowest)
    console.log(`${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${relative(process.cwd(), name)}`)
  if (budget === null) return
  const tests = files.reduce((sum, file) => sum + file.tests, 0)
  const each = files.reduce((sum, file) => sum + file.milliseconds, 0) / 1000 / Math.max(tests, 1)
  const verdict = each > budget ? 'OVER the budget of' : 'within the budget of'
  console.log(`${tests} tests, ${each.toFixed(2)} s each: ${verdict} ${budget} s`)
}

export const printSlowestVitest = (path: string, budget: number | null) => {
  if (!existsSync(path)) return
  const report = JSON.parse(readFileSync(path, 'utf8')) as VitestReport
  printSlowest(
    report.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
      name,
      milliseconds: endTime - startTime,
      tests: assertionResults.length,
    })),
    budget,
  )
}

const testsOf = (suite: PlaywrightSuite): number =>
  suite.specs.flatMap(({ tests }) => tests).length + (suite.suites ?? []).reduce((sum, one) => sum + testsOf(one), 0)
const durationOf = (suite: PlaywrightSuite): number => {
  const own = suite.specs.flatMap(({ tests }) => tests).flatMap(({ results }) => results)
  const inner = (suite.suites ?? []).map(durationOf)
  return [...own.map(({ duration }) => duration), ...inner].reduce((sum, duration) => sum + duration, 0)
}

export const printSlowestPlaywright = (path: string, budget: number | null) => {
  if (!existsSync(path)) return
  const report = JSON.parse(readFileSync(path, 'utf8')) as PlaywrightReport
  printSlowest(
    report.suites.map((suite) => ({
      name: resolve('test/e2e', suite.file),
      milliseconds: durationOf(suite),
      tests: testsOf(suite),
    })),
    budget,
  )
}
