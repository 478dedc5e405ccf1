import type pg from 'pg'

/** A table whose rows are noted in `ledger_log`, each time they are written, by the digest of what stands in them. */
interface LedgerRows {
  kind: 'rows'
  table: string
  /** The noun that people know it by. */
  entity: string
  /** The uuid a row has in the log. */
  key: (row: string) => string
  /** Which rows are noted: drafts are not in the books yet. */
  isBooked: (row: string) => string
  /** Columns the digest leaves out, with the reason. */
  ignored: Record<string, string>
  /** Its lines, when they are noted at the moment it enters the books. */
  lines?: string
}

/** Lines are noted together, by the digest of all of them. */
interface LedgerLines {
  kind: 'lines'
  table: string
  entity: string
  parent: string
  parentKey: string
  /** What they are put in order by. */
  order: string
  /** Whether lines move once their document is in the books. */
  areMutable: boolean
}

export type LedgerSubject = LedgerRows | LedgerLines

const always = () => 'true'
const guid = (row: string) => `${row}.guid`
const rows = (table: string, entity: string, more: Partial<LedgerRows> = {}): LedgerRows => ({
  kind: 'rows',
  table,
  entity,
  key: guid,
  isBooked: always,
  ignored: {},
  ...more,
})
const lines = (
  table: string,
  entity: string,
  parent: string,
  parentKey: string,
  more: Partial<LedgerLines> = {},
): LedgerLines => ({ kind: 'lines', table, entity, parent, parentKey, order: 'guid', areMutable: true, ...more })

const looks = {
  last_viewed_at: 'moves with every look at a page and says nothing about money',
  view_count: 'moves with every look at a page and says nothing about money',
}
const frozen = { snapshot: 'is proven by its own hash, which is noted' }
const isSettled = (row: string) => `${row}.status in ('succeeded', 'failed')`

/** Every table of money. Whoever adds one adds it here. */
export const ledgerSubjects: readonly LedgerSubject[] = [
  rows('quotes', 'Quotes', {
    isBooked: (row) => `${row}.status <> 'draft'`,
    ignored: { ...looks, ...frozen },
    lines: 'quote_lines',
  }),
  lines('quote_lines', 'Quotes', 'quotes', 'quote_guid'),
  rows('orders', 'Orders'),
  lines('order_lines', 'Orders', 'orders', 'order_guid'),
  lines('order_stages', 'Orders', 'orders', 'order_guid', { order: 'position' }),
  rows('order_costs', 'Orders'),
  rows('hire_runs', 'Orders'),
  rows('hire_returns', 'Orders'),
  rows('hire_bills', 'Orders'),
  rows('change_orders', 'Orders'),
  rows('order_supplies', 'Orders'),
  rows('gst_forwards', 'Orders'),
  rows('invoices', 'Invoices', {
    isBooked: (row) => `${row}.number is not null`,
    ignored: { ...looks, ...frozen },
    lines: 'invoice_lines',
  }),
  lines('invoice_lines', 'Invoices', 'invoices', 'invoice_guid', { areMutable: false }),
  rows('write_offs', 'Invoices'),
  rows('invoice_instalments', 'Invoices'),
  rows('payment_attempts', 'Payments', { isBooked: isSettled }),
  rows('payment_attempt_parts', 'Payments'),
  rows('payments', 'Payments'),
  rows('payment_allocations', 'Payments'),
  rows('payment_reversals', 'Payments'),
  rows('refund_requests', 'Refunds'),
  rows('refund_attempts', 'Refunds', { isBooked: isSettled }),
  rows('refunds', 'Refunds'),
  rows('webhook_events', 'Payments'),
  rows('webhook_outcomes', 'Payments', { key: (row) => `${row}.event_guid` }),
  rows('charge_releases', 'Payments'),
  rows('payment_disputes', 'Payments'),
  rows('statements', 'Customers'),
  rows('accounts', 'Journals'),
  rows('period_locks', 'Journals'),
  rows('basis_changes', 'Journals'),
  rows('journal_entries', 'Journals'),
  lines('journal_lines', 'Journals', 'journal_entries', 'entry_guid', { order: 'position' }),
  rows('number_counters', 'Businesses', {
    key: (row) => `md5(${row}.business_guid::text || ${row}.kind)::uuid`,
    ignored: { next: 'moves with every number; the numbers that were given prove it' },
  }),
]

export interface Column {
  name: string
  type: string
}

/** The columns of a table that somebody writes; computed ones follow from them. */
const columnsOf = `select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attname`

/** The columns that the digest of a subject is made of. */
export const noted = (subject: LedgerSubject, columns: readonly Column[]): Column[] =>
  columns.filter(({ name }) => subject.kind === 'lines' || !(name in subject.ignored))

/** Arguments a function of PostgreSQL may have are a hundred. */
const pairsPerObject = 40

/**
 * The digest of a row, the same in every session. Empty columns are left out, so that one added later
 * changes no digest by being there.
 */
const digestOf = (columns: readonly Column[], row: string): string => {
  const pairs = columns.map(
    ({ name, type }) =>
      `'${name}', ${type.startsWith('timestamp with') ? `extract(epoch from ${row}.${name})` : `${row}.${name}`}`,
  )
  const objects = Array.from(
    { length: Math.ceil(pairs.length / pairsPerObject) },
    (_, i) => `jsonb_build_object(${pairs.slice(i * pairsPerObject, (i + 1) * pairsPerObject).join(', ')})`,
  )
  return `sha256(convert_to(jsonb_strip_nulls(${objects.join(' || ')})::text, 'UTF8'))`
}

/** The digest of all lines of one document; null when there are none. */
const digestOfLines = (subject: LedgerLines, columns: readonly Column[], row: string) => {
  const digests = `encode(${digestOf(columns, row)}, 'hex')`
  return `sha256(convert_to(string_agg(${digests}, '' order by ${row}.${subject.order}), 'UTF8'))`
}

/** Every record of a subject as it stands, with its digest and whether it must be in the log. */
export const recordsOf = (subject: LedgerSubject, columns: readonly Column[]): string => {
  if (subject.kind === 'rows')
    return `select ${subject.key('t')} as record, ${digestOf(columns, 't')} as digest,
      ${subject.isBooked('t')} as is_booked
      from public.${subject.table} t`
  const record = `t.${subject.parentKey}`
  return `select ${record} as record, ${digestOfLines(subject, columns, 't')} as digest,
    ${isBookedParent(subject, record)} as is_booked
    from public.${subject.table} t group by ${record}`
}

const parentOf = ({ parent }: LedgerLines) =>
  ledgerSubjects.find((s): s is LedgerRows => s.kind === 'rows' && s.table === parent)
const isBookedParent = (subject: LedgerLines, key: string) => {
  const isBooked = parentOf(subject)?.isBooked ?? always
  return isBooked('p') === 'true'
    ? 'true'
    : `(select ${isBooked('p')} from public.${subject.parent} p where p.guid = ${key})`
}

/** What the log says last of every record. */
export const lastNoted = (subject: LedgerSubject) =>
  `select distinct on (record) record, digest from public.ledger_log
    where subject = '${subject.table}' order by record, id desc`

const note = (subject: string, values: string) =>
  `insert into public.ledger_log (subject, record, digest) values ('${subject}', ${values});`
const fn = (name: string, body: string) =>
  `create or replace function ${name}() returns trigger
    language plpgsql security definer set search_path = '' as $f$ begin ${body} return null; end $f$;`
const dropTriggers = (table: string) => `drop trigger if exists ${table}_noted_insert on ${table};
  drop trigger if exists ${table}_noted_update on ${table};
  drop trigger if exists ${table}_noted_delete on ${table};`

/** The lines of a row that enters the books with them. */
const noteLinesOf = (subject: LedgerRows, lineColumns: readonly Column[]): string => {
  const child = ledgerSubjects.find((s): s is LedgerLines => s.kind === 'lines' && s.table === subject.lines)
  if (!child) return ''
  return `if tg_op = 'INSERT' or not ${subject.isBooked('old')} then
      insert into public.ledger_log (subject, record, digest)
      select '${child.table}', new.guid, ${digestOfLines(child, lineColumns, 'l')}
      from public.${child.table} l where l.${child.parentKey} = new.guid having count(*) > 0;
    end if;`
}

const rowTriggers = (subject: LedgerRows, columns: readonly Column[], lineColumns: readonly Column[]): string => {
  const { table, key, isBooked } = subject
  const noteGone = note(table, `${key('old')}, null`)
  const noteNew = note(table, `${key('new')}, ${digestOf(columns, 'new')}`)
  const body = `if tg_op = 'DELETE' then ${noteGone} else ${noteNew} ${noteLinesOf(subject, lineColumns)} end if;`
  const all = (row: string) => `(${columns.map(({ name }) => `${row}.${name}`).join(', ')})`
  const isEitherBooked = isBooked('new') === 'true' ? 'true' : `(${isBooked('new')} or ${isBooked('old')})`
  const hasChanged = `${isEitherBooked} and ${all('old')} is distinct from ${all('new')}`
  return `${fn(`${table}_note`, body)}
    ${dropTriggers(table)}
    create trigger ${table}_noted_insert after insert on ${table}
      for each row when (${isBooked('new')}) execute function ${table}_note();
    create trigger ${table}_noted_update after update on ${table}
      for each row when (${hasChanged}) execute function ${table}_note();
    create trigger ${table}_noted_delete after delete on ${table}
      for each row when (${isBooked('old')}) execute function ${table}_note();`
}

const lineTriggers = (subject: LedgerLines, columns: readonly Column[]): string => {
  const { table, parentKey } = subject
  if (!subject.areMutable) return ''
  const digest = `(select ${digestOfLines(subject, columns, 'l')}
    from public.${table} l where l.${parentKey} = c.record)`
  const noteRecords = (records: string) => `insert into public.ledger_log (subject, record, digest)
    select '${table}', c.record, ${digest}
    from (${records}) c where ${isBookedParent(subject, 'c.record')};`
  const recordsIn = (transition: string) => `select ${parentKey} as record from ${transition}`
  return `${fn(`${table}_note_new`, noteRecords(`${recordsIn('now_there')} group by 1`))}
    ${fn(`${table}_note_old`, noteRecords(`${recordsIn('no_more')} group by 1`))}
    ${fn(`${table}_note_both`, noteRecords(`${recordsIn('now_there')} union ${recordsIn('no_more')}`))}
    ${dropTriggers(table)}
    create trigger ${table}_noted_insert after insert on ${table}
      referencing new table as now_there
      for each statement execute function ${table}_note_new();
    create trigger ${table}_noted_update after update on ${table}
      referencing new table as now_there old table as no_more
      for each statement execute function ${table}_note_both();
    create trigger ${table}_noted_delete after delete on ${table}
      referencing old table as no_more
      for each statement execute function ${table}_note_old();`
}

/** Notes every record of the books that the log does not know: for data that came in while triggers rested. */
export const noteAll = async (db: pg.ClientBase) => {
  for (const subject of ledgerSubjects) {
    const columns = noted(subject, (await db.query<Column>(columnsOf, [subject.table])).rows)
    await db.query(`insert into ledger_log (subject, record, digest) select '${subject.table}', r.record, r.digest
      from (${recordsOf(subject, columns)}) r
      where r.is_booked and not exists (select from ledger_log l where l.subject = '${subject.table}'
      and l.record = r.record)`)
  }
}

/**
 * A column was added and filled: records that stood as the log says are noted as they stand now; others stay found out.
 */
const noteAgain = (subject: LedgerSubject, before: readonly Column[], columns: readonly Column[]) =>
  `insert into ledger_log (subject, record, digest, is_upgrade)
    select '${subject.table}', n.record, n.digest, true
    from (${recordsOf(subject, columns)}) n
    join (${recordsOf(subject, before)}) b on b.record = n.record
    join (${lastNoted(subject)}) l on l.record = n.record
    where b.digest = l.digest and n.digest <> l.digest`

/** How a definition is broken into lines is no difference. */
const isSameSql = (one: string, other: string) => one.replaceAll(/\s+/g, ' ') === other.replaceAll(/\s+/g, ' ')

/**
 * Gives every table of money the triggers that note its rows, for the columns it has now. After every migration; does
 * nothing where nothing has changed.
 */
export const guardLedger = async (db: pg.ClientBase) => {
  const { rows: there } = await db.query<{ there: boolean }>(
    `select to_regclass('public.ledger_log') is not null as there`,
  )
  if (!there[0]?.there) return
  const { rows: known } = await db.query<{ subject: string; columns: string[]; definition: string }>(
    'select subject, columns, definition from ledger_columns',
  )
  const columnsBy = new Map<string, Column[]>()
  for (const subject of ledgerSubjects)
    columnsBy.set(subject.table, noted(subject, (await db.query<Column>(columnsOf, [subject.table])).rows))
  for (const subject of ledgerSubjects) {
    const columns = columnsBy.get(subject.table) ?? []
    const definition =
      subject.kind === 'rows'
        ? rowTriggers(subject, columns, columnsBy.get(subject.lines ?? '') ?? [])
        : lineTriggers(subject, columns)
    const before = known.find((k) => k.subject === subject.table)
    const names = columns.map((c) => c.name)
    if (before && isSameSql(before.definition, definition) && before.columns.join() === names.join()) continue
    const stayed = columns.filter((c) => before?.columns.includes(c.name))
    await db.query(definition)
    if (before && stayed.length === before.columns.length) await db.query(noteAgain(subject, stayed, columns))
    else
      await db.query(
        `insert into ledger_log (subject, record, digest, is_upgrade) select '${subject.table}', record, digest, true
          from (${recordsOf(subject, columns)}) r where is_booked`,
      )
    await db.query(
      `insert into ledger_columns (subject, columns, definition) values ($1, $2, $3)
        on conflict (subject) do update set columns = excluded.columns, definition = excluded.definition`,
      [subject.table, names, definition],
    )
  }
}
