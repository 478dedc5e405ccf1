import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, startApp } from '../../test/support/start.ts'
import { password } from '../../test/support/actors.ts'
import { seedSample } from './sample.ts'

let app: Running
beforeAll(async () => {
  app = await startApp()
  await seedSample(app, { password })
}, 120_000)
afterAll(() => app.stop())

const counted = async (what: string, from = 'files') =>
  Object.fromEntries(
    (
      await sql<{ key: string; n: number }>`select ${sql.ref(what)}::text as key, count(*)::int as n
        from ${sql.table(from)} group by 1 order by 1`.execute(app.deps.db)
    ).rows.map(({ key, n }) => [key, n]),
  )

test('thirty files hang on orders, sites, quotes and products, of each kind that is accepted', async () => {
  const office = 'application/vnd.openxmlformats-officedocument'
  expect(await counted('mime')).toEqual({
    // One of them answers a booking option.
    'application/pdf': 7,
    [`${office}.spreadsheetml.sheet`]: 2,
    [`${office}.wordprocessingml.document`]: 1,
    // Four of them are pictures of products.
    'image/jpeg': 22,
    'text/csv': 1,
    'text/plain': 2,
  })
  const { rows } = await sql<{ noun: string; n: number }>`select owner_noun as noun,
    count(distinct owner_guid)::int as n from attachments group by 1 order by 1`.execute(app.deps.db)
  expect(rows.map(({ noun, n }) => [noun, n])).toEqual([
    ['Orders', 9],
    ['Products', 2],
    ['Quotes', 3],
    ['Sites', 4],
  ])
  expect(await counted('scan')).toEqual({ infected: 1, off: 33, waiting: 1 })
  expect((await counted('forCustomer', 'attachments'))['true']).toBe(5)
  const detached = app.deps.db.selectFrom('attachments').select('guid').where('detachedAt', 'is not', null)
  expect((await detached.execute()).length).toBe(1)
  const long = app.deps.db
    .selectFrom('files')
    .select('name')
    .where(sql<boolean>`length(name) = 200`)
  expect((await long.execute()).length).toBe(1)
  expect(await app.deps.boss.findJobs('files-views')).toHaveLength(22)
})
