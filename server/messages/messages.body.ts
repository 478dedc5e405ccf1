import { forbidden } from '../../contract/core/errors.ts'
import { nounOf } from '../../contract/nouns.ts'
import type { Ctx } from '../core/ctx.ts'
import { may } from '../core/http/permission.ts'
import { filterReadable } from '../row-scope/row-scope.service.ts'
import type { MessageRow } from './messages.queries.ts'

const linkInText = /\/service[/-][qois][/-]([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi

type Written = Pick<
  MessageRow,
  'ownerType' | 'ownerGuid' | 'facts' | 'bodyHtml' | 'bodyText' | 'customerGuid' | 'direction'
>

interface WrittenRow extends Written {
  guid: string
}

/** Of some messages those whose every document the caller may read: their links open documents without a login. */
export async function readableBodies(ctx: Ctx, messages: readonly WrittenRow[]): Promise<Set<string>> {
  const linked = new Map(messages.map((message) => [message.guid, linksIn(message)]))
  const guids = [...new Set([...linked.values()].flat())]
  const rows =
    guids.length === 0
      ? []
      : await ctx.db
          .selectFrom('serviceLinks')
          .select(['guid', 'kind', 'recordGuid'])
          .where('guid', 'in', guids)
          .execute()
  const links = new Map(rows.map((row) => [row.guid, row]))
  const pages = [...new Set(rows.flatMap(({ kind, recordGuid }) => (kind === 'statement' ? [recordGuid] : [])))]
  const mayPages = pages.length === 0 || (await mayReadPages(ctx, pages))
  const spokenOf = await invoicesOf(ctx, messages)
  const asked = messages.map((message) => {
    const found = (linked.get(message.guid) ?? []).flatMap((guid) => links.get(guid) ?? [])
    const isOfPage = found.some(({ kind }) => kind === 'statement')
    const documents = found.flatMap(({ kind, recordGuid }) =>
      kind === 'statement' ? [] : [{ entity: nounOf(kind) as string, guid: recordGuid }],
    )
    return {
      guid: message.guid,
      isOfPage,
      subjects: [...documents, ...ownersOf(message), ...(spokenOf.get(message.guid) ?? [])],
    }
  })
  const keyOf = ({ entity, guid }: { entity: string; guid: string }) => `${entity} ${guid}`
  const subjects = [
    ...new Map(asked.flatMap((one) => one.subjects).map((subject) => [keyOf(subject), subject])).values(),
  ]
  const readable = new Set((await filterReadable(ctx, subjects)).map(keyOf))
  return new Set(
    asked
      .filter((one) => (!one.isOfPage || mayPages) && one.subjects.every((subject) => readable.has(keyOf(subject))))
      .map(({ guid }) => guid),
  )
}

/** What has no words yet leads nowhere: it speaks of the invoices that it is made of. */
async function invoicesOf(ctx: Ctx, messages: readonly WrittenRow[]) {
  const unworded = messages.flatMap(({ guid, facts, bodyHtml }) => (facts === null && bodyHtml === null ? guid : []))
  if (unworded.length === 0) return new Map<string, { entity: string; guid: string }[]>()
  const rows = await ctx.db
    .selectFrom('messageInvoices')
    .select(['messageGuid', 'invoiceGuid'])
    .where('messageGuid', 'in', unworded)
    .execute()
  const of = Map.groupBy(rows, ({ messageGuid }) => messageGuid)
  return new Map(
    [...of].map(([guid, some]) => [guid, some.map((one) => ({ entity: 'Invoices', guid: one.invoiceGuid }))]),
  )
}

function linksIn({ facts, bodyHtml, bodyText }: Written): string[] {
  const text = facts ? JSON.stringify(facts) : `${bodyHtml}\n${bodyText}`
  return [...new Set([...text.matchAll(linkInText)].flatMap(([, guid]) => guid?.toLowerCase() ?? []))]
}

/** What it is about. A note on a customer is read by those who read him. */
function ownersOf({ ownerType, ownerGuid, direction, customerGuid }: Written): { entity: string; guid: string }[] {
  if (ownerType && ownerGuid) return [{ entity: nounOf(ownerType), guid: ownerGuid }]
  return direction === 'internal' && customerGuid ? [{ entity: 'Customers', guid: customerGuid }] : []
}

/** Whether the caller may read every document that a message speaks of or leads to. */
export const mayReadBody = async (ctx: Ctx, message: WrittenRow): Promise<boolean> =>
  (await readableBodies(ctx, [message])).has(message.guid)

/** A statement's page shows invoices of several businesses: it is for those who are told statements of all of them. */
async function mayReadPages(ctx: Ctx, guids: readonly string[]): Promise<boolean> {
  if (ctx.actor.kind === 'system') return true
  if (!may(ctx.actor, 'read', 'Statements')) return false
  const within = ctx.actor.kind === 'user' ? ctx.actor.worksIn : null
  if (!within) return true
  const pages = await ctx.db
    .selectFrom('statementPages')
    .select('covers')
    .where('guid', 'in', [...guids])
    .execute()
  return pages.every(({ covers }) => covers.every((guid) => within.guid.includes(guid)))
}

/** A message goes out again only for those who may read what is in it. */
export async function needBody(ctx: Ctx, message: WrittenRow): Promise<void> {
  if (!(await mayReadBody(ctx, message)))
    throw forbidden('You don’t have access to the document this message is about.')
}
