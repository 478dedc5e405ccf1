import { createHash } from 'node:crypto'
import type { ImapFlow, MailboxObject } from 'imapflow'
import type { Selectable } from 'kysely'
import type { QuarantineReason } from '../../contract/inbound.ts'
import type { OpenCtx } from '../core/ctx.ts'
import type { EmailAccounts } from '../core/db/schema-emails.ts'
import { newGuid } from '../core/guid.ts'
import { keepBytes } from '../core/keep-bytes.ts'
import { imapOf } from '../email-accounts/connections.service.ts'
import { beginFetch, giveBackMailbox, holdMailbox, LostLease, takeMailbox } from './lease.ts'
import { mailLimits } from './read-shape.ts'

export type Account = Selectable<EmailAccounts>

/** A mail whose fetching was begun so often and never ended is passed over. */
const maxTries = 10
const folder = 'INBOX'
const dayMs = 86_400_000

/** The connection went away, or the server says what cannot be: nothing more is believed of it. */
class MailboxError extends Error {}

interface Place {
  uidValidity: number
  lastUid: number
}

interface Fetched {
  uid: number
  bytes: number
  /** None of a mail that is kept away unread. */
  raw: Uint8Array | null
  reason?: QuarantineReason
}

/**
 * Stores what is new in a mailbox, mail by mail: the row with its bytes first, then how far it was read. Whoever dies
 * in between finds the same mail again, and knows it. The mailbox itself is left as it is. Answers how many are new.
 */
export async function readMailbox(ctx: OpenCtx, account: Account, hasTime: () => boolean): Promise<number> {
  const holder = newGuid()
  if (!(await takeMailbox(ctx, account.guid, holder))) return 0
  let opened: ImapFlow | null = null
  try {
    const { client } = await imapOf(ctx, account)
    opened = client
    const place = placeIn(await client.mailboxOpen(folder, { readOnly: true }), account)
    let count = 0
    for (const uid of await newUids(client, place, account)) {
      if (!hasTime()) break
      const tries = await beginFetch(ctx, account.guid, holder, uid)
      const mail = tries > maxTries ? unreadable(uid) : await fetchMail(client, uid)
      if (mail && (await store(ctx, account, holder, place, mail))) count++
      await moveCursor(ctx, account, place, uid)
    }
    await noteRead(ctx, account, place)
    return count
  } finally {
    opened?.close()
    await giveBackMailbox(ctx, account.guid, holder)
  }
}

const unreadable = (uid: number): Fetched => ({ uid, bytes: 0, raw: null, reason: 'unreadable' })

/** How far the mailbox was read. Where the server numbers anew, or counts backwards, it is read from the beginning. */
function placeIn(box: MailboxObject, { uidValidity, lastUid }: Account): Place {
  const now = Number(box.uidValidity)
  const isSame = uidValidity === now && lastUid !== null && box.uidNext > lastUid
  return { uidValidity: now, lastUid: isSame ? lastUid : 0 }
}

/**
 * Mails beyond the last that was read; of a mailbox that is read from its beginning those that came since the account
 * has it. A server answers `n:*` with its last mail though none is new.
 */
async function newUids(client: ImapFlow, { lastUid }: Place, account: Account): Promise<number[]> {
  const since = new Date(new Date(account.mailboxSince ?? account.createdAt).getTime() - dayMs)
  const found = await client.search({ uid: `${lastUid + 1}:*`, ...(lastUid === 0 ? { since } : {}) }, { uid: true })
  if (!Array.isArray(found) || !client.usable) throw new MailboxError('the connection was lost')
  return [...new Set(found)].filter((uid) => Number.isSafeInteger(uid) && uid > lastUid).toSorted((a, b) => a - b)
}

/** One mail as it lies there; null where it is gone. A connection that broke looks the same. */
async function fetchMail(client: ImapFlow, uid: number): Promise<Fetched | null> {
  const { size } = (await fetchOf(client, uid, { size: true })) ?? {}
  if (size === undefined) return mustBeGone(client, uid)
  if (size > mailLimits.bytes) return { uid, bytes: size, raw: null, reason: 'size' }
  const fetched = await fetchOf(client, uid, { source: { maxLength: mailLimits.bytes + 1 } })
  if (!fetched) return mustBeGone(client, uid)
  const raw = fetched.source ?? Buffer.alloc(0)
  if (raw.byteLength === 0 && size > 0) throw new MailboxError('the server sent an empty email')
  if (raw.byteLength > mailLimits.bytes) return { uid, bytes: raw.byteLength, raw: null, reason: 'size' }
  return { uid, bytes: raw.byteLength, raw }
}

/** What cannot be fetched is only passed over where the server itself does not name it any more. */
async function mustBeGone(client: ImapFlow, uid: number): Promise<null> {
  const found = await client.search({ uid: String(uid) }, { uid: true })
  if (!Array.isArray(found) || !client.usable) throw new MailboxError('the connection was lost')
  if (found.includes(uid)) throw new MailboxError('the server names an email that it does not hand out')
  return null
}

async function fetchOf(client: ImapFlow, uid: number, query: Parameters<ImapFlow['fetchOne']>[1]) {
  const fetched = await client.fetchOne(String(uid), { uid: true, ...query }, { uid: true })
  if (!client.usable) throw new MailboxError('the connection was lost')
  if (!fetched) return null
  if (fetched.uid !== uid) throw new MailboxError('the server sent another email than was asked for')
  return fetched
}

/** Stores a mail; false where it is here already, by its number or by its bytes. */
const store = (ctx: OpenCtx, account: Account, holder: string, { uidValidity }: Place, mail: Fetched) =>
  ctx.tx(async (tx) => {
    await holdMailbox(tx, account.guid, holder)
    const { uid, bytes, raw, reason } = mail
    const sha256 = raw ? createHash('sha256').update(raw).digest('hex') : null
    const known = await tx.db
      .selectFrom('inboundMails')
      .select(['guid', 'rawSha256'])
      .where('accountGuid', '=', account.guid)
      .where((e) =>
        e.or([
          e.and([e('mailbox', '=', account.mailbox), e('uidValidity', '=', uidValidity), e('uid', '=', uid)]),
          ...(sha256 ? [e('rawSha256', '=', sha256)] : []),
        ]),
      )
      .execute()
    if (known.length > 0) {
      if (!known.some(({ rawSha256 }) => rawSha256 === sha256))
        tx.log.error({ account: account.guid, uid }, 'a mail server gave a number to two emails: the second is left')
      return false
    }
    if (raw) await keepBytes(tx, raw, 'message/rfc822')
    await tx.db
      .insertInto('inboundMails')
      .values({
        guid: newGuid(),
        businessGuid: account.businessGuid,
        accountGuid: account.guid,
        ...{ mailbox: account.mailbox, uidValidity, uid, bytes, rawSha256: sha256 },
        ...(reason ? { reason, state: 'quarantined', settledAt: tx.now } : {}),
        receivedAt: ctx.deps.now(),
      })
      .execute()
    return true
  })

/** The account as long as it has this mailbox: how far another one was read is none of its business. */
const ofMailbox = (ctx: OpenCtx, { guid, mailbox }: Account) =>
  ctx.db.updateTable('emailAccounts').where('guid', '=', guid).where('mailbox', '=', mailbox)

async function moveCursor(ctx: OpenCtx, account: Account, { uidValidity }: Place, lastUid: number) {
  const { numUpdatedRows } = await ofMailbox(ctx, account).set({ uidValidity, lastUid }).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new LostLease()
}

/** An empty mailbox was read, too: what comes next is new. */
async function noteRead(ctx: OpenCtx, account: Account, { uidValidity }: Place) {
  await ofMailbox(ctx, account)
    .set((e) => ({
      uidValidity,
      lastUid: e.fn.coalesce(e.case().when('uidValidity', '=', uidValidity).then(e.ref('lastUid')).end(), e.val(0)),
      lastReadAt: ctx.deps.now(),
      readSaid: null,
    }))
    .execute()
}
