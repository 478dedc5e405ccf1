-- Who a mail that is kept away says it is from, and what about: as far as its headers could be read alone, as plain words.
alter table inbound_mails
  add column sender text constraint inbound_sender_length check (length(sender) <= 400),
  add column subject text constraint inbound_subject_length check (length(subject) <= 200),
  -- Of a mail that was read its message says both.
  add constraint inbound_headers_while_kept_away check (state not in ('filed', 'unmatched', 'bounce') or (sender is null and subject is null));
