import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, startApp } from '../../test/support/start.ts'
import { addDays, addMonths } from '../../contract/core/dates.ts'
import { inTransaction, systemRun } from '../core/run.ts'
import { dashboards } from '../dashboards/dashboards.service.ts'
import { statements } from '../statements/statements.service.ts'
import { basWorksheet } from '../tax/bas.service.ts'
import { oddities } from '../tax/oddities.service.ts'
import { groupsOf } from '../reminders/groups.ts'
import { findDue, findLadders } from '../reminders/plan.queries.ts'
import { seedSample } from './sample.ts'

const [morning, evening] = ['2026-11-21T22:00:00.000Z', '2026-11-22T11:00:00.000Z']

let app: Running

/** What the sample company has written by the morning, counted and in cents, and the states its documents are in. */
async function company() {
  const { db } = app.deps
  const sum = (rows: { cents: number }[]) => [rows.length, rows.reduce((total, { cents }) => total + cents, 0)]
  const quotes = await db.selectFrom('quotes').select(['status', 'sentAt', 'decline', 'totalCents as cents']).execute()
  const orders = await db.selectFrom('orders').select('status').execute()
  const invoices = await db
    .selectFrom('invoices')
    .select('totalCents as cents')
    .where('issuedAt', '<', morning)
    .execute()
  const payments = await db
    .selectFrom('payments')
    .select('amountCents as cents')
    .where('createdAt', '<', morning)
    .execute()
  const answers = await db.selectFrom('quoteAnswers').select('outcome').distinct().execute()
  const revised = await db.selectFrom('quotes').select('revision').orderBy('revision', 'desc').executeTakeFirstOrThrow()
  const ranged = await db.selectFrom('quoteLines').select('guid').where('quantityMax', 'is not', null).execute()
  const lost = quotes.flatMap(({ decline }) => (decline ? [decline.reasonCode] : []))
  const weeks = await db.selectFrom('orderLines').select('quantity').where('unit', '=', 'week').execute()
  return {
    sent: sum(quotes.filter(({ sentAt }) => sentAt !== null && new Date(sentAt) < new Date(morning))),
    issued: sum(invoices),
    paid: sum(payments),
    quotes: [...new Set(quotes.map(({ status }) => status))].toSorted(),
    outcomes: answers.map(({ outcome }) => outcome).toSorted(),
    lost: [...new Set(lost)].toSorted(),
    lastRevision: revised.revision,
    ranged: ranged.length,
    orders: [...new Set(orders.map(({ status }) => status))].toSorted(),
    /** Of one thing that is hired by the week. */
    mostWeeks: Math.max(...weeks.map(({ quantity }) => Number(quantity))),
  }
}

const counted = async (what: string, from = 'files') =>
  Object.fromEntries(
    (
      await sql<{ key: string; n: number }>`select ${sql.ref(what)}::text as key, count(*)::int as n
        from ${sql.table(from)} group by 1 order by 1`.execute(app.deps.db)
    ).rows.map(({ key, n }) => [key, n]),
  )

// Making it takes a while: at one hour here, at two in the long proof.
describe.each(process.env['PROVE'] ? [morning, evening] : [evening])('the sample company made at %s', (time) => {
  beforeAll(async () => {
    app = await startApp({ now: () => new Date(time) })
    await seedSample(app, { password: 'a password of the sample' })
  }, 300_000)
  afterAll(() => app.stop())

  it('is the same at whatever hour of a day it is made, with documents in every state', async () => {
    expect(await company()).toEqual({
      sent: [110, 60_708_197],
      issued: [169, 56_492_944],
      paid: [132, 44_812_481],
      quotes: ['cancelled', 'changes_requested', 'converted', 'declined', 'draft', 'sent', 'superseded'],
      outcomes: ['agreed', 'countered', 'declined', 'withdrawn'],
      lost: ['competitor', 'not_needed', 'other', 'price', 'scope', 'timing'],
      lastRevision: 2,
      ranged: 1,
      orders: ['cancelled', 'closed', 'completed', 'confirmed', 'in_progress', 'on_hold'],
      mostWeeks: 6,
    })
  })

  it('reports month by month the GST that its ledger has, and its year what the months come to', async () => {
    const { guid } = await app.deps.db
      .selectFrom('businesses')
      .select('guid')
      .where('parentGuid', 'is', null)
      .orderBy('createdAt')
      .executeTakeFirstOrThrow()
    const net = (from: string, to: string) =>
      inTransaction(systemRun(app.deps, 'test'), async (ctx) => {
        await ctx.workFor(guid)
        const { labels, accountCents, agrees } = await basWorksheet.bas(ctx, { from, to })
        expect([from, agrees]).toEqual([from, true])
        const [rise, fall] = (['1A', '1B'] as const).map(
          (label) => labels.find((one) => one.label === label)?.cents ?? 0,
        )
        expect((rise ?? 0) - (fall ?? 0)).toBe(accountCents)
        return accountCents
      })
    const months = Array.from({ length: 18 }, (_, i) => addMonths('2025-06-01', i))
    const all = await Promise.all(months.map((from) => net(from, addDays(addMonths(from, 1), -1))))
    expect(all.filter((cents) => cents !== 0).length).toBeGreaterThan(12)
    expect(await net('2025-06-01', '2026-11-30')).toBe(all.reduce((sum, cents) => sum + cents, 0))
  })

  it('counts all GST of orders that are one supply with their deposit, or with money that came before', async () => {
    const { rows } = await sql<{ begun: string; orders: number }>`select case when exists (select from invoices i
        where i.order_guid = f.order_guid and i.status = 'issued' and i.kind = 'deposit') then 'deposit'
        when exists (select from payments p where p.order_guid = f.order_guid) then 'money' else 'invoice' end as begun,
        count(*)::int as orders
      from (select order_guid from gst_forwards group by 1 having sum(cents) > 0) f group by 1`.execute(app.deps.db)
    expect(rows.map(({ begun }) => begun)).toEqual(expect.arrayContaining(['deposit', 'money']))
  })

  it('has tiles that say what aged receivables say, and something odd in this quarter and the last', async () => {
    const { guid } = await app.deps.db
      .selectFrom('businesses')
      .select('guid')
      .where('parentGuid', 'is', null)
      .orderBy('createdAt')
      .executeTakeFirstOrThrow()
    await inTransaction(systemRun(app.deps, 'test'), async (ctx) => {
      await ctx.workFor(guid)
      // Aged receivables are the legal entity's, the board is one business's: a brand has its own.
      const family = await ctx.db.selectFrom('businesses').select('guid').where('entityGuid', '=', guid).execute()
      const sums = { ageing: [0, 0, 0, 0, 0], outstanding: 0, overdue: 0 }
      for (const business of family) {
        const { money, ageing } = await dashboards.ecommerce(ctx, { business: business.guid })
        sums.ageing = sums.ageing.map((cents, i) => cents + (ageing[i]?.cents ?? 0))
        sums.outstanding += money.outstandingCents
        sums.overdue += money.overdueCents
      }
      const { totals, agrees } = await statements.aged(ctx, {})
      const aged = [totals.currentCents, totals.d30Cents, totals.d60Cents, totals.d90Cents, totals.olderCents]
      expect([agrees, sums.ageing]).toEqual([true, aged])
      expect(sums.outstanding).toBe(aged.reduce((sum, cents) => sum + cents, 0))
      expect(sums.overdue).toBe(sums.outstanding - totals.currentCents)
      const codes = async (from: string, to: string) =>
        (await oddities.list(ctx, { from, to })).items.map(({ code, blocks }) => [code, blocks])
      expect(await codes('2026-07-01', '2026-09-30')).toEqual([
        ['untagged_money', false],
        ['booked_late', false],
        ['deposit_held', false],
      ])
      expect((await codes('2026-10-01', '2026-12-31')).slice(0, 2)).toEqual([
        ['suspense', true],
        ['untagged_money', false],
      ])
    })
  })

  it('has four hires: out, back in part, ended and billed, and charged its minimum', async () => {
    const { rows } = await sql<{ off: boolean; returns: number; bills: number; minimum: number | null }>`select
      h.off_on is not null as off, (h.price -> 'rates' ->> 'minimumDays')::int as minimum,
      (select count(*)::int from hire_returns r where r.run_guid = h.guid) as returns,
      (select count(*)::int from hire_bills b where b.run_guid = h.guid) as bills
      from hire_runs h order by h.created_at, h.guid`.execute(app.deps.db)
    expect(rows.map(({ off, returns, bills, minimum }) => [off, returns, bills, minimum])).toEqual([
      [false, 0, 0, null],
      [false, 1, 0, null],
      [true, 1, 1, null],
      [false, 0, 0, 3],
    ])
  })

  it('has welcomed and followed up customers by itself, and told of every invoice that is overdue', async () => {
    const { rows } = await sql<{ template: string; n: number }>`select template, count(*)::int as n from messages
      where template in ('welcome', 'quote_followup') group by 1 order by 1`.execute(app.deps.db)
    expect(rows.map(({ template }) => template)).toEqual(['quote_followup', 'welcome'])
    const untold = await sql`select guid from invoices i where status = 'issued' and balance_cents > 0
      and due_on < ${time}::timestamptz::date - 1 and not exists (select from invoice_overdues o
        where o.invoice_guid = i.guid and o.due_on = i.due_on)`.execute(app.deps.db)
    expect(untold.rows).toEqual([])
  })

  it('shows why reminders of some invoices are left out', async () => {
    const at = new Date(time)
    const ladders = await findLadders(app.deps.db, at)
    const rows = await findDue(app.deps.db, at, ladders, {})
    const reasons = new Map(rows.map(({ customerName, reason }) => [`${customerName} ${reason}`, reason]))
    expect([...new Set(reasons.values())].toSorted()).toEqual(
      expect.arrayContaining([
        ...['before_policy', 'below_minimum', 'disputed', 'messaged_recently', 'no_address', 'on_hold', 'paid_today'],
        'suppressed',
      ]),
    )
    const group = groupsOf(rows).find(({ customerName }) => customerName === 'Wattlebird Events')
    expect(group?.invoices).toHaveLength(2)
  })

  it('has letters that went out before they were answered', async () => {
    const { rows } = await sql<{ answers: number; early: number }>`select count(*)::int as answers,
      count(*) filter (where not exists (select from messages m where m.owner_guid = a.owner_guid
        and m.direction = 'out' and m.source is not null and m.created_at < a.created_at
        and m.sent_at < a.created_at))::int as early
      from messages a where a.direction = 'in' and a.owner_type = 'order'`.execute(app.deps.db)
    expect(rows).toEqual([{ answers: 3, early: 0 }])
  })
  it('says of each message that is settled what became of it at every address', async () => {
    const { rows } = await sql<{
      status: string
      states: string[]
    }>`select m.status, array_agg(distinct r.state) as states
      from messages m join message_recipients r on r.message_guid = m.guid
      where m.status in ('sent', 'delivered', 'bounced', 'suppressed')
        or (m.status = 'failed' and m.template = 'receipt')
      group by 1 order by 1`.execute(app.deps.db)
    expect(rows).toEqual([
      { status: 'bounced', states: ['bounced'] },
      { status: 'delivered', states: ['delivered'] },
      { status: 'failed', states: ['refused'] },
      { status: 'sent', states: ['sent'] },
      { status: 'suppressed', states: ['suppressed'] },
    ])
  })

  it('has thirty files on orders, sites, quotes and products, of each kind that is accepted', async () => {
    const office = 'application/vnd.openxmlformats-officedocument'
    expect(await counted('mime')).toEqual({
      // One of them answers a booking option.
      'application/pdf': 7,
      [`${office}.spreadsheetml.sheet`]: 2,
      [`${office}.wordprocessingml.document`]: 1,
      // Four of them are pictures of products.
      'image/jpeg': 22,
      'text/csv': 1,
      'text/plain': 2,
    })
    const { rows } = await sql<{ noun: string; n: number }>`select owner_noun as noun,
      count(distinct owner_guid)::int as n from attachments group by 1 order by 1`.execute(app.deps.db)
    expect(rows.map(({ noun, n }) => [noun, n])).toEqual([
      ['Orders', 9],
      ['Products', 2],
      ['Quotes', 3],
      ['Sites', 4],
    ])
    expect(await counted('scan')).toEqual({ infected: 1, off: 33, waiting: 1 })
    expect((await counted('forCustomer', 'attachments'))['true']).toBe(5)
    const detached = app.deps.db.selectFrom('attachments').select('guid').where('detachedAt', 'is not', null)
    expect((await detached.execute()).length).toBe(1)
    const long = app.deps.db
      .selectFrom('files')
      .select('name')
      .where(sql<boolean>`length(name) = 200`)
    expect((await long.execute()).length).toBe(1)
    expect(await app.deps.boss.findJobs('files-views')).toHaveLength(22)
  })
})
