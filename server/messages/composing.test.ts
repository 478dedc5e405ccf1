import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Message } from '../../contract/messages.ts'
import { accountEmails, tellPeople } from '../../test/support/account-emails.ts'
import { type Actors, seedActors } from '../../test/support/actors.ts'
import { aBusiness, aCustomer, aLine, aQuote, aSentQuote, ok } from '../../test/support/factories.ts'
import { type Running, startApp } from '../../test/support/start.ts'
import { makeMail } from '../core/adapters/mail.ts'
import { newGuid } from '../core/guid.ts'
import { newHold, holdKey, writeHold } from '../core/hold.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { parseEml } from './eml.ts'
import { claimDue } from './claims.ts'
import { processQueue } from './messages.queue.ts'

let app: Running
let actors: Actors
const start = new Date('2026-07-01T01:00:00Z')
let clock = start
/** What the render worker was asked for. */
const rendered: string[] = []

beforeAll(async () => {
  app = await startApp({ now: () => clock })
  actors = await seedActors(app)
  await aBusiness(app)
  const render = app.deps.renderer.render.bind(app.deps.renderer)
  app.deps.renderer.render = (job, asker) => {
    rendered.push(job.template)
    return render(job, asker)
  }
})
afterAll(() => app.stop())
beforeEach(async () => {
  useMail(undefined)
  clock = start
  await run()
  rendered.length = 0
})

const ctx = () => openCtx(systemRun(app.deps, 'test'))
const run = () => processQueue(ctx(), () => true)
const later = (minutes: number) => {
  clock = new Date(clock.getTime() + minutes * 60_000)
}
const useMail = (smtpUrl: string | undefined) => {
  app.deps.mail.close()
  Object.assign(app.deps, { mail: makeMail({ smtpUrl, dataDir: app.dataDir }) })
}
/** Nobody listens there. */
const noServer = 'smtp://127.0.0.1:1'
const rowOf = (guid: string) =>
  app.deps.db.selectFrom('messages').selectAll().where('guid', '=', guid).executeTakeFirstOrThrow()
const newest = () =>
  app.deps.db.selectFrom('messages').selectAll().orderBy('guid', 'desc').limit(1).executeTakeFirstOrThrow()
const shown = async (guid: string) =>
  ok(await app.call<{ message: Message }>(actors.office, 'GET', `/Messages/${guid}`)).message
const mailOf = (guid: string) => parseEml(readFileSync(join(app.dataDir, 'outbox', `${guid}.eml`)))
const rename = (customerGuid: string, displayName: string) =>
  app.deps.db.updateTable('customers').set({ displayName }).where('guid', '=', customerGuid).execute()
/** Words that are in use from now on, however they came to be. */
async function template(body: string) {
  const { db } = app.deps
  const old = await db
    .selectFrom('templates as t')
    .innerJoin('templateVersions as v', 'v.guid', 't.activeVersionGuid')
    .select(['t.guid', 'v.languages'])
    .where('t.kind', '=', 'quote')
    .where('t.isDefault', '=', true)
    .executeTakeFirstOrThrow()
  const guid = newGuid()
  const en = { ...old.languages.en, bodyHtml: `<p>${body}</p>` }
  const { n } = await db
    .selectFrom('templateVersions')
    .select(sql<number>`max(number)`.as('n'))
    .where('templateGuid', '=', old.guid)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('templateVersions')
    .values({ guid, templateGuid: old.guid, number: n + 1, languages: JSON.stringify({ ...old.languages, en }) })
    .execute()
  await db.updateTable('templates').set({ activeVersionGuid: guid }).where('guid', '=', old.guid).execute()
}
const invite = (email: string) =>
  app.call<{ user: { guid: string } }>(actors.administrator, 'POST', '/Users/Invite', {
    email,
    roleGuid: actors.roles.Sales,
  })

describe('a message', () => {
  it('is frozen when sent and composed afterwards as it was, by the job or for whoever looks before', async () => {
    const customer = await aCustomer(app, actors.office, { displayName: 'Hartmann Builders' })
    const quote = await aSentQuote(app, actors.office, customer.guid)
    const { guid } = await newest()
    expect(await rowOf(guid)).toMatchObject({
      status: 'queued',
      subject: `Quote ${quote.number} from Brolga Fencing Pty Ltd: Pool fence`,
      bodyHtml: null,
      bodyText: null,
    })
    expect(rendered).toEqual([])
    await rename(customer.guid, 'Somebody Else')
    const before = await shown(guid)
    expect(before.bodyText).toContain('Hello Hartmann Builders')
    expect((await rowOf(guid)).bodyText).toBeNull()
    await run()
    const mail = await mailOf(guid)
    expect(mail.text).toContain('Hello Hartmann Builders')
    expect(mail.text).toContain(`/service/q/${quote.serviceGuid}`)
    expect(await rowOf(guid)).toMatchObject({ status: 'sent', facts: null, bodyText: before.bodyText })
    expect(rendered).toContain('mail')
  })

  it('is composed neither by who sends, issues and accepts nor while others wait for a number', async () => {
    const customer = await aCustomer(app, actors.office)
    const draft = await aQuote(app, actors.office, customer.guid, { depositRule: { type: 'percent', value: 3000 } })
    ok(await app.call(actors.office, 'POST', `/Quotes/Send/${draft.guid}`, { version: 1 }))
    ok(
      await app.call(actors.office, 'POST', `/Quotes/Accept/${draft.guid}`, {
        version: 2,
        name: 'Anna Hartmann',
        method: 'phone',
      }),
    )
    const { invoice } = ok(
      await app.call<{ invoice: { guid: string } }>(actors.office, 'POST', '/Invoices', {
        customerGuid: customer.guid,
        title: 'Hire',
        lines: [aLine()],
      }),
      201,
    )
    ok(await app.call(actors.office, 'POST', `/Invoices/Send/${invoice.guid}`, { version: 1 }))
    expect((await invite('nobody-composes@test.example')).status).toBe(201)
    expect(rendered).toEqual([])
    const { succeeded } = await run()
    expect(rendered.filter((kind) => kind === 'mail')).toHaveLength(succeeded)
    expect(succeeded).toBeGreaterThan(3)
  })

  it('keeps its words from then on, whoever dies in between', async () => {
    const customer = await aCustomer(app, actors.office, { displayName: 'First Name' })
    await aSentQuote(app, actors.office, customer.guid)
    const { guid } = await newest()
    // Killed before it was composed …
    await claimDue(ctx())
    later(2)
    await rename(customer.guid, 'Second Name')
    useMail(noServer)
    await run()
    const composed = await rowOf(guid)
    expect(composed).toMatchObject({ status: 'deferred', facts: null, attempts: 2 })
    // … and before it was sent, while its template became another one.
    await template('Nothing of this')
    later(10)
    await claimDue(ctx())
    later(2)
    useMail(undefined)
    await run()
    expect(await rowOf(guid)).toMatchObject({
      status: 'sent',
      bodyText: composed.bodyText,
      bodyHtml: composed.bodyHtml,
    })
    expect((await mailOf(guid)).text).toContain('Hello First Name')
    ok(await app.call(actors.office, 'POST', `/Messages/Resend/${guid}`, {}), 201)
    expect((await newest()).bodyText).toBe(composed.bodyText)
  })

  it('that cannot be composed is tried three times more, told, and goes out when its template is mended', async () => {
    await template('Hello {{ nonsense }}')
    const { guid: customerGuid } = await aCustomer(app, actors.office)
    const quote = await aSentQuote(app, actors.office, customerGuid)
    const { guid } = await newest()
    expect(quote.status).toBe('sent')
    expect(await shown(guid)).toMatchObject({ bodyHtml: null, isBodyHidden: false })
    for (let tries = 0; tries < 5; tries++, later(60)) await run()
    clock = start
    const failed = await rowOf(guid)
    expect([failed.status, failed.attempts]).toEqual(['failed', 4])
    expect(failed.failureReason).toMatch(/couldn't be created from its template: There’s no variable called “nonsense”/)
    await tellPeople(app)
    const told = await app.deps.db
      .selectFrom('notifications')
      .select('userGuid')
      .where('recordGuid', '=', guid)
      .execute()
    expect(told.map(({ userGuid }) => userGuid)).toContain(actors.office.userGuid)
    await template('Hello {{ greeting }}, all is well.')
    expect((await shown(guid)).bodyText).toContain('all is well')
    ok(await app.call(actors.office, 'POST', `/Messages/Resend/${guid}`, {}), 201)
    await run()
    expect((await newest()).status).toBe('sent')
  })
})

describe('an account email', () => {
  const tokenOf = (text: string) => /#([\w-]{43})/.exec(text)?.[1] ?? ''
  it('waits in the same outbox, where nobody reads it and its link is sealed, and nothing of it stays', async () => {
    const { user } = ok(await invite('sealed@test.example'), 201)
    const queued = await newest()
    expect(queued).toMatchObject({ ownerType: 'user', ownerGuid: user.guid, status: 'queued', template: 'invitation' })
    const email = (await accountEmails(app)).find(({ to }) => to === 'sealed@test.example')
    const token = tokenOf(email?.text ?? '')
    expect(token).not.toBe('')
    expect(JSON.stringify(queued)).not.toContain(token)
    const { administrator } = actors
    for (const [method, path] of [
      ['GET', `/Messages/${queued.guid}`],
      ['POST', `/Messages/Resend/${queued.guid}`],
      ['DELETE', `/Messages/${queued.guid}`],
    ] as const)
      expect((await app.call(administrator, method, path, method === 'POST' ? {} : undefined)).status).toBe(404)
    const listed = await app.call<{ items: { guid: string }[] }>(administrator, 'GET', '/Messages?search=sealed')
    expect(ok(listed).items).toEqual([])
    const sent = await rowOf(queued.guid)
    expect(sent).toMatchObject({ status: 'sent', facts: null, bodyHtml: null, bodyText: null, rawSha256: null })
    const log = app.deps.db.selectFrom('auditLog').select('after').where('entityGuid', '=', user.guid)
    expect(await log.where('action', '=', 'message.sent').execute()).toMatchObject([
      { after: { to: 'sealed@test.example' } },
    ])
    const kept = { facts: '{}', bodyHtml: '', bodyText: '' }
    await expect(
      app.deps.db
        .insertInto('messages')
        .values({ ...queued, ...kept, attachments: '[]', source: null })
        .execute(),
    ).rejects.toThrow()
  })

  it('goes on while sending is on hold, when messages wait, and is told of when its link runs out before', async () => {
    useMail(noServer)
    const { user } = ok(await invite('late@test.example'), 201)
    const { guid } = await newest()
    await run()
    expect(await rowOf(guid)).toMatchObject({ status: 'deferred', attempts: 1 })
    await writeHold(app.deps.db, newHold(clock.toISOString(), clock.toISOString(), 'restore.txt'), clock)
    await aSentQuote(app, actors.office, (await aCustomer(app, actors.office)).guid)
    const message = await newest()
    later(5)
    await run()
    expect([(await rowOf(guid)).attempts, (await rowOf(message.guid)).attempts]).toEqual([2, 0])
    await app.deps.db.deleteFrom('appState').where('key', '=', holdKey).execute()
    later(72 * 60)
    await run()
    clock = start
    const failed = await rowOf(guid)
    expect(failed).toMatchObject({ status: 'failed', facts: null })
    expect(failed.failureReason).toContain('expired before it could be sent')
    await tellPeople(app)
    const told = await app.deps.db.selectFrom('notifications').selectAll().where('recordGuid', '=', user.guid).execute()
    expect(told.find(({ userGuid }) => userGuid === actors.administrator.userGuid)).toMatchObject({
      kind: 'message.failed',
      noun: 'Users',
    })
    expect(told.map(({ userGuid }) => userGuid)).not.toContain(actors.emptyRole.userGuid)
  })

  it('goes before what customers wait for, and not at all to somebody whose invitation was taken back', async () => {
    const { guid } = await aCustomer(app, actors.office)
    await aSentQuote(app, actors.office, guid)
    const { user } = ok(await invite('first@test.example'), 201)
    const invited = await newest()
    expect((await claimDue(ctx()))?.guid).toBe(invited.guid)
    ok(await invite('gone@test.example'), 201)
    const gone = await newest()
    ok(await app.call(actors.administrator, 'DELETE', `/Users/Invite/${gone.ownerGuid}`))
    expect(await rowOf(gone.guid)).toMatchObject({ status: 'cancelled', facts: null })
    expect(user.guid).toBe(invited.ownerGuid)
  })
})
