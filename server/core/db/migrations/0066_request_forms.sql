-- Public forms by which people request quotes, and what they sent: each made a lead and a draft quote.
create table request_forms (
  guid uuid constraint request_forms_key primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  name text not null,
  -- The end of its public address, which names no business.
  slug text not null,
  job_type_guid uuid not null references job_types,
  notify_guid uuid references users,
  -- The questions of the job type that are asked; none named, all that customers answer.
  option_guids uuid[],
  heading jsonb not null,
  intro jsonb,
  thanks jsonb,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz
);
create unique index request_form_slug_taken on request_forms (lower(slug)) where archived_at is null;
create index request_forms_by_name on request_forms (business_guid, name, guid);
create index request_forms_by_created on request_forms (business_guid, created_at, guid);
create index request_forms_job_type on request_forms (job_type_guid);
create index request_forms_notify on request_forms (notify_guid);
create index request_forms_created_by on request_forms (created_by);
create index request_forms_updated_by on request_forms (updated_by);
create trigger request_forms_live after insert or update on request_forms for each row execute function notify_change('RequestForms');

create table requests (
  guid uuid constraint requests_key primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  form_guid uuid not null references request_forms,
  customer_guid uuid not null references customers,
  quote_guid uuid not null constraint request_of_quote unique references quotes,
  owner_guid uuid references users,
  -- What whoever sent it was told to name.
  reference text not null,
  language text not null,
  name text not null,
  email text,
  phone text,
  site_address jsonb,
  wanted_on date,
  message text not null,
  selections jsonb not null constraint request_answers_are_many check (jsonb_typeof(selections) = 'array'),
  search_text text not null generated always as
    (lower(name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || reference)) stored,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz,
  constraint request_is_reachable check (num_nonnulls(email, phone) > 0)
);
create index requests_by_created on requests (business_guid, created_at, guid);
create index requests_by_name on requests (business_guid, name, guid);
create index requests_customer on requests (customer_guid, created_at desc);
create index requests_form on requests (form_guid, created_at);
create index requests_owner on requests (owner_guid, created_at);
create index requests_created_by on requests (created_by);
create index requests_updated_by on requests (updated_by);
create index requests_search on requests using gin (search_text gin_trgm_ops);
create trigger requests_live after insert or update on requests for each row execute function notify_change('Requests');

alter table booking_selections add constraint booking_selection_of_sent foreign key (request_guid) references requests;

-- What somebody sent stays as it was sent.
create function keep_requests() returns trigger language plpgsql as $$
declare
  may_move text[] := array['version', 'owner_guid', 'archived_at', 'updated_at', 'updated_by', 'search_text'];
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - may_move = to_jsonb(old) - may_move then return new; end if;
  raise exception 'what was requested does not change' using errcode = 'restrict_violation', constraint = 'requests_are_kept';
end $$;
create trigger requests_kept before update or delete on requests for each row execute function keep_requests();

-- Whoever opens a public page with a guest's rights may send a request.
insert into permissions (role_guid, subject, action, conditions, api_guid_required, note)
select distinct p.role_guid, 'Service:Request', 'update', p.conditions, p.api_guid_required, p.note from roles r
join permissions p on p.role_guid = r.guid and p.subject = 'Service:Quote' and p.action = 'update' and not p.inverted
where r.kind = 'guest' and not exists (
  select from permissions c where c.role_guid = r.guid and c.subject = 'Service:Request' and c.action = 'update');
