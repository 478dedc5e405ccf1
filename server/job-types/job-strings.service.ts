import { sql } from 'kysely'
import { type Language, languages } from '../../contract/core/languages.ts'
import {
  type FilledStrings,
  type JobString,
  jobStringKeys,
  jobStrings,
  type JobStrings,
  type StringProblem,
} from '../../contract/job-types.ts'
import { sampleValues, templateVariables, type TemplateValues } from '../../contract/template-variables.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { applyRows } from '../core/db/rows.ts'
import { readable } from '../core/http/permission.ts'
import { checkTemplate, tryTemplate } from '../core/templates/check.ts'
import { rowColumns } from '../row-scope/row-scope.service.ts'

export type Values = typeof sampleValues
export type StringRecord = 'quote' | 'order' | 'invoice'

const tables = { quote: 'quotes', order: 'orders', invoice: 'invoices' } as const
const nounsOf = { quote: 'Quotes', order: 'Orders', invoice: 'Invoices' } as const

const linesOf = (kind: StringRecord) => sql`(select coalesce(json_agg(json_build_object('name', l.name,
  'description', l.description, 'quantity', trim_scale(l.quantity)::text, 'unit', l.unit, 'total',
  l.total_cents + coalesce((select sum(c.total_cents) from ${sql.table(`${kind}_lines`)} c
  where c.parent_line_guid = l.guid), 0)::bigint)
  order by l.position), '[]'::json) from ${sql.table(`${kind}_lines`)} l
  where ${sql.ref(`l.${kind}_guid`)} = d.guid and l.kind not in ('section', 'text')
  and l.parent_line_guid is null)`

/** What of each kind of record its own variables are. */
const own = {
  quote: sql`json_build_object('number', d.number, 'title', d.title, 'total', d.total_cents, 'deposit',
    case d.deposit_rule ->> 'type'
    when 'percent' then round(d.total_cents * (d.deposit_rule ->> 'value')::numeric / 10000)
    when 'fixed' then least(d.total_cents, (d.deposit_rule ->> 'value')::bigint) end,
    'validUntil', d.valid_until, 'lines', ${linesOf('quote')})`,
  order: sql`json_build_object('number', d.number, 'title', d.title, 'total', d.total_cents, 'toInvoice',
    order_to_invoice(d.guid), 'scheduledOn', d.scheduled_on, 'lines', ${linesOf('order')})`,
  invoice: sql`json_build_object('number', d.number, 'title', d.title, 'total', d.total_cents, 'balance',
    d.balance_cents, 'issuedOn', d.issue_on, 'dueOn', d.due_on, 'lines', ${linesOf('invoice')})`,
} as const

const jobTypeOf = {
  quote: sql`d.job_type_guid`,
  order: sql`d.job_type_guid`,
  invoice: sql`(select o.job_type_guid from orders o where o.guid = d.order_guid)`,
} as const

interface Facts {
  guid: string
  label: string
  timeZone: string
  business: Values['business']
  customer: Values['customer']
  site: Values['site'] | null
  own: object
  /** What the document says itself. */
  said: (string | null)[]
  jobType: { name: string; durationMin: number; strings: JobStrings } | null
}

/** Everything a text about a record may speak of, in one statement; and the kind of job the record is of. */
const factsOf = (db: Db, kind: StringRecord) =>
  db.selectFrom(`${tables[kind]} as d` as 'quotes as d').select([
    'd.guid',
    sql<string>`coalesce(d.number, d.title)`.as('label'),
    sql<string>`(select b.time_zone from businesses b where b.guid = d.business_guid)`.as('timeZone'),
    sql<Facts['business']>`(select json_build_object('name', coalesce(b.trading_name, b.legal_name), 'legalName',
      b.legal_name, 'phone', b.phone, 'email', b.email, 'website', b.website)
      from businesses b where b.guid = d.business_guid)`.as('business'),
    sql<Facts['customer']>`(select json_build_object('name', c.display_name, 'email', c.email)
      from parties c where c.member_guid = d.customer_guid)`.as('customer'),
    sql<Facts['site']>`(select json_build_object('name', s.name, 'line1', s.address ->> 'line1', 'suburb',
      s.address ->> 'suburb', 'state', s.address ->> 'state', 'postcode', s.address ->> 'postcode')
      from sites s where s.guid = d.site_guid)`.as('site'),
    sql<object>`${own[kind]}`.as('own'),
    sql<Facts['said']>`json_build_array(d.title${kind === 'quote' ? sql`, d.intro` : sql``})`.as('said'),
    sql<Facts['jobType']>`(select json_build_object('name', j.name, 'durationMin', j.duration_min, 'strings', j.strings)
      from job_types j where j.guid = ${jobTypeOf[kind]})`.as('jobType'),
  ])

export const noSite: Values['site'] = { name: null, line1: null, suburb: null, state: null, postcode: null }

/** A record that the caller may read, whichever of the three it is. */
async function findRecord(ctx: Ctx, guid: string): Promise<{ kind: StringRecord; facts: Facts } | null> {
  for (const kind of ['quote', 'order', 'invoice'] as const) {
    const rows = readable(ctx.actor, nounsOf[kind], 'Guid')
    if (rows === 'none') continue
    const facts = await applyRows(
      { actor: ctx.actor, rows },
      factsOf(ctx.db, kind),
      rowColumns(ctx, nounsOf[kind], 'd'),
    )
      .where('d.guid', '=', guid)
      .executeTakeFirst()
    if (facts) return { kind, facts }
  }
  return null
}

/** What is wrong with texts, at their place in a change. */
export const stringProblems = (strings: JobStrings): { path: string; message: string }[] =>
  jobStringKeys.flatMap((key) =>
    languages.flatMap((language) =>
      checkTemplate(strings[key]?.[language] ?? '', templateVariables[jobStrings[key]])
        .slice(0, 1)
        .map(({ message }) => ({ path: `strings.${key}.${language}`, message })),
    ),
  )

/** The texts of a kind of job in every language, filled from a record or from an example. */
export async function fillStrings(
  ctx: Ctx,
  jobType: { name: string; durationMin: number; strings: JobStrings },
  recordGuid: string | undefined,
): Promise<FilledStrings | null> {
  const found = recordGuid === undefined ? null : await findRecord(ctx, recordGuid)
  if (recordGuid !== undefined && !found) return null
  const about = { name: jobType.name, durationMin: jobType.durationMin }
  const values: Values = {
    ...sampleValues,
    ...(found ? valuesOf(found.kind, found.facts) : {}),
    jobType: about,
  }
  const record = found ? { guid: found.facts.guid, label: found.facts.label } : null
  const timeZone = found?.facts.timeZone ?? ctx.business.timeZone
  const problems: StringProblem[] = []
  const strings = jobStringKeys.map((key): [JobString, Record<Language, string>] => {
    const texts = languages.map((language) => {
      const text = jobType.strings[key]?.[language] || (jobType.strings[key]?.en ?? '')
      const settings = { language, timeZone, output: 'text' as const }
      const tried = tryTemplate(text, templateVariables[jobStrings[key]], values, settings)
      // What stands in for a missing language has its problems in English.
      if (language === 'en' || jobType.strings[key]?.[language])
        problems.push(...tried.problems.map((problem) => ({ ...problem, language, part: key, record })))
      return [language, tried.text]
    })
    return [key, Object.fromEntries(texts) as Record<Language, string>]
  })
  return { strings: Object.fromEntries(strings), problems }
}

const valuesOf = (kind: StringRecord, facts: Facts) => ({
  business: facts.business,
  customer: facts.customer,
  site: facts.site ?? noSite,
  [kind]: facts.own as TemplateValues<StringRecord>,
})

/** The texts of the kind of job a record is of; null where it is of none. */
async function wordingOf(db: Db, kind: StringRecord, recordGuid: string, language: Language) {
  const facts = await factsOf(db, kind).where('d.guid', '=', recordGuid).executeTakeFirst()
  if (!facts?.jobType) return null
  const { strings, ...jobType } = facts.jobType
  const values = { ...valuesOf(kind, facts), jobType }
  const say = (key: JobString) => {
    const text = strings[key]?.[language] || strings[key]?.en
    if (!text) return ''
    const settings = { language, timeZone: facts.timeZone, output: 'text' as const }
    return tryTemplate(text, templateVariables[jobStrings[key]], values, settings).text.trim()
  }
  return { say, said: new Set(facts.said.map((text) => text?.trim())) }
}

/**
 * What the customer of a record reads on its page, in his language, besides what the document says itself; null where
 * nothing was written for it.
 */
export async function jobTypeOfPage(
  db: Db,
  kind: StringRecord,
  recordGuid: string,
  language: Language,
): Promise<{ heading: string; text: string } | null> {
  const wording = await wordingOf(db, kind, recordGuid, language)
  if (!wording) return null
  const once = (text: string) => (wording.said.has(text) ? '' : text)
  const heading = once(wording.say(`${kind}Heading`) || wording.say('title'))
  const text = once(wording.say(`${kind}Text`) || wording.say('description'))
  return heading || text ? { heading, text } : null
}

/** What those who do the work of an order are told; null where nothing was written for them. */
export const crewNoteOf = async (db: Db, orderGuid: string, language: Language): Promise<string | null> =>
  (await wordingOf(db, 'order', orderGuid, language))?.say('crew') || null
