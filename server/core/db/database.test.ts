import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../test/support/start-db.ts'
import { loadSettings } from '../env.ts'
import { quiet } from '../console.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

let fresh: FreshDatabase
let url: string
const keys = { dbPassword: 'derived from the key' }
const open = (env: Record<string, string>) => openDatabase(loadSettings(env), keys, quiet)
const ask = async (config: pg.ClientConfig, text: string) => {
  const db = new pg.Client(config)
  await db.connect()
  try {
    return (await db.query(text)).rows as Record<string, unknown>[]
  } finally {
    await db.end()
  }
}

beforeAll(async () => {
  fresh = await freshDatabase()
  url = fresh.owner.connectionString ?? `postgres:///${fresh.name}?host=${fresh.owner.host ?? ''}&user=postgres`
})
afterAll(async () => {
  await ask(fresh.owner, `drop owned by ${fresh.name}_app; drop role if exists ${fresh.name}_app`)
  await fresh.drop()
})

test('on a server of your own the product’s role owns nothing, is bounded in time, and works again', async () => {
  for (let start = 1; start <= 2; start++) {
    const database = await open({ DATABASE_URL: url })
    expect(database).toMatchObject({ embedded: false, appRole: `${fresh.name}_app`, read: null })
    await migrate(database.owner, database.appRole, quiet)
    expect(
      await ask(
        database.app,
        `select current_user::text as me, current_setting('statement_timeout') as a,
          current_setting('lock_timeout') as b, current_setting('idle_in_transaction_session_timeout') as c`,
      ),
    ).toEqual([{ me: `${fresh.name}_app`, a: '8s', b: '3s', c: '5s' }])
    await expect(ask(database.app, 'create table sneaky (a int)')).rejects.toThrow(/permission denied/)
    await database.stop()
  }
})

test('the role of the owner is refused as the one the product works with', async () => {
  await expect(open({ DATABASE_URL: url, APP_DATABASE_URL: url })).rejects.toThrow(
    'APP_DATABASE_URL must use a role that owns nothing and is no superuser, not the one of DATABASE_URL.',
  )
})

test('a replica is read with the rights of the product unless its address names a user', async () => {
  const plain = url.replace(/&user=postgres$/, '').replace(/\/\/[^/]*@/, '//')
  const { read } = await open({ DATABASE_URL: url, READ_DATABASE_URL: plain })
  expect(read?.connectionString).toContain(`user=${fresh.name}_app`)
  expect((await open({ DATABASE_URL: url, READ_DATABASE_URL: url })).read).toEqual({ connectionString: url })
})

test('a server that cannot be reached stops the start with a sentence that holds no password', async () => {
  const opening = open({ DATABASE_URL: 'postgres://someone:hidden@127.0.0.1:1/nowhere' })
  await expect(opening).rejects.toThrow(
    /^The database of DATABASE_URL cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1\.$/,
  )
  await expect(opening).rejects.not.toThrow(/hidden/)
})
