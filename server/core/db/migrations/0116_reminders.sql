-- Reminders of what is due: when they go out, what is kept back, and which steps of the ladder were taken.

-- When nobody is written to by what no person sends: minutes after midnight on the clocks of the business, over midnight where
-- it ends earlier; weekdays as a whole, Monday is 1.
create table mail_policies (
  guid uuid constraint mail_policies_key primary key,
  business_guid uuid not null constraint mail_policy_of_business unique references businesses,
  quiet_from int not null default 1140 constraint mail_policy_quiet_from check (quiet_from between 0 and 1439),
  quiet_to int not null default 450 constraint mail_policy_quiet_to check (quiet_to between 0 and 1439),
  quiet_weekdays int[] not null default '{6,7}'
    constraint mail_policy_weekdays check (quiet_weekdays <@ '{1,2,3,4,5,6,7}'::int[] and cardinality(quiet_weekdays) < 7),
  quiet_holidays boolean not null default true
);

create table reminder_policies (
  guid uuid constraint reminder_policies_key primary key,
  version int not null default 1,
  business_guid uuid not null constraint reminder_policy_of_business unique references businesses,
  starts_on date not null,
  send_at int not null default 540 constraint reminder_policy_send_at check (send_at between 0 and 1439),
  minimum_cents bigint not null default 2000 constraint reminder_policy_minimum check (minimum_cents >= 0),
  is_on boolean not null default false,
  -- [{ days, templateGuid }] in the order of their days
  steps jsonb not null constraint reminder_policy_steps check (jsonb_typeof(steps) = 'array' and jsonb_array_length(steps) <= 8),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid references users
);
create index reminder_policies_updated_by on reminder_policies (updated_by);

-- Lifted ones stay: what was kept back is told afterwards, too.
create table reminder_holds (
  guid uuid constraint reminder_holds_key primary key,
  business_guid uuid not null references businesses,
  customer_guid uuid references customers,
  invoice_guid uuid references invoices,
  until date,
  reason text not null constraint reminder_hold_reason check (reason in ('promised', 'disputed', 'other')),
  note text constraint reminder_hold_note check (length(note) between 1 and 400),
  lifted_at timestamptz,
  lifted_by uuid references users,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  constraint reminder_hold_of_one check (num_nonnulls(customer_guid, invoice_guid) = 1),
  constraint reminder_hold_lifted check (lifted_by is null or lifted_at is not null)
);
create index reminder_holds_customer on reminder_holds (customer_guid) where customer_guid is not null;
create index reminder_holds_invoice on reminder_holds (invoice_guid) where invoice_guid is not null;
create index reminder_holds_by_created on reminder_holds (business_guid, created_at, guid);
create index reminder_holds_created_by on reminder_holds (created_by);
create index reminder_holds_lifted_by on reminder_holds (lifted_by);
create trigger reminder_holds_live after insert or update on reminder_holds for each row execute function notify_change('Reminders');

-- No person sends it: it waits out quiet hours and days.
alter table messages add column is_automatic boolean not null default false;

-- Invoices that a message speaks of, where it was made of some.
create table message_invoices (
  message_guid uuid not null references messages,
  invoice_guid uuid not null references invoices,
  constraint message_invoices_key primary key (message_guid, invoice_guid)
);
create index message_invoices_invoice on message_invoices (invoice_guid);

-- Steps that are over. An invoice that is paid in parts has a ladder for the day of each.
create table reminder_log (
  invoice_guid uuid not null references invoices,
  due_on date not null,
  step int not null,
  outcome text not null constraint reminder_log_outcome check (outcome in ('made', 'passed_over')),
  message_guid uuid references messages,
  -- What the invoice asked for when its reminder was made.
  cents bigint,
  at timestamptz not null,
  constraint reminder_log_once primary key (invoice_guid, due_on, step),
  constraint reminder_log_made check ((outcome = 'made') = (message_guid is not null) and (cents is null) = (message_guid is null))
);
create index reminder_log_message on reminder_log (message_guid) where message_guid is not null;
create index reminder_log_at on reminder_log (at);

-- What reminders say to begin with, of which every business in use gets what it lacks.
create temp table ladder_words (place int, name text, is_usual boolean, words jsonb);
insert into ladder_words values (1, 'Reminder', true, $words${"en":{"subject":"Reminder: {{reminder.total | money}} is owing to {{business}}","preheader":"","bodyHtml":"<p>Hello {{greeting}},</p><p>According to our records, this is owing:</p><table><tbody><tr><th>Invoice</th><th>For</th><th>Due</th><th align=\"right\">Owing</th></tr>{% for invoice in reminder.invoices %}<tr><td><a href=\"{{ invoice.link }}\">{{ invoice.number }}</a></td><td>{{ invoice.title }}</td><td>{{ invoice.dueOn | date }}</td><td align=\"right\">{{ invoice.balance | money }}</td></tr>{% endfor %}<tr><th>Total</th><td></td><td></td><th align=\"right\">{{ reminder.total | money }}</th></tr></tbody></table><p>{{note}}</p><p>If you’ve paid already, thank you: you can ignore this email.</p><p>Kind regards<br />{{business}}</p>","button":"View and pay"},
"fr":{"subject":"Rappel : {{reminder.total | money}} à régler à {{business}}","preheader":"","bodyHtml":"<p>Bonjour {{greeting}},</p><p>Sauf erreur de notre part, il reste à régler :</p><table><tbody><tr><th>Facture</th><th>Objet</th><th>Échéance</th><th align=\"right\">Reste dû</th></tr>{% for invoice in reminder.invoices %}<tr><td><a href=\"{{ invoice.link }}\">{{ invoice.number }}</a></td><td>{{ invoice.title }}</td><td>{{ invoice.dueOn | date }}</td><td align=\"right\">{{ invoice.balance | money }}</td></tr>{% endfor %}<tr><th>Total</th><td></td><td></td><th align=\"right\">{{ reminder.total | money }}</th></tr></tbody></table><p>{{note}}</p><p>Si vous avez déjà payé, merci : ne tenez pas compte de cet e-mail.</p><p>Cordialement<br />{{business}}</p>","button":"Voir et payer"},
"ar":{"subject":"تذكير: {{reminder.total | money}} مستحقة لـ {{business}}","preheader":"","bodyHtml":"<p>مرحبًا {{greeting}}،</p><p>بحسب سجلاتنا، المبالغ التالية مستحقة:</p><table><tbody><tr><th>الفاتورة</th><th>الموضوع</th><th>تاريخ الاستحقاق</th><th align=\"left\">المستحق</th></tr>{% for invoice in reminder.invoices %}<tr><td><a href=\"{{ invoice.link }}\">{{ invoice.number }}</a></td><td>{{ invoice.title }}</td><td>{{ invoice.dueOn | date }}</td><td align=\"left\">{{ invoice.balance | money }}</td></tr>{% endfor %}<tr><th>الإجمالي</th><td></td><td></td><th align=\"left\">{{ reminder.total | money }}</th></tr></tbody></table><p>{{note}}</p><p>إذا كنت قد دفعت بالفعل فشكرًا لك، ويمكنك تجاهل هذه الرسالة.</p><p>مع أطيب التحيات<br />{{business}}</p>","button":"عرض ودفع"}}$words$);
insert into ladder_words values (2, 'Reminder before the due day', false, $words${"en":{"subject":"Due soon: {{reminder.total | money}} to {{business}}","preheader":"","bodyHtml":"<p>Hello {{greeting}},</p><p>This is due soon:</p><table><tbody><tr><th>Invoice</th><th>For</th><th>Due</th><th align=\"right\">Owing</th></tr>{% for invoice in reminder.invoices %}<tr><td><a href=\"{{ invoice.link }}\">{{ invoice.number }}</a></td><td>{{ invoice.title }}</td><td>{{ invoice.dueOn | date }}</td><td align=\"right\">{{ invoice.balance | money }}</td></tr>{% endfor %}<tr><th>Total</th><td></td><td></td><th align=\"right\">{{ reminder.total | money }}</th></tr></tbody></table><p>{{note}}</p><p>If you’ve paid already, thank you: you can ignore this email.</p><p>Kind regards<br />{{business}}</p>","button":"View and pay"},
"fr":{"subject":"Bientôt à échéance : {{reminder.total | money}} à {{business}}","preheader":"","bodyHtml":"<p>Bonjour {{greeting}},</p><p>Ceci arrive bientôt à échéance :</p><table><tbody><tr><th>Facture</th><th>Objet</th><th>Échéance</th><th align=\"right\">Reste dû</th></tr>{% for invoice in reminder.invoices %}<tr><td><a href=\"{{ invoice.link }}\">{{ invoice.number }}</a></td><td>{{ invoice.title }}</td><td>{{ invoice.dueOn | date }}</td><td align=\"right\">{{ invoice.balance | money }}</td></tr>{% endfor %}<tr><th>Total</th><td></td><td></td><th align=\"right\">{{ reminder.total | money }}</th></tr></tbody></table><p>{{note}}</p><p>Si vous avez déjà payé, merci : ne tenez pas compte de cet e-mail.</p><p>Cordialement<br />{{business}}</p>","button":"Voir et payer"},
"ar":{"subject":"مستحق قريبًا: {{reminder.total | money}} لـ {{business}}","preheader":"","bodyHtml":"<p>مرحبًا {{greeting}}،</p><p>يحين قريبًا موعد دفع ما يلي:</p><table><tbody><tr><th>الفاتورة</th><th>الموضوع</th><th>تاريخ الاستحقاق</th><th align=\"left\">المستحق</th></tr>{% for invoice in reminder.invoices %}<tr><td><a href=\"{{ invoice.link }}\">{{ invoice.number }}</a></td><td>{{ invoice.title }}</td><td>{{ invoice.dueOn | date }}</td><td align=\"left\">{{ invoice.balance | money }}</td></tr>{% endfor %}<tr><th>الإجمالي</th><td></td><td></td><th align=\"left\">{{ reminder.total | money }}</th></tr></tbody></table><p>{{note}}</p><p>إذا كنت قد دفعت بالفعل فشكرًا لك، ويمكنك تجاهل هذه الرسالة.</p><p>مع أطيب التحيات<br />{{business}}</p>","button":"عرض ودفع"}}$words$);
insert into ladder_words values (3, 'Final reminder', false, $words${"en":{"subject":"Final reminder: {{reminder.total | money}} is owing to {{business}}","preheader":"","bodyHtml":"<p>Hello {{greeting}},</p><p>According to our records, this is still owing:</p><table><tbody><tr><th>Invoice</th><th>For</th><th>Due</th><th align=\"right\">Owing</th></tr>{% for invoice in reminder.invoices %}<tr><td><a href=\"{{ invoice.link }}\">{{ invoice.number }}</a></td><td>{{ invoice.title }}</td><td>{{ invoice.dueOn | date }}</td><td align=\"right\">{{ invoice.balance | money }}</td></tr>{% endfor %}<tr><th>Total</th><td></td><td></td><th align=\"right\">{{ reminder.total | money }}</th></tr></tbody></table><p>{{note}}</p><p>If something isn’t right, reply to this email. If you’ve paid already, thank you: you can ignore it.</p><p>Kind regards<br />{{business}}</p>","button":"View and pay"},
"fr":{"subject":"Dernier rappel : {{reminder.total | money}} à régler à {{business}}","preheader":"","bodyHtml":"<p>Bonjour {{greeting}},</p><p>Sauf erreur de notre part, il reste encore à régler :</p><table><tbody><tr><th>Facture</th><th>Objet</th><th>Échéance</th><th align=\"right\">Reste dû</th></tr>{% for invoice in reminder.invoices %}<tr><td><a href=\"{{ invoice.link }}\">{{ invoice.number }}</a></td><td>{{ invoice.title }}</td><td>{{ invoice.dueOn | date }}</td><td align=\"right\">{{ invoice.balance | money }}</td></tr>{% endfor %}<tr><th>Total</th><td></td><td></td><th align=\"right\">{{ reminder.total | money }}</th></tr></tbody></table><p>{{note}}</p><p>Si quelque chose n’est pas exact, répondez à cet e-mail. Si vous avez déjà payé, merci : n’en tenez pas compte.</p><p>Cordialement<br />{{business}}</p>","button":"Voir et payer"},
"ar":{"subject":"تذكير أخير: {{reminder.total | money}} مستحقة لـ {{business}}","preheader":"","bodyHtml":"<p>مرحبًا {{greeting}}،</p><p>بحسب سجلاتنا، ما زالت المبالغ التالية مستحقة:</p><table><tbody><tr><th>الفاتورة</th><th>الموضوع</th><th>تاريخ الاستحقاق</th><th align=\"left\">المستحق</th></tr>{% for invoice in reminder.invoices %}<tr><td><a href=\"{{ invoice.link }}\">{{ invoice.number }}</a></td><td>{{ invoice.title }}</td><td>{{ invoice.dueOn | date }}</td><td align=\"left\">{{ invoice.balance | money }}</td></tr>{% endfor %}<tr><th>الإجمالي</th><td></td><td></td><th align=\"left\">{{ reminder.total | money }}</th></tr></tbody></table><p>{{note}}</p><p>إذا كان هناك خطأ فأجب عن هذه الرسالة. وإذا كنت قد دفعت بالفعل فشكرًا لك، ويمكنك تجاهلها.</p><p>مع أطيب التحيات<br />{{business}}</p>","button":"عرض ودفع"}}$words$);
create temp table ladder_templates as
  select b.guid as business_guid, w.place, new_guid() as guid, new_guid() as version_guid, w.words, w.is_usual and not exists (
      select from templates t where t.business_guid = b.guid and t.kind = 'reminder' and t.is_default) as is_default,
    w.name || case when exists (select from templates t where t.business_guid = b.guid and t.archived_at is null
      and lower(t.name) = lower(w.name)) then ' ' || right(b.guid::text, 6) else '' end as name
  from businesses b cross join ladder_words w
  where not w.is_usual or not exists (select from templates t where t.business_guid = b.guid and t.kind = 'reminder' and t.is_default);
insert into templates (guid, business_guid, kind, name, purpose)
  select guid, business_guid, 'reminder', name, 'billing' from ladder_templates;
insert into template_versions (guid, template_guid, number, languages, activated_at)
  select version_guid, guid, 1, words, now() from ladder_templates;
update templates t set active_version_guid = l.version_guid, is_default = l.is_default
  from ladder_templates l where l.guid = t.guid;

-- The ladder is there, and somebody has to turn it on.
insert into mail_policies (guid, business_guid) select new_guid(), guid from businesses;
insert into reminder_policies (guid, business_guid, starts_on, steps)
  select new_guid(), b.guid, (now() at time zone b.time_zone)::date, jsonb_build_array(
    jsonb_build_object('days', -3, 'templateGuid', soon.guid), jsonb_build_object('days', 1, 'templateGuid', late.guid),
    jsonb_build_object('days', 7, 'templateGuid', late.guid), jsonb_build_object('days', 14, 'templateGuid', final.guid),
    jsonb_build_object('days', 30, 'templateGuid', final.guid))
  from businesses b
  join ladder_templates soon on soon.business_guid = b.guid and soon.place = 2
  join ladder_templates final on final.business_guid = b.guid and final.place = 3
  join templates late on late.business_guid = b.guid and late.kind = 'reminder' and late.is_default;
drop table ladder_templates, ladder_words;
