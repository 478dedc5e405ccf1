import { sql } from 'kysely'
import { basisOn, type BasisHistory } from '../../contract/gst-state.ts'
import { daysOf, forwardAt, type OrderLife } from '../../contract/order-gst.ts'
import type { Db } from '../core/ctx.ts'
import { money as shown } from '../core/i18n/format.ts'
import { basisHistory } from '../journal/gst.service.ts'

export interface ForwardProblem {
  code: 'GST_FORWARD'
  entity: string
  guid: string
  number: string | null
  message: string
}

interface Stored extends OrderLife {
  guid: string
  number: string
  entityGuid: string
  /** What the journal moved on the account of GST brought forward. */
  booked: readonly { on: string; cents: number }[]
}

const perStep = 500
const list = (object: string, from: string) =>
  sql.raw(`(select coalesce(json_agg(json_build_object(${object})), '[]'::json) from ${from})`)
const entryOf = (source: string, of: string, alias: string) =>
  `journal_entries ${alias} on ${alias}.source = '${source}' and ${alias}.source_guid = ${of}.guid`

/** What happened to orders that are, or were, one supply. */
const livesAfter = (after: string) => sql<Stored>`select o.guid, o.number,
    b.entity_guid,
    (select coalesce(json_agg(json_build_object('on', s.on_day, 'basis', s.basis, 'isOpen', s.is_open,
      'totalCents', s.total_cents, 'gstCents', s.gst_cents) order by s.on_day, s.id), '[]'::json)
      from order_supplies s where s.order_guid = o.guid) as supplies,
    ${list(
      `'guid', i.guid, 'isDeposit', i.kind = 'deposit', 'issuedOn', i.issue_on, 'voidedOn', e.posted_on,
      'totalCents', i.total_cents, 'gstCents', i.gst_cents,
      'credits', (select coalesce(json_agg(json_build_object('depositGuid', l.deposit_invoice_guid,
        'totalCents', -l.total_cents, 'gstCents', -l.gst_cents)), '[]'::json) from invoice_lines l
        where l.invoice_guid = i.guid and l.deposit_invoice_guid is not null),
      'notes', (select coalesce(json_agg(json_build_object('on', n.issue_on, 'totalCents', n.total_cents,
        'gstCents', n.gst_cents)), '[]'::json) from invoices n where n.adjusts_invoice_guid = i.guid
        and n.kind = 'adjustment_note' and n.status = 'issued')`,
      `invoices i left join ${entryOf('void', 'i', 'e')} where i.order_guid = o.guid
      and i.kind <> 'adjustment_note' and i.deposit_nature = 'part_payment'
      and i.status in ('issued', 'void', 'written_off')`,
    )} as invoices,
    ${list(
      `'on', n.issue_on, 'totalCents', n.total_cents, 'gstCents', n.gst_cents`,
      `invoices n where n.order_guid = o.guid and n.kind = 'adjustment_note' and n.status = 'issued'
      and exists (select from hire_bills h where h.invoice_guid = n.guid)`,
    )} as hire_notes,
    ${list(
      `'on', m.day, 'cents', m.cents`,
      `payments p cross join lateral (select e.posted_on as day, p.amount_cents as cents from journal_entries e
        where e.source = 'payment' and e.source_guid = p.guid
        union all select a.effective_on, -a.cents from payment_allocations a where a.payment_guid = p.guid
        union all select e.posted_on, -r.amount_cents from refunds r join ${entryOf('refund', 'r', 'e')}
          where r.payment_guid = p.guid and r.invoice_guid is null
        union all select v.reversed_on, -p.amount_cents from payment_reversals v where v.payment_guid = p.guid) m
      where p.order_guid = o.guid`,
    )} as prepaid,
    ${list(
      `'on', e.posted_on, 'cents', l.debit_cents - l.credit_cents`,
      `gst_forwards f join ${entryOf('gst_forward', 'f', 'e')} join journal_lines l on l.entry_guid = e.guid
      and l.account = '2106' where f.order_guid = o.guid`,
    )} as booked
  from orders o join businesses b on b.guid = o.business_guid where o.guid > ${after}::uuid
    and (exists (select from order_supplies s where s.order_guid = o.guid)
    or exists (select from gst_forwards f where f.order_guid = o.guid)) order by o.guid limit ${perStep}`

/** On every day since it began, the journal has of each order what its documents say is brought forward. */
export async function checkForwards(db: Db): Promise<ForwardProblem[]> {
  const problems: ForwardProblem[] = []
  const histories = new Map<string, BasisHistory>()
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await livesAfter(after).execute(db)
    for (const { guid, number, entityGuid, booked, ...life } of rows) {
      const history = histories.get(entityGuid) ?? (await basisHistory(db, entityGuid))
      histories.set(entityGuid, history)
      const changed = history.changes.map(({ from }) => from)
      const days = [...new Set([...daysOf(life), ...booked.map(({ on }) => on), ...changed])].toSorted()
      for (const day of days) {
        const due = basisOn(history, day) === 'accrual' ? forwardAt(life, day) : 0
        const cents = booked.reduce((sum, one) => sum + (one.on <= day ? one.cents : 0), 0)
        if (cents === due) continue
        const message = `has ${shown(cents)} of GST brought forward on ${day}, its documents say ${shown(due)}`
        problems.push({ code: 'GST_FORWARD', entity: 'Orders', guid, number, message })
        break
      }
    }
    after = rows.at(-1)?.guid ?? after
    if (rows.length < perStep) return problems
  }
}
