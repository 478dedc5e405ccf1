import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { LineInput as PricedLine } from '../../contract/core/money.ts'
import { priceDocument, type Line, type Priced } from '../../contract/lines.ts'
import type { Db } from '../core/ctx.ts'
import { canonical, printedOfLine } from '../documents/documents.service.ts'
import { linesJson } from '../documents/lines.service.ts'

export interface DocumentProblem {
  code: 'TOTALS' | 'LINE_AMOUNTS' | 'SNAPSHOT' | 'SNAPSHOT_MISSING'
  entity: string
  guid: string
  number: string | null
  message: string
}

const perStep = 2000

interface Totals {
  subtotalCents: number
  discountCents: number
  gstCents: number
  totalCents: number
  optionalTotalCents: number
}
/** What is compared of a snapshot. */
interface Frozen extends Record<string, unknown> {
  business?: object
  billTo?: object
  totals?: { totalCents?: unknown; gstCents?: unknown }
  lines?: Record<string, unknown>[]
}
interface Stored extends Totals, Pick<Priced, 'priceMode' | 'roundingRule' | 'discount'> {
  guid: string
  number: string | null
  kind: string
  status: string
  lines: Line[]
  snapshot: Frozen | null
  /** What of an issued invoice was printed, by the names of the snapshot. */
  printed: Record<string, unknown> | null
  snapshotSha256: string | null
  needsSnapshot: boolean
  /** What a customer agreed to, where he answered questions. */
  agreed?: unknown
  agreedSha256?: string | null
  supplier?: unknown
  billTo?: unknown
}

const kinds = [
  {
    entity: 'Quotes',
    table: 'quotes',
    lines: 'quote_lines',
    columns: sql`'quote' as kind, d.optional_total_cents, d.snapshot, d.snapshot_sha256, false as needs_snapshot,
      null::jsonb as printed, d.acceptance -> 'document' as agreed, d.acceptance ->> 'acceptedSha256' as agreed_sha256`,
  },
  {
    entity: 'Orders',
    table: 'orders',
    lines: 'order_lines',
    columns: sql`'order' as kind, 0::bigint as optional_total_cents, null::jsonb as snapshot,
      null::text as snapshot_sha256, false as needs_snapshot, null::jsonb as printed`,
  },
  // Invoices taken over from elsewhere wear numbers that our counter did not give, and have no snapshot of ours.
  {
    entity: 'Invoices',
    table: 'invoices',
    lines: 'invoice_lines',
    columns: sql`d.kind, 0::bigint as optional_total_cents, d.snapshot, d.snapshot_sha256, d.status <> 'draft'
      and exists (select 1 from number_counters c
      where c.business_guid = d.entity_guid
      and c.kind = case when d.kind = 'adjustment_note' then 'adjustment_note' else 'invoice' end
      and starts_with(d.number, c.prefix) and substring(d.number
      from length(c.prefix) + 1) ~ '^[0-9]+$') as needs_snapshot,
      jsonb_build_object('number', d.number, 'title', d.title, 'invoiceKind', d.kind, 'isTaxInvoice', d.is_tax_invoice,
      'reference', d.reference, 'issueOn', d.issue_on, 'dueOn', case
        when exists (select from invoice_instalments t where t.invoice_guid = d.guid) then d.snapshot ->> 'dueOn'
        else d.due_on::text end, 'priceMode', d.price_mode, 'discount',
      d.discount,
        'notes', d.notes) || case when d.kind = 'deposit' and d.deposit_nature = 'security'
        then jsonb_build_object('forfeitureClause', d.forfeiture_clause) else '{}' end as printed,
        d.supplier, d.bill_to`,
  },
] as const

/** Prices every document again from its lines, and hashes every snapshot, batch by batch. */
export async function checkDocuments(
  db: Db,
  found: (problem: DocumentProblem) => void,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const kind of kinds) {
    let after = '00000000-0000-0000-0000-000000000000'
    let count = 0
    for (;;) {
      const { rows } = await sql<Stored>`select d.guid, d.number, d.status, d.price_mode, d.rounding_rule, d.discount,
          d.subtotal_cents, d.discount_cents, d.gst_cents, d.total_cents, ${kind.columns},
          ${linesJson(kind.lines, 'd.guid')} as lines
        from ${sql.table(kind.table)} d where d.guid > ${after}::uuid order by d.guid limit ${perStep}`.execute(db)
      for (const row of rows) checkOne(kind.entity, row, found)
      count += rows.length
      after = rows.at(-1)?.guid ?? after
      if (rows.length < perStep) break
    }
    counts[kind.table] = count
  }
  return counts
}

function checkOne(entity: string, row: Stored, found: (problem: DocumentProblem) => void) {
  const { guid, number } = row
  const tell = (code: DocumentProblem['code'], message: string) => found({ code, entity, guid, number, message })
  const price = row.kind === 'adjustment_note' ? pricedAsIs(row) : priced(row)
  if (typeof price === 'string') return tell('TOTALS', price)
  const wrong = row.lines.find(
    (line, i) =>
      line.netCents !== price.lines[i]?.netCents ||
      line.gstCents !== price.lines[i]?.gstCents ||
      line.totalCents !== price.lines[i]?.totalCents,
  )
  if (wrong) tell('LINE_AMOUNTS', `line ${wrong.position} “${wrong.name}” does not come to what it says`)
  const names = ['subtotalCents', 'discountCents', 'gstCents', 'totalCents', 'optionalTotalCents'] as const
  for (const name of names)
    if (row[name] !== price.totals[name] && !(name === 'optionalTotalCents' && row[name] === optionsAlone(row)))
      tell('TOTALS', `${name} is ${row[name]}, its lines come to ${price.totals[name]}`)
  checkSnapshot(row, tell)
}

/** What options that are not chosen cost alone: older quotes say so, as if no discount of the quote were on them. */
const optionsAlone = ({ lines }: Stored) =>
  lines.reduce((sum, { isOptional, isSelected, totalCents }) => sum + (isOptional && !isSelected ? totalCents : 0), 0)

const fixed = (line: Line): PricedLine =>
  line.kind === 'deposit_credit' ? { ...line, creditNetCents: line.netCents, creditGstCents: line.gstCents } : line

function priced(
  row: Stored,
): { lines: { netCents: number; gstCents: number; totalCents: number }[]; totals: Totals } | string {
  try {
    return priceDocument({
      priceMode: row.priceMode,
      roundingRule: row.roundingRule,
      discount: row.discount,
      lines: row.lines.map(fixed),
    })
  } catch (error) {
    return `cannot be priced: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** An adjustment note states its amounts; whether its GST is its part is checked against the invoice it adjusts. */
function pricedAsIs({ lines }: Stored) {
  const sum = (amount: (line: Line) => number) => lines.reduce((total, line) => total + amount(line), 0)
  return {
    lines,
    totals: {
      subtotalCents: sum((l) => l.netCents),
      discountCents: 0,
      gstCents: sum((l) => l.gstCents),
      totalCents: sum((l) => l.totalCents),
      optionalTotalCents: 0,
    },
  }
}

const hashOf = (content: unknown) => createHash('sha256').update(canonical(content)).digest('hex')

function checkSnapshot(row: Stored, tell: (code: DocumentProblem['code'], message: string) => void) {
  const { snapshot, snapshotSha256, agreed = null, agreedSha256 = null } = row
  if (agreed === null ? agreedSha256 !== null : hashOf(agreed) !== agreedSha256)
    tell('SNAPSHOT', 'what was agreed to has been changed since: it does not match its hash')
  if (snapshot === null && snapshotSha256 === null) {
    if (row.needsSnapshot) tell('SNAPSHOT_MISSING', 'is issued and has no snapshot of what was issued')
    return
  }
  if (snapshot === null || hashOf(snapshot) !== snapshotSha256)
    return tell('SNAPSHOT', 'what was frozen has been changed since: it does not match its hash')
  if (row.status === 'draft' || row.kind === 'quote') return
  const wrong = differing(row, snapshot)
  if (wrong.length > 0) tell('SNAPSHOT', `is not what was frozen when it was issued: ${wrong.join(', ')}`)
}

const pick = (from: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
const partyFields = ['name', 'abn', 'email', 'address']
const isSame = (a: unknown, b: unknown) => canonical(a ?? null) === canonical(b ?? null)

/** The days of a hire are printed above what is said of it. */
const withoutDays = ({ hireFrom, hireTo }: Line, was: Record<string, unknown>) =>
  hireFrom && hireTo && typeof was['description'] === 'string'
    ? { ...was, description: was['description'].split('\n').slice(1).join('\n') || null }
    : was

/** What of an issued invoice differs from its snapshot: days, parties, texts, codes, amounts. */
function differing(row: Stored, snapshot: Frozen): string[] {
  const printed = Object.entries(row.printed ?? {})
    .filter(([name, value]) => !isSame(value, snapshot[name]))
    .map(([name]) => name)
  const frozenLines = snapshot.lines ?? []
  const parts = [
    ['supplier', row.supplier, snapshot.business],
    ['billTo', row.billTo, snapshot.billTo],
  ] as const
  const parties = parts
    .filter(([, now, was]) => now && !isSame(now, pick(was ?? {}, partyFields)))
    .map(([name]) => name)
  const lines =
    row.lines.length === frozenLines.length &&
    row.lines.every((line, i) => {
      const was = frozenLines[i] ?? {}
      // What was frozen before lines could lie below others says nothing of it.
      return (
        isSame(pick(line, printedOfLine), pick(withoutDays(line, was), printedOfLine)) &&
        isSame(line.parentLineGuid, was['parentLineGuid'])
      )
    })
  const totals = snapshot.totals?.totalCents === row.totalCents && snapshot.totals.gstCents === row.gstCents
  return [...printed, ...parties, ...(lines ? [] : ['lines']), ...(totals ? [] : ['totals'])]
}
