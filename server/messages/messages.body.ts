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

/**
 * Whether the caller may read every document that a message speaks of or leads to: its links
 * open documents without a login.
 */
export async function mayReadBody(ctx: Ctx, message: Written): Promise<boolean> {
  const { ownerType, ownerGuid, facts, bodyHtml, bodyText, customerGuid, direction } = message
  const text = facts ? JSON.stringify(facts) : `${bodyHtml}\n${bodyText}`
  const guids = [...new Set([...text.matchAll(linkInText)].flatMap(([, guid]) => guid?.toLowerCase() ?? []))]
  const links =
    guids.length === 0
      ? []
      : await ctx.db.selectFrom('serviceLinks').select(['kind', 'recordGuid']).where('guid', 'in', guids).execute()
  const pages = links.filter(({ kind }) => kind === 'statement').map(({ recordGuid }) => recordGuid)
  if (pages.length > 0 && !(await mayReadPages(ctx, pages))) return false
  const linked = links.flatMap(({ kind, recordGuid }) =>
    kind === 'statement' ? [] : [{ entity: nounOf(kind), guid: recordGuid }],
  )
  const documents = ownerType && ownerGuid ? [...linked, { entity: nounOf(ownerType), guid: ownerGuid }] : linked
  // A note is read by those who read the customer it is about.
  const about = direction === 'internal' && customerGuid ? [{ entity: 'Customers', guid: customerGuid }] : []
  const all = [...documents, ...about]
  return (await filterReadable(ctx, all)).length === all.length
}

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
export async function needBody(ctx: Ctx, message: Written): Promise<void> {
  if (!(await mayReadBody(ctx, message)))
    throw forbidden('You don’t have access to the document this message is about.')
}
