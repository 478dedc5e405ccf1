import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../contract/api.ts'
import { type Actors, aPerson, aPersonWho, aRole, logIn, password, seedActors } from '../../test/support/actors.ts'
import { aBusiness } from '../../test/support/factories.ts'
import { accountEmails } from '../../test/support/account-emails.ts'
import { aMailServerThatHangsUp } from '../../test/support/hanging-up.ts'
import { type Running, startApp } from '../../test/support/start.ts'
import { makeMail, maxUnanswered } from '../core/adapters/mail.ts'
import { codeAt, stepOf } from '../core/totp.ts'

let app: Running
let actors: Actors
const clock = { at: null as Date | null }
const now = () => clock.at ?? new Date()
beforeAll(async () => {
  app = await startApp({ now })
  actors = await seedActors(app)
  await aBusiness(app, { legalName: 'Brolga Hire Pty Ltd' })
})
afterAll(() => app.stop())

const login = '/Kernal/Users/Auth/Login'
const forgot = (authID: string) => app.call(null, 'POST', '/Kernal/Users/Auth/Forgot', { authID })
const reset = (token: string, next: string) =>
  app.call<{ authID: string }>(null, 'POST', '/Kernal/Users/Auth/Reset', { token, password: next })
const minutes = (n: number) => new Date(Date.now() + n * 60_000)

describe('a forgotten password', () => {
  it('is replaced by the link of a mail, once, and all sessions end', async () => {
    const person = await aPerson(app, 'forgetful', actors.roles.Sales)
    const answer = await forgot(person.authId.toUpperCase())
    const [email] = await accountEmails(app)
    expect([answer.status, email?.to, email?.subject]).toEqual([200, person.authId, 'Reset your Brolga password'])
    expect(email?.text).toContain('/reset-password#')
    const token = email?.token ?? ''
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(
      (await app.call<{ authID: string }>(null, 'POST', '/Kernal/Users/Auth/Reset/Check', { token })).data.authID,
    ).toBe(person.authId)
    expect(await reset(token, 'short')).toMatchObject({ status: 422, errors: [{ path: 'password' }] })
    expect((await reset(token, 'a brand new one')).data.authID).toBe(person.authId)
    expect((await app.call(person, 'GET', '/Kernal/Users/Account')).status).toBe(401)
    expect([
      (await reset(token, 'and another one')).status,
      (await app.call(null, 'POST', login, { authID: person.authId, authPassword: password })).status,
    ]).toEqual([410, 401])
    await logIn(app, person.authId, 'a brand new one')
    expect((await accountEmails(app)).map((l) => l.subject)).toEqual(['Your Brolga password was changed'])
  })
  it('keeps nothing of the link but a hash, and no token in the queue', async () => {
    const person = await aPerson(app, 'hashed', actors.roles.Sales)
    await forgot(person.authId)
    const [email] = await accountEmails(app)
    const rows = await app.deps.db
      .selectFrom('credentialLinks')
      .selectAll()
      .where('userGuid', '=', person.userGuid)
      .execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(email?.token)
  })
  it('is sent again three times at most where the mail server hangs up after it has all of the mail', async () => {
    const person = await aPerson(app, 'unanswered', actors.roles.Sales)
    const server = await aMailServerThatHangsUp()
    const { mail } = app.deps
    app.deps.mail = makeMail({ smtpUrl: server.url, dataDir: app.dataDir })
    try {
      await forgot(person.authId)
      for (let tries = 0; tries < 6; tries++) {
        await accountEmails(app)
        await app.deps.db
          .updateTable('messages')
          .set({ nextAttemptAt: new Date(0) })
          .where('status', '=', 'deferred')
          .execute()
      }
      expect(server.taken()).toBe(1 + maxUnanswered)
      expect(maxUnanswered).toBe(3)
    } finally {
      app.deps.mail.close()
      app.deps.mail = mail
      server.close()
    }
  })
  it('can be replaced for a quarter of an hour, by the last link alone', async () => {
    const person = await aPerson(app, 'late', actors.roles.Sales)
    await forgot(person.authId)
    await forgot(person.authId)
    const [first, second] = await accountEmails(app)
    expect((await reset(first?.token ?? '', 'a brand new one')).status).toBe(410)
    clock.at = minutes(16)
    const dead = await reset(second?.token ?? '', 'a brand new one')
    clock.at = null
    expect([dead.status, dead.error]).toEqual([410, 'LINK_DEAD'])
    await logIn(app, person.authId)
  })
  it('cannot be replaced by a link from before the password was changed, or while the user is locked out', async () => {
    const person = await aPerson(app, 'changed', actors.roles.Sales)
    await forgot(person.authId)
    const [before] = await accountEmails(app)
    await app.call(person, 'POST', '/Kernal/Users/Password', {
      currentPassword: password,
      newPassword: 'chosen meanwhile',
    })
    expect((await reset(before?.token ?? '', 'a brand new one')).status).toBe(410)
    await app.deps.db.updateTable('users').set({ status: 'suspended' }).where('guid', '=', person.userGuid).execute()
    await accountEmails(app)
    await forgot(person.authId)
    expect(await accountEmails(app)).toEqual([])
  })
  it('answers the same for known and unknown logins, and writes to known ones alone', async () => {
    const person = await aPerson(app, 'known', actors.roles.Sales)
    const [known, unknown] = [await forgot(person.authId), await forgot('nobody@test.example')]
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    expect((await accountEmails(app)).map((l) => l.to)).toEqual([person.authId])
  })
  it('is written about five times in a quarter of an hour at most', async () => {
    const person = await aPerson(app, 'spammed', actors.roles.Sales)
    await Promise.all(Array.from({ length: 9 }, () => forgot(person.authId)))
    expect(await accountEmails(app)).toHaveLength(5)
  })
  it('is replaced by one of many who use the link at the same moment', async () => {
    const person = await aPerson(app, 'raced', actors.roles.Sales)
    await forgot(person.authId)
    const [email] = await accountEmails(app)
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, i) => reset(email?.token ?? '', `the new password ${i}`)),
    )
    expect(all.filter((a) => a.status === 200)).toHaveLength(1)
    expect(await accountEmails(app)).toHaveLength(1)
  })
})

describe('an e-mail address', () => {
  it('that changes is told to the old one', async () => {
    const person = await aPerson(app, 'mover', actors.roles.Sales)
    await app.call(person, 'PATCH', '/Kernal/Users/Account', { version: 1, email: 'new-place@test.example' })
    expect((await accountEmails(app)).map((l) => [l.to, l.subject])).toEqual([
      [person.authId, 'Your Brolga email address was changed'],
    ])
  })
})

describe('the routes for developers', () => {
  it('show the rules of the caller’s role or of another one, and drop the server’s memory of them', async () => {
    expect((await app.call(actors.administrator, 'GET', '/Dev/Kernal/Auth/Roles/Permissions')).status).toBe(200)
    expect((await app.call(actors.administrator, 'GET', '/Dev/Kernal/Auth/Roles/Permissions/Reload')).status).toBe(200)
    expect((await app.call(actors.office, 'GET', '/Dev/Kernal/Auth/Roles/Permissions')).status).toBe(403)
    const subjects = async (query: string) => {
      const { data } = await app.call<{ permissions: { subject: string }[] }>(
        actors.administrator,
        'GET',
        `/Dev/Kernal/Auth/Roles/Permissions/Reload${query}`,
      )
      return data.permissions.map((rule) => rule.subject)
    }
    expect(await subjects('')).toContain('all')
    expect(await subjects(`?roleGUID=${actors.roles.Guest}`)).toContain('Service:Quote')
    const developer = await aPersonWho(app, 'developer', [{ subject: 'Dev', action: 'read' }])
    expect((await app.call(developer, 'GET', '/Dev/Kernal/Auth/Roles/Permissions')).status).toBe(200)
    expect(
      (await app.call(developer, 'GET', `/Dev/Kernal/Auth/Roles/Permissions?roleGUID=${actors.roles.Guest}`)).status,
    ).toBe(403)
  })
  it('are not there where the pages for developers are off', async () => {
    const quiet = await startApp({ env: { DEV_PAGES: 'off' } })
    const paths = operations.filter(({ op }) => op.path.startsWith('/Dev/')).map(({ op }) => op.path)
    expect(paths.length).toBeGreaterThan(3)
    for (const path of paths)
      expect([path, (await app.call(null, 'GET', path)).status, (await quiet.call(null, 'GET', path)).status]).toEqual([
        path,
        401,
        404,
      ])
    await quiet.stop()
  })
})

describe('an invitation', () => {
  const invite = (facts: object) =>
    app.call<{ user: { guid: string; version: number; status: string; invitationExpiresAt: string | null } }>(
      actors.administrator,
      'POST',
      '/Users/Invite',
      { roleGuid: actors.roles.Sales, ...facts },
    )
  const accept = (token: string, more: object = {}) =>
    app.call<{ authID: string }>(null, 'POST', '/Kernal/Users/Auth/Invitations/Accept', {
      token,
      firstName: 'Nia',
      lastName: 'Bell',
      password: 'chosen by Nia',
      ...more,
    })

  it('lets a person in who chooses name and password, once', async () => {
    const made = await invite({ email: 'nia@test.example', firstName: 'N.' })
    expect([made.status, made.data.user.status]).toEqual([201, 'invited'])
    expect(
      (await app.call(null, 'POST', login, { authID: 'nia@test.example', authPassword: 'whatever it is' })).status,
    ).toBe(401)
    const [email] = await accountEmails(app)
    expect([email?.to, email?.subject]).toEqual([
      'nia@test.example',
      'administrator invited you to Brolga Hire Pty Ltd on Brolga',
    ])
    const check = await app.call(null, 'POST', '/Kernal/Users/Auth/Invitations/Check', { token: email?.token })
    expect(check.data).toMatchObject({
      authID: 'nia@test.example',
      firstName: 'N.',
      roleName: 'Sales',
      invitedBy: 'administrator',
      businessName: 'Brolga Hire Pty Ltd',
      asksForTwoStep: false,
    })
    expect((await accept(email?.token ?? '')).data.authID).toBe('nia@test.example')
    expect((await accept(email?.token ?? '', { password: 'somebody else' })).status).toBe(410)
    const headers = await logIn(app, 'nia@test.example', 'chosen by Nia')
    expect(
      (await app.call<{ user: { name: string } }>({ headers }, 'GET', '/Kernal/Users/Account')).data.user.name,
    ).toBe('Nia Bell')
  })
  it('never touches an account that exists', async () => {
    const before = await app.deps.db
      .selectFrom('users')
      .selectAll()
      .where('guid', '=', actors.sales.userGuid)
      .executeTakeFirst()
    const taken = await invite({ email: actors.sales.authId.toUpperCase(), roleGuid: actors.roles.Administrator })
    expect([taken.status, taken.error]).toEqual([409, 'ALREADY_EXISTS'])
    expect((await invite({ email: actors.sales.authId, authID: 'another-login' })).status).toBe(409)
    expect(
      await app.deps.db.selectFrom('users').selectAll().where('guid', '=', actors.sales.userGuid).executeTakeFirst(),
    ).toEqual(before)
    expect(await accountEmails(app)).toEqual([])
  })
  it('lasts three days, can be sent again, and taken back', async () => {
    const made = await invite({ email: 'slow@test.example' })
    const [first] = await accountEmails(app)
    clock.at = minutes(72 * 60 + 1)
    expect((await accept(first?.token ?? '')).status).toBe(410)
    clock.at = null
    const { guid, version } = made.data.user
    expect((await app.call(actors.administrator, 'POST', `/Users/Invite/Resend/${guid}`, { version })).status).toBe(200)
    const [second] = await accountEmails(app)
    expect((await accept(first?.token ?? '')).status).toBe(410)
    expect((await app.call(actors.administrator, 'DELETE', `/Users/Invite/${guid}`)).status).toBe(200)
    expect((await accept(second?.token ?? '')).status).toBe(410)
    expect((await app.call(actors.administrator, 'GET', `/Users/${guid}`)).status).toBe(404)
    expect((await invite({ email: 'slow@test.example' })).status).toBe(201)
    await accountEmails(app)
  })
  it('cannot be sent to somebody who has come, nor give more than the inviter has', async () => {
    expect(
      (await app.call(actors.administrator, 'POST', `/Users/Invite/Resend/${actors.sales.userGuid}`, { version: 1 }))
        .status,
    ).toBe(409)
    expect((await app.call(actors.administrator, 'DELETE', `/Users/Invite/${actors.sales.userGuid}`)).status).toBe(409)
    const clerk = await aPersonWho(app, 'clerk', [{ subject: 'Users', action: 'manage' }])
    const refused = await app.call(clerk, 'POST', '/Users/Invite', {
      email: 'x@test.example',
      roleGuid: actors.roles.Administrator,
    })
    expect([refused.status, refused.errors]).toEqual([403, [{ path: 'permission', message: 'manage all' }]])
  })
})

describe('two-step login', () => {
  const codeNow = (secret: string, late = 0) => codeAt(secret, stepOf(now()) + late)
  async function withTwoStep(name: string, roleGuid = actors.roles.Sales) {
    const person = await aPerson(app, name, roleGuid)
    const setup = await app.call<{
      secret: string
      otpauthUrl: string
      qr: { size: number; quietZone: number; path: string }
    }>(person, 'POST', '/Kernal/Users/Auth/TwoStep/Setup', { currentPassword: password })
    const { secret } = setup.data
    const enabled = await app.call<{ recoveryCodes: string[] }>(person, 'POST', '/Kernal/Users/Auth/TwoStep/Enable', {
      authCode: codeNow(secret),
    })
    expect(enabled.status).toBe(200)
    await accountEmails(app)
    return { person, secret, setup, codes: enabled.data.recoveryCodes }
  }
  const tryLogin = (authID: string, more: object = {}) =>
    app.call<{ twoStep: string }>(null, 'POST', login, { authID, authPassword: password, ...more })
  const later = (steps: number) => (clock.at = new Date(now().getTime() + steps * 30_000))

  it('is set up with a picture and a code, and its secret rests encrypted', async () => {
    const person = await aPerson(app, 'two', actors.roles.Sales)
    const other = await logIn(app, person.authId)
    expect(
      (await app.call(person, 'POST', '/Kernal/Users/Auth/TwoStep/Setup', { currentPassword: 'not it' })).errors,
    ).toEqual([{ path: 'currentPassword', message: 'Incorrect password.' }])
    const { data } = await app.call<{
      secret: string
      otpauthUrl: string
      qr: { size: number; quietZone: number; path: string }
    }>(person, 'POST', '/Kernal/Users/Auth/TwoStep/Setup', { currentPassword: password })
    expect(data.otpauthUrl).toMatch(/^otpauth:\/\/totp\/Brolga:two%40test\.example\?issuer=Brolga&secret=[A-Z2-7]{32}&/)
    expect(data.qr).toMatchObject({ quietZone: 4, path: expect.stringMatching(/^M[\dLMZ ]+Z$/) })
    expect((await tryLogin(person.authId)).data.twoStep).toBe('off')
    expect(
      (await app.call(person, 'POST', '/Kernal/Users/Auth/TwoStep/Enable', { authCode: '000000' })).errors,
    ).toEqual([{ path: 'authCode', message: 'Incorrect code.' }])
    const enabled = await app.call<{ recoveryCodes: string[] }>(person, 'POST', '/Kernal/Users/Auth/TwoStep/Enable', {
      authCode: codeNow(data.secret),
    })
    expect(new Set(enabled.data.recoveryCodes).size).toBe(10)
    const row = await app.deps.db.selectFrom('users').selectAll().where('guid', '=', person.userGuid).executeTakeFirst()
    for (const secret of [data.secret, ...enabled.data.recoveryCodes]) expect(JSON.stringify(row)).not.toContain(secret)
    expect((await app.call({ headers: other }, 'GET', '/Kernal/Users/Account')).status).toBe(401)
    expect((await accountEmails(app)).map((l) => l.subject)).toEqual(['Two-step login turned on for Brolga'])
  })
  it('asks for a code once the password is right, and a wrong password always fails first', async () => {
    const { person, secret } = await withTwoStep('asks')
    expect((await tryLogin(person.authId)).error).toBe('TWO_STEP_REQUIRED')
    later(1)
    const wrong = await tryLogin(person.authId, { authPassword: 'not it', authCode: codeNow(secret) })
    const unknown = await tryLogin('nobody@test.example', { authPassword: 'not it', authCode: '123456' })
    expect([wrong.status, wrong.error, wrong.body]).toEqual([401, 'LOGIN_FAILED', unknown.body])
    expect((await tryLogin(person.authId, { authCode: '000000' })).error).toBe('TWO_STEP_FAILED')
    expect((await tryLogin(person.authId, { authCode: codeNow(secret) })).data.twoStep).toBe('on')
    clock.at = null
  })
  it('takes a code once, also when it is tried many times at the same moment', async () => {
    const { person, secret } = await withTwoStep('once')
    expect((await tryLogin(person.authId, { authCode: codeNow(secret) })).error).toBe('TWO_STEP_FAILED')
    later(2)
    const all = await Promise.all(
      Array.from({ length: 5 }, () => tryLogin(person.authId, { authCode: codeNow(secret) })),
    )
    expect(all.map((a) => a.status).toSorted()).toEqual([201, 401, 401, 401, 401])
    clock.at = null
  })
  it('counts wrong codes as guesses', async () => {
    const { person, secret } = await withTwoStep('guessed')
    const tries = await Promise.all(
      Array.from({ length: 14 }, (_, i) => tryLogin(person.authId, { authCode: String(100_000 + i) })),
    )
    expect(tries.filter((t) => t.status === 401)).toHaveLength(10)
    later(3)
    expect((await tryLogin(person.authId, { authCode: codeNow(secret) })).status).toBe(429)
    clock.at = null
  })
  it('takes each recovery code once, and tells the owner', async () => {
    const { person, codes } = await withTwoStep('recovers')
    const [code = ''] = codes
    expect((await tryLogin(person.authId, { authCode: code.toUpperCase().replaceAll('-', ' ') })).status).toBe(201)
    expect((await tryLogin(person.authId, { authCode: code })).error).toBe('TWO_STEP_FAILED')
    expect((await accountEmails(app)).map((l) => l.subject)).toEqual(['A recovery code was used for Brolga'])
    const headers = (
      await app.call<{ headers: Record<string, string> }>(null, 'POST', login, {
        authID: person.authId,
        authPassword: password,
        authCode: codes[1],
      })
    ).data.headers
    const { data } = await app.call<{ user: { twoStep: object } }>({ headers }, 'GET', '/Kernal/Users/Account')
    expect(data.user.twoStep).toEqual({ isOn: true, isRequired: false, recoveryCodesLeft: 8 })
  })
  it('gets new recovery codes and is turned off with password and code', async () => {
    const { person, secret, codes } = await withTwoStep('off')
    expect(
      (
        await app.call(person, 'POST', '/Kernal/Users/Auth/TwoStep/RecoveryCodes', {
          currentPassword: password,
          authCode: '000000',
        })
      ).status,
    ).toBe(422)
    const fresh = await app.call<{ recoveryCodes: string[] }>(
      person,
      'POST',
      '/Kernal/Users/Auth/TwoStep/RecoveryCodes',
      { currentPassword: password, authCode: codes[0] },
    )
    expect(fresh.data.recoveryCodes.some((code) => codes.includes(code))).toBe(false)
    expect((await tryLogin(person.authId, { authCode: codes[1] })).status).toBe(401)
    later(2)
    expect(
      (
        await app.call(person, 'POST', '/Kernal/Users/Auth/TwoStep/Disable', {
          currentPassword: password,
          authCode: codeNow(secret),
        })
      ).status,
    ).toBe(200)
    expect((await tryLogin(person.authId)).data.twoStep).toBe('off')
    clock.at = null
    await accountEmails(app)
  })
  it('is set up before anything else where the role asks for it', async () => {
    const strict = await aRole(app, 'Strict', [{ subject: 'Quotes', action: 'manage' }])
    const person = await aPerson(app, 'strict', strict)
    expect((await app.call(person, 'GET', '/Quotes')).status).toBe(200)
    const role = await app.call<{ role: { version: number } }>(actors.administrator, 'GET', `/Roles/${strict}`)
    await app.call(actors.administrator, 'PATCH', `/Roles/${strict}`, {
      version: role.data.role.version,
      requiresTwoStep: true,
    })
    const refused = await app.call(person, 'GET', '/Quotes')
    expect([refused.status, refused.error]).toEqual([403, 'TWO_STEP_SETUP'])
    expect((await tryLogin(person.authId)).data.twoStep).toBe('setup')
    for (const [path, status] of [
      ['/Kernal/Users/Account', 200],
      ['/Kernal/Auth/Roles/Permissions', 200],
      ['/Notifications', 403],
      ['/Live', 403],
    ] as const)
      expect([path, (await app.call(person, 'GET', path)).status]).toEqual([path, status])
    const { data } = await app.call<{ secret: string }>(person, 'POST', '/Kernal/Users/Auth/TwoStep/Setup', {
      currentPassword: password,
    })
    await app.call(person, 'POST', '/Kernal/Users/Auth/TwoStep/Enable', { authCode: codeNow(data.secret) })
    expect((await app.call(person, 'GET', '/Quotes')).status).toBe(200)
    later(2)
    expect(
      (
        await app.call(person, 'POST', '/Kernal/Users/Auth/TwoStep/Disable', {
          currentPassword: password,
          authCode: codeNow(data.secret),
        })
      ).message,
    ).toBe('Your role requires two-step login.')
    clock.at = null
  })
  it('is turned off by an administrator for somebody who lost the phone, and the sessions end', async () => {
    const { person } = await withTwoStep('lost')
    const { data } = await app.call<{ user: { version: number; hasTwoStep: boolean } }>(
      actors.administrator,
      'GET',
      `/Users/${person.userGuid}`,
    )
    expect(data.user.hasTwoStep).toBe(true)
    expect(
      (
        await app.call(actors.administrator, 'POST', `/Users/TwoStep/Reset/${person.userGuid}`, {
          version: data.user.version,
        })
      ).status,
    ).toBe(200)
    expect((await app.call(person, 'GET', '/Kernal/Users/Account')).status).toBe(401)
    expect((await tryLogin(person.authId)).data.twoStep).toBe('off')
    expect((await accountEmails(app)).map((l) => l.subject)).toEqual(['Two-step login turned off for Brolga'])
  })
})
