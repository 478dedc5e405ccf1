-- Another mailbox numbers its mails by itself: the same number names another mail there. An account counts its mailboxes.
alter table email_accounts
  add column mailbox int not null default 1,
  -- Since when its servers have answered as they are set up; nobody asked them before.
  add column answered_at timestamptz;
alter table inbound_mails
  add column mailbox int not null default 1,
  drop constraint inbound_mail_once,
  add constraint inbound_mail_once unique (account_guid, mailbox, uid_validity, uid);
update email_accounts a set answered_at = (select max(m.account_at) from messages m
  where m.account_guid = a.guid and m.status in ('sent', 'delivered', 'bounced'));
