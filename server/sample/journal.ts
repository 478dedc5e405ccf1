import { addDays } from '../../contract/core/dates.ts'
import { journalApi } from '../../contract/journal.ts'
import { type AccountRole, accounts } from '../../contract/ledger.ts'
import { journal } from '../journal/books.service.ts'
import { play, type Stage } from './actors.ts'

/** What the accountant posts by hand: fees, cash rounding, money put aside, and one that was wrong and is reversed. */
export async function makeEntries(stage: Stage, businessGuid: string, today: string): Promise<void> {
  const rows = await stage.deps.db
    .selectFrom('accounts')
    .select(['guid', 'code'])
    .where('businessGuid', '=', businessGuid)
    .execute()
  const of = (role: AccountRole) => rows.find(({ code }) => code === accounts[role])?.guid ?? ''
  const post = async (daysAgo: number, narrative: string, debit: AccountRole, credit: AccountRole, cents: number) => {
    const lines = [
      { accountGuid: of(debit), debitCents: cents },
      { accountGuid: of(credit), creditCents: cents },
    ]
    const input = { postedOn: addDays(today, -daysAgo), narrative, lines }
    return (await play(stage, journalApi.post, journal.post, input)).entry.guid
  }
  await post(40, 'Card terminal rent for the quarter', 'cardFees', 'bank', 8_910)
  await post(25, 'Cash rounding of the open day', 'rounding', 'bank', 4)
  await post(12, 'Deposit nobody knows, to be sorted', 'bank', 'suspense', 4_210)
  const wrong = await post(6, 'Card fees, entered with the wrong amount', 'cardFees', 'bank', 19_800)
  await play(stage, journalApi.reverse, journal.reverse, { guid: wrong, reason: 'The amount was $1.98.' })
}
