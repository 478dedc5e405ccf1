import { sql } from 'kysely'
import { wereOne } from '../core/family.ts'
import { type Check, check, money } from './check.ts'

/** What was asked of the payment provider, against what is booked for it. */
export const attemptChecks: Check[] = [
  check(
    'ATTEMPT_WITHOUT_PAYMENT',
    'Payments',
    sql`select a.guid, p.number, 'a card payment of ' || ${money('a.amount_cents')} ||
      ' and what is booked for it do not agree' as message
      from payment_attempts a full join (select * from payments where attempt_guid is not null) p
      on p.attempt_guid = a.guid
      where (a.status = 'succeeded' and p.guid is null) or (p.guid is not null
      and (a.status is distinct from 'succeeded' or a.amount_cents <> p.amount_cents))`,
  ),
  check(
    'ATTEMPT_PARTS',
    'Payments',
    sql`select a.guid, m.number, 'a card payment of ' || ${money('a.amount_cents')} || ' is for parts of ' ||
      ${money('coalesce(p.cents, 0)')} as message
      from payment_attempts a left join (select attempt_guid, sum(cents) as cents from payment_attempt_parts
      group by attempt_guid) p on p.attempt_guid = a.guid left join payments m on m.attempt_guid = a.guid
      where (a.invoice_guid is null) <> (p.cents is not null) or p.cents <> a.amount_cents`,
  ),
  check(
    'ATTEMPT_PART_FOREIGN',
    'Payments',
    sql`select a.guid, i.number, 'is paid by a statement that does not show it' as message
      from payment_attempt_parts p join payment_attempts a on a.guid = p.attempt_guid
      join invoices i on i.guid = p.invoice_guid left join statement_pages s on s.guid = a.statement_page_guid
      where s.guid is null or i.business_guid <> all(s.covers)
        or (i.customer_guid <> s.customer_guid and not ${wereOne(sql`i.customer_guid`, sql`s.customer_guid`)})`,
  ),
  check(
    'ATTEMPT_WITHOUT_REFUND',
    'Refunds',
    sql`select a.guid, r.number, 'a refund of ' || ${money('a.amount_cents')} ||
      ' and what is booked for it do not agree' as message
      from refund_attempts a left join refunds r on r.attempt_guid = a.guid
      where (a.status = 'succeeded') <> (r.guid is not null) or a.amount_cents <> r.amount_cents`,
  ),
]
