-- Ranges, requests and their answers take as many digits as the quantities of lines do.
do $$
declare
  lines text;
begin
  foreach lines in array array['quote_lines', 'order_lines', 'invoice_lines'] loop
    execute format($sql$alter table %I
      alter column quantity_min type numeric(13, 4),
      alter column quantity_max type numeric(13, 4),
      alter column quantity_step type numeric(13, 4)$sql$, lines);
  end loop;
end $$;
alter table quote_asks alter column quantity type numeric(13, 4);
alter table quote_answers alter column quantity type numeric(13, 4);
