import { type RawBuilder, sql } from 'kysely'
import type { Ctx, Db, RowLimit } from './ctx.ts'
import type { FiguresView } from './db/schema-ground.ts'
import { defineBatch } from './jobs/jobs.ts'

/*
 * Sums by day that triggers keep (`0017_figures.sql`): what is of all rows is read from them, however many rows there
 * are. Whoever may see only some of the rows adds up those.
 */

/** The kept figures of a measure in some businesses: days together with what is not folded into them yet. */
export const figuresOf = (db: Db, businesses: readonly string[], measure: FiguresView['measure']) =>
  db
    .selectFrom('figures')
    .where('businessGuid', 'in', [...businesses])
    .where('measure', '=', measure)

export const figureCents = sql<number>`coalesce(sum(cents), 0)::bigint`
export const figureCount = sql<number>`coalesce(sum(count), 0)::int`

/** Count and amount of kept figures, and the same of rows that are added up. */
export const keptTotals = [figureCount.as('count'), figureCents.as('totalCents')] as const
export const addedTotals = (cents: RawBuilder<number>) =>
  [sql<number>`count(*)::int`.as('count'), sql<number>`coalesce(sum(${cents}), 0)::bigint`.as('totalCents')] as const

/** Whether some rows are all that businesses have, so that the kept sums are theirs. */
export const areAll = (businesses: readonly string[], ...some: Pick<Ctx, 'rows'>[]): boolean =>
  some.every(({ rows }) => rows === 'all' || businesses.every((guid) => rows.some((one) => isWhole(one, guid))))

const isWhole = ({ named, ways, within }: RowLimit, businessGuid: string) =>
  named.length === 0 &&
  ways.some(([first]) => first?.allows === true && Object.keys(first.when).length === 0) &&
  (within === undefined || within.guid.includes(businessGuid))

const entriesPerStep = 5000

/** Folds what writers left into the days. */
export const figureBatch = defineBatch('figure-fold', '* * * * *', async (ctx, hasTime) => {
  let folded = 0
  for (let count = entriesPerStep; count === entriesPerStep && hasTime(); folded += count) {
    const { rows } = await sql<{ count: number }>`select fold_figures(${entriesPerStep}::int) as count`.execute(ctx.db)
    count = rows[0]?.count ?? 0
  }
  return { succeeded: folded, failed: 0, remaining: 0 }
})
