-- Themes: how emails, papers and the customers' pages look.
create table themes (
  guid uuid constraint themes_key primary key,
  version int not null default 1,
  business_guid uuid not null references businesses,
  name text not null constraint theme_name_length check (length(name) between 1 and 80),
  is_default boolean not null default false,
  -- the version that dresses; none while the theme is a draft
  active_guid uuid,
  created_at timestamptz not null default now(),
  created_by uuid references users,
  updated_at timestamptz not null default now(),
  updated_by uuid references users,
  archived_at timestamptz,
  status text not null generated always as
    (case when archived_at is not null then 'archived' when active_guid is null then 'draft' else 'active' end) stored,
  constraint theme_default_dresses check (not is_default or (active_guid is not null and archived_at is null))
);
create unique index theme_name_taken on themes (business_guid, lower(name)) where archived_at is null;
create unique index theme_default_once on themes (business_guid) where is_default;
create index themes_by_name on themes (business_guid, name, guid);
create index themes_by_created on themes (business_guid, created_at, guid);
create index themes_created_by on themes (created_by);
create index themes_updated_by on themes (updated_by);

create table theme_versions (
  guid uuid constraint theme_versions_key primary key default new_guid(),
  theme_guid uuid not null references themes,
  number int not null constraint theme_version_number check (number >= 1),
  -- six colours each: primary, background, surface, text, muted, link
  light jsonb not null constraint theme_light_shape check (jsonb_typeof(light) = 'object'),
  dark jsonb not null constraint theme_dark_shape check (jsonb_typeof(dark) = 'object'),
  radius int not null constraint theme_radius check (radius between 0 and 16),
  font text not null constraint theme_font check (font in ('public-sans', 'system', 'georgia', 'arial')),
  -- Of a logo the file it was chosen as, where it was one, and what is drawn of it.
  logo_file_guid uuid references files,
  logo_sha256 text,
  logo_mime text,
  logo_dark_file_guid uuid references files,
  logo_dark_sha256 text,
  logo_dark_mime text,
  footer_html jsonb not null constraint theme_footer_shape check (jsonb_typeof(footer_html) = 'object'),
  created_at timestamptz not null default now(),
  created_by uuid references users,
  constraint theme_version_once unique (theme_guid, number),
  constraint theme_version_of unique (guid, theme_guid)
);
create index theme_versions_logo on theme_versions (logo_file_guid) where logo_file_guid is not null;
create index theme_versions_logo_dark on theme_versions (logo_dark_file_guid) where logo_dark_file_guid is not null;
create index theme_versions_created_by on theme_versions (created_by);
alter table themes add constraint theme_active_is_own
  foreign key (active_guid, guid) references theme_versions (guid, theme_guid);
create index themes_active on themes (active_guid);

-- What was sent or issued in a version keeps it.
create function keep_theme_versions() returns trigger language plpgsql as $$
begin
  raise exception 'a version of a theme does not change'
    using errcode = 'restrict_violation', constraint = 'theme_versions_are_kept';
end $$;
create trigger theme_versions_kept before update or delete on theme_versions
  for each row execute function keep_theme_versions();

create trigger themes_live after insert or update on themes for each row execute function notify_change('Themes');

-- The colour and the logo of a business are those of its default theme.
create function wear_default_theme() returns trigger language plpgsql as $$
begin
  if new.is_default then
    update businesses b set primary_colour = v.light ->> 'primary', logo_sha256 = v.logo_sha256, logo_mime = v.logo_mime
    from theme_versions v
    where v.guid = new.active_guid and b.guid = new.business_guid
      and (b.primary_colour, b.logo_sha256, b.logo_mime)
        is distinct from (v.light ->> 'primary', v.logo_sha256, v.logo_mime);
  end if;
  return null;
end $$;
create trigger themes_dress after insert or update of is_default, active_guid on themes
  for each row execute function wear_default_theme();

alter table messages add column theme_version_guid uuid references theme_versions;
create index messages_theme_version on messages (theme_version_guid) where theme_version_guid is not null;

-- Businesses of before get the theme they wear: their colour, and links in the shade of it that is read on both grounds.
create function pg_temp.luminance(rgb float8[]) returns float8 language sql immutable as $$
  select sum(weight * case when c / 255 <= 0.04045 then c / 255 / 12.92 else ((c / 255 + 0.055) / 1.055) ^ 2.4 end)
  from unnest(rgb, array[0.2126, 0.7152, 0.0722]::float8[]) as part (c, weight)
$$;
create function pg_temp.rgb_of(colour text) returns float8[] language sql immutable as $$
  select array_agg(get_byte(decode(substr(colour, 2), 'hex'), i)::float8 order by i) from generate_series(0, 2) i
$$;
create function pg_temp.least(rgb float8[], grounds text[]) returns float8 language sql immutable as $$
  select min(floor((greatest(own, other) + 0.05) / (least(own, other) + 0.05) * 100) / 100)
  from (select pg_temp.luminance(rgb) as own, pg_temp.luminance(pg_temp.rgb_of(g)) as other from unnest(grounds) g) pairs
$$;
create function pg_temp.shade(colour text, grounds text[], other text) returns text language plpgsql immutable as $$
declare
  rgb float8[] := pg_temp.rgb_of(colour);
  high float8 := greatest(rgb[1], rgb[2], rgb[3]);
  low float8 := least(rgb[1], rgb[2], rgb[3]);
  light float8 := (high + low) / 2;
  chroma float8 := high - low;
  hue float8 := 0;
  saturation float8 := 0;
  moved float8;
  made float8[];
  middle float8;
  best text;
  best_ratio float8;
begin
  if pg_temp.least(rgb, grounds) >= 4.5 then return colour; end if;
  if chroma > 0 then
    saturation := chroma / (255 - abs(2 * light - 255));
    hue := case high
      when rgb[1] then (rgb[2] - rgb[3]) / chroma + case when rgb[2] < rgb[3] then 6 else 0 end
      when rgb[2] then (rgb[3] - rgb[1]) / chroma + 2
      else (rgb[1] - rgb[2]) / chroma + 4 end;
  end if;
  for step in 1..255 loop
    best := null;
    foreach moved in array array[light - step, light + step] loop
      continue when moved < 0 or moved > 255;
      chroma := saturation * (255 - abs(2 * moved - 255));
      middle := chroma * (1 - abs(hue - 2 * floor(hue / 2) - 1));
      made := case floor(hue)::int % 6
        when 0 then array[chroma, middle, 0] when 1 then array[middle, chroma, 0] when 2 then array[0, chroma, middle]
        when 3 then array[0, middle, chroma] when 4 then array[middle, 0, chroma] else array[chroma, 0, middle] end;
      made := array(select floor(c + moved - chroma / 2 + 0.5) from unnest(made) with ordinality as part (c, i) order by i);
      if pg_temp.least(made, grounds) >= 4.5 and (best is null or pg_temp.least(made, grounds) > best_ratio) then
        best_ratio := pg_temp.least(made, grounds);
        best := (select '#' || upper(string_agg(lpad(to_hex(c::int), 2, '0'), '' order by i))
          from unnest(made) with ordinality as part (c, i));
      end if;
    end loop;
    if best is not null then return best; end if;
  end loop;
  return other;
end $$;

insert into themes (guid, business_guid, name, created_at, updated_at)
select new_guid(), guid, 'Standard', created_at, created_at from businesses;
insert into theme_versions (theme_guid, number, light, dark, radius, font, logo_sha256, logo_mime, footer_html, created_at)
select t.guid, 1,
  jsonb_build_object('primary', b.primary_colour, 'background', '#F4F3F7', 'surface', '#FFFFFF', 'text', '#2F2B3D',
    'muted', '#6D6B77', 'link', pg_temp.shade(b.primary_colour, array['#F4F3F7', '#FFFFFF'], '#2F2B3D')),
  jsonb_build_object('primary', b.primary_colour, 'background', '#1B1A22', 'surface', '#26242F', 'text', '#E7E5F0',
    'muted', '#A5A2B5', 'link', pg_temp.shade(b.primary_colour, array['#1B1A22', '#26242F'], '#E7E5F0')),
  8, 'public-sans', b.logo_sha256, b.logo_mime, '{"en": ""}', t.created_at
from themes t join businesses b on b.guid = t.business_guid;
update themes t set active_guid = v.guid, is_default = true from theme_versions v where v.theme_guid = t.guid;
