import { randomBytes } from 'node:crypto'
import type { Settings } from '../core/env.ts'
import { oneLine } from './templates.ts'

const addressIn = (text: string) =>
  /<([^<>\s]+@[^<>\s]+)>\s*$/.exec(text)?.[1] ?? (/^[^<>\s]+@[^<>\s]+$/.test(text.trim()) ? text.trim() : null)

/** A name as it may stand before an address in a header. */
const nameOf = (name: string) =>
  oneLine(name)
    .replace(/["\\<>]/g, '')
    .trim()

/**
 * Who a message is from: the business by name. With a mail account of the installation its address sends and answers go
 * to the business; otherwise the business's own address does both.
 */
export function senderOf(
  settings: Pick<Settings, 'mailFrom'>,
  business: { name: string; email: string | null },
): { from: string; replyTo: string | null } {
  const own = business.email ? oneLine(business.email) : null
  const account = settings.mailFrom ? addressIn(oneLine(settings.mailFrom)) : null
  const address = account ?? own ?? 'no-reply@localhost'
  return { from: `"${nameOf(business.name)}" <${address}>`, replyTo: own && own !== address ? own : null }
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567'
/** 128 random bits in base32 (RFC 4648, lower case, without padding): what an answer is known by. */
function newReplyToken(): string {
  const bits = [...randomBytes(16)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/**
 * The Message-ID, fixed when the message is queued: a repeated try is recognised as the same mail. Its name is the
 * reply token, or of what nobody answers the guid.
 */
export const messageIdOf = (name: string, from: string): string =>
  `<${name}@${addressIn(from)?.split('@')[1] ?? 'localhost'}>`

/** What a new message is recognised by: its own Message-ID, and the token in it that answers bring back. */
export function answeredTo(from: string): { replyToken: string; messageId: string } {
  const replyToken = newReplyToken()
  return { replyToken, messageId: messageIdOf(replyToken, from) }
}

/** An account as far as a message shows it. */
interface Account {
  fromName: string
  fromAddress: string
  imap: unknown
  plusAddressing: boolean
}

/**
 * Who a message is from that leaves by an account: the account itself. Answers go there, too, where its mailbox is
 * read, with the token that tells which message they are about; else where they would have gone without it.
 */
export function accountSender(
  account: Account,
  message: { replyTo: string | null; replyToken: string | null; sender: string },
): { from: string; replyTo: string | null } {
  const from = `"${nameOf(account.fromName)}" <${account.fromAddress}>`
  if (!account.imap) {
    const own = message.replyTo ?? addressIn(message.sender)
    return { from, replyTo: own && own !== account.fromAddress && !own.endsWith('@localhost') ? own : null }
  }
  if (!account.plusAddressing || !message.replyToken) return { from, replyTo: null }
  const [local = '', domain = ''] = account.fromAddress.split('@')
  return { from, replyTo: `${local}+${message.replyToken}@${domain}` }
}
