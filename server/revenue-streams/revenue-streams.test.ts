import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actors } from '../../test/support/actors.ts'
import { ok, startStaffed } from '../../test/support/factories.ts'
import type { Running } from '../../test/support/start.ts'
import { targetIn } from '../../contract/revenue-streams.ts'

interface Stream {
  guid: string
  version: number
  code: string
  parentGuid: string | null
  thisMonthCents: number
  targetCents: number | null
}

let app: Running
let people: Actors
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
})
afterAll(() => app.stop())

const send = (body: Record<string, unknown>) =>
  app.call<{ stream: Stream }>(people.office, 'POST', '/RevenueStreams', { name: 'Hire', ...body })
const change = (guid: string, body: Record<string, unknown>) =>
  app.call<{ stream: Stream }>(people.office, 'PATCH', `/RevenueStreams/${guid}`, body)

test('A stream has a code no other has, its account and its targets', async () => {
  const targets = [{ month: '2020-01', cents: 500_000 }]
  const { stream } = ok(await send({ code: 'HIRE', accountCode: '200', targets }), 201)
  expect(stream).toMatchObject({ code: 'HIRE', targetCents: 500_000, thisMonthCents: 0 })
  const again = await send({ code: 'hire' })
  expect([again.status, again.errors[0]?.path]).toEqual([409, 'code'])
  const back = await send({ code: 'T', targets: [{ month: '2026-02', cents: 1 }, ...targets] })
  expect([back.status, back.errors[0]?.path]).toEqual([422, 'targets'])
  expect((await send({ code: 'T', targets: [{ month: '2026-13', cents: 1 }] })).status).toBe(422)
})

test('A target holds from its month until the next', () => {
  const targets = [
    { month: '2026-02', cents: 1 },
    { month: '2026-05', cents: 2 },
  ]
  expect(['2026-01', '2026-02', '2026-04', '2026-05', '2027-01'].map((month) => targetIn(targets, month))).toEqual([
    null,
    1,
    1,
    2,
    2,
  ])
})

test('A stream is part of another, but never of itself', async () => {
  const a = ok(await send({ code: 'A' }), 201).stream
  const b = ok(await send({ code: 'B', parentGuid: a.guid }), 201).stream
  const c = ok(await send({ code: 'C', parentGuid: b.guid }), 201).stream
  for (const parentGuid of [a.guid, c.guid]) {
    const circle = await change(a.guid, { version: 1, parentGuid })
    expect([circle.status, circle.errors[0]?.path]).toEqual([422, 'parentGuid'])
  }
  const both = await Promise.all([
    change(a.guid, { version: 1, name: 'Alpha' }),
    change(b.guid, { version: 1, parentGuid: null }),
  ])
  expect(both.map((answer) => answer.status)).toEqual([200, 200])
})

test('Streams are listed by code, archived and restored, and kept by the office', async () => {
  const old = ok(await send({ code: 'OLD' }), 201).stream
  ok(await app.call(people.office, 'DELETE', `/RevenueStreams/${old.guid}`))
  const codes = async (query = '') =>
    ok(await app.call<{ items: Stream[] }>(people.accountant, 'GET', `/RevenueStreams${query}`)).items.map(
      (s) => s.code,
    )
  expect(await codes()).toEqual(['A', 'B', 'C', 'HIRE'])
  expect(await codes('?archived=true')).toEqual(['OLD'])
  expect(await codes('?search=hIr&sort=-name')).toContain('HIRE')
  ok(await app.call(people.office, 'POST', `/RevenueStreams/Restore/${old.guid}`))
  expect((await app.call(people.sales, 'POST', '/RevenueStreams', { code: 'x', name: 'x' })).status).toBe(403)
  const csv = await app.call(people.office, 'GET', '/RevenueStreams/Export?search=old')
  expect(csv.body).toContain('OLD')
})
