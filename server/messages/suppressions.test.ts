import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Consent, ConsentsOfAddress } from '../../contract/consents.ts'
import type { Message } from '../../contract/messages.ts'
import type { Suppression, UnsubscribePage } from '../../contract/suppressions.ts'
import { type Actors, aGuest } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aSentQuote, ok, startStaffed } from '../../test/support/factories.ts'
import type { Caller, Running } from '../../test/support/start.ts'
import { inTransaction, openCtx, systemRun } from '../core/run.ts'
import { processQueue } from './messages.queue.ts'
import { newUnsubscribeLink, withUnsubscribe } from './unsubscribing.ts'
import { suppress, suppressedAmong } from './suppressions.ts'

let app: Running
let actors: Actors
let office: Caller
let businessGuid: string
let messageGuid: string
let customerGuid: string
beforeAll(async () => {
  ;({ app, actors } = await startStaffed())
  office = actors.office
  customerGuid = (await aCustomer(app, office, { email: 'anna@hartmann.example' })).guid
  await aSentQuote(app, office, customerGuid)
  const message = await app.deps.db.selectFrom('messages').select(['guid', 'businessGuid']).executeTakeFirstOrThrow()
  messageGuid = message.guid
  businessGuid = message.businessGuid ?? ''
})
afterAll(() => app.stop())

const system = () => systemRun(app.deps, 'test')
const close = (address: string, facts: Partial<Parameters<typeof suppress>[1]> = {}) =>
  inTransaction(system(), (ctx) =>
    suppress(ctx, { businessGuid, messageGuid, address, scope: 'all', reason: 'bounced', ...facts }),
  )
const list = async (query = '', who: Caller = office) =>
  ok(await app.call<{ items: Suppression[] }>(who, 'GET', `/Messages/Suppressions${query}`)).items
const lift = (guid: string, reason = 'They called: it works again', who: Caller = office) =>
  app.call<{ suppression: Suppression }>(who, 'DELETE', `/Messages/Suppressions/${guid}`, { reason })
const closed = (category: 'transactional' | 'commercial', ...addresses: string[]) =>
  suppressedAmong(app.deps.db, businessGuid, addresses, category)

describe('a suppressed address', () => {
  it('is closed once, until somebody says why it is open again', async () => {
    expect(await close('Gone@Emu.example', { said: '550 5.1.1 no such user' })).toBe(true)
    expect(await close('gone@emu.example')).toBe(false)
    const [item] = await list('?search=GONE')
    expect(item).toMatchObject({
      address: 'gone@emu.example',
      scope: 'all',
      reason: 'bounced',
      said: '550 5.1.1 no such user',
      message: { guid: messageGuid },
    })
    expect([...(await closed('transactional', 'GONE@emu.example', 'here@emu.example'))]).toEqual([
      ['gone@emu.example', 'bounced'],
    ])
    const guid = item?.guid ?? ''
    expect((await lift(guid, ' ')).errors.map(({ path }) => path)).toEqual(['reason'])
    const answer = await lift(guid)
    expect([answer.status, answer.message]).toEqual([200, 'Address cleared.'])
    expect((await lift(guid)).status).toBe(404)
    expect(await list('?search=gone')).toEqual([])
    expect((await closed('transactional', 'gone@emu.example')).size).toBe(0)
    expect(await close('gone@emu.example')).toBe(true)
  })

  it('is closed for offers alone where that was asked for', async () => {
    await close('offers@emu.example', { scope: 'commercial', reason: 'unsubscribed' })
    expect((await closed('transactional', 'offers@emu.example')).size).toBe(0)
    expect((await closed('commercial', 'offers@emu.example')).size).toBe(1)
    expect((await list('?scope=commercial')).map(({ address }) => address)).toEqual(['offers@emu.example'])
  })

  it('is shown and cleared by those who may, in its own business', async () => {
    const [one] = await list()
    expect((await app.call(actors.field, 'GET', '/Messages/Suppressions')).status).toBe(403)
    expect((await lift(one?.guid ?? '', 'x', actors.readOnly)).status).toBe(403)
    expect((await lift('01890000-0000-7000-8000-000000000000')).status).toBe(404)
    const other = await aBusiness(app, { legalName: 'Wombat Fencing Pty Ltd', abn: '51824753556' })
    const theirs = { headers: { ...office.headers, 'x-business-guid': other.guid } }
    expect(await list('', theirs)).toEqual([])
    expect((await lift(one?.guid ?? '', 'x', theirs)).status).toBe(404)
  })

  it('is kept as it was said, not even the database’s owner changes it', async () => {
    await expect(sql`update suppressions set address = 'x@y.z'`.execute(app.deps.db)).rejects.toThrow()
    await expect(sql`delete from suppressions`.execute(app.deps.db)).rejects.toThrow()
  })
})

describe('a message', () => {
  const queue = () => processQueue(openCtx(system()), () => true)
  const sentTo = async (...to: string[]) => {
    const answer = await app.call<{ message: { guid: string } }>(office, 'POST', `/Messages/Resend/${messageGuid}`, {
      to,
    })
    const { guid } = ok(answer, 201).message
    await queue()
    return ok(await app.call<{ message: Message }>(office, 'GET', `/Messages/${guid}`)).message
  }

  it('goes to those who are not suppressed, and tells of the others', async () => {
    await queue()
    await close('one@hartmann.example')
    const { status, recipients } = await sentTo('One@hartmann.example', 'two@hartmann.example')
    expect(status).toBe('sent')
    expect(recipients.map(({ address, state, reason }) => [address.toLowerCase(), state, reason])).toEqual([
      ['one@hartmann.example', 'suppressed', 'bounced'],
      ['two@hartmann.example', 'sent', null],
    ])
  })

  it('goes nowhere where nobody is left, until the address is cleared', async () => {
    const nobody = await sentTo('one@hartmann.example')
    expect([nobody.status, nobody.recipients.map(({ state }) => state)]).toEqual(['suppressed', ['suppressed']])
    const [item] = await list('?search=one@hartmann')
    ok(await lift(item?.guid ?? ''))
    expect((await sentTo('one@hartmann.example')).status).toBe('sent')
  })

  it('that is an offer has its link; others go to whoever wants no offers', async () => {
    await close('offers2@hartmann.example', { scope: 'commercial', reason: 'unsubscribed' })
    expect((await sentTo('offers2@hartmann.example')).status).toBe('sent')
    const resent = await app.call<{ message: { guid: string } }>(office, 'POST', `/Messages/Resend/${messageGuid}`, {
      to: ['three@hartmann.example'],
    })
    const { guid } = ok(resent, 201).message
    await app.deps.db.updateTable('messages').set({ category: 'commercial' }).where('guid', '=', guid).execute()
    await queue()
    const { rawSha256 } = await app.deps.db
      .selectFrom('messages')
      .select('rawSha256')
      .where('guid', '=', guid)
      .executeTakeFirstOrThrow()
    const raw = Buffer.from((await app.deps.files.get(rawSha256 ?? '')) ?? []).toString()
    expect(raw).toMatch(/^List-Unsubscribe: <[^>\s]+\/Service\/Unsubscribe\/[\w-]{43}>\r$/m)
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    expect(raw).toMatch(/Unsubscribe: http/)
    // Staff see the line, and cannot follow it by mistake.
    const { message } = ok(await app.call<{ message: Message }>(office, 'GET', `/Messages/${guid}`))
    expect(message.category).toBe('commercial')
    expect(message.bodyHtml).toMatch(/<a role="link" aria-disabled="true">Unsubscribe<\/a><\/p>\s*<\/body>/)
    expect(message.bodyHtml).not.toMatch(/href="[^"]*(?:\/service\/u\/|unsubscribe)/)
  })
})

describe('the link of an offer', () => {
  const linkFor = (address: string) =>
    newUnsubscribeLink(openCtx(system()), { guid: messageGuid, businessGuid, address })
  const pathOf = (url: string) => `/Service/Unsubscribe/${url.split('/').at(-1)}`
  const events = () =>
    app.deps.db.selectFrom('auditLog').select('action').where('action', 'like', 'consent.%').execute()

  it('is in its last line and in two headers that are never folded', async () => {
    const { url, headers } = await linkFor('anna@hartmann.example')
    expect(url).toMatch(/\/service\/u\/[\w-]{43}$/)
    expect(headers['List-Unsubscribe']?.value).toBe(`<${app.deps.settings.publicUrl}/api/v2${pathOf(url)}>`)
    expect(headers['List-Unsubscribe-Post']?.value).toBe('List-Unsubscribe=One-Click')
    const sent = await app.deps.mail.send({
      guid: 'offer',
      from: 'office@brolga.example',
      to: ['anna@hartmann.example'],
      subject: 'Offer',
      messageId: '<offer@brolga.example>',
      headers,
      ...{ html: '<p>Hi</p>', text: 'Hi' },
    })
    const raw = 'raw' in sent ? Buffer.from(sent.raw).toString() : ''
    expect(raw).toContain(`List-Unsubscribe: ${headers['List-Unsubscribe']?.value}\r\n`)
    const words = withUnsubscribe({ bodyHtml: '<body><p>Hi</p></body>', bodyText: 'Hi' }, url, 'fr')
    expect(words.bodyHtml).toMatch(/<p>Hi<\/p><p[^>]*><a href="[^"]+">Se désabonner<\/a><\/p><\/body>$/)
    expect(words.bodyText).toBe(`Hi\n\nSe désabonner: ${url}`)
    const { rows } = await sql<{ hash: string }>`select token_hash as hash from unsubscribe_links`.execute(app.deps.db)
    expect(rows.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true)
  })

  it('only shows the button when it is opened, and ends the offers when that is pressed', async () => {
    const guest = await aGuest(app)
    const path = pathOf((await linkFor('Anna@hartmann.example')).url)
    const before = ok(await app.call<UnsubscribePage>(guest, 'GET', path))
    expect(before).toMatchObject({
      business: { name: 'Brolga Fencing Pty Ltd' },
      unsubscribing: { address: 'anna@hartmann.example', language: 'en', isDone: false },
    })
    expect((await closed('commercial', 'anna@hartmann.example')).size).toBe(0)
    expect(ok(await app.call<UnsubscribePage>(guest, 'POST', path, {})).unsubscribing.isDone).toBe(true)
    expect([...(await closed('commercial', 'anna@hartmann.example')).values()]).toEqual(['unsubscribed'])
    expect((await closed('transactional', 'anna@hartmann.example')).size).toBe(0)
    const { items } = ok(
      await app.call<{ items: ConsentsOfAddress[] }>(office, 'GET', `/Messages/Consents?customerGuid=${customerGuid}`),
    )
    expect(items[0]?.consents.map(({ kind, createdBy }) => [kind, createdBy])).toEqual([['withdrawn', null]])
    expect(items[0]?.consents[0]?.proof).toMatch(/^Unsubscribe link in “.+”$/)
    const told = (await events()).length
    expect(ok(await app.call<UnsubscribePage>(guest, 'POST', path, {})).unsubscribing.isDone).toBe(true)
    expect(await events()).toHaveLength(told)
  })

  it('gives way to what somebody says anew, as no bounce does', async () => {
    const address = 'back@hartmann.example'
    const { guid } = await aCustomer(app, office, { email: address })
    const say = (kind: Consent['kind'], proof = 'Asked for offers again by phone') =>
      app.call<{ isAllowedAgain: boolean; suppressed: string | null }>(office, 'POST', '/Messages/Consents', {
        ...{ address, kind, proof },
      })
    const offer = { customerGuid: guid, intent: 'send', to: [address], subject: 'June', bodyHtml: '<p>Hi</p>' }
    const send = (more: object = { category: 'commercial' }) =>
      app.call(office, 'POST', '/Messages', { ...offer, ...more })
    const leave = async () => app.call(await aGuest(app), 'POST', pathOf((await linkFor(address)).url), {})
    expect(ok(await say('express'), 201)).toMatchObject({ isAllowedAgain: false, suppressed: null })
    ok(await send(), 201)
    ok(await leave())
    expect((await send()).errors).toEqual([{ path: 'to', message: 'These addresses are suppressed.' }])
    // Whoever wants no offers gets all else, and nobody takes it that they want them.
    ok(await send({}), 201)
    expect((await say('inferred')).errors.map(({ path }) => path)).toEqual(['kind'])
    expect((await closed('commercial', address)).size).toBe(1)
    expect(ok(await say('express'), 201)).toMatchObject({ isAllowedAgain: true, suppressed: null })
    expect(await list(`?search=${address}`)).toEqual([])
    ok(await send(), 201)
    const kept = await app.deps.db
      .selectFrom('suppressions')
      .select(['liftReason', 'liftedBy'])
      .where('address', '=', address)
      .execute()
    expect(kept).toEqual([{ liftReason: 'Asked for offers again by phone', liftedBy: expect.any(String) }])
    ok(await leave())
    expect((await closed('commercial', address)).size).toBe(1)
    await close(address)
    expect(ok(await say('express'), 201)).toMatchObject({ isAllowedAgain: true, suppressed: 'bounced' })
    expect((await send({})).errors).toEqual([{ path: 'to', message: 'These addresses are suppressed.' }])
  })

  it.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
    ],
  ])('is taken from mail programs, without a session, as %s', async (type, payload) => {
    const address = `${type.length}@hartmann.example`
    const url = `/api/v2${pathOf((await linkFor(address)).url)}`
    const answer = await app.fastify.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })
    expect(answer.statusCode).toBe(200)
    expect((await closed('commercial', address)).size).toBe(1)
  })

  it('leads a browser to its page, and says nothing of links that are none', async () => {
    const { url } = await linkFor('anna@hartmann.example')
    const opened = await app.fastify.inject({
      method: 'GET',
      url: `/api/v2${pathOf(url)}`,
      headers: { accept: 'text/html,*/*' },
    })
    expect([opened.statusCode, opened.headers.location]).toEqual([302, new URL(url).pathname])
    const guest = await aGuest(app)
    for (const token of ['x', 'A'.repeat(43), '%00', '..%2f..', 'é'])
      for (const method of ['GET', 'POST'] as const)
        expect(
          (await app.call(guest, method, `/Service/Unsubscribe/${token}`, method === 'POST' ? {} : undefined)).status,
        ).toBe(404)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(
      (
        await app.fastify.inject({
          method: 'POST',
          url: '/api/v2/Messages',
          headers: { ...form, ...office.headers },
          payload: 'a=1',
        })
      ).statusCode,
    ).toBe(415)
  })
})
