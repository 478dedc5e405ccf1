import { setTimeout as sleep } from 'node:timers/promises'
import type { MessageFailure } from '../../contract/messages.ts'
import type { Mail, MailResult } from '../core/adapters/mail.ts'
import type { OpenCtx } from '../core/ctx.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { leaveBy, lookForSent } from '../email-accounts/leaving.service.ts'
import { type Claimed, takeNext } from './claims.ts'
import { accountSender } from './sender.ts'

type Account = Extract<Claimed['route'], { by: 'account' }>['account']

/** What became of a message that was held: `sent`, or why not. */
export type Left =
  | {
      outcome: 'accepted'
      raw: Uint8Array | null
      refused: { address: string; reason: string }[]
      sender?: string
      replyTo?: string | null
    }
  | {
      outcome: 'refused' | 'deferred'
      reason: string
      type: MessageFailure
      /** The server has the whole message and never said a word. `account`: one whose Sent folder can be asked. */
      isUnanswered?: boolean | undefined
      byAccount?: boolean
      /** The mail server was not even asked, because the message could not be made. */
      isOurs?: true
      /** Nobody was asked, because somebody has to log in first: it counts as no try. */
      isWaiting?: boolean
    }

/** Sends a message the way it was claimed for, and where that fails before it has anything of it, the next one. */
export async function leave(ctx: OpenCtx, message: Claimed, mail: Mail, withinMs: number): Promise<Left> {
  const tried: string[] = []
  let { route } = message
  for (;;) {
    if (route.by === 'none') throw new Error('a message without a way out is not claimed')
    if (route.by === 'installation') return byInstallation(ctx, mail, withinMs)
    const left = await byAccount(ctx, route.account, message, mail, withinMs)
    if (left.outcome === 'accepted' || !left.mayGoElsewhere || message.isUnanswered) return left
    tried.push(route.account.guid)
    const next = await takeNext(ctx, message, tried)
    if (next.by === 'none') return left
    route = next
  }
}

async function byAccount(
  ctx: OpenCtx,
  account: Account,
  message: Claimed,
  mail: Mail,
  withinMs: number,
): Promise<Left & { mayGoElsewhere?: boolean }> {
  const { from, replyTo } = accountSender(account, message)
  // Looking and sending share the time: the message is held no longer.
  const until = performance.now() + withinMs
  if (message.isUnanswered) {
    const found = await lookForSent(ctx, account, message.messageId, withinMs)
    if (found === 'there') return { outcome: 'accepted', raw: null, refused: [], sender: from, replyTo }
    if (found === 'unknown')
      return {
        outcome: 'deferred',
        reason: phrases('messages')('failure.unlooked'),
        type: 'connection',
        isUnanswered: true,
        byAccount: true,
      }
  }
  const { replyTo: _replyTo, ...rest } = mail
  const outgoing = { ...rest, from, ...(replyTo ? { replyTo } : {}) }
  const left = await leaveBy(ctx, account, outgoing, until - performance.now())
  return left.outcome === 'accepted'
    ? { outcome: 'accepted', raw: left.raw, refused: left.taken.rejected, sender: from, replyTo }
    : { ...left, byAccount: true }
}

async function byInstallation(ctx: OpenCtx, mail: Mail, withinMs: number): Promise<Left> {
  const late = new AbortController()
  const timeout = sleep(withinMs, undefined, { signal: late.signal }).then((): MailResult => ({
    outcome: 'deferred',
    reason: phrases('messages')('failure.silent'),
    type: 'connection',
  }))
  const sending = ctx.deps.mail
    .send(mail)
    .catch((error: unknown): MailResult => ({ outcome: 'deferred', reason: reasonOf(error), type: 'connection' }))
  const result = await Promise.race([sending, timeout]).finally(() => {
    late.abort()
    timeout.catch(() => undefined)
  })
  return result.outcome === 'accepted'
    ? { outcome: 'accepted', raw: result.raw, refused: result.rejected ?? [] }
    : { ...result, type: result.type ?? 'connection' }
}

export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500)
