-- What is left of a quote after the costs of its lines, so that lists show it and go by it.
alter table quotes add column margin_cents bigint, add column margin_bp bigint;

-- No deed of anybody: what follows a quote that changes has nothing to do.
alter table quotes disable trigger user;
update quotes q set margin_cents = m.net_cents - m.cost_cents,
    margin_bp = case when m.net_cents > 0 then round((m.net_cents - m.cost_cents) * 10000.0 / m.net_cents) end
  from (
    select l.quote_guid, sum(l.net_cents) as net_cents, sum(round(coalesce(l.cost_cents, 0) * l.quantity)) as cost_cents
    from quote_lines l
    where (not l.is_optional and coalesce(l.alternative_group, '') = '' or l.is_selected)
      and l.kind not in ('section', 'text', 'bundle')
    group by l.quote_guid having bool_or(l.cost_cents is not null)
  ) m
  where m.quote_guid = q.guid;
alter table quotes enable trigger user;

create index quotes_by_margin on quotes (business_guid, margin_bp, guid) where archived_at is null;
