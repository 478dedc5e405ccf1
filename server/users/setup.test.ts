import { afterAll, beforeAll, expect, it } from 'vitest'
import { logIn } from '../../test/support/actors.ts'
import { type Running, startApp } from '../../test/support/start.ts'

let app: Running
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const post = (fields: Record<string, string>) =>
  app.fastify.inject({ method: 'POST', url: '/setup', headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: new URLSearchParams(fields).toString() })
const form = (token: string) => ({ token, legalName: 'Brolga <Hire> & Sons', abn: '53 004 085 616', isGstRegistered: 'yes', email: '', firstName: 'Ada', lastName: '', authID: 'ada@test.example', password: 'a good password' })

it('the first run makes one business and one administrator, once, however many try at the same moment', async () => {
  const link = new URL((await app.setupLink()) ?? '')
  const token = link.searchParams.get('token') ?? ''
  expect((await app.fastify.inject({ url: '/setup' })).statusCode).toBe(404)
  expect((await app.fastify.inject({ url: '/setup?token=guess' })).statusCode).toBe(404)
  const page = await app.fastify.inject({ url: `${link.pathname}${link.search}` })
  expect([page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([200, 'text/html; charset=utf-8', 'no-store'])

  const wrong = await post({ ...form(token), abn: '11 111 111 111', password: 'short' })
  expect(wrong.statusCode).toBe(422)
  expect(wrong.body).toContain('must be 10 characters or more')
  expect(wrong.body).toContain('Brolga &lt;Hire&gt; &amp; Sons')
  expect((await post({ ...form('guess') })).statusCode).toBe(404)

  const both = await Promise.all([post(form(token)), post({ ...form(token), authID: 'other@test.example' })])
  expect(both.map((r) => r.statusCode).toSorted()).toEqual([200, 404])
  expect((await app.fastify.inject({ url: `${link.pathname}${link.search}` })).statusCode).toBe(404)
  expect((await post(form(token))).statusCode).toBe(404)
  expect(await app.setupLink()).toBeNull()

  const users = await app.deps.db.selectFrom('users').select('authId').execute()
  expect(users).toHaveLength(1)
  const who = { headers: await logIn(app, users[0]?.authId ?? '', 'a good password') }
  expect((await app.call(who, 'GET', '/Users')).status).toBe(200)
  const businesses = await app.call<{ items: { legalName: string }[] }>(who, 'GET', '/Businesses')
  expect(businesses.data.items.map((b) => b.legalName)).toEqual(['Brolga <Hire> & Sons'])
})
