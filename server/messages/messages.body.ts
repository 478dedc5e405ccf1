import type { Message } from '../../contract/messages.ts'
import { forbidden } from '../../contract/core/errors.ts'
import { nounOf } from '../../contract/nouns.ts'
import type { Ctx } from '../core/ctx.ts'
import { filterReadable } from '../row-scope/row-scope.ts'

const linkInText = /\/service[/-][qoi][/-]([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi

type Written = Pick<Message, 'ownerType' | 'ownerGuid' | 'bodyHtml' | 'bodyText'>

/** Whether the caller may read every document that a message speaks of or leads to: its links open documents without a login. */
export async function mayReadBody(ctx: Ctx, { ownerType, ownerGuid, bodyHtml, bodyText }: Written): Promise<boolean> {
  const guids = [
    ...new Set([...`${bodyHtml}\n${bodyText}`.matchAll(linkInText)].flatMap(([, guid]) => guid?.toLowerCase() ?? [])),
  ]
  const links =
    guids.length === 0
      ? []
      : await ctx.db.selectFrom('serviceLinks').select(['kind', 'recordGuid']).where('guid', 'in', guids).execute()
  const linked = links.map(({ kind, recordGuid }) => ({ entity: nounOf(kind), guid: recordGuid }))
  const documents = ownerType && ownerGuid ? [...linked, { entity: nounOf(ownerType), guid: ownerGuid }] : linked
  return (await filterReadable(ctx, documents)).length === documents.length
}

/** A message goes out again only for those who may read what is in it. */
export async function needBody(ctx: Ctx, message: Written): Promise<void> {
  if (!(await mayReadBody(ctx, message)))
    throw forbidden('You don’t have access to the document this message is about.')
}
