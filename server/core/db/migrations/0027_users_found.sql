-- Users are found like other records, by the text that their row in `contract/nouns.ts` says.
alter table users add column search_text text not null
  generated always as (lower(first_name || ' ' || last_name || ' ' || auth_id || ' ' || email)) stored;
create index users_search on users using gin (search_text gin_trgm_ops);
