-- How far a test of an email account is: whoever waits for it sees each step as it comes. It is forgotten after an hour.
create table email_account_tests (
  run uuid constraint email_account_tests_key primary key,
  account_guid uuid not null references email_accounts,
  -- [{ step, ok, ms, said }]
  steps jsonb not null default '[]',
  began_at timestamptz not null,
  constraint email_account_tests_steps check (jsonb_typeof(steps) = 'array')
);
create index email_account_tests_account on email_account_tests (account_guid);
create index email_account_tests_began on email_account_tests (began_at);
