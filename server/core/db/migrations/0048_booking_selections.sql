-- What was answered to the questions of lines, one row each: for lists and totals. A line keeps its answers itself, frozen with its
-- document; these rows are made of them, by triggers alone, so that the two never differ.
create table booking_selections (
  guid uuid constraint booking_selections_key primary key default new_guid(),
  business_guid uuid not null references businesses,
  quote_line_guid uuid references quote_lines on delete cascade,
  order_line_guid uuid references order_lines on delete cascade,
  -- of a request that somebody sent, before there is a line
  request_guid uuid,
  quote_guid uuid references quotes,
  order_guid uuid references orders,
  product_guid uuid references products,
  option_guid uuid references booking_options,
  option_code text not null,
  label text not null,
  choices jsonb not null,
  value jsonb not null,
  cents bigint not null,
  minutes integer not null,
  answered_by text not null constraint booking_selection_by check (answered_by in ('staff', 'guest')),
  user_guid uuid references users,
  answered_at timestamptz not null,
  constraint booking_selection_of_one check (num_nonnulls(quote_line_guid, order_line_guid, request_guid) = 1)
);
create unique index booking_selection_of_quote_line on booking_selections (quote_line_guid, option_code);
create unique index booking_selection_of_order_line on booking_selections (order_line_guid, option_code);
create unique index booking_selection_of_request on booking_selections (request_guid, option_code);
create index booking_selections_by_day on booking_selections (business_guid, answered_at, guid);
create index booking_selections_option on booking_selections (option_guid, answered_at, guid);
create index booking_selections_product on booking_selections (product_guid, answered_at, guid);
create index booking_selections_quote on booking_selections (quote_guid);
create index booking_selections_order on booking_selections (order_guid);
create index booking_selections_user on booking_selections (user_guid);

create function note_selections_of(lines jsonb) returns void language sql as $$
  insert into booking_selections (business_guid, quote_line_guid, order_line_guid, quote_guid, order_guid, product_guid, option_guid,
    option_code, label, choices, value, cents, minutes, answered_by, user_guid, answered_at)
  select coalesce(q.business_guid, o.business_guid), case when q.guid is not null then l.guid end,
    case when o.guid is not null then l.guid end, q.guid, o.guid, l.product_guid,
    (select (asked ->> 'guid')::uuid from jsonb_array_elements(l.options -> 'asked') asked
      where asked ->> 'code' = given ->> 'optionCode' limit 1),
    given ->> 'optionCode', given ->> 'label', given -> 'choices', given -> 'value', (given ->> 'cents')::bigint,
    (given ->> 'minutes')::integer, given ->> 'answeredBy', (given ->> 'userGuid')::uuid, (given ->> 'at')::timestamptz
  from jsonb_to_recordset(lines) as l (guid uuid, quote_guid uuid, order_guid uuid, product_guid uuid, options jsonb)
  cross join lateral jsonb_array_elements(l.options -> 'selections') given
  left join quotes q on q.guid = l.quote_guid
  left join orders o on o.guid = l.order_guid
$$;

create function note_selections() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform note_selections_of(jsonb_agg(to_jsonb(n))) from added n where n.options is not null;
    return null;
  end if;
  delete from booking_selections s using added n, removed o
    where o.guid = n.guid and n.options is distinct from o.options and s.quote_line_guid = n.guid;
  delete from booking_selections s using added n, removed o
    where o.guid = n.guid and n.options is distinct from o.options and s.order_line_guid = n.guid;
  perform note_selections_of(jsonb_agg(to_jsonb(n))) from added n join removed o on o.guid = n.guid
    where n.options is distinct from o.options and n.options is not null;
  return null;
end $$;

create trigger note_selections_added after insert on quote_lines referencing new table as added
  for each statement execute function note_selections();
create trigger note_selections_changed after update on quote_lines referencing new table as added old table as removed
  for each statement execute function note_selections();
create trigger note_selections_added after insert on order_lines referencing new table as added
  for each statement execute function note_selections();
create trigger note_selections_changed after update on order_lines referencing new table as added old table as removed
  for each statement execute function note_selections();
