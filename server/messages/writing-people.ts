import { sql } from 'kysely'
import type { FieldError } from '../../contract/core/errors.ts'
import { maxRecipients, messageSentences } from '../../contract/message-writes.ts'
import type { MessageCategory } from '../../contract/messages.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { may } from '../core/http/permission.ts'
import { suppressedAmong } from './suppressions.ts'
import { type About, offeredAddresses } from './writing-about.ts'

/** Everybody a message goes to, each once, as they were entered. */
export interface People {
  to: string[]
  cc: string[]
  bcc: string[]
}

/** Whoever is named twice stands where they were named first. */
export function peopleOf(given: { [K in keyof People]?: readonly string[] | undefined }): People {
  const seen = new Set<string>()
  const once = (addresses: readonly string[] = []) =>
    addresses
      .map((address) => address.trim())
      .filter((address) => {
        const key = address.toLowerCase()
        if (!key || seen.has(key)) return false
        seen.add(key)
        return true
      })
  return { to: once(given.to), cc: once(given.cc), bcc: once(given.bcc) }
}
export const everybody = ({ to, cc, bcc }: People): string[] => [...to, ...cc, ...bcc]

/** Whether somebody is written to at all, and nobody whom the caller may not write to. */
export async function recipientErrors(ctx: Ctx, people: People, about: About): Promise<FieldError[]> {
  const all = everybody(people)
  if (people.to.length === 0) return [{ path: 'to', message: messageSentences.recipient }]
  if (all.length > maxRecipients) return [{ path: 'to', message: messageSentences.recipients }]
  if (ctx.actor.kind === 'system' || may(ctx.actor, 'create', 'Messages:Send:Anyone')) return []
  const offered = await offeredAddresses(ctx, about, 'transactional')
  const known = new Set(offered.map(({ address }) => address.toLowerCase()))
  return (['to', 'cc', 'bcc'] as const).flatMap((path) =>
    people[path]
      .filter((address) => !known.has(address.toLowerCase()))
      .map((address) => ({ path, message: messageSentences.stranger(address) })),
  )
}

/** Refused only where nobody is left: the others are left out when it is sent. */
export async function suppressionErrors(
  ctx: Ctx,
  people: People,
  businessGuid: string,
  category: MessageCategory,
): Promise<FieldError[]> {
  const closed = await suppressedAmong(ctx.db, businessGuid, everybody(people), category)
  const isNobodyLeft = people.to.every((address) => closed.has(address.toLowerCase()))
  return isNobodyLeft ? [{ path: 'to', message: messageSentences.suppressed }] : []
}

/** Offers go to one person who agreed to them: the link that ends them is personal. */
export async function offerErrors(db: Db, people: People, businessGuid: string): Promise<FieldError[]> {
  const all = everybody(people)
  const [address = ''] = all
  if (all.length > 1) return [{ path: 'to', message: messageSentences.single }]
  const { rows } = await sql<{ kind: string }>`select kind from consents
    where business_guid = ${businessGuid}::uuid and address = ${address.toLowerCase()}
    order by created_at desc, guid desc limit 1`.execute(db)
  const kind = rows[0]?.kind
  if (kind === 'express' || kind === 'inferred') return []
  return [{ path: 'to', message: kind === 'withdrawn' ? messageSentences.withdrawn : messageSentences.noConsent }]
}
