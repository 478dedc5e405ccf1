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

const printSlowest = (files: { name: string; milliseconds: number }[]) => {
  const slowest = files.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 20)
  console.log('Slowest files:')
  for (const { name, milliseconds } of slowest)
    console.log(`${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${relative(process.cwd(), name)}`)
}

/** The twenty files that take longest, so that a slow one is seen when it comes. */
export const printSlowestVitest = (path: string) => {
  if (!existsSync(path)) return
  const report = JSON.parse(readFileSync(path, 'utf8')) as VitestReport
  printSlowest(report.testResults.map((file) => ({ name: file.name, milliseconds: file.endTime - file.startTime })))
}

const durationOf = (suite: PlaywrightSuite): number => {
  const own = suite.specs.flatMap(({ tests }) => tests).flatMap(({ results }) => results)
  const inner = (suite.suites ?? []).map(durationOf)
  return [...own.map(({ duration }) => duration), ...inner].reduce((sum, duration) => sum + duration, 0)
}

export const printSlowestPlaywright = (path: string) => {
  if (!existsSync(path)) return
  const report = JSON.parse(readFileSync(path, 'utf8')) as PlaywrightReport
  printSlowest(
    report.suites.map((suite) => ({ name: resolve('test/e2e', suite.file), milliseconds: durationOf(suite) })),
  )
}
