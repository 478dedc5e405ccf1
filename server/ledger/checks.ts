import { sql } from 'kysely'
import { check, type Check, type Found, money } from './check.ts'
import { depositChecks, depositJournalChecks } from './deposit-checks.ts'
import { orderChecks } from './order-checks.ts'

/** Sums kept on documents, against the rows they are sums of. */
export const sumChecks: Check[] = [
  ...orderChecks,
  ...depositChecks,
  check(
    'PAID_SUM',
    'Invoices',
    sql`select i.guid, i.number, 'says that ' || ${money('i.paid_cents')} || ' was paid, the allocations come to ' ||
      ${money('coalesce(a.cents, 0)')} as message
      from invoices i full join (select invoice_guid, sum(cents) as cents from payment_allocations
      group by invoice_guid) a on a.invoice_guid = i.guid
      where coalesce(i.paid_cents, 0) <> coalesce(a.cents, 0)`,
  ),
  check(
    'REFUNDED_SUM',
    'Invoices',
    sql`select i.guid, i.number, 'says that ' || ${money('i.refunded_cents')} || ' was refunded, the refunds come to '
      || ${money('coalesce(r.cents, 0)')} as message
      from invoices i left join (select invoice_guid, sum(amount_cents) as cents from refunds
      where invoice_guid is not null group by invoice_guid) r on r.invoice_guid = i.guid
      where i.refunded_cents <> coalesce(r.cents, 0)`,
  ),
  check(
    'CREDITED_SUM',
    'Invoices',
    sql`select i.guid, i.number, 'says that ' || ${money('i.credited_cents')} ||
      ' was credited, its adjustment notes come to ' || ${money('coalesce(n.cents, 0)')} as message
      from invoices i left join (select adjusts_invoice_guid as guid, sum(total_cents) as cents from invoices
      where kind = 'adjustment_note' and status = 'issued' group by adjusts_invoice_guid) n on n.guid = i.guid
      where i.credited_cents <> coalesce(n.cents, 0)`,
  ),
  check(
    'WRITTEN_OFF_SUM',
    'Invoices',
    sql`select i.guid, i.number, 'says that ' || ${money('i.written_off_cents')} ||
      ' is written off, its rows come to ' || ${money('coalesce(w.cents, 0)')} as message
      from invoices i full join (select invoice_guid, sum(case when reverses_guid is null then cents else -cents end)
      as cents from write_offs group by invoice_guid) w on w.invoice_guid = i.guid
      where coalesce(i.written_off_cents, 0) <> coalesce(w.cents, 0)
      union all select i.guid, i.number, 'is closed by a write-off and is owing all the same' from invoices i
      where i.status = 'written_off' and i.total_cents <> i.credited_cents + i.written_off_cents
      + i.paid_cents - i.refunded_cents
      union all select i.guid, i.number, 'had more taken back of a write-off than was written off' from write_offs w
      join invoices i on i.guid = w.invoice_guid cross join lateral (select coalesce(sum(r.cents), 0) as cents,
      coalesce(sum(r.gst_cents), 0) as gst_cents from write_offs r where r.reverses_guid = w.guid) r
      where r.cents > w.cents or r.gst_cents > w.gst_cents or (r.cents = w.cents and r.gst_cents <> w.gst_cents)`,
  ),
  check(
    'INSTALMENTS',
    'Invoices',
    sql`select i.guid, i.number, 'comes to ' || ${money('i.total_cents')} || ', its instalments to ' ||
      ${money('t.cents')} as message from (select invoice_guid, plan, sum(cents) as cents from invoice_instalments
      group by 1, 2) t join invoices i on i.guid = t.invoice_guid where t.cents <> i.total_cents
      union all select i.guid, i.number, 'is due on ' || i.due_on || ', by its instalments on ' ||
      planned_due(i.guid, i.total_cents - i.balance_cents) from invoices i where i.status = 'issued'
      and exists (select from invoice_instalments t where t.invoice_guid = i.guid)
      and i.due_on <> planned_due(i.guid, i.total_cents - i.balance_cents)`,
  ),
  check(
    'BALANCE_BELOW_ZERO',
    'Invoices',
    sql`select guid, number, 'has a balance of ' || ${money('balance_cents')} as message from invoices
      where balance_cents < 0
      union all select guid, number, 'is void and holds money' from invoices where status = 'void'
      and paid_cents <> refunded_cents
      union all select guid, number, 'had more refunded than was paid' from invoices where refunded_cents > paid_cents`,
  ),
  check(
    'ALLOCATED_TOO_MUCH',
    'Payments',
    sql`select p.guid, p.number, 'is ' || ${money('p.amount_cents')} || ' and ' || ${money('a.cents')} ||
      ' of it is allocated' as message
      from payments p join (select payment_guid, sum(cents) as cents from payment_allocations group by payment_guid) a
      on a.payment_guid = p.guid where a.cents > p.amount_cents`,
  ),
  check(
    'REFUNDED_TOO_MUCH',
    'Payments',
    sql`select p.guid, p.number, 'is ' || ${money('p.amount_cents')} || ' and ' || ${money('r.cents')} ||
      ' of it was refunded' as message
      from payments p join (select payment_guid, sum(amount_cents) as cents from refunds group by payment_guid) r
      on r.payment_guid = p.guid where r.cents > p.amount_cents`,
  ),
  check(
    'REFUND_NOTE',
    'Refunds',
    sql`select r.guid, r.number, 'does not agree with its adjustment note' as message
      from refunds r join invoices n on n.guid = r.adjustment_note_guid
      where n.total_cents <> r.amount_cents or n.gst_cents <> r.gst_cents
      or n.adjusts_invoice_guid is distinct from r.invoice_guid`,
  ),
  check(
    'DEPOSIT_APPLIED',
    'Invoices',
    sql`select i.guid, i.number, 'says that ' || ${money('i.deposit_applied_cents')} ||
      ' of deposits is credited, its lines say ' || ${money('coalesce(l.cents, 0)')} as message
      from invoices i left join (select invoice_guid, -sum(total_cents) as cents from invoice_lines
      where deposit_invoice_guid is not null group by invoice_guid) l on l.invoice_guid = i.guid
      where i.deposit_applied_cents <> coalesce(l.cents, 0)`,
  ),
  check(
    'DEPOSIT_CREDITED_TOO_OFTEN',
    'Invoices',
    sql`select d.guid, d.number, 'is a deposit of ' || ${money('d.total_cents')} || ' and ' || ${money('c.cents')} ||
      ' of it is credited' as message
      from invoices d join (select l.deposit_invoice_guid as guid, -sum(l.total_cents) as cents from invoice_lines l
      join invoices i on i.guid = l.invoice_guid
        where l.deposit_invoice_guid is not null and i.status <> 'void' and i.archived_at is null
        group by l.deposit_invoice_guid) c on c.guid = d.guid
      where c.cents > d.total_cents or d.status not in ('issued', 'written_off') or d.kind <> 'deposit'`,
  ),
  check(
    'QUANTITY_INVOICED',
    'Orders',
    sql`select o.guid, o.number, '“' || l.name || '” says that ' || trim_scale(l.quantity_invoiced) ||
      ' is invoiced, its invoices say ' || coalesce(trim_scale(v.quantity), 0) as message
      from order_lines l join orders o on o.guid = l.order_guid
      left join (select il.order_line_guid as guid, sum(il.quantity) as quantity from invoice_lines il join invoices i
      on i.guid = il.invoice_guid
        where il.order_line_guid is not null and i.status <> 'void' and i.archived_at is null
        group by il.order_line_guid) v on v.guid = l.guid
      where l.quantity_invoiced <> coalesce(v.quantity, 0)
      and not exists (select from hire_runs h where h.line_guid = l.guid and h.settled_at is not null)`,
  ),
  check(
    'ORDER_INVOICED_SUM',
    'Orders',
    sql`select o.guid, o.number, 'says that ' || ${money('o.invoiced_cents')} || ' is invoiced, its invoices come to '
      || ${money('coalesce(i.cents, 0)')} as message
      from orders o left join (select order_guid, sum(total_cents) as cents from invoices
      where status in ('issued', 'written_off') and kind <> 'adjustment_note' and deposit_nature = 'part_payment'
      and order_guid is not null
      group by order_guid) i on i.order_guid = o.guid
      where o.invoiced_cents <> coalesce(i.cents, 0)`,
  ),
  check(
    'ORDER_NOT_EVEN',
    'Orders',
    sql`select o.guid, o.number, 'comes to ' || ${money('o.total_cents')} || ', its invoices together to ' ||
      ${money('i.cents')} as message
      from orders o join (select order_guid, sum(total_cents + deposit_applied_cents) as cents from invoices
      where kind in ('progress', 'final') and status <> 'void' and archived_at is null group by order_guid) i
      on i.order_guid = o.guid
      -- What was credited may be of the order, such as hire that ended early, or beside it.
      cross join lateral (select coalesce(sum(n.total_cents), 0) as cents from invoices n join invoices x
      on x.guid = n.adjusts_invoice_guid where x.order_guid = o.guid and x.kind in ('progress', 'final')
      and n.status = 'issued') n
      where o.invoice_status in ('invoiced', 'drafted') and o.total_cents not between i.cents - n.cents and i.cents`,
  ),
  check(
    'NOTE_GST',
    'Invoices',
    // Each note gives back what GST its lines carry; all of them together never more than the invoice had, and
    // all of it with its last cent.
    sql`select n.guid, n.number, 'takes back ' || ${money('n.gst_cents')} || ' of GST, which is not its part' as message
      from invoices n join invoices i on i.guid = n.adjusts_invoice_guid
      cross join lateral (select sum(x.total_cents) as total, sum(x.gst_cents) as gst from invoices x
      where x.adjusts_invoice_guid = i.guid and x.status = 'issued') a
      where n.kind = 'adjustment_note' and n.status = 'issued' and (n.gst_cents < 0 or a.gst > greatest(i.gst_cents, 0)
      or (a.total = i.total_cents and i.gst_cents >= 0 and a.gst <> i.gst_cents))`,
  ),
]

const entries = sql`select e.guid, e.source, e.source_guid, sum(l.debit_cents - l.credit_cents) as off,
    coalesce(sum(l.debit_cents - l.credit_cents) filter (where l.account in ('1000', '1010')), 0) as bank,
    coalesce(sum(l.debit_cents - l.credit_cents) filter (where l.account = '1100'), 0) as receivable,
    coalesce(sum(l.debit_cents - l.credit_cents) filter (where l.account = '2200'), 0) as deposits,
    coalesce(sum(l.debit_cents - l.credit_cents) filter (where l.account = '2250'), 0) as securities,
    coalesce(sum(l.debit_cents - l.credit_cents) filter (where l.account = '2300'), 0) as credit,
    coalesce(sum(l.debit_cents - l.credit_cents) filter (where l.account = '6200'), 0) as bad_debts,
    coalesce(sum(l.debit_cents - l.credit_cents) filter (where l.account in ('2100', '2105')), 0) as any_gst,
    coalesce(sum(l.debit_cents - l.credit_cents) filter (where l.account = '4000'), 0) as sales
  from journal_entries e left join journal_lines l on l.entry_guid = e.guid group by e.guid`

/** Which documents have an entry of a source. */
const documentsOf = {
  // What was kept of a security deposit has an entry of its own.
  invoice: sql`i.kind <> 'adjustment_note' and i.forfeits_guid is null
    and i.status in ('issued', 'void', 'written_off')`,
  void: sql`i.status = 'void'`,
  adjustment_note: sql`i.kind = 'adjustment_note' and i.status = 'issued'`,
}

/** `sign` 1: what issuing posts; -1: its mirror image. Adjustment notes take sales and deposits alike. */
const issued = (source: keyof typeof documentsOf, sign: 1 | -1) => {
  const s = sql.raw(String(sign))
  return sql`select i.guid, i.number, case when j.guid is null then 'has no journal entry (${sql.raw(source)})'
    else 'and its journal entry (${sql.raw(source)}) do not agree' end as message
    from invoices i
    left join (select invoice_guid, sum(net_cents) as net from invoice_lines
      where deposit_invoice_guid is not null group by invoice_guid) c on c.invoice_guid = i.guid
    left join entries j on j.source = ${sql.lit(source)} and j.source_guid = i.guid
    where ${documentsOf[source]}
      and (j.guid is null
        or j.receivable <> ${s} * i.total_cents
        or j.any_gst <> -1 * ${s} * i.gst_cents
        or j.bank <> 0
        or j.credit <> 0
        or j.securities <> case when i.deposit_nature = 'security' then -1 * ${s} * i.total_cents else 0 end
        or j.sales + j.deposits + j.securities <> -1 * ${s} * (i.total_cents - i.gst_cents)
        or (i.kind = 'deposit' and j.sales <> 0)
        or (${sql.lit(source)} = 'invoice' and i.kind in ('standard', 'progress', 'final')
          and j.deposits <> -1 * ${s} * coalesce(c.net, 0)))`
}

const parts: Check[] = [
  check(
    'JOURNAL_BALANCE',
    'Journals',
    sql`select guid, null::text as number, 'a journal entry is out of balance by ' || ${money('off')} as message
      from entries where off <> 0`,
  ),
  check('JOURNAL_INVOICE', 'Invoices', issued('invoice', 1)),
  check('JOURNAL_VOID', 'Invoices', issued('void', -1)),
  check('JOURNAL_NOTE', 'Invoices', issued('adjustment_note', -1)),
  ...depositJournalChecks,
  check(
    'JOURNAL_PAYMENT',
    'Payments',
    sql`select p.guid, p.number, case when j.guid is null then 'has no journal entry'
      else 'and its journal entry do not agree' end as message
      from payments p left join entries j on j.source = 'payment' and j.source_guid = p.guid
      -- What credit paid later has an entry of its own.
      left join (select payment_guid, sum(cents) as cents from payment_allocations x where x.reverses_guid is null
      and not exists (select from journal_entries y where y.source = 'allocation' and y.source_guid = x.guid)
      group by payment_guid) a on a.payment_guid = p.guid
      where p.deposit_guid is null and (j.guid is null or j.bank <> p.amount_cents
      or j.receivable <> -coalesce(a.cents, 0)
      or j.receivable + j.credit <> -p.amount_cents)`,
  ),
  check(
    'JOURNAL_ALLOCATION',
    'Payments',
    sql`select p.guid, p.number, 'has an allocation and a journal entry that do not agree' as message
      from payment_allocations a join payments p on p.guid = a.payment_guid
      left join entries j on j.source_guid = a.guid
        and j.source = case when a.reverses_guid is null then 'allocation' else 'unallocation' end
      where case when j.guid is null then a.reverses_guid is not null
        else j.receivable <> -a.cents or j.credit <> a.cents or j.bank <> 0 end`,
  ),
  check(
    'JOURNAL_TAKEN_BACK',
    'Payments',
    sql`select p.guid, p.number, 'was reversed, and its journal does not say so' as message
      from payment_reversals v join payments p on p.guid = v.payment_guid
      left join entries j on j.source = 'payment_reversal' and j.source_guid = v.guid
      where j.guid is null or j.credit <> p.amount_cents
      or case when p.deposit_guid is null then j.bank else j.securities end <> -p.amount_cents`,
  ),
  check(
    'REVERSED_IN_USE',
    'Payments',
    sql`select p.guid, p.number, 'was reversed and still pays an invoice' as message
      from payment_reversals v join payments p on p.guid = v.payment_guid
      where (select coalesce(sum(a.cents), 0) from payment_allocations a where a.payment_guid = p.guid) <> 0`,
  ),
  check(
    'JOURNAL_REFUND',
    'Refunds',
    sql`select r.guid, r.number, case when j.guid is null then 'has no journal entry'
      else 'and its journal entry do not agree' end as message
      from refunds r left join entries j on j.source = 'refund' and j.source_guid = r.guid
      left join invoices i on i.guid = r.invoice_guid
      where j.guid is null or j.bank <> -r.amount_cents or case when r.invoice_guid is null then j.credit
      when i.deposit_nature = 'security' then j.securities else j.receivable end <> r.amount_cents`,
  ),
  check(
    'JOURNAL_WRITE_OFF',
    'Invoices',
    sql`select i.guid, i.number, case when j.guid is null then 'has a write-off without a journal entry'
      else 'has a write-off and a journal entry that do not agree' end as message
      from write_offs w join invoices i on i.guid = w.invoice_guid
      left join entries j on j.source = case when w.reverses_guid is null then 'write_off' else 'recovery' end
        and j.source_guid = w.guid
      cross join lateral (select case when w.reverses_guid is null then 1 else -1 end as sign) s
      where j.guid is null or j.receivable <> -s.sign * w.cents or j.bad_debts <> s.sign * (w.cents - w.gst_cents)
      or j.any_gst <> s.sign * w.gst_cents`,
  ),
  check(
    'JOURNAL_ORPHAN',
    'Journals',
    sql`select e.guid, null::text as number, 'a journal entry (' || e.source ||
      ') belongs to nothing that was issued, paid or refunded' as message from entries e
      left join invoices i on i.guid = e.source_guid and ((e.source = 'invoice' and i.kind <> 'adjustment_note'
      and i.status not in ('draft', 'scheduled'))
      or (e.source = 'deposit_forfeited' and i.forfeits_guid is not null and i.status = 'issued')
      or (e.source = 'void' and i.status = 'void')
      or (e.source = 'adjustment_note' and i.kind = 'adjustment_note' and i.status = 'issued'))
      left join payments p on e.source = 'payment' and p.guid = e.source_guid
      left join refunds r on e.source = 'refund' and r.guid = e.source_guid
      left join write_offs w on e.source in ('write_off', 'recovery') and w.guid = e.source_guid
      left join payment_allocations a on a.guid = e.source_guid
      and e.source = case when a.reverses_guid is null then 'allocation' else 'unallocation' end
      left join payment_reversals v on e.source = 'payment_reversal' and v.guid = e.source_guid
      left join gst_forwards f on e.source = 'gst_forward' and f.guid = e.source_guid
      left join basis_changes b on e.source = 'basis_change' and b.guid = e.source_guid
      where coalesce(i.guid, p.guid, r.guid, w.guid, a.guid, v.guid, f.guid, b.guid) is null
      and e.source not in ('manual', 'reversal', 'gst_due')`,
  ),
  check(
    'JOURNAL_REVERSAL',
    'Journals',
    sql`select r.guid, null::text as number, 'a reversal does not mirror its entry' as message
      from journal_entries r left join journal_entries e on e.guid = r.reverses_guid and e.entity_guid = r.entity_guid
      and e.source = 'manual' and e.posted_on <= r.posted_on
      where r.source = 'reversal' and (e.guid is null or exists (
        select from (select account, sum(debit_cents - credit_cents) as cents from journal_lines
          where entry_guid in (r.guid, e.guid) group by account) l where l.cents <> 0))
      union all select e.guid, null, 'an entry by hand moves an account that follows documents' from journal_entries e
      where e.source = 'manual' and exists (select from journal_lines l join accounts a
        on a.business_guid = l.business_guid and a.code = l.account where l.entry_guid = e.guid
        and a.role is not null and a.type <> 'expense' and a.role not in ('bank', 'suspense', 'sales'))`,
  ),
]

/**
 * Every event about money has one balanced entry, and every entry an event; the entries are
 * added up once for all of it.
 */
export const journalCheck = sql<Found & { code: string; entity: string }>`with entries as materialized (${entries})
  ${sql.join(
    parts.map(
      ({ code, entity, query }) =>
        sql`select ${sql.lit(code)} as code, ${sql.lit(entity)} as entity, x.* from (${query}) x`,
    ),
    sql` union all `,
  )}`
