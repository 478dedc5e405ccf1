import { sql } from 'kysely'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { linkHash, newLinkToken } from '../core/secrets.ts'
import type { Language } from '../../contract/core/languages.ts'
import { servicePath } from '../../contract/places.ts'

/** What an offer has besides its words: its link, and what mail programs make their own button of. */
export interface Unsubscribe {
  url: string
  headers: Record<string, { prepared: true; value: string }>
}

/**
 * A new personal link for an offer that is about to go out. Each try makes its own: what was handed over once keeps
 * working, and of none of them more than the hash is kept.
 */
export async function newUnsubscribeLink(
  ctx: Pick<OpenCtx, 'db' | 'deps'>,
  message: { guid: string; businessGuid: string; address: string },
): Promise<Unsubscribe> {
  const token = newLinkToken()
  const { guid: messageGuid, businessGuid, address } = message
  await ctx.db
    .insertInto('unsubscribeLinks')
    .values({
      tokenHash: linkHash(token),
      messageGuid,
      businessGuid,
      address: address.toLowerCase(),
      createdAt: ctx.deps.now(),
    })
    .execute()
  const { publicUrl } = ctx.deps.settings
  return {
    url: `${publicUrl}${servicePath('unsubscribe', token)}`,
    // On one line only where it is prepared: a header that is folded within the address is no address.
    headers: {
      'List-Unsubscribe': { prepared: true, value: `<${publicUrl}/api/v2/Service/Unsubscribe/${token}>` },
      'List-Unsubscribe-Post': { prepared: true, value: 'List-Unsubscribe=One-Click' },
    },
  }
}

/** Stands in the words of an offer where its template wants the link: each try that goes out has a link of its own. */
export const unsubscribePlace = 'https://unsubscribe.invalid/'

/** An offer with its link: where its template wants it, else as the last line. */
export function withUnsubscribe(
  words: { bodyHtml: string; bodyText: string },
  url: string,
  language: Language,
): { bodyHtml: string; bodyText: string } {
  if (words.bodyHtml.includes(unsubscribePlace))
    return {
      bodyHtml: words.bodyHtml.replaceAll(unsubscribePlace, url),
      bodyText: words.bodyText.replaceAll(unsubscribePlace, url),
    }
  const label = phrases('messages', language)('unsubscribe.link')
  // The layout has the colours of `.foot`, by day and by night.
  const look = 'margin:0;padding:0 32px 32px;text-align:center;font:13px Arial,Helvetica,sans-serif'
  const line = `<p class="foot" style="${look}"><a href="${url}">${label}</a></p>`
  const end = words.bodyHtml.lastIndexOf('</body>')
  return {
    bodyHtml: end < 0 ? words.bodyHtml + line : `${words.bodyHtml.slice(0, end)}${line}${words.bodyHtml.slice(end)}`,
    bodyText: `${words.bodyText}\n\n${label}: ${url}`,
  }
}

/** An offer as staff see it: its link leads nowhere, so that nobody ends offers for its reader by looking at it. */
export function shownOffer(
  words: { bodyHtml: string; bodyText: string },
  language: Language,
): { bodyHtml: string; bodyText: string } {
  const { bodyHtml, bodyText } = withUnsubscribe(words, unsubscribePlace, language)
  const dead = bodyHtml.replaceAll(`href="${unsubscribePlace}"`, 'role="link" aria-disabled="true"')
  return { bodyHtml: dead, bodyText }
}

interface Followed {
  businessGuid: string
  messageGuid: string
  address: string
  subject: string
  /** Of whoever the offer went to. */
  language: Language
}

/** What a link is of; undefined where it is none. */
export const findUnsubscribe = (ctx: Pick<Ctx, 'db'>, token: string): Promise<Followed | undefined> =>
  ctx.db
    .selectFrom('unsubscribeLinks as l')
    .innerJoin('messages as m', 'm.guid', 'l.messageGuid')
    .leftJoin('parties as k', 'k.memberGuid', 'm.customerGuid')
    .select(['l.businessGuid', 'l.messageGuid', 'l.address', 'm.subject'])
    .select(sql<Language>`coalesce(k.language, 'en')`.as('language'))
    .where('l.tokenHash', '=', linkHash(token))
    .executeTakeFirst()

export const noteFollowed = (ctx: Ctx, token: string) =>
  ctx.db
    .updateTable('unsubscribeLinks')
    .set({ usedAt: ctx.now })
    .where('tokenHash', '=', linkHash(token))
    .where('usedAt', 'is', null)
    .execute()
