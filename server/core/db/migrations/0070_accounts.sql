-- Every legal entity has a chart of accounts: those with a role are posted to by what happens to documents and money,
-- the others by hand. What was posted until now keeps its amounts and points at the same codes.
alter table businesses
  add column gst_basis text not null default 'accrual' constraint business_gst_basis check (gst_basis in ('accrual', 'cash')),
  add column bas_cycle text not null default 'quarterly' constraint business_bas_cycle check (bas_cycle in ('monthly', 'quarterly', 'annual')),
  -- what one person gives back to one customer in 24 hours before somebody else must approve it
  add column refund_limit_cents bigint not null default 100000 constraint business_refund_limit check (refund_limit_cents >= 0),
  -- what may be written off of an invoice with its payment
  add column write_off_limit_cents bigint not null default 500 constraint business_write_off_limit check (write_off_limit_cents >= 0);

create table accounts (
  guid uuid constraint accounts_key primary key default new_guid(),
  business_guid uuid not null references businesses,
  version integer not null default 1,
  code text not null constraint account_code_shape check (code ~ '^[0-9]{3,6}$'),
  name text not null constraint account_name check (length(name) between 1 and 80),
  type text not null constraint account_type_known check (type in ('asset', 'liability', 'equity', 'income', 'expense')),
  role text constraint account_role_known check (role in ('bank', 'cardClearing', 'payoutsInTransit', 'disputedFunds', 'moneyOut',
    'receivable', 'gstCollected', 'gstNotDue', 'gstForward', 'customerDeposits', 'securityDeposits', 'customerCredit', 'suspense', 'sales',
    'cardFees', 'gstOnFees', 'badDebts', 'rounding')),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  constraint account_code_taken unique (business_guid, code),
  constraint account_role_taken unique (business_guid, role)
);
create index accounts_created_by on accounts (created_by) where created_by is not null;
create index accounts_updated_by on accounts (updated_by) where updated_by is not null;

-- Code, type and role are what postings and reports go by.
create function keep_account() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'accounts stay' using errcode = 'check_violation', constraint = 'account_stays', table = 'accounts';
  end if;
  if (old.guid, old.business_guid, old.code, old.type, old.role) is distinct from (new.guid, new.business_guid, new.code, new.type, new.role) then
    raise exception 'an account keeps its code, type and role' using errcode = 'check_violation', constraint = 'account_stays', table = 'accounts';
  end if;
  return new;
end $$;
create trigger accounts_stay before update or delete on accounts for each row execute function keep_account();

create function open_accounts(business uuid) returns void language sql as $$
  insert into accounts (business_guid, code, name, type, role) values
    (business, '1000', 'Bank', 'asset', 'bank'),
    (business, '1010', 'Card clearing', 'asset', 'cardClearing'),
    (business, '1020', 'Payouts in transit', 'asset', 'payoutsInTransit'),
    (business, '1030', 'Disputed funds', 'asset', 'disputedFunds'),
    (business, '1040', 'Money on its way out', 'liability', 'moneyOut'),
    (business, '1100', 'Accounts receivable', 'asset', 'receivable'),
    (business, '2100', 'GST collected', 'liability', 'gstCollected'),
    (business, '2105', 'GST not yet due', 'liability', 'gstNotDue'),
    (business, '2106', 'GST brought forward', 'asset', 'gstForward'),
    (business, '2200', 'Customer deposits', 'liability', 'customerDeposits'),
    (business, '2250', 'Security deposits', 'liability', 'securityDeposits'),
    (business, '2300', 'Customer credit (unallocated)', 'liability', 'customerCredit'),
    (business, '2900', 'Suspense', 'liability', 'suspense'),
    (business, '4000', 'Sales', 'income', 'sales'),
    (business, '6100', 'Card fees', 'expense', 'cardFees'),
    (business, '6110', 'GST on fees', 'asset', 'gstOnFees'),
    (business, '6200', 'Bad debts', 'expense', 'badDebts'),
    (business, '6900', 'Rounding', 'expense', 'rounding')
$$;
select open_accounts(guid) from businesses where parent_guid is null;

create function open_books() returns trigger language plpgsql as $$
begin
  perform open_accounts(new.guid);
  return null;
end $$;
create trigger businesses_open_books after insert on businesses for each row when (new.parent_guid is null) execute function open_books();

-- The books of a brand are those of its legal entity.
create or replace function dress_business() returns trigger language plpgsql as $$
declare
  parent businesses;
begin
  if tg_op = 'UPDATE' and new.parent_guid is distinct from old.parent_guid then
    raise exception 'a business stays the brand it is' using errcode = 'check_violation', constraint = 'business_parent_stays';
  end if;
  new.customers_of := coalesce(new.customers_of, new.guid);
  new.catalogue_of := coalesce(new.catalogue_of, new.guid);
  if new.parent_guid is null then return new; end if;
  -- Shared, so that a change of the entity waits and then dresses this brand, too.
  select * into parent from businesses where guid = new.parent_guid for share;
  if parent.guid is null or parent.parent_guid is not null then
    raise exception 'a brand has no brands' using errcode = 'check_violation', constraint = 'business_parent_is_entity';
  end if;
  new.legal_name := parent.legal_name;
  new.abn := parent.abn;
  new.gst_registered := parent.gst_registered;
  new.bank_account := parent.bank_account;
  new.began_on := parent.began_on;
  new.gst_basis := parent.gst_basis;
  new.bas_cycle := parent.bas_cycle;
  new.refund_limit_cents := parent.refund_limit_cents;
  new.write_off_limit_cents := parent.write_off_limit_cents;
  if new.trading_name is null then
    raise exception 'a brand needs a name' using errcode = 'check_violation', constraint = 'brand_has_name';
  end if;
  return new;
end $$;
drop trigger businesses_dress_brands on businesses;
create trigger businesses_dress_brands after update on businesses for each row
  when (new.parent_guid is null and (old.legal_name, old.abn, old.gst_registered, old.bank_account, old.began_on, old.gst_basis, old.bas_cycle,
      old.refund_limit_cents, old.write_off_limit_cents)
    is distinct from (new.legal_name, new.abn, new.gst_registered, new.bank_account, new.began_on, new.gst_basis, new.bas_cycle,
      new.refund_limit_cents, new.write_off_limit_cents)) execute function dress_brands();

-- One entry mirrors another at most once.
alter table journal_entries add column reverses_guid uuid constraint journal_entry_reverses references journal_entries,
  add constraint journal_reversed_once unique (reverses_guid),
  add constraint journal_entries_with_entity unique (guid, entity_guid),
  drop constraint journal_entries_source_check,
  add constraint journal_source_known check (source in ('invoice', 'void', 'payment', 'adjustment_note', 'refund', 'payment_reversal',
    'allocation', 'unallocation', 'write_off', 'recovery', 'deposit_forfeited', 'gst_forward', 'basis_change', 'manual', 'reversal')),
  add constraint journal_reversal_reverses check ((source = 'reversal') = (reverses_guid is not null));

-- `business_guid` is the legal entity's, whose books they are.
alter table journal_lines
  add column business_guid uuid,
  add column revenue_stream_guid uuid references revenue_streams,
  add column gst_code text,
  add column customer_guid uuid references customers;
alter table journal_lines disable trigger user;
update journal_lines l set business_guid = e.entity_guid,
  customer_guid = case when l.account in ('1100', '2300') then coalesce(i.customer_guid, p.customer_guid, q.customer_guid) end
  from journal_entries e
  left join invoices i on e.source in ('invoice', 'void', 'adjustment_note') and i.guid = e.source_guid
  left join payments p on e.source = 'payment' and p.guid = e.source_guid
  left join refunds r on e.source = 'refund' and r.guid = e.source_guid
  left join payments q on q.guid = r.payment_guid
  where e.guid = l.entry_guid;
alter table journal_lines enable trigger user;
create function fill_books() returns trigger language plpgsql as $$
begin
  select e.entity_guid into new.business_guid from journal_entries e where e.guid = new.entry_guid;
  return new;
end $$;
create trigger journal_lines_books before insert on journal_lines for each row when (new.business_guid is null) execute function fill_books();
alter table journal_lines alter column business_guid set not null,
  add constraint journal_line_account foreign key (business_guid, account) references accounts (business_guid, code),
  add constraint journal_line_books foreign key (entry_guid, business_guid) references journal_entries (guid, entity_guid);
create index journal_lines_stream on journal_lines (revenue_stream_guid) where revenue_stream_guid is not null;
create index journal_lines_customer on journal_lines (customer_guid) where customer_guid is not null;
