import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../contract/api.ts'
import type { Op } from '../../contract/core/op.ts'
import { type Actors, seedActors } from '../support/actors.ts'
import { namesOf, plausible, schemaOf, unknownGuid as guid } from '../support/plausible.ts'
import { keyed, type Running, startApp } from '../support/start.ts'

/** All of it in the long proof; otherwise a part that changes from run to run, and is had again by its seed. */
const isWhole = process.env['PROVE'] === '1'
const seed = Number(process.env['JUNK_SEED'] ?? Date.now() % 1_000_000)

function partOf<T>(all: T[]): T[] {
  if (isWhole) return all
  const size = Math.ceil(all.length / 6)
  const [part = []] = fc.sample(fc.subarray(all, { minLength: size, maxLength: size }), { seed, numRuns: 1 })
  return part
}

const junk: unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  '',
  '\u0000',
  '\ud800',
  "'; drop table users --",
  'x'.repeat(5000),
  '2026-02-30',
  '9999-12-31',
  guid,
  [],
  [null],
  {},
  { $ne: null },
]

function requestsOf(op: Op): { query: string; body: unknown }[] {
  const takesBody = op.method === 'POST' || op.method === 'PATCH'
  const schema = schemaOf(takesBody ? op.body : op.query)
  const base = plausible(schema) as Record<string, unknown>
  const bodies = [
    ...junk,
    base,
    ...namesOf(schema).flatMap((name) => junk.map((value) => ({ ...base, [name]: value }))),
  ]
  if (takesBody) return bodies.map((body) => ({ query: '', body }))
  return namesOf(schema).flatMap((name) =>
    junk.map((value) => ({
      query: `?${name}=${encodeURIComponent(String(value).replace('\ud800', '?'))}`,
      body: undefined,
    })),
  )
}

// The event stream never ends, a logout would end the walk, and a login with junk is tested where logins are.
const tried = operations.filter(
  ({ op }) => op.produces !== 'text/event-stream' && op.cost !== 'login' && op.can[1] !== 'Auth:Logout',
)

/** Sends junk to the operations that are chosen, to a business that is there. */
export function describeJunk(isChosen: (op: Op) => boolean) {
  let app: Running
  let actors: Actors
  beforeAll(async () => {
    app = await startApp()
    actors = await seedActors(app)
    await app.call(actors.administrator, 'POST', '/Businesses', {
      legalName: 'Brolga Hire Pty Ltd',
      gstRegistered: true,
    })
  })
  afterAll(() => app.stop())

  describe('whatever is sent, nothing breaks', () => {
    const chosen = tried.filter(({ op }) => isChosen(op))
    it.each(chosen.map(({ noun, name, op }) => ({ id: `${noun}.${name}`, op })))('$id', async ({ op }) => {
      const path = op.path.replace(/:\w+/g, guid)
      const broken: string[] = []
      for (const { query, body } of partOf(requestsOf(op))) {
        const headers = op.needsKey ? keyed() : {}
        const answer = await app.call(actors.administrator, op.method, `${path}${query}`, body, headers)
        // 503 is the honest answer while no payment provider or mail server is there.
        if (answer.status >= 500 && answer.status !== 503)
          broken.push(`${answer.status} ${query} ${JSON.stringify(body)?.slice(0, 300)}`)
      }
      expect({ seed, broken }).toEqual({ seed, broken: [] })
      expect((await app.call(actors.administrator, 'GET', '/Kernal/Users/Account')).status).toBe(200)
    })
  })
}
