-- Account emails join the messages in one outbox. What a row says is frozen in `facts` when it is queued and becomes words when
-- it is sent: a row has the one or the other. Those of an account email stay for as long as it waits, and it never keeps words.
alter table messages
  alter column business_guid drop not null,
  alter column body_html drop not null,
  alter column body_text drop not null,
  add column facts jsonb,
  drop constraint messages_owner_type_check,
  add constraint messages_owner_known check (owner_type in ('quote', 'order', 'invoice', 'payment', 'refund', 'user')),
  -- What is written about a login belongs to no business, and so to no list of messages.
  add constraint messages_of_business check ((business_guid is null) = (owner_type is not distinct from 'user')),
  add constraint messages_worded check (case when owner_type is not distinct from 'user'
    then body_html is null and body_text is null and raw_sha256 is null and (facts is not null) = (status in ('queued', 'sending', 'deferred'))
    else (facts is null) = (body_html is not null) and (body_html is null) = (body_text is null) end);

create function forget_account_email() returns trigger language plpgsql as $$
begin
  new.facts := null;
  return new;
end $$;
create trigger messages_forgotten before update on messages for each row
  when (new.owner_type = 'user' and new.status not in ('queued', 'sending', 'deferred')) execute function forget_account_email();

drop trigger messages_live on messages;
create trigger messages_live after insert or update on messages for each row
  when (new.business_guid is not null) execute function notify_change('Messages');
