import { type RawBuilder, sql } from 'kysely'
import type { statementMoves } from '../../contract/statements.ts'
import type { Db } from '../core/ctx.ts'
import { touchedInvoices } from '../journal/touched.service.ts'

/** What is looked at: the books of a legal entity, all of them or those of one family of customers. */
export interface Books {
  entityGuid: string
  /** Rows of the businesses that the caller works in. */
  businesses: readonly string[]
  familyGuid?: string
}

const ofFamily = (column: string, { familyGuid }: Books): RawBuilder<unknown> =>
  familyGuid === undefined
    ? sql``
    : sql`and ${sql.ref(column)} = any(array(select m.guid from customers m where m.family_guid = ${familyGuid}::uuid))`

/** What a document `i` that asks for money is called. */
export const documentName = sql<OpenInvoice['what']>`case when i.kind <> 'deposit' then 'invoice'
  when i.deposit_nature = 'security' then 'deposit_request' else 'deposit_invoice' end`

/** What a payment is called: one out of a security deposit pays an invoice, or the one that says it is kept. */
const paymentName = sql`case when d.deposit_guid is null then 'payment'
  when exists(select from payment_allocations a join invoices x on x.guid = a.invoice_guid
    where a.payment_guid = d.guid and x.forfeits_guid is not null) then 'deposit_kept' else 'deposit_applied' end`

/**
 * Everything that moved what an invoice owes, with the day it is posted on: the invoice, what voided it, its notes,
 * money, what was written off and owed again.
 */
const moves = (books: Books, upTo: string, among: RawBuilder<unknown> = sql``): RawBuilder<unknown> => {
  const own = sql`i.entity_guid = ${books.entityGuid}::uuid and i.business_guid = any(${books.businesses}::uuid[])
    ${ofFamily('i.customer_guid', books)} ${among}`
  return sql`
    select i.guid as invoice_guid, i.issue_on as day, i.total_cents as cents, ${documentName} as what,
      'Invoices' as noun, i.guid as record_guid, i.number, i.created_at as at from invoices i
      where ${own} and i.kind <> 'adjustment_note' and i.number is not null and i.issue_on <= ${upTo}::date
    union all select i.guid, e.posted_on, -i.total_cents,
      case i.kind when 'deposit' then 'deposit_void' else 'void' end, 'Invoices', i.guid, i.number, e.created_at
      from invoices i join journal_entries e on e.source = 'void' and e.source_guid = i.guid
      where ${own} and i.status = 'void' and e.posted_on <= ${upTo}::date
    union all select n.adjusts_invoice_guid, n.issue_on, -n.total_cents, 'adjustment_note', 'Invoices', n.guid,
      n.number, n.created_at from invoices n join invoices i on i.guid = n.adjusts_invoice_guid
      where ${own} and n.status = 'issued' and n.kind = 'adjustment_note' and n.issue_on <= ${upTo}::date
    union all select a.invoice_guid, a.effective_on, -a.cents, 'payment', 'Payments', a.payment_guid, p.number,
      -- Joined left, so that the payment isn't read for those who want no number.
      a.created_at from payment_allocations a left join payments p on p.guid = a.payment_guid
      join invoices i on i.guid = a.invoice_guid
      where ${own} and a.effective_on <= ${upTo}::date
    union all select r.invoice_guid, e.posted_on, r.amount_cents, 'refund', 'Payments', r.payment_guid, r.number,
      r.created_at from refunds r join invoices i on i.guid = r.invoice_guid
      join journal_entries e on e.source = 'refund' and e.source_guid = r.guid
      -- What of a security deposit is returned is not owed again.
      where ${own} and i.deposit_nature = 'part_payment' and e.posted_on <= ${upTo}::date
    union all select w.invoice_guid, w.effective_on, case when w.reverses_guid is null then -w.cents else w.cents end,
      case when w.reverses_guid is null then 'write_off' else 'recovery' end, 'Invoices', i.guid, i.number, w.created_at
      from write_offs w join invoices i on i.guid = w.invoice_guid
      where ${own} and w.effective_on <= ${upTo}::date`
}

export interface OpenInvoice {
  guid: string
  what: Extract<Move['what'], 'invoice' | 'deposit_invoice' | 'deposit_request'>
  number: string
  customerGuid: string
  customerName: string
  issueOn: string
  dueOn: string | null
  totalCents: number
  /** What was owing on the day. */
  cents: number
  instalments: { label: string; dueOn: string; cents: number }[]
}

/** What is shown of an invoice `i` that owes `cents`. */
const owingColumns = (cents: RawBuilder<unknown>) => sql`i.guid, ${documentName} as what, i.number, i.customer_guid,
  i.issue_on, i.due_on, i.total_cents, ${cents} as cents`

/**
 * Invoices that owed something on a day, or had more than they asked for, with whoever is kept of their customers. What
 * nothing happened to since owed what it owes now; of the others alone all that moved them is added up.
 */
export async function openOn(db: Db, books: Books, on: string): Promise<OpenInvoice[]> {
  const { rows } = await sql<OpenInvoice>`with ${touchedInvoices(books.entityGuid, sql`(${on}::date + 1)`, null)},
    moved as (select invoice_guid, sum(cents)::bigint as cents
      from (${moves(books, on, sql`and i.guid in (select t.guid from touched t)`)}) m
      group by invoice_guid having sum(cents) <> 0),
    open as materialized (
      select ${owingColumns(sql`i.balance_cents`)} from invoices i where i.entity_guid = ${books.entityGuid}::uuid
        and i.business_guid = any(${books.businesses}::uuid[]) and i.balance_cents <> 0
        and i.status in ('issued', 'written_off') and i.kind <> 'adjustment_note' ${ofFamily('i.customer_guid', books)}
        and i.guid not in (select t.guid from touched t where t.guid is not null)
      union all select ${owingColumns(sql`m.cents`)} from moved m join invoices i on i.guid = m.invoice_guid
    ), planned as (
      select t.invoice_guid, json_agg(json_build_object('label', t.label, 'dueOn', t.due_on, 'cents', t.cents)
        order by t.position) as parts
      from invoice_instalments t where t.invoice_guid in (select o.guid from open o)
        and t.plan = (select max(x.plan) from invoice_instalments x where x.invoice_guid = t.invoice_guid)
      group by t.invoice_guid)
    select o.guid, o.what, o.number, c.guid as customer_guid, c.display_name as customer_name, o.issue_on, o.due_on,
      o.total_cents, o.cents, coalesce(p.parts, '[]'::json) as instalments
    from open o join parties c on c.member_guid = o.customer_guid left join planned p on p.invoice_guid = o.guid
    order by c.display_name, c.guid, o.due_on, o.number`.execute(db)
  return rows
}

/** Money of customers that paid no invoice on a day, as the ledger has it: of payments that may have held some then. */
export async function creditOn(
  db: Db,
  books: Books,
  on: string,
): Promise<{ customerGuid: string; customerName: string; cents: number }[]> {
  const { rows } = await sql<{ customerGuid: string; customerName: string; cents: number }>`select
      c.guid as customer_guid, c.display_name as customer_name, sum(m.cents)::bigint as cents
    from held_money h join payments p on p.guid = h.guid cross join lateral credit_moves(p.guid) m
    join parties c on c.member_guid = m.customer_guid
    where h.entity_guid = ${books.entityGuid}::uuid and h.kind = 'credit' and h.until_on > ${on}::date
      and m.business_guid = any(${books.businesses}::uuid[]) and m.day <= ${on}::date
      ${ofFamily('p.customer_guid', books)}
    group by c.guid, c.display_name having sum(m.cents) <> 0`.execute(db)
  return rows
}

/** What the ledger says that customers owe on a day, and what it holds of theirs. */
export async function ledgerOn(db: Db, books: Books, on: string): Promise<{ owingCents: number; creditCents: number }> {
  const { rows } = await sql<{ owingCents: number; creditCents: number }>`select
      coalesce(sum(f.cents) filter (where f.stream = '1100'), 0)::bigint as owing_cents,
      coalesce(-sum(f.cents) filter (where f.stream = '2300'), 0)::bigint as credit_cents
    from figures f where f.measure = 'account' and f.stream in ('1100', '2300') and f.day <= ${on}::date
      and f.business_guid = any(${books.businesses}::uuid[])`.execute(db)
  return rows[0] ?? { owingCents: 0, creditCents: 0 }
}

export interface Move {
  day: string
  dueOn: string | null
  what: (typeof statementMoves)[number]
  noun: 'Invoices' | 'Payments'
  guid: string
  number: string
  cents: number
}

const dueOn = sql`case when m.what in ('invoice', 'deposit_invoice', 'deposit_request') then i.due_on end`

/** What happened with a family of customers up to a day: documents and money, each payment once. */
export async function activityUpTo(db: Db, books: Books, to: string): Promise<Move[]> {
  const { rows } = await sql<Move>`select m.day, m.due_on, case m.what when 'payment' then ${paymentName} else m.what
      end as what, m.noun, m.guid, m.number, m.cents
    from (select m.day, ${dueOn} as due_on, m.what, m.noun, m.record_guid as guid, m.number,
      sum(m.cents)::bigint as cents, min(m.at) as at from (${moves(books, to)}
      union all select null::uuid, e.posted_on, l.debit_cents - l.credit_cents,
        case when e.source in ('payment', 'refund', 'payment_reversal') then e.source
          when e.source in ('allocation', 'unallocation') then 'payment' else 'credit' end, 'Payments',
        coalesce(r.payment_guid, a.payment_guid, v.payment_guid, e.source_guid), coalesce(r.number, p.number),
        e.created_at
      from journal_lines l join journal_entries e on e.guid = l.entry_guid
      left join refunds r on e.source = 'refund' and r.guid = e.source_guid
      left join payment_allocations a on e.source in ('allocation', 'unallocation') and a.guid = e.source_guid
      left join payment_reversals v on e.source = 'payment_reversal' and v.guid = e.source_guid
      left join payments p on p.guid = coalesce(r.payment_guid, a.payment_guid, v.payment_guid, e.source_guid)
      where l.account = '2300' and l.business_guid = ${books.entityGuid}::uuid
        and e.business_guid = any(${books.businesses}::uuid[]) and e.posted_on <= ${to}::date
        ${ofFamily('l.customer_guid', books)}) m
    left join invoices i on i.guid = m.invoice_guid
    group by m.day, ${dueOn}, m.what, m.noun, m.record_guid, m.number
    -- Credit that pays an invoice changes nothing that is owed in all.
    having m.what <> 'payment' or sum(m.cents) <> 0) m
    left join payments d on m.what = 'payment' and d.guid = m.guid order by m.day, m.at, m.number`.execute(db)
  return rows
}
