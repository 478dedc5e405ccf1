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

/** The Message-ID, fixed when the message is queued: a repeated try is recognised as the same mail. */
export const messageIdOf = (guid: string, from: string): string =>
  `<${guid}@${addressIn(from)?.split('@')[1] ?? 'localhost'}>`
