import { sql } from 'kysely'
import type { Input, Output } from '../../contract/core/op.ts'
import type { JournalEntry } from '../../contract/journal-entries.ts'
import type { paymentsApi } from '../../contract/payments.ts'
import type { Ctx } from '../core/ctx.ts'
import { pageOf } from '../core/db/page.ts'
import { applyRows } from '../core/db/rows.ts'
import { holdsText, searchText } from '../core/records.ts'
import { inSpan } from '../documents/list-search.service.ts'
import { followedJson, shownLines } from '../journal/journal.service.ts'

type Api = typeof paymentsApi

/** What took an entry back: the reversal of its payment, or an entry by hand. */
const reversedBy = sql<JournalEntry['reversedBy']>`coalesce(
  (select json_build_object('number', r.number, 'on', r.posted_on, 'reasonCode', v.reason_code, 'reason', v.note)
    from payment_reversals v join journal_entries r on r.source = 'payment_reversal' and r.source_guid = v.guid
    where e.source = 'payment' and v.payment_guid = e.source_guid),
  (select json_build_object('number', r.number, 'on', r.posted_on, 'reasonCode', null, 'reason', r.reason)
    from journal_entries r where r.reverses_guid = e.guid))`

/** What an entry takes back, and why. */
const reverses = sql<JournalEntry['reverses']>`coalesce(
  (select json_build_object('number', o.number, 'reasonCode', v.reason_code, 'reason', v.note)
    from payment_reversals v join journal_entries o on o.source = 'payment' and o.source_guid = v.payment_guid
    where e.source = 'payment_reversal' and v.guid = e.source_guid),
  (select json_build_object('number', o.number, 'reasonCode', null, 'reason', e.reason)
    from journal_entries o where o.guid = e.reverses_guid))`

/** Entries of one day stand in the order they were posted in. */
const inFull = (sort: string) => (/^-?postedOn$/.test(sort) ? `${sort},${sort.replace('postedOn', 'number')}` : sort)

/** The books are the legal entity's: those of a brand with its company. */
export async function listJournals(ctx: Ctx, input: Input<Api['journals']>): Promise<Output<Api['journals']>> {
  const found = applyRows(ctx, ctx.db.selectFrom('journalEntries as e'), { business: 'e.businessGuid' }).where(
    'e.entityGuid',
    '=',
    ctx.business.entityGuid,
  )
  const { source, account } = input
  return pageOf({
    query: ctx.db
      .selectFrom('journalEntries as e')
      .select(['e.guid', 'e.number', 'e.createdAt as at', 'e.postedOn', 'e.source', 'e.narrative'])
      .select([followedJson.as('document'), shownLines.as('lines')])
      .select([reversedBy.as('reversedBy'), reverses.as('reverses')])
      .select(
        sql<boolean>`e.source = 'manual'
          and not exists (select from journal_entries r where r.reverses_guid = e.guid)`.as('isReversible'),
      ),
    found,
    within: [
      ...(input.search ? [holdsText(searchText('e'), input.search)] : []),
      ...inSpan('e.postedOn', input['postedOn.gte'], input['postedOn.lte']),
      ...(source ? [sql<boolean>`e.source = any(${source.split(',')}::text[])`] : []),
      ...(account
        ? [sql<boolean>`exists (select from journal_lines l where l.entry_guid = e.guid and l.account = ${account})`]
        : []),
    ],
    sorts: { createdAt: 'e.createdAt', postedOn: 'e.postedOn', number: 'e.number' },
    guid: 'e.guid',
    input: { ...input, sort: inFull(input.sort ?? '-postedOn') },
    defaultSort: '-postedOn,-number',
  })
}
