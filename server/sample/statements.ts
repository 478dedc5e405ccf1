import { sql } from 'kysely'
import { statementsApi } from '../../contract/statements.ts'
import { statements } from '../statements/statements.service.ts'
import { play, type Stage } from './actors.ts'

/** Statements that went to those who owe the most invoices, each with the page on which all of it is paid in one go. */
export async function makeStatements(stage: Stage, businessGuid: string): Promise<void> {
  const slow = await stage.deps.db
    .selectFrom('invoices')
    .select('customerGuid')
    .where('businessGuid', '=', businessGuid)
    .where('status', '=', 'issued')
    .where('balanceCents', '>', 0)
    .groupBy('customerGuid')
    .orderBy(sql`count(*)`, 'desc')
    .orderBy(sql`min(number)`)
    .limit(3)
    .execute()
  const [first, ...others] = slow.map(({ customerGuid }) => customerGuid)
  if (!first) return
  const send = (customerGuids: string[], kind: 'open' | 'activity') =>
    play(stage, statementsApi.send, statements.send, { customerGuids, kind })
  await send([first], 'activity')
  if (others.length > 0) await send(others, 'open')
}
