-- What a mailbox said when it could not be read last; sending and reading fail each for itself.
alter table email_accounts
  add column read_said text,
  -- Mail of before is not taken in: the mailbox was named later than the account.
  add column mailbox_since timestamptz;
update email_accounts set read_said = last_said, last_said = null where failures = 0 and imap is not null;
