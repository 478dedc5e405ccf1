-- The PDF of a document as it was last drawn: `content_sha256` names all it was drawn from, `file_sha256` the bytes in the file store.
create table document_pdfs (
  kind text not null check (kind in ('quote', 'order', 'invoice')),
  record_guid uuid not null,
  content_sha256 text not null,
  file_sha256 text not null,
  drawn_at timestamptz not null,
  primary key (kind, record_guid)
);
