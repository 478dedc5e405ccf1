import { expect, test } from 'vitest'
import { operations } from '../../contract/api.ts'
import { callsOf } from './job-calls.ts'

test('every call of the clock can be run, looked ahead at and looked back on from its sheet', () => {
  const calls = operations.filter(({ op }) => op.who === 'cron').map(({ op }) => op.path)
  expect(calls.length).toBeGreaterThan(5)
  for (const path of calls) {
    const found = callsOf({ path })
    expect([found?.run.path, found?.preview.path, found?.runs.path]).toEqual([path, `${path}/Preview`, `${path}/Runs`])
  }
})
