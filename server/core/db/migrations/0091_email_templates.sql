-- What mails say: a template has versions, of which one is in use; a version never changes, so what was checked is what is sent.
create table templates (
  guid uuid constraint templates_key primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  kind text not null constraint template_kind_shape check (kind ~ '^[a-z][a-z_]{0,39}$'),
  name text not null constraint template_name_length check (length(name) between 1 and 120),
  category text not null default 'transactional' constraint template_category check (category in ('transactional', 'commercial')),
  purpose text not null constraint template_purpose check (purpose in ('billing', 'bookings', 'marketing', 'general')),
  status text not null default 'draft' constraint template_status check (status in ('draft', 'active', 'archived')),
  -- The one that is used where nobody chose another.
  is_default boolean not null default false,
  active_version_guid uuid,
  search_text text not null generated always as (lower(name || ' ' || kind)) stored,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz,
  constraint template_in_use_has_version check (status <> 'active' or active_version_guid is not null),
  constraint template_archived check ((status = 'archived') = (archived_at is not null)),
  constraint template_default_in_use check (not is_default or status = 'active')
);
create table template_versions (
  guid uuid constraint template_versions_key primary key,
  template_guid uuid not null references templates,
  number int not null constraint template_version_number check (number > 0),
  -- { en, fr?, ar? }, each { subject, preheader, bodyHtml, button }
  languages jsonb not null constraint template_version_speaks_english check (jsonb_typeof(languages -> 'en') = 'object'),
  -- Whoever wrote it says that what reads like an offer is none.
  is_facts_only boolean not null default false,
  -- What came of rendering it for all records there are.
  proof jsonb,
  -- When it was first in use: such a version may come back at once.
  activated_at timestamptz,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  constraint template_version_taken unique (template_guid, number)
);
alter table templates add constraint template_active_version foreign key (active_version_guid) references template_versions;

create function refuse_version_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (to_jsonb(new) - '{proof,activated_at}'::text[]) = (to_jsonb(old) - '{proof,activated_at}'::text[])
    and (old.activated_at is null or new.activated_at = old.activated_at) then return new; end if;
  raise exception '% rows are never changed', tg_table_name using errcode = 'restrict_violation', constraint = tg_table_name || '_immutable';
end $$;
create trigger template_versions_immutable before update or delete on template_versions
  for each row execute function refuse_version_change();

create unique index template_default on templates (business_guid, kind) where is_default;
create unique index template_name_taken on templates (business_guid, lower(name)) where archived_at is null;
create index templates_by_name on templates (business_guid, name, guid) where archived_at is null;
create index templates_by_kind on templates (business_guid, kind, guid) where archived_at is null;
create index templates_by_updated on templates (business_guid, updated_at, guid) where archived_at is null;
create index templates_archived on templates (business_guid, name, guid) where archived_at is not null;
create index templates_active_version on templates (active_version_guid);
create index templates_created_by on templates (created_by);
create index templates_updated_by on templates (updated_by);
create index templates_search on templates using gin (search_text gin_trgm_ops);
create index template_versions_created_by on template_versions (created_by);
create trigger templates_live after insert or update on templates for each row execute function notify_change('EmailTemplates');

-- The simple templates of before: each kind's languages become the first version of its template, and their paragraphs HTML.
create function pg_temp.as_html(body text) returns text language sql as $$
  select coalesce(string_agg('<p>' || replace(replace(replace(replace(btrim(part, E' \n'), '&', '&amp;'), '<', '&lt;'), '>', '&gt;'),
    E'\n', '<br />') || '</p>', '' order by n), '')
  from regexp_split_to_table(replace(body, E'\r\n', E'\n'), E'\n{2,}') with ordinality as t (part, n) where btrim(part, E' \n') <> '' $$;

insert into templates (guid, business_guid, kind, name, purpose, status, is_default)
select new_guid(), m.business_guid, m.kind,
  case m.kind when 'quote_answered' then 'Quote: our answers' when 'quote_accepted' then 'Quote accepted'
    when 'change_order' then 'Change to an order' when 'change_accepted' then 'Change accepted'
    when 'request_received' then 'Request received' when 'statement_receipt' then 'Receipt for a statement'
    else upper(left(m.kind, 1)) || substr(replace(m.kind, '_', ' '), 2) end,
  case when m.kind in ('invoice', 'receipt', 'statement', 'statement_receipt', 'refund') then 'billing' else 'bookings' end,
  'draft', false
from message_templates m where m.language = 'en' order by m.business_guid, m.kind;
insert into template_versions (guid, template_guid, number, languages, activated_at, created_at)
select new_guid(), t.guid, 1, jsonb_object_agg(m.language, jsonb_build_object('subject', m.subject, 'preheader', '',
    'bodyHtml', pg_temp.as_html(m.body), 'button', coalesce(m.button, ''))), now(), max(m.updated_at)
from templates t join message_templates m on m.business_guid = t.business_guid and m.kind = t.kind
where m.language in ('en', 'fr', 'ar') group by t.guid;
update templates t set active_version_guid = v.guid, status = 'active', is_default = true
from template_versions v where v.template_guid = t.guid;
drop table message_templates;
