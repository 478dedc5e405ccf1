-- What customers send through their links is known from what staff add; nobody of ours has sent it.
alter table files add column is_from_customer boolean not null default false;
