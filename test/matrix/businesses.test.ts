import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../contract/api.ts'
import { localDay } from '../../contract/core/dates.ts'
import type { Op } from '../../contract/core/op.ts'
import { isNoun, nounsWith, nouns, rowOf } from '../../contract/nouns.ts'
import { parentOf } from '../../contract/core/ability.ts'
import { type Actor, type Actors, aPerson, seedActors } from '../support/actors.ts'
import { aBusiness, aCustomer, aLine, aQuote, ok } from '../support/factories.ts'
import { namesOf, plausible, schemaOf, unknownGuid } from '../support/plausible.ts'
import { type Caller, type Running, startApp } from '../support/start.ts'

/** A word of all that the other business has. */
const word = 'Zzquokka'

let app: Running
let actors: Actors
let person: Actor
let own: string
let other: string
/** Every guid of the other business, and those of its records by noun. */
let secrets: ReadonlySet<string>
/** What all of it is before anybody else asks. */
let untouched: string
/** The tables whose rows are a business's. */
let tables: string[]
const records = new Map<string, string[]>()
let there: Caller

const post = async <D>(path: string, body: unknown, status = 201) =>
  ok(await app.call<D>(there, 'POST', path, body, { 'idempotency-key': randomUUID() }), status)

beforeAll(async () => {
  app = await startApp()
  actors = await seedActors(app)
  own = (await aBusiness(app)).guid
  await aCustomer(app, actors.office, { displayName: 'Own customer' })
  const made = await app.call<{ business: { guid: string } }>(actors.administrator, 'POST', '/Businesses', {
    legalName: `${word} Pty Ltd`,
    abn: '51824753556',
    gstRegistered: true,
    beganOn: '2020-07-01',
  })
  other = ok(made, 201).business.guid
  there = { headers: { ...actors.administrator.headers, 'x-business-guid': other } }
  await furnish()
  person = await aPerson(app, 'one-of-two', await roleOf(actors.administrator))
  await app.deps.db
    .updateTable('users')
    .set({ businessGuids: [own] })
    .where('guid', '=', person.userGuid)
    .execute()
  tables = await tablesOfBusiness()
  secrets = new Set(await guidsOfOther())
  untouched = await state()
}, 120_000)
afterAll(() => app.stop())

const roleOf = async ({ userGuid }: Actor) =>
  (await app.deps.db.selectFrom('users').select('roleGuid').where('guid', '=', userGuid).executeTakeFirstOrThrow())
    .roleGuid

/** One of everything, in the other business. */
async function furnish() {
  const address = { line1: `1 ${word} Street`, suburb: 'Sydney', state: 'NSW', postcode: '2000' }
  const customer = await aCustomer(app, there, {
    displayName: `${word} customer`,
    email: `${word}@customer.example`,
    contacts: [{ name: `${word} contact`, email: `${word}@contact.example`, isPrimary: true }],
    sites: [{ name: `${word} site`, address }],
  })
  const file = `*ContactName,EmailAddress\n${word} imported,imported@${word}.example\n`
  await post('/Customers/Imports', { fileName: `${word}.csv`, base64: Buffer.from(file).toString('base64') })
  await post(`/Customers/Tags/${customer.guid}`, { add: [`${word} tag`] }, 200)
  await post('/Messages', { customerGuid: customer.guid, intent: 'note', bodyText: `${word} note` })
  await post('/Messages/Consents', { address: `${word}@customer.example`, kind: 'express', proof: `${word} proof` })
  await post('/EmailAccounts', {
    purpose: 'general',
    fromName: `${word} sender`,
    fromAddress: `${word}@sender.example`,
    smtp: { host: 'smtp.sender.example', port: 587, security: 'starttls', username: word },
    auth: { kind: 'password', password: `${word} password` },
  })
  await post('/Webhooks', { name: `${word} webhook`, url: `https://${word}.example/hook` })
  await post('/Products', { name: `${word} product`, priceCents: 1000 })
  await post('/Products/Categories', { name: `${word} category` })
  await post('/RevenueStreams', { code: 'ZZ', name: `${word} stream` })
  await post('/Products/BookingOptions', {
    code: 'zzquokka',
    label: { en: `${word} option` },
    input: 'boolean',
    choices: [{ code: 'yes', label: { en: 'Yes' }, cents: 100 }],
  })
  await post('/PriceLists', { name: `${word} list` })
  await post('/Events/Actions', {
    name: `${word} action`,
    eventKey: 'order.completed',
    effects: [{ type: 'notify', to: 'recordOwner', text: word }],
  })
  await post('/Holidays', { state: 'NSW', day: '2026-08-12', name: `${word} holiday` })
  await post('/Reminders/Holds', { customerGuid: customer.guid, reason: 'other', note: `${word} reason` })
  await post('/Orders/Substatuses', { core: 'confirmed', label: `${word} sub-status` })
  const { jobType } = await post<{ jobType: { guid: string } }>('/JobTypes', { name: `${word} job type` })
  const heading = { en: `${word} heading` }
  await post('/Quotes/RequestForms', {
    name: `${word} form`,
    slug: word.toLowerCase(),
    jobTypeGuid: jobType.guid,
    heading,
  })
  await post(`/Service/Requests/${word.toLowerCase()}`, {
    name: `${word} asker`,
    phone: '0400 000 000',
    message: `${word} message`,
  })
  const lines = [aLine({ name: `${word} line`, gstCode: 'GST' })]
  const sale = { customerGuid: customer.guid, title: `${word} work`, lines }
  await aQuote(app, there, customer.guid, { title: `${word} draft`, lines })
  await post('/Quotes/Templates', { name: `${word} template`, title: `${word} of template`, lines })
  await post('/Quotes/Series', {
    ...sale,
    title: `${word} series`,
    anchorOn: localDay(new Date().toISOString(), 'UTC'),
  })
  const quote = await aQuote(app, there, customer.guid, { title: `${word} quote`, lines })
  await post(`/Quotes/Send/${quote.guid}`, { version: quote.version, to: [`${word}@customer.example`] }, 200)
  await post('/Orders', sale)
  const { invoice } = await post<{ invoice: { guid: string; version: number } }>('/Invoices', sale)
  await post(`/Invoices/Issue/${invoice.guid}`, { version: invoice.version }, 200)
  await post('/Invoices', { ...sale, title: `${word} other invoice` })
  const { payment } = await post<{ payment: { guid: string } }>('/Payments', {
    method: 'bank_transfer',
    receivedOn: '2026-07-01',
    amountCents: 5000,
    reference: word,
    allocations: [{ invoiceGuid: invoice.guid, cents: 5000 }],
  })
  await post('/Payments/Refunds', {
    paymentGuid: payment.guid,
    invoiceGuid: invoice.guid,
    amountCents: 1000,
    reasonCode: 'other',
    note: word,
  })
}

const tablesOfBusiness = async () => {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.columns
    join information_schema.tables t using (table_schema, table_name)
    where table_schema = 'public' and column_name = 'business_guid' and t.table_type = 'BASE TABLE'
    and exists (select from information_schema.columns g where g.table_schema = 'public'
      and g.table_name = t.table_name and g.column_name = 'guid')`.execute(app.deps.db)
  return rows.map((row) => row.name)
}

async function guidsOfOther(): Promise<string[]> {
  const found = [other]
  records.set('Businesses', [other])
  for (const table of tables) {
    const { rows } = await sql<{ guid: string }>`select guid from ${sql.table(table)}
      where business_guid = ${other}::uuid`.execute(app.deps.db)
    found.push(...rows.map((row) => row.guid))
    const noun = nounsWith('scope').find((name) => nouns[name].table === table)
    if (noun)
      records.set(
        noun,
        rows.map((row) => row.guid),
      )
  }
  for (const table of ['contacts', 'sites']) {
    const { rows } = await sql<{ guid: string }>`select p.guid from ${sql.table(table)} p
      join customers c on c.guid = p.customer_guid where c.business_guid = ${other}::uuid`.execute(app.deps.db)
    found.push(...rows.map((row) => row.guid))
    records.set(
      table === 'contacts' ? 'Contacts' : 'Sites',
      rows.map((row) => row.guid),
    )
  }
  return found
}

/** What the other business has, row by row. */
async function state(): Promise<string> {
  const parts = tables.map(
    (table) => sql`select ${table}::text as of_table, coalesce(string_agg(d::text, '' order by d.guid), '') as said
      from ${sql.table(table)} d where business_guid = ${other}::uuid`,
  )
  const { rows } = await sql<{ said: string }>`select md5(string_agg(of_table || said, '' order by of_table)) as said
    from (${sql.join(parts, sql` union all `)}) as all_of_it`.execute(app.deps.db)
  const { rows: business } = await sql<{ said: string }>`select b::text as said from businesses b
    where guid = ${other}::uuid`.execute(app.deps.db)
  return `${rows[0]?.said} ${business[0]?.said}`
}

/** People, their roles, what is theirs alone and the installation are of no business. */
const ofNone = ['Account', 'Auth', 'Dev', 'Maintenance']
const isOfBusiness = (op: Op) => {
  const noun = parentOf(op.can[1])
  if (ofNone.includes(noun)) return false
  return !isNoun(noun) || rowOf(noun).scope?.business !== undefined || rowOf(noun).partOf !== undefined
}
const walked = operations
  .filter(({ op }) => op.who === undefined || op.who === 'staff')
  .filter(({ op }) => isOfBusiness(op) && op.produces !== 'text/event-stream')
  .map(({ noun, name, op }, at) => ({ id: `${noun}.${name}`, op, at }))
/** In the long proof every record of the other; otherwise all of the operation’s own noun, and some of each other. */
const isProof = process.env['PROVE'] === '1'
/** Which of the other nouns: one of so many, others at each operation. */
const few = 5
const namedTo = (op: Op, at: number): string[] => {
  const one = [...records.values()].flatMap(([first]) => first ?? [])
  if (isProof) return op.path.includes(':') ? [...secrets] : one
  const others = one.filter((_, i) => i % few === at % few)
  return [...new Set([...(records.get(parentOf(op.can[1])) ?? []), ...others])]
}

/** A body of the schema's shape in which every guid is one of the other business. */
function bodyFor(op: Op, guid: string) {
  const fill = (value: unknown, name: string): unknown => {
    if (value === unknownGuid) return secretFor(name, guid)
    if (Array.isArray(value)) return value.map((one) => fill(one, name))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, key)]))
  }
  return fill(plausible(schemaOf(op.body)), '')
}
/** `customerGuid` is a customer's, `guids` those of the record that is asked for. */
function secretFor(name: string, guid: string): string {
  const one = name.replace(/Guids?$/, '').toLowerCase()
  const noun = nounsWith('scope').find((n) => nouns[n].one === one || n.toLowerCase() === `${one}s`)
  return (noun && records.get(noun)?.[0]) ?? guid
}

const leaksIn = (said: string) => [
  ...(said.includes(word) || said.includes(word.toLowerCase()) ? [word] : []),
  ...[...secrets].filter((guid) => said.includes(guid)),
]

describe('a person who works in one of two businesses', () => {
  it('finds records of every noun in the other, so that none is walked past', () => {
    const missing = nounsWith('scope').filter(
      (noun) => rowOf(noun).scope?.business !== undefined && !records.get(noun)?.length,
    )
    expect(missing).toEqual([])
  })

  it.each(walked)('$id tells nothing of the other and changes nothing there', async ({ op, at }) => {
    const hasPath = op.path.includes(':')
    const isRead = op.method === 'GET' || op.method === 'DELETE'
    const wrong: unknown[] = []
    const ask = async (url: string, body?: unknown) => {
      const answer = await app.call(person, op.method, url, body, { 'idempotency-key': randomUUID() })
      // What was asked for may be named in the answer; that it is there may not.
      const asked = `${url} ${JSON.stringify(body ?? {})}`
      const leaks = leaksIn(answer.body).filter((leak) => !asked.includes(leak))
      if (leaks.length > 0 || answer.status >= 500 || (hasPath && answer.status < 400))
        wrong.push({ url, body, status: answer.status, leaks: leaks.slice(0, 3), said: answer.body.slice(0, 300) })
    }
    if (isRead && !hasPath) {
      const names = namesOf(schemaOf(op.query))
      await ask(op.path)
      for (const name of names) {
        if (name === 'search' || name === 'q') await ask(`${op.path}?${name}=${word.slice(0, 5)}`)
        if (name.endsWith('Guid')) await ask(`${op.path}?${name}=${secretFor(name, other)}`)
        if (name === 'business') await ask(`${op.path}?business=all`)
      }
    }
    for (const guid of isRead && !hasPath ? [] : namedTo(op, at)) {
      const url = op.path.replace(/:\w+/g, guid)
      await (isRead ? ask(url) : ask(url, bodyFor(op, guid)))
    }
    expect(wrong).toEqual([])
    expect(await state()).toBe(untouched)
  })

  it('does not work in the other when a call names it', async () => {
    const headers = { ...person.headers, 'x-business-guid': other }
    const answer = await app.call({ headers }, 'GET', '/Quotes')
    expect([answer.status, answer.message]).toEqual([403, 'You do not work in this business.'])
    ok(await app.call({ headers: { ...person.headers, 'x-business-guid': own } }, 'GET', '/Quotes'))
    expect((await app.call({ headers }, 'POST', '/Kernal/Auth/Renew')).status).toBe(200)
  })
})
