-- What a line of a document takes from the catalogue: its price by days of hire, what it costs us, where its money is counted, and
-- the line it lies below. A heading of a bundle has no money of its own; the lines below it carry it.
-- What one line has on the day it is priced stays on it: the catalogue moves on.
do $$
declare
  lines text;
begin
  foreach lines in array array['quote_lines', 'order_lines', 'invoice_lines'] loop
    execute format('alter table %I drop constraint %I', lines, lines || '_kind_check');
    execute format($sql$alter table %1$I
      add constraint %2$I check (kind in ('item', 'labour', 'hire', 'section', 'text', 'bundle', 'discount', 'fee', 'deposit_credit')),
      add column parent_line_guid uuid,
      add column hire_from date,
      add column hire_to date check (hire_to >= hire_from),
      add column hire_rates jsonb,
      -- Entered by hand; one that is not follows the catalogue as its quantity changes.
      add column is_price_manual boolean not null default true,
      add column cost_cents bigint check (cost_cents >= 0),
      add column revenue_stream_guid uuid references revenue_streams,
      add column options jsonb,
      -- What made it, for lines that no person entered.
      add column source_key text$sql$, lines, lines || '_kind_check');
    execute format('create index %I on %I (revenue_stream_guid) where revenue_stream_guid is not null', lines || '_stream', lines);
    execute format('create index %I on %I (parent_line_guid) where parent_line_guid is not null', lines || '_parent', lines);
  end loop;
end $$;
