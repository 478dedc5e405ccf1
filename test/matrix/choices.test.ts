import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from '../../contract/api.ts'
import type { Op } from '../../contract/core/op.ts'
import { startBusiness } from '../support/factories.ts'

let started: Awaited<ReturnType<typeof startBusiness>>
beforeAll(async () => void (started = await startBusiness()))
afterAll(() => started.app.stop())

/** The values that a parameter of a query says it takes, several at once. */
function choicesOf(parameter: z.core.$ZodType): string[] {
  const refusal = z.safeParse(parameter, '?').error?.issues[0]?.message
  return refusal?.match(/^Use only (.+)\.$/)?.[1]?.split(', ') ?? []
}

/** Each parameter with one value, and with all of them. */
function asked(op: Op): string[] {
  // Lists, not what is asked about one record, and not their files, of which two are written at a time.
  if (!(op.query instanceof z.ZodObject) || !op.query.safeParse({}).success || op.produces) return []
  return Object.entries(op.query.shape).flatMap(([name, parameter]) => {
    const [first, ...rest] = choicesOf(parameter)
    const values = first ? [first, [first, ...rest].join(',')] : []
    return values.map((value) => `${op.path}?${new URLSearchParams({ [name]: value }).toString()}`)
  })
}

test('every list takes each sort and choice that it names, one alone and all of them', async () => {
  const paths = operations.flatMap(({ op }) =>
    op.method === 'GET' && op.who === 'staff' && !op.path.includes(':') ? asked(op) : [],
  )
  expect(paths.length).toBeGreaterThan(80)
  const refused = []
  for (const path of paths) {
    const { status, message } = await started.app.call(started.actors.administrator, 'GET', path)
    if (status !== 200) refused.push(`${status} ${path}: ${message}`)
  }
  expect(refused).toEqual([])
})
