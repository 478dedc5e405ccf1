import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Dated, displayStatus, lateness } from '../../contract/display-status.ts'
import { invoiceDisplayStatuses } from '../../contract/invoices.ts'
import { quoteDisplayStatuses } from '../../contract/quotes.ts'
import { type Running, startApp } from '../../test/support/start.ts'
import { displayStatusOf, wearing } from './statuses.service.ts'

let app: Running
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const today = '2026-07-11'
const days = ['2026-07-10', today, '2026-07-12', null]
const wearable = { Quotes: quoteDisplayStatuses, Invoices: invoiceDisplayStatuses } as const
const bases = (noun: Dated) => wearable[noun].filter((status) => status !== lateness[noun].late)

test.each(['Quotes', 'Invoices'] as const)(
  '%s: the database gives every status at every day the word the contract gives it, and finds it by that word alone',
  async (noun) => {
    const { day } = lateness[noun]
    const rows = bases(noun).flatMap((baseStatus) => days.map((last) => ({ baseStatus, [day]: last })))
    const words = wearable[noun].map(
      (word) => sql`case when ${sql.join(wearing(noun, 'd', [word], today), sql` or `)} then ${word} end`,
    )
    const column = day === 'dueOn' ? sql`due_on` : sql`valid_until`
    const { rows: found } = await sql<{ status: string; by: string[] }>`
      select ${displayStatusOf(noun, 'd', today)} as status, array_remove(array[${sql.join(words)}], null) as by
      from unnest(${rows.map((row) => row.baseStatus)}::text[], ${rows.map((row) => row[day] ?? null)}::date[])
        with ordinality as d(base_status, ${column}, n) order by n`.execute(app.deps.db)
    const expected = rows.map((row) => displayStatus(noun, row as never, today))
    expect(found.map((row) => row.status)).toEqual(expected)
    expect(found.map((row) => row.by)).toEqual(expected.map((status) => [status]))
    expect(new Set(expected)).toEqual(new Set(wearable[noun]))
  },
)
