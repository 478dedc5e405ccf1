-- A quote is talked about until somebody signs: what its customer may change himself, what he asks for, what he is answered, and what
-- each side had before the eyes.
do $$
declare
  lines text;
begin
  foreach lines in array array['quote_lines', 'order_lines', 'invoice_lines'] loop
    execute format($sql$alter table %1$I
      -- Between which quantities its customer may choose, and in which steps from the least; quotes alone say so.
      add column quantity_min numeric(12, 4),
      add column quantity_max numeric(12, 4),
      add column quantity_step numeric(12, 4),
      add constraint %2$I check (num_nonnulls(quantity_min, quantity_max, quantity_step) in (0, 3)
        and quantity_min >= 0 and quantity_max > quantity_min and quantity_step > 0
        and quantity between quantity_min and quantity_max)$sql$, lines, lines || '_range');
  end loop;
end $$;

-- The first of its revisions: what is said of one is said of all.
alter table quotes add column root_guid uuid references quotes;
with recursive families as (
  select guid, guid as root_guid from quotes where previous_revision_guid is null
  union all
  select q.guid, f.root_guid from quotes q join families f on f.guid = q.previous_revision_guid
)
update quotes q set root_guid = f.root_guid from families f where f.guid = q.guid;
-- the trigger names it; the default lets it be left out
alter table quotes alter column root_guid set not null, alter column root_guid set default '00000000-0000-0000-0000-000000000000';
create index quotes_root on quotes (root_guid, revision);
create function name_root() returns trigger language plpgsql as $$
begin
  new.root_guid := coalesce((select root_guid from quotes where guid = new.previous_revision_guid), new.guid);
  return new;
end $$;
create trigger quotes_root before insert on quotes for each row execute function name_root();

-- What a customer asks of a quote that was sent: a word, another quantity, to leave a line out.
create table quote_asks (
  guid uuid constraint quote_asks_key primary key default new_guid(),
  quote_guid uuid not null references quotes,
  -- deferred: what a customer answers puts the same lines in place anew
  line_guid uuid references quote_lines deferrable initially deferred,
  kind text not null constraint quote_ask_kind_known check (kind in ('comment', 'quantity', 'drop')),
  body text constraint quote_ask_length check (length(body) between 1 and 2000),
  quantity numeric(12, 4) constraint quote_ask_quantity check (quantity >= 0),
  -- what it alone would change, GST included
  effect_cents bigint,
  asked_at timestamptz not null,
  constraint quote_ask_says check (case kind
    when 'comment' then body is not null and quantity is null and effect_cents is null
    when 'quantity' then line_guid is not null and quantity is not null
    else line_guid is not null and quantity is null end)
);
create index quote_asks_quote on quote_asks (quote_guid, asked_at, guid);
create index quote_asks_line on quote_asks (line_guid) where line_guid is not null;
create trigger quote_asks_append_only before update or delete on quote_asks for each row execute function refuse_change();

create table quote_answers (
  ask_guid uuid constraint quote_answers_key primary key references quote_asks,
  outcome text not null constraint quote_answer_known check (outcome in ('agreed', 'declined', 'countered', 'withdrawn')),
  body text constraint quote_answer_length check (length(body) between 1 and 2000),
  quantity numeric(12, 4) constraint quote_answer_quantity check (quantity >= 0),
  unit_price_cents bigint,
  answered_at timestamptz not null,
  -- nobody of ours where the customer took it back
  answered_by uuid references users,
  constraint quote_answer_counters check ((outcome = 'countered') = (num_nonnulls(quantity, unit_price_cents) > 0))
);
create index quote_answers_by on quote_answers (answered_by) where answered_by is not null;
create trigger quote_answers_append_only before update or delete on quote_answers for each row execute function refuse_change();

-- What somebody had before the eyes, as canonical JSON under its hash.
create table frame_contents (
  sha256 text constraint frame_contents_key primary key constraint frame_hash_shape check (sha256 ~ '^[0-9a-f]{64}$'),
  content text not null
);
create trigger frame_contents_append_only before update or delete on frame_contents for each row execute function refuse_change();
create table quote_frames (
  guid uuid constraint quote_frames_key primary key default new_guid(),
  root_guid uuid not null references quotes,
  quote_guid uuid not null references quotes,
  -- counts from one in all revisions
  position integer not null constraint quote_frame_position check (position > 0),
  reason text not null constraint quote_frame_reason_known check
    (reason in ('sent', 'viewed', 'asked', 'withdrawn', 'answered', 'accepted', 'declined')),
  content_sha256 text not null references frame_contents,
  framed_at timestamptz not null,
  ip text,
  -- what is said of it in the evidence, to the letter, and the hash of all that was said until then
  event text not null,
  chain_sha256 text not null constraint quote_frame_chain_shape check (chain_sha256 ~ '^[0-9a-f]{64}$'),
  constraint quote_frame_order unique (root_guid, position)
);
create index quote_frames_quote on quote_frames (quote_guid, position);
create index quote_frames_content on quote_frames (content_sha256);
create trigger quote_frames_append_only before update or delete on quote_frames for each row execute function refuse_change();
