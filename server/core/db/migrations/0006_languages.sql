-- The language a customer reads: documents, messages and the customer's own pages.
alter table customers add column language text not null default 'en' constraint customer_language_known check (language in ('en', 'fr', 'ar'));
