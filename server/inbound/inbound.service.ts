import { invalidTransition, notFound } from '../../contract/core/errors.ts'
import type { Input } from '../../contract/core/op.ts'
import type { quarantineApi, QuarantinedMail } from '../../contract/inbound.ts'
import type { Ctx, Handlers, OpenCtx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { applyRows } from '../core/db/rows.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'
import { nextRead, settleStored } from './filing.ts'

type Api = typeof quarantineApi

/** Quarantined mail of the accounts the caller may see, in the business he works for. */
const visible = (ctx: Ctx) =>
  applyRows(
    ctx,
    ctx.db.selectFrom('inboundMails as i').innerJoin('emailAccounts as a', 'a.guid', 'i.accountGuid'),
    rowColumns(ctx, 'EmailAccounts', 'a'),
  )
    .where('i.businessGuid', '=', ctx.business.guid)
    .where('i.state', '=', 'quarantined')

async function list(ctx: Ctx, input: Input<Api['list']>) {
  const page = await pageOf({
    query: visible(ctx).select([
      'i.guid',
      'i.bytes',
      'i.receivedAt',
      'i.reason',
      'i.sender as from',
      'i.subject',
      'a.guid as accountGuid',
      'a.fromAddress as label',
    ]),
    input,
    sorts: { receivedAt: 'i.receivedAt', bytes: 'i.bytes' },
    guid: 'i.guid',
    defaultSort: '-receivedAt',
  })
  const items = page.items.map(({ accountGuid, label, reason, ...item }): QuarantinedMail => ({
    ...item,
    reason: reason ?? 'unreadable',
    account: { guid: accountGuid, label },
  }))
  return { ...page, items }
}

/** Takes a mail out of quarantine, once. */
const take = (ctx: OpenCtx, guid: string, action: 'retry' | 'ignore') =>
  ctx.tx(async (tx) => {
    const row = await visible(tx)
      .select(['i.guid', 'i.rawSha256', 'i.accountGuid', 'i.reason'])
      .where('i.guid', '=', guid)
      .forUpdate('i')
      .executeTakeFirst()
    if (!row) throw notFound()
    if (action === 'retry' && row.rawSha256 === null)
      throw invalidTransition('This email was never fetched. Open it in your mailbox.')
    await tx.db
      .updateTable('inboundMails')
      .set(
        action === 'retry'
          ? { state: 'stored', reason: null, attempts: 0, settledAt: null }
          : { state: 'ignored', settledAt: tx.now },
      )
      .where('guid', '=', guid)
      .execute()
    tx.audit({
      action: action === 'retry' ? 'message.quarantine_retried' : 'message.quarantine_ignored',
      entity: 'EmailAccounts',
      guid: row.accountGuid,
      after: { kind: row.reason },
    })
  })

async function settle(ctx: OpenCtx, { guid, action }: Input<Api['settle']>) {
  await take(ctx, guid, action)
  if (action === 'ignore') return { state: 'ignored' as const, messageGuid: null }
  for (let mail = await nextRead(ctx, guid); mail; mail = await nextRead(ctx, guid)) {
    if (await settleStored(ctx, mail)) break
  }
  const { state, messageGuid } = await ctx.db
    .selectFrom('inboundMails')
    .select(['state', 'messageGuid'])
    .where('guid', '=', guid)
    .executeTakeFirstOrThrow()
  return { state: state === 'stored' ? ('quarantined' as const) : state, messageGuid }
}

export const quarantine: Handlers<Api> = { list, settle }
