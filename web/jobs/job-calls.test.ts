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

test('what a job is about leads to its record, by the noun that its key or the job itself says', () => {
  const guid = '01890000-0000-7000-8000-000000000000'
  const record = { guid, label: 'x' }
  const nounOf = (path: string, key = guid) => callsOf({ path })?.nounOf({ key, record })
  expect(nounOf('/Cron/Process/Messages/Queue')).toBe('Messages')
  expect(nounOf('/Cron/Orders/Billing/Messages/Outstanding')).toBe('Invoices')
  expect(nounOf('/Cron/Orders/Billing/Messages/Outstanding', `${guid}:a@b.example`)).toBe('Customers')
  const welcome = '/Cron/Orders/Messages/WelcomeMessages'
  expect([nounOf(welcome, `order:${guid}`), nounOf(welcome, `quote:${guid}:1`), nounOf(welcome, 'x')]).toEqual([
    ...['Orders', 'Quotes', null],
  ])
})
