-- On the cash basis money for an order counts when it comes, with the order's share of GST until an invoice takes its place. What
-- the order came to by then stays with the payment: whoever changes the order changes nothing of what was reported.
alter table payments add column order_gst jsonb;

create function note_order_gst() returns trigger language plpgsql as $$
begin
  select jsonb_build_object('totalCents', o.total_cents, 'gstCents', o.gst_cents, 'parts', coalesce((
      select jsonb_agg(jsonb_build_object('gstCode', t.gst_code, 'totalCents', t.total_cents, 'gstCents', t.gst_cents) order by t.gst_code)
      from (select l.gst_code, sum(l.total_cents) as total_cents, sum(l.gst_cents) as gst_cents from order_lines l
        where l.order_guid = o.guid and l.is_selected and l.kind not in ('section', 'text') group by l.gst_code) t), '[]'))
    into new.order_gst from orders o where o.guid = new.order_guid;
  return new;
end $$;
create trigger payments_note_order_gst before insert on payments for each row
  when (new.order_guid is not null) execute function note_order_gst();
create index payments_prepaid on payments (entity_guid) where order_gst is not null;
