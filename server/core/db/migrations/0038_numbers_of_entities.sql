-- Quotes and orders are numbered by business, what is of money by legal entity: its brands take their numbers from its counters.
create or replace function next_number(for_business uuid, of_kind text) returns text language sql as $$
  update number_counters set next = next + 1 where kind = of_kind and business_guid = case when of_kind in ('quote', 'order')
    then for_business else (select b.entity_guid from businesses b where b.guid = for_business) end
  returning prefix || lpad((next - 1)::text, greatest(padding, length((next - 1)::text)), '0')
$$;
