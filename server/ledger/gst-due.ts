import { sql } from 'kysely'
import { centsToDecimal } from '../../contract/core/money.ts'
import { type BasisHistory, gstStateAt, gstStateOn } from '../../contract/gst-state.ts'
import { accounts } from '../../contract/ledger.ts'
import type { Db } from '../core/ctx.ts'
import { basisHistory, livesAfter, movesOf, type TaxedDocument } from '../journal/gst.service.ts'
import { check, type Check } from './check.ts'

interface GstProblem {
  code: 'GST_DUE' | 'GST_WAITING'
  entity: TaxedDocument['noun']
  guid: string
  number: string
  message: string
}

const perStep = 1000
const lastDay = '9999-12-31'

/**
 * On the cash basis: each day's GST collected of each document against the worksheet, and what waits against what was
 * not received. Where it always counted with the invoice, the entries of documents prove it by themselves.
 */
export async function checkGst(db: Db): Promise<GstProblem[]> {
  const entities = await db
    .selectFrom('businesses as b')
    .select('b.guid')
    .where('b.parentGuid', 'is', null)
    .where((is) =>
      is.or([
        is('b.gstBasis', '=', 'cash'),
        is.exists(is.selectFrom('basisChanges as c').select('c.guid').whereRef('c.businessGuid', '=', 'b.guid')),
      ]),
    )
    .execute()
  const problems: GstProblem[] = []
  for (const { guid } of entities) problems.push(...(await checkEntity(db, guid)))
  return problems
}

async function checkEntity(db: Db, entityGuid: string): Promise<GstProblem[]> {
  const history = await basisHistory(db, entityGuid)
  const problems: GstProblem[] = []
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const lives = await livesAfter(db, entityGuid, after, perStep)
    if (lives.length === 0) return problems
    problems.push(...(await due(db, lives, history)), ...(await waiting(db, lives, history)))
    after = lives.reduce((last, { guid }) => (guid > last ? guid : last), after)
  }
}

const named = ({ noun, guid, number }: TaxedDocument) => ({ entity: noun, guid, number })
const dollars = (cents: number) => `$${centsToDecimal(cents)}`

async function due(db: Db, lives: readonly TaxedDocument[], history: BasisHistory): Promise<GstProblem[]> {
  const byGuid = new Map(lives.map((life) => [life.guid, life]))
  return (await movesOf(db, lives, history)).flatMap(({ gstOf, on, cents }): GstProblem[] => {
    const life = byGuid.get(gstOf)
    const message = `collects ${dollars(-cents)} more GST on ${on} than its worksheet has`
    return life ? [{ code: 'GST_DUE', ...named(life), message }] : []
  })
}

async function waiting(db: Db, lives: readonly TaxedDocument[], history: BasisHistory): Promise<GstProblem[]> {
  const guids = lives.map(({ guid }) => guid)
  const { rows } = await sql<{ guid: string; cents: number }>`
    select l.gst_of as guid, sum(l.credit_cents - l.debit_cents)::bigint as cents from journal_lines l
    where l.gst_of = any(${guids}::uuid[]) and l.account = ${accounts.gstNotDue} group by 1`.execute(db)
  const booked = new Map(rows.map(({ guid, cents }) => [guid, cents]))
  return lives.flatMap((life): GstProblem[] => {
    const owed = gstStateAt(life, lastDay, 'accrual').gstCents - gstStateOn(life, lastDay, history).gstCents
    const kept = booked.get(life.guid) ?? 0
    const message = `has ${dollars(kept)} of GST that is not due yet, by its documents ${dollars(owed)}`
    return kept === owed ? [] : [{ code: 'GST_WAITING', ...named(life), message }]
  })
}

/** What says on which basis GST counts, and lines of GST that are no document's. */
export const dueChecks: Check[] = [
  check(
    'GST_BASIS',
    'Businesses',
    sql`select b.guid, null::text as number, 'is on the ' || b.gst_basis || ' basis, its last change says otherwise'
      as message from businesses b join lateral (select c.basis, c.from_on from basis_changes c
      where c.business_guid = b.guid order by c.from_on desc limit 1) c on true
      where (b.gst_basis, b.gst_basis_from) is distinct from (c.basis, c.from_on)
      union all select c.guid, null, 'a change of the basis of GST has no journal entry of its day'
      from basis_changes c left join journal_entries e on e.source = 'basis_change' and e.source_guid = c.guid
      where e.posted_on is distinct from c.from_on or e.entity_guid is distinct from c.business_guid`,
  ),
  check(
    'GST_OF_NOTHING',
    'Journals',
    sql`select distinct e.guid, null::text as number, 'a journal entry (' || e.source ||
      ') has GST that is no document’s' as message
      from journal_lines l join journal_entries e on e.guid = l.entry_guid
      where l.account in ('2100', '2105') and e.source not in ('gst_forward', 'deposit_forfeited')
        and not exists (select from invoices i where i.guid = l.gst_of and i.entity_guid = e.entity_guid)
        and not exists (select from payments p where p.guid = l.gst_of and p.entity_guid = e.entity_guid
          and p.order_gst is not null)`,
  ),
]
