-- Lines that lie below another: parts of a bundle, fees and products that came with an answer. Whoever reads a document in its order
-- meets the line they belong to first, and nothing lies deeper than one step.
create function refuse_stray_child() returns trigger language plpgsql as $$
declare
  has_parent boolean;
begin
  execute format(
    'select exists (select from %1$I p where p.guid = $1 and p.%2$I = $2 and p.position < $3 and p.parent_line_guid is null)',
    tg_table_name, tg_argv[0]
  ) using new.parent_line_guid, (to_jsonb(new) ->> tg_argv[0])::uuid, new.position into has_parent;
  if not has_parent then
    raise exception 'a line below another stands behind it in the same document'
      using errcode = 'check_violation', constraint = tg_table_name || '_parent_first', table = tg_table_name;
  end if;
  return null;
end $$;

do $$
declare
  kind text;
  lines text;
begin
  foreach kind in array array['quote', 'order', 'invoice'] loop
    lines := kind || '_lines';
    execute format($sql$alter table %1$I
      -- Of a bundle, whether its customer sees its parts: as the catalogue said on the day it was priced.
      add column shows_parts boolean,
      add constraint %2$I foreign key (parent_line_guid) references %1$I$sql$, lines, lines || '_parent_line_guid_fkey');
    execute format('create constraint trigger %I after insert or update of parent_line_guid, position, %I on %I
      for each row when (new.parent_line_guid is not null) execute function refuse_stray_child(%L)',
      lines || '_parent_first', kind || '_guid', lines, kind || '_guid');
  end loop;
end $$;
