import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { logIn } from '../../test/support/actors.ts'
import { type Running, startApp } from '../../test/support/start.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { newSetupToken } from './setup.service.ts'

const running: Running[] = []
afterEach(async () => {
  for (const app of running.splice(0)) await app.stop()
})

async function firstRun(env: Record<string, string> = {}) {
  const app = await startApp({ env })
  running.push(app)
  const link = new URL((await app.setupLink()) ?? '')
  const open = (query = link.search, headers: Record<string, string> = {}) =>
    app.fastify.inject({ url: `/setup${query}`, headers })
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    app.fastify.inject({
      method: 'POST',
      url: '/setup',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
    })
  const token = link.searchParams.get('token') ?? ''
  return {
    app,
    open,
    post,
    form: {
      token,
      legalName: 'Brolga <Hire> & Sons',
      abn: '53 004 085 616',
      isGstRegistered: 'yes',
      email: 'office@test.example',
      firstName: 'Ada',
      lastName: '',
      authID: 'ada@test.example',
      password: 'a good password',
    },
  }
}
const count = async (app: Running, table: 'users' | 'businesses' | 'customers' | 'roles' | 'invoices' | 'auditLog') =>
  Number(
    (
      await app.deps.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll<string>().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

describe('the first run', () => {
  it('makes one business and one administrator, once, however many try at the same moment', async () => {
    const { app, open, post, form } = await firstRun()
    for (const query of ['', '?token=guess']) expect((await open(query)).statusCode).toBe(404)
    const page = await open()
    expect([page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ])

    const wrong = await post({ ...form, abn: '11 111 111 111', password: 'short', start: 'sample' })
    expect(wrong.statusCode).toBe(422)
    expect(wrong.body).toContain('Use 10 characters or more.')
    expect(wrong.body).toContain('Enter a valid ABN.')
    for (const kept of [
      'Brolga &lt;Hire&gt; &amp; Sons',
      'value="11 111 111 111"',
      'value="office@test.example"',
      'value="Ada"',
      'value="ada@test.example"',
    ])
      expect(wrong.body).toContain(kept)
    expect(wrong.body).toMatch(/value="sample"[^>]* checked/)
    expect(wrong.body).not.toContain('short')
    expect((await post({ ...form, token: 'guess' })).statusCode).toBe(404)

    const both = await Promise.all([post(form), post({ ...form, authID: 'other@test.example' })])
    expect(both.map((r) => r.statusCode).toSorted()).toEqual([200, 404])
    expect((await open()).statusCode).toBe(404)
    expect((await post(form)).statusCode).toBe(404)
    expect([await app.setupLink(), await newSetupToken(app.deps)]).toEqual([null, null])
    expect([await count(app, 'users'), await count(app, 'customers')]).toEqual([1, 0])

    const { authId } = await app.deps.db.selectFrom('users').select('authId').executeTakeFirstOrThrow()
    const who = { headers: await logIn(app, authId, 'a good password') }
    expect((await app.call(who, 'GET', '/Users')).status).toBe(200)
    const businesses = await app.call<{ items: { legalName: string }[] }>(who, 'GET', '/Businesses')
    expect(businesses.data.items.map((b) => b.legalName)).toEqual(['Brolga <Hire> & Sons'])
  })

  it('takes no form from another site', async () => {
    const { app, post, form } = await firstRun()
    expect((await post(form, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
    expect(await count(app, 'users')).toBe(0)
  })
})

describe('the first run with sample data', () => {
  // Whole samples: in the long proof. `sample.test.ts` has one of its own, and so have the journeys.
  it.runIf(process.env['PROVE'])(
    'fills the given business, once, and lets nobody in but the administrator',
    async () => {
      const { app, post, form } = await firstRun()
      const both = await Promise.all([post({ ...form, start: 'sample' }), post({ ...form, start: 'sample' })])
      expect(both.map((r) => r.statusCode).toSorted()).toEqual([200, 404])

      const who = { headers: await logIn(app, 'ada@test.example', 'a good password') }
      const { data } = await app.call<{
        items: { guid: string; legalName: string; abn: string; email: string; gstRegistered: boolean }[]
      }>(who, 'GET', '/Businesses')
      expect(data.items).toMatchObject([
        { legalName: 'Brolga <Hire> & Sons', abn: '53004085616', email: 'office@test.example', gstRegistered: true },
      ])
      const { data: shown } = await app.call<{ business: Record<string, unknown> }>(
        who,
        'GET',
        `/Businesses/${data.items[0]?.guid}`,
      )
      expect(shown.business).toMatchObject({
        tradingName: null,
        phone: null,
        address: null,
        bankAccount: null,
        defaultTermsDays: 14,
      })
      expect(await count(app, 'businesses')).toBe(1)
      expect(await count(app, 'invoices')).toBeGreaterThan(100)
      const users = await app.deps.db.selectFrom('users').select('authId').orderBy('authId').execute()
      expect(users.map((user) => user.authId)).toEqual([
        'accountant@demo.example',
        'ada@test.example',
        'field@demo.example',
        'office@demo.example',
        'readonly@demo.example',
        'sales@demo.example',
      ])
      for (const authPassword of ['a good password', 'undefined', 'null', 'password'])
        expect(
          (await app.call(null, 'POST', '/Kernal/Users/Auth/Login', { authID: 'office@demo.example', authPassword }))
            .status,
        ).toBe(401)
      // Nobody of the sample gets a mail from a real business.
      expect(
        await app.deps.db
          .selectFrom('messages')
          .select('guid')
          .where('status', 'not in', ['sent', 'failed', 'draft', 'cancelled'])
          .execute(),
      ).toEqual([])
      expect((await verifyLedger(app.deps.db)).problems).toEqual([])
    },
    180_000,
  )

  it.runIf(process.env['PROVE'])(
    'charges no GST if not registered, works in its time zone, also for somebody called as one of the sample',
    async () => {
      const { app, post, form } = await firstRun({ TIME_ZONE: 'America/Los_Angeles' })
      const { isGstRegistered: _no, ...without } = form
      expect(
        (await post({ ...without, abn: '', email: '', authID: 'Office@demo.example', start: 'sample' })).statusCode,
      ).toBe(200)
      const taxed = await app.deps.db
        .selectFrom('invoices')
        .select('guid')
        .where((eb) =>
          eb.or([eb('gstCents', '!=', 0), eb.and([eb('status', '!=', 'draft'), eb('isTaxInvoice', '=', true)])]),
        )
        .execute()
      expect([(await count(app, 'invoices')) > 100, taxed]).toEqual([true, []])
      expect((await verifyLedger(app.deps.db)).problems).toEqual([])
      await logIn(app, 'office@demo.example', 'a good password')
    },
    180_000,
  )

  it('asks for the ABN that tax invoices must show', async () => {
    const { app, post, form } = await firstRun()
    const answer = await post({ ...form, abn: '', start: 'sample' })
    expect([answer.statusCode, answer.body.includes('Enter an ABN. Sample tax invoices need one.')]).toEqual([
      422,
      true,
    ])
    expect(await count(app, 'users')).toBe(0)
  })

  it('that is broken off half way leaves nothing, and the product can still be set up', async () => {
    const { app, open, post, form } = await firstRun()
    const answer = post({ ...form, start: 'sample' }, { 'accept-language': 'fr' })
    await breakOff(app)
    const told = await answer
    expect(told.statusCode).toBe(503)
    expect(told.body).toContain('rien n’a été enregistré')
    expect(told.body).toContain('value="ada@test.example"')
    for (const table of ['users', 'businesses', 'customers', 'roles', 'auditLog'] as const)
      expect([table, await count(app, table)]).toEqual([table, 0])
    expect((await open()).statusCode).toBe(200)

    // A start after it shows a link of its own, and the one before is worth nothing.
    const token = (await newSetupToken(app.deps)) ?? ''
    expect([(await open()).statusCode, (await open(`?token=${token}`)).statusCode]).toEqual([404, 200])
    // In the long proof with the sample once more.
    const start = process.env['PROVE'] ? 'sample' : 'empty'
    expect((await post({ ...form, token, start })).statusCode).toBe(200)
    expect((await verifyLedger(app.deps.db)).problems).toEqual([])
  }, 180_000)
})

/** What a kill of the process is to the database: the connection that makes the sample is gone. */
async function breakOff(app: Running) {
  const db = new pg.Client(app.database.owner)
  await db.connect()
  try {
    for (let tries = 0; tries < 400; tries++) {
      const { rowCount } = await db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and now() - xact_start > interval '0.7 s'`,
      )
      if (rowCount) return
      await sleep(20)
    }
    throw new Error('the sample was not being made')
  } finally {
    await db.end()
  }
}

describe('the page of the first run', () => {
  it('speaks the language of the browser, or the one that is chosen, and keeps what was typed', async () => {
    const { app, open, post, form } = await firstRun()
    const begins = async (query: string | undefined, language: string) =>
      /<html lang="(\w+)" dir="(\w+)">/.exec((await open(query, { 'accept-language': language })).body)?.slice(1)
    expect([await begins(undefined, 'fr-CA'), await begins(undefined, 'ar'), await begins(undefined, 'de')]).toEqual([
      ['fr', 'ltr'],
      ['ar', 'rtl'],
      ['en', 'ltr'],
    ])
    expect([
      await begins(`?token=${form.token}&lang=ar`, 'fr'),
      await begins('?token=x', 'ar'),
      await begins('?token=x&lang=fr', 'ar'),
    ]).toEqual([
      ['ar', 'rtl'],
      ['ar', 'rtl'],
      ['fr', 'ltr'],
    ])
    expect((await open('?token=x&lang=fr')).body).toContain('Ce lien ne fonctionne plus')

    const switched = await post({ ...form, lang: 'ar', only: 'language', start: 'sample', abn: 'x' })
    expect(switched.statusCode).toBe(200)
    for (const part of ['<html lang="ar" dir="rtl">', 'منشأتك', 'value="Ada"', 'value="x"'])
      expect(switched.body).toContain(part)
    for (const part of ['aria-invalid="true"', 'a good password']) expect(switched.body).not.toContain(part)
    expect(await count(app, 'users')).toBe(0)
  })

  it('says in it what is wrong and that it is done, and the administrator goes on in it', async () => {
    const { app, post, form } = await firstRun()
    const wrong = await post(
      { ...form, lang: 'fr', legalName: '', abn: '11 111 111 111', email: 'x', password: 'short' },
      { 'accept-language': 'ar' },
    )
    for (const part of [
      '<html lang="fr" dir="ltr">',
      'Ce champ est obligatoire.',
      'Saisissez un ABN valide.',
      'Saisissez une adresse e-mail valide.',
      'Utilisez au moins 10 caractères.',
      'Veuillez corriger les champs signalés',
    ])
      expect(wrong.body).toContain(part)
    expect((await post({ ...form, lang: 'ar', abn: '', start: 'sample' })).body).toContain(
      'تحتاج إليه الفواتير الضريبية النموذجية',
    )
    const done = await post({ ...form, lang: 'ar' })
    for (const part of ['<html lang="ar" dir="rtl">', 'سجّل الدخول باسم', 'ada@test.example'])
      expect(done.body).toContain(part)
    const who = { headers: await logIn(app, 'ada@test.example', 'a good password') }
    const own = await app.call<{ user: { preferences: { language: string } } }>(who, 'GET', '/Kernal/Users/Account')
    expect(own.data.user.preferences.language).toBe('ar')
  })
})
