import { sql } from 'kysely'
import { alreadyExists } from '../../contract/core/errors.ts'
import type { Ctx } from './ctx.ts'

interface Known {
  table: 'priceLists' | 'products' | 'revenueStreams'
  column: 'code' | 'name' | 'sku'
  /** The sentence where another record has it. */
  taken: string
}

/**
 * What a record is known by is one record's of a pool, among those in use and whatever its capitals. A constraint says
 * so, too; asked beforehand, one refusal does not end a whole transaction.
 */
export async function checkFree(
  ctx: Ctx,
  { table, column, taken }: Known,
  pool: string,
  text: string | null | undefined,
  except: string,
): Promise<void> {
  if (!text) return
  const other = await ctx.db
    .selectFrom(table as 'products')
    .select('guid')
    .where('businessGuid', '=', pool)
    .where(sql<boolean>`lower(${sql.ref(column)}) = lower(${text})`)
    .where('archivedAt', 'is', null)
    .where('guid', '<>', except)
    .executeTakeFirst()
  if (other) throw alreadyExists(column, taken)
}
