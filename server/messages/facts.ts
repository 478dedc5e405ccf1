import type { FrozenFacts } from '../core/db/schema-money.ts'
import type { MessageFacts } from '../documents/document-messages.service.ts'
import { oneLine } from './templates.ts'

/** What a message says, fixed; of the business what a mail shows, and not its bank account. */
export function frozenFacts({ language, variables, business, link }: MessageFacts, note?: string | null): FrozenFacts {
  const { name, primaryColour, legalName, isBrand, abn, email, phone, website, address } = business
  const filled = Object.entries(variables).map(([variable, value]) => [variable, oneLine(value)])
  return {
    language,
    values: { ...Object.fromEntries(filled), note: note?.trim() ?? '' },
    business: { name, primaryColour, legalName, ...(isBrand && { isBrand }), abn, email, phone, website, address },
    link,
  }
}
