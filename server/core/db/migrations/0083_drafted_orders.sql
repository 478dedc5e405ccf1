-- An order all of which stands on invoices, some of them drafts, is not invoiced yet.
alter table orders drop constraint orders_invoice_status_check;
alter table orders add constraint orders_invoice_status_check check (invoice_status in
  ('nothing_to_invoice', 'to_invoice', 'partially_invoiced', 'drafted', 'invoiced', 'over_invoiced'));

update orders o set invoice_status = 'drafted' where o.invoice_status = 'invoiced'
  and exists (select from invoices i where i.order_guid = o.guid and i.status in ('draft', 'scheduled')
    and i.kind in ('progress', 'final') and i.archived_at is null);
