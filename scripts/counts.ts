import { readFileSync } from 'node:fs'

interface Counts {
  passed: number
  failed: number
}
interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number }
  errors: unknown[]
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
