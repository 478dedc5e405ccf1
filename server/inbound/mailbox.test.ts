import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EmailAccount } from '../../contract/email-accounts.ts'
import { aSecondApp, ok, startStaffed } from '../../test/support/factories.ts'
import { type ImapDouble, startImap } from '../../test/support/imap.ts'
import { aMail } from '../../test/support/mails.ts'
import type { Caller, Running } from '../../test/support/start.ts'
import type { Deps } from '../core/deps.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { readInbound } from './inbound.batch.ts'

const dayMs = 24 * 60 * 60 * 1000

let app: Running
let imap: ImapDouble
let account: EmailAccount
let administrator: Caller
beforeAll(async () => {
  const staffed = await startStaffed({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } })
  app = staffed.app
  administrator = staffed.actors.administrator
  imap = await startImap()
  const server = { host: '127.0.0.1', port: imap.port, security: 'none', username: 'testuser' }
  account = ok(
    await app.call<{ account: EmailAccount }>(administrator, 'POST', '/EmailAccounts', {
      ...{ purpose: 'general', fromName: 'Office', fromAddress: 'office@brolga.example' },
      ...{ smtp: server, imap: server, auth: { kind: 'password', password: 'testpass' } },
    }),
    201,
  ).account
})
afterAll(async () => {
  await app.stop()
  await imap.stop()
})
beforeEach(async () => {
  await read()
})
afterEach(() => {
  imap.on('UID FETCH', null)
  imap.on('UID SEARCH', null)
})

const read = (deps: Deps = app.deps) => readInbound(openCtx(systemRun(deps, 'test')), () => true)
const row = () =>
  app.deps.db.selectFrom('emailAccounts').selectAll().where('guid', '=', account.guid).executeTakeFirstOrThrow()
/** How often people were told that the login ended. */
const timesTold = async () =>
  (await app.deps.db.selectFrom('auditLog').select('id').where('action', '=', 'email_account.login_ended').execute())
    .length
/** How often each subject was taken in. */
const taken = async (subject: string) =>
  (await app.deps.db.selectFrom('messages').select('guid').where('subject', '=', subject).execute()).length
let count = 0
const arrives = (at?: Date) => {
  const subject = `Mail ${++count}`
  imap.arrives(aMail({ subject }), at)
  return subject
}
const drop = (after: number) => {
  let n = 0
  imap.on('UID FETCH', (connection, ...rest) => {
    if (++n > after) connection.socket?.destroy()
    else imap.usual('UID FETCH')(connection, ...rest)
  })
}

describe('a mailbox', () => {
  it('is read once, whatever the server answers when nothing is new', async () => {
    const subjects = [arrives(), arrives()]
    expect(await read()).toMatchObject({ succeeded: 2, failed: 0 })
    expect(await read()).toMatchObject({ succeeded: 0, failed: 0 })
    for (const subject of subjects) expect(await taken(subject)).toBe(1)
    const last = imap.folder.messages.at(-1)?.uid
    expect(await row()).toMatchObject({ lastUid: last, uidValidity: imap.folder.uidvalidity })
    expect((await row()).lastReadAt).not.toBeNull()
    // The last mail again, as RFC 3501 has it for a range beyond the end.
    imap.on('UID SEARCH', (connection, { tag }, _, done) => {
      connection.send({ tag: '*', command: 'SEARCH', attributes: [{ type: 'ATOM', value: String(last) }] })
      connection.send({ tag, command: 'OK', attributes: [{ type: 'TEXT', value: 'done' }] })
      done()
    })
    expect(await read()).toMatchObject({ succeeded: 0, failed: 0 })
  })

  it('that was there before its account gives what came since, and no more', async () => {
    await app.deps.db.updateTable('emailAccounts').set({ lastUid: null, uidValidity: null }).execute()
    const old = arrives(new Date(Date.now() - 30 * 86_400_000))
    const fresh = arrives()
    await read()
    expect([await taken(old), await taken(fresh)]).toEqual([0, 1])
  })

  it('that numbers its mails anew is read again, and each mail is there once', async () => {
    const subject = arrives()
    await read()
    imap.folder.uidvalidity += 1
    const later = arrives()
    expect(await read()).toMatchObject({ succeeded: 1, failed: 0 })
    expect([await taken(subject), await taken(later)]).toEqual([1, 1])
    expect((await row()).uidValidity).toBe(imap.folder.uidvalidity)
  })

  it('of whom a process died between storing and moving on gives each mail once', async () => {
    const subjects = [arrives(), arrives(), arrives()]
    const { lastUid } = await row()
    await read()
    for (const back of [lastUid, 0, null]) {
      await app.deps.db.updateTable('emailAccounts').set({ lastUid: back }).execute()
      await read()
    }
    for (const subject of subjects) expect(await taken(subject)).toBe(1)
  })

  it('of whom a process died before reading what it stored is read on', async () => {
    const subject = arrives()
    let isFirst = true
    await readInbound(openCtx(systemRun(app.deps, 'test')), () => {
      const isNow = isFirst
      isFirst = false
      return isNow
    })
    await read()
    expect(await taken(subject)).toBe(1)
  })

  it('is read by one process at a time', async () => {
    const subjects = Array.from({ length: 5 }, () => arrives())
    const second = await aSecondApp(app)
    try {
      await Promise.all([read(), read(second.deps), read(), read(second.deps)])
    } finally {
      await second.close()
    }
    await read()
    for (const subject of subjects) expect(await taken(subject)).toBe(1)
  })

  it('of a process that hangs is another one’s after a while', async () => {
    const subject = arrives()
    const until = (ms: number) =>
      app.deps.db
        .updateTable('mailboxLeases')
        .set({ until: new Date(Date.now() + ms) })
        .execute()
    await until(60_000)
    await read()
    expect(await taken(subject)).toBe(0)
    await until(-1)
    await read()
    expect(await taken(subject)).toBe(1)
  })
})

describe('a server that fails', () => {
  it.each([0, 1, 2, 3])('in the middle, after %i commands, is asked again where it stopped', async (after) => {
    const subjects = [arrives(), arrives(), arrives()]
    drop(after)
    expect(await read()).toMatchObject({ failed: 1 })
    expect((await row()).readSaid).toBeTruthy()
    imap.on('UID FETCH', null)
    expect(await read()).toMatchObject({ failed: 0 })
    expect((await row()).readSaid).toBeNull()
    for (const subject of subjects) expect(await taken(subject)).toBe(1)
  })

  it('and sends nothing, or another mail than was asked for, moves nothing on', async () => {
    const subject = arrives()
    const before = (await row()).lastUid
    const answer = (uid: number, source: string) =>
      imap.on('UID FETCH', (connection, { tag }, _, done) => {
        const value = (text: string, type = 'ATOM') => ({ type, value: text })
        connection.send({
          tag: '*',
          attributes: [
            1,
            value('FETCH'),
            [value('UID'), uid, value('RFC822.SIZE'), 40, value('BODY[]'), value(source, 'LITERAL')],
          ],
        })
        connection.send({ tag, command: 'OK', attributes: [{ type: 'TEXT', value: 'done' }] })
        done()
      })
    answer(99_999, 'Subject: other\r\n\r\nx')
    expect(await read()).toMatchObject({ failed: 1 })
    answer(imap.folder.messages.at(-1)?.uid ?? 0, '')
    expect(await read()).toMatchObject({ failed: 1 })
    expect((await row()).lastUid).toBe(before)
    imap.on('UID FETCH', null)
    await read()
    expect(await taken(subject)).toBe(1)
  })

  it('at the same mail again and again is read past it in the end', async () => {
    const bad = arrives()
    drop(0)
    for (let i = 0; i < 10; i++) await read()
    const good = arrives()
    imap.on('UID FETCH', null)
    await read()
    expect([await taken(bad), await taken(good)]).toEqual([0, 1])
    const kept = await app.deps.db
      .selectFrom('inboundMails')
      .select(['state', 'reason', 'rawSha256'])
      .where('state', '=', 'quarantined')
      .execute()
    expect(kept).toEqual([{ state: 'quarantined', reason: 'unreadable', rawSha256: null }])
  })

  it('does not hold up what is stored already, and refuses a wrong login', async () => {
    const { imapSecret } = await row()
    await app.deps.db.updateTable('emailAccounts').set({ imapSecret: null }).execute()
    expect(await read()).toMatchObject({ failed: 1 })
    // Somebody has to mend it, and is told: nobody asks again until then.
    expect(await row()).toMatchObject({ status: 'broken', lastSaid: 'Enter the password again.' })
    expect(await read()).toMatchObject({ failed: 0 })
    await app.deps.db.updateTable('emailAccounts').set({ imapSecret, status: 'active', failures: 0 }).execute()
    const subject = arrives()
    await read()
    expect(await taken(subject)).toBe(1)
  })
})

describe('a mailbox that refuses the login', () => {
  it('is asked on, stops nothing that is sent, and whoever may mend it is told once', async () => {
    const save = async (password: string) => {
      const { version } = await row()
      const change = { version, auth: { kind: 'password', password } }
      return ok(
        await app.call<{ account: EmailAccount }>(administrator, 'PATCH', `/EmailAccounts/${account.guid}`, change),
      )
    }
    await save('mistyped')
    const told = await timesTold()
    for (let i = 0; i < 7; i++) expect(await read()).toMatchObject({ failed: 1 })
    expect(await row()).toMatchObject({ status: 'active', failures: 0, readSaid: expect.stringMatching(/./) as string })
    const { account: seen } = ok(
      await app.call<{ account: EmailAccount }>(administrator, 'GET', `/EmailAccounts/${account.guid}`),
    )
    expect(seen).toMatchObject({ state: 'unread', lastSaid: (await row()).readSaid })
    expect((await timesTold()) - told).toBe(1)
    await save('testpass')
    const subject = arrives()
    expect(await read()).toMatchObject({ failed: 0 })
    expect(await taken(subject)).toBe(1)
    expect((await row()).readSaid).toBeNull()
  })
})

describe('a mailbox that an account has later', () => {
  it('gives what came since, and no more', async () => {
    const auth = { kind: 'password', password: 'testpass' }
    const change = async (imap: object | null) => {
      const { version } = await row()
      ok(await app.call(administrator, 'PATCH', `/EmailAccounts/${account.guid}`, { version, imap, auth }))
    }
    const server = (await row()).imap as object
    const { createdAt } = await row()
    await app.deps.db
      .updateTable('emailAccounts')
      .set({ createdAt: new Date(Date.now() - 9 * dayMs) })
      .execute()
    const before = arrives(new Date(Date.now() - 5 * dayMs))
    await change(null)
    await change(server)
    const since = arrives()
    await read()
    expect([await taken(before), await taken(since)]).toEqual([0, 1])
    await app.deps.db.updateTable('emailAccounts').set({ createdAt }).execute()
  })
})

describe('a mailbox is left alone', () => {
  it('where its account is paused or archived, and its mails stay as they are', async () => {
    const { connections } = imap
    await app.deps.db.updateTable('emailAccounts').set({ status: 'paused' }).execute()
    await read()
    await app.deps.db.updateTable('emailAccounts').set({ status: 'active', archivedAt: new Date() }).execute()
    await read()
    await app.deps.db.updateTable('emailAccounts').set({ archivedAt: null }).execute()
    expect(imap.connections).toBe(connections)
    expect(JSON.stringify(imap.folder.messages)).not.toContain('Seen')
  })
})

describe('another mailbox of the same account', () => {
  const movesTo = async ({ port }: ImapDouble) => {
    const { version, imap: was } = await row()
    ok(
      await app.call(administrator, 'PATCH', `/EmailAccounts/${account.guid}`, {
        version,
        imap: { ...was, port },
        auth: { kind: 'password', password: 'testpass' },
      }),
    )
  }

  it('that numbers its mails the same gives all of them', async () => {
    const other = await startImap()
    try {
      arrives()
      await read()
      other.folder.uidvalidity = imap.folder.uidvalidity
      await movesTo(other)
      const subject = 'The first mail of another mailbox'
      other.arrives(aMail({ subject }))
      expect(await read()).toMatchObject({ succeeded: 1, failed: 0 })
      expect(await taken(subject)).toBe(1)
    } finally {
      await movesTo(imap)
      await other.stop()
    }
  })

  it('is read from its own beginning, though the one before was being read when it came', async () => {
    const other = await startImap()
    try {
      arrives()
      arrives()
      other.folder.uidvalidity = imap.folder.uidvalidity
      imap.on('UID FETCH', (...given) => {
        imap.on('UID FETCH', null)
        void movesTo(other).then(() => imap.usual('UID FETCH')(...given))
      })
      expect(await read()).toMatchObject({ failed: 0 })
      expect(await row()).toMatchObject({ uidValidity: null, lastUid: null, lastReadAt: null })
      const subject = 'A mail of another mailbox, read later'
      other.arrives(aMail({ subject }))
      await read()
      expect(await taken(subject)).toBe(1)
    } finally {
      await movesTo(imap)
      await other.stop()
    }
  })
})
