import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../contract/core/dates.ts'
import { decimalToCents, scaleCents, timesQuantity } from '../../contract/core/money.ts'
import type { ExportFormat } from '../../contract/exports.ts'
import { aCustomer, aSentQuote, ok } from '../../test/support/factories.ts'
import { type Paying, startPaying } from '../../test/support/paying.ts'

interface Plan {
  parts: { part: number; name: string; documents: number; sums: Record<string, number> }[]
  problems: { noun: string; guid: string; label: string; text: string }[]
}
type Cells = Record<string, string>
interface Made {
  guid: string
  version: number
  number: string
  totalCents: number
  gstCents: number
}

let p: Paying
let today: string
beforeAll(async () => {
  p = await startPaying()
  today = await p.today()
})
afterAll(() => p.stop())

const asked = (format: ExportFormat, from = today, to = today) => `format=${format}&from=${from}&to=${to}`
const plan = async (format: ExportFormat) =>
  ok(await p.app.call<Plan>(p.actors.accountant, 'GET', `/Accounting/Export/Plan?${asked(format)}`))
const download = (query: string) => p.app.call<never>(p.actors.accountant, 'GET', `/Accounting/Export?${query}`)
const fileOf = async (format: ExportFormat) => {
  const answer = await download(asked(format))
  expect(answer.status).toBe(200)
  expect(answer.body.startsWith('\uFEFF')).toBe(true)
  return answer.body.slice(1)
}
const tableOf = (text: string, delimiter = ','): Cells[] =>
  parse(text, { columns: true, delimiter, skip_empty_lines: true }) as Cells[]
const cents = (text: string | undefined) => {
  const found = decimalToCents(text ?? '')
  if (found === null) throw new Error(`${text} is no amount`)
  return found
}
const by = (rows: readonly Cells[], column: string) => Map.groupBy(rows, (row) => row[column] ?? '')
const sum = <T>(rows: readonly T[], value: (row: T) => number) => rows.reduce((all, row) => all + value(row), 0)

async function issued(customerGuid: string, facts: Record<string, unknown>) {
  const { invoice } = ok(
    await p.app.call<{ invoice: { guid: string; version: number } }>(p.actors.office, 'POST', '/Invoices', {
      customerGuid,
      title: 'Fence',
      ...facts,
    }),
    201,
  )
  const path = `/Invoices/Issue/${invoice.guid}`
  return ok(await p.app.call<{ invoice: Made }>(p.actors.office, 'POST', path, { version: invoice.version })).invoice
}
const documents = async (): Promise<Map<string, Made & { kind: string }>> => {
  const rows = await p.rows<Made & { kind: string }>(
    `select guid, version, number, kind, total_cents::int as "totalCents", gst_cents::int as "gstCents" from invoices
      where status in ('issued', 'written_off')`,
  )
  return new Map(rows.map((row) => [row.number, row]))
}

/** As Xero imports it: each amount and its tax to the cent, then added up. */
const xeroLine = (row: Cells) => {
  const unit = cents(row['*UnitAmount'])
  const net = timesQuantity(unit, row['*Quantity'] ?? '')
  return { net, tax: row['*TaxType'] === 'GST on Income' ? scaleCents(net, 1, 10) : 0 }
}

const hostile = '=HYPERLINK("http://x","a"), "Q" O’Brien\nشركة البناء'

describe('sales of every kind', () => {
  beforeAll(async () => {
    const plain = await aCustomer(p.app, p.actors.office, { displayName: 'Harbour Builders', email: 'h@example.com' })
    const odd = await aCustomer(p.app, p.actors.office, { displayName: hostile.replace('\n', ' '), email: null })
    await issued(plain.guid, {
      discount: { type: 'percent', value: 333 },
      lines: [
        { name: 'Panel', quantity: '3', unitPriceCents: 1005 },
        { name: 'Bolt', quantity: '7.25', unitPriceCents: 333 },
        { name: 'Permit', quantity: '1', unitPriceCents: 12_345, gstCode: 'FREE' },
        { name: 'Freight overseas', quantity: '1', unitPriceCents: 999, gstCode: 'EXPORT' },
        { name: 'Rent', quantity: '1', unitPriceCents: 5000, gstCode: 'INPUT_TAXED' },
        { kind: 'discount', name: 'Loyal', quantity: '1', unitPriceCents: 500 },
      ],
    })
    const cheap = Array.from({ length: 9 }, (_, i) => ({ name: `Clip ${i}`, quantity: '1', unitPriceCents: 14 }))
    await issued(plain.guid, { lines: cheap })
    await issued(odd.guid, {
      priceMode: 'inclusive',
      reference: '-PO 7 "x"',
      lines: [{ name: '@SUM(1)', description: hostile, quantity: '2.5', unitPriceCents: 1999 }],
    })
    const quote = await aSentQuote(p.app, p.actors.office, plain.guid, {
      depositRule: { type: 'percent', value: 3333 },
    })
    ok(
      await p.app.call(p.actors.guest, 'POST', `/Service/Quotes/Accept/${quote.serviceGuid}`, {
        documentSha256: quote.documentSha256,
        name: 'Anna',
      }),
    )
    const [order] = await p.rows<{ guid: string; version: number }>('select guid, version from orders')
    const path = `/Orders/Invoice/${order?.guid}`
    const wish = { version: order?.version, kind: 'final' }
    const { invoice } = ok(await p.app.call<{ invoice: Made }>(p.actors.office, 'POST', path, wish), 201)
    const final = `/Invoices/Issue/${invoice.guid}`
    ok(await p.app.call(p.actors.office, 'POST', final, { version: invoice.version }))
    const credited = await issued(plain.guid, { lines: [{ name: 'Gate', quantity: '3', unitPriceCents: 3333 }] })
    const lines = [{ gstCode: 'GST', cents: 1234, text: 'Scratched' }]
    const note = { invoiceGuid: credited.guid, lines, reason: 'Scratched' }
    const once = { 'idempotency-key': randomUUID() }
    ok(await p.app.call(p.actors.accountant, 'POST', '/Invoices/Notes', note, once), 201)
    const gone = await p.invoice(11_000, plain.guid)
    const reason = { version: gone.version, reason: 'Twice' }
    ok(await p.app.call(p.actors.accountant, 'POST', `/Invoices/Void/${gone.guid}`, reason))
  })

  test('come to the cent in Xero, with a rounding line only where its own sum is another', async () => {
    const rows = tableOf(await fileOf('xero'))
    const made = await documents()
    const found = by(rows, '*InvoiceNumber')
    expect([...found.keys()].toSorted()).toEqual([...made.keys()].toSorted())
    let rounded = 0
    for (const [number, { kind, totalCents, gstCents }] of made) {
      const lines = found.get(number) ?? []
      const sign = kind === 'adjustment_note' ? -1 : 1
      const amounts = lines.map(xeroLine)
      const rounding = lines.filter((row) => row['*Description'] === 'Rounding')
      const off = sum(rounding, (row) => xeroLine(row).net)
      expect(sum(amounts, ({ net, tax }) => net + tax)).toBe(sign * totalCents)
      expect(sum(amounts, ({ tax }) => tax) + off).toBe(sign * gstCents)
      expect(Math.abs(off)).toBeLessThanOrEqual(lines.length)
      expect(rounding.length).toBe(off === 0 ? 0 : 1)
      rounded += rounding.length
      for (const row of lines) expect(Math.sign(Number(row['*Quantity']))).toBe(sign)
    }
    // Nine lines of 14 cents: 9 × 1 cent of tax, where a tenth of all is 13.
    expect(rounded).toBeGreaterThan(0)
    const types = new Set(rows.map((row) => row['*TaxType']))
    for (const type of ['GST on Income', 'GST Free Income', 'GST Free Exports', 'Input Taxed', 'BAS Excluded'])
      expect(types).toContain(type)
    const [panel] = rows.filter((row) => row['*Description']?.startsWith('Fence panels'))
    expect(panel).toMatchObject({ '*Quantity': '2', '*UnitAmount': '125.00', '*AccountCode': '4000' })
    const [credit] = rows.filter((row) => row['*AccountCode'] === '2200' && Number(row['*UnitAmount']) < 0)
    expect(credit).toBeDefined()
    expect(rows[0]?.['*InvoiceDate']).toBe(today.split('-').toReversed().join('/'))
    expect(Object.keys(rows[0] ?? {})).toHaveLength(27)
  })

  test('are harmless in a spreadsheet, whatever a customer is called', async () => {
    const rows = tableOf(await fileOf('xero'))
    const [odd] = rows.filter((row) => row['*ContactName']?.includes('HYPERLINK'))
    expect(odd?.['*ContactName']).toBe(`'${hostile.replace('\n', ' ')}`)
    expect(odd?.['*Description']).toContain(hostile)
    expect(odd?.['Reference']?.startsWith("'-PO 7")).toBe(true)
    const texts = ['*ContactName', 'Reference', '*Description'] as const
    for (const row of rows) for (const column of texts) expect(row[column] ?? '').not.toMatch(/^[=+\-@]/)
  })

  test('come to the cent in MYOB, an empty line between invoices', async () => {
    const text = await fileOf('myob')
    const made = await documents()
    const rows = tableOf(text, '\t')
    const found = by(rows, 'Invoice No.')
    expect(found.size).toBe(made.size)
    for (const [number, { kind, totalCents, gstCents }] of made) {
      const lines = found.get(number) ?? []
      const sign = kind === 'adjustment_note' ? -1 : 1
      expect(sum(lines, (row) => cents(row['Inc-Tax Amount']))).toBe(sign * totalCents)
      expect(sum(lines, (row) => cents(row['Tax Amount']))).toBe(sign * gstCents)
      for (const row of lines)
        expect(cents(row['Amount']) + cents(row['Tax Amount'])).toBe(cents(row['Inc-Tax Amount']))
    }
    const blocks = text.split('\r\n').slice(1).join('\n').split('\n\n').filter(Boolean)
    expect(blocks).toHaveLength(made.size)
    for (const block of blocks) expect(new Set(block.split('\n').map((row) => row.split('\t')[1])).size).toBe(1)
    expect(new Set(rows.map((row) => row['Tax Code']))).toEqual(new Set(['GST', 'FRE', 'EXP', 'ITS']))
  })

  test('the journal comes to what every account moved, and names whose debts and what documents', async () => {
    const rows = tableOf(await fileOf('journal'))
    const moved = (account: string) =>
      sum(
        rows.filter((row) => row['Account'] === account),
        (row) => cents(row['Debit'] || '0') - cents(row['Credit'] || '0'),
      )
    const trial = ok(
      await p.app.call<{ rows: { code: string; debitCents: number; creditCents: number }[] }>(
        p.actors.accountant,
        'GET',
        `/Journal/TrialBalance?on=${today}`,
      ),
    ).rows
    expect(trial.length).toBeGreaterThan(2)
    for (const { code, debitCents, creditCents } of trial)
      expect([code, moved(code)]).toEqual([code, debitCents - creditCents])
    const [part] = (await plan('journal')).parts
    const entries = by(rows, 'Entry')
    expect(part?.documents).toBe(entries.size)
    for (const side of ['Debit', 'Credit'] as const)
      expect(part?.sums[side.toLowerCase()]).toBe(sum(rows, (row) => cents(row[side] || '0')))
    expect([...entries.keys()].every((entry) => /^\d+$/.test(entry))).toBe(true)
    for (const [, lines] of entries)
      expect(sum(lines, (row) => cents(row['Debit'] || '0'))).toBe(sum(lines, (row) => cents(row['Credit'] || '0')))
    const sales = rows.filter((row) => row['Account'] === '4000' && row['Credit'] !== '')
    expect(new Set(sales.map((row) => row['GST code']))).toContain('FREE')
    for (const row of rows) expect(row['Document']).not.toBe('')
    expect(new Set(rows.filter((row) => row['Account'] === '1100').map((row) => row['Customer']))).toContain(
      'Harbour Builders',
    )
  })

  test('are planned as files, with what to do by hand there', async () => {
    const made = await documents()
    const { parts, problems } = await plan('xero')
    const signed = [...made.values()].map(({ kind, totalCents, gstCents }) => {
      const sign = kind === 'adjustment_note' ? -1 : 1
      return { total: sign * totalCents, gst: sign * gstCents, net: sign * (totalCents - gstCents) }
    })
    const sums = {
      net: sum(signed, ({ net }) => net),
      gst: sum(signed, ({ gst }) => gst),
      total: sum(signed, ({ total }) => total),
    }
    expect(parts).toEqual([{ part: 1, name: `xero-${today}-to-${today}-1.csv`, documents: made.size, sums }])
    expect(problems).toEqual([])
    const twin = await aCustomer(p.app, p.actors.office, { displayName: 'harbour builders ', email: 'o@example.com' })
    await p.invoice(1100, twin.guid)
    const [same] = (await plan('myob')).problems
    expect(same).toMatchObject({ noun: 'Customers' })
    expect(same?.text).toMatch(/^2 customers are called harbour builders. MYOB takes them for one/i)
    expect((await plan('journal')).problems).toEqual([])
  })
})

test('a note takes back from the stream of its invoice, in both programs', async () => {
  const stream = async (name: string, accountCode: string) =>
    ok(
      await p.app.call<{ stream: { guid: string } }>(p.actors.administrator, 'POST', '/RevenueStreams', {
        name,
        accountCode,
        code: accountCode,
      }),
      201,
    ).stream.guid
  const [hire, work] = [await stream('Scaffold hire', '210'), await stream('Scaffold work', '220')]
  const made = await issued(p.customer.guid, {
    lines: [
      { name: 'Work', quantity: '1', unitPriceCents: 10_000, revenueStreamGuid: work },
      { name: 'Hire', quantity: '1', unitPriceCents: 30_000, revenueStreamGuid: hire },
    ],
  })
  const wish = {
    invoiceGuid: made.guid,
    lines: [{ gstCode: 'GST', cents: 1100, text: 'Scratched' }],
    reason: 'Scratched',
  }
  const once = { 'idempotency-key': randomUUID() }
  const { invoice: note } = ok(
    await p.app.call<{ invoice: Made }>(p.actors.accountant, 'POST', '/Invoices/Notes', wish, once),
    201,
  )
  const rows = tableOf((await download(asked('xero'))).body.slice(1))
  const of = (number: string) =>
    rows.filter((row) => row['*InvoiceNumber'] === number).map((row) => [row['*AccountCode'], row['TrackingOption1']])
  expect(of(made.number)).toEqual([
    ['220', 'Scaffold work'],
    ['210', 'Scaffold hire'],
  ])
  expect(of(note.number)).toEqual([['210', 'Scaffold hire']])
})

test('500 invoices are a file for Xero; the next one begins another, and none is read twice or left out', async () => {
  const { guid } = await aCustomer(p.app, p.actors.office, { displayName: 'Many', email: 'many@example.com' })
  const seed = await p.invoice(1100, guid)
  const day = '2021-03-04'
  // Issued documents that the journal has, as an import of old ones would leave them.
  await p.rows('begin')
  await p.rows('set local session_replication_role = replica')
  await p.rows(
    `create temp table copies on commit drop as select gen_random_uuid() as guid, n from generate_series(1, 502) n`,
  )
  const copyOf = async (table: string, changes: string, source: string) => {
    const [{ columns } = { columns: '' }] = await p.rows<{ columns: string }>(
      `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
        where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'`,
      [table],
    )
    await p.rows(
      `insert into ${table} (${columns}) select ${columns} from (select (jsonb_populate_record(t,
        jsonb_build_object(${changes}))).* from ${table} t, copies c where ${source}) x`,
    )
  }
  const ofSeed = `= '${seed.guid}'`
  await copyOf('invoices', `'guid', c.guid, 'number', 'OLD-' || c.n, 'issue_on', '${day}'`, `t.guid ${ofSeed}`)
  await copyOf('invoice_lines', `'guid', gen_random_uuid(), 'invoice_guid', c.guid`, `t.invoice_guid ${ofSeed}`)
  const entry = `'guid', c.guid, 'source_guid', c.guid, 'posted_on', '${day}'`
  await copyOf('journal_entries', entry, `t.source_guid ${ofSeed}`)
  await p.rows('commit')
  const query = asked('xero', day, day)
  const { parts } = ok(await p.app.call<Plan>(p.actors.accountant, 'GET', `/Accounting/Export/Plan?${query}`))
  expect(parts.map(({ part, documents: count }) => [part, count])).toEqual([
    [1, 500],
    [2, 2],
  ])
  const files = await Promise.all(
    [1, 2].map(async (part) => tableOf((await download(`${query}&part=${part}`)).body.slice(1))),
  )
  expect(files.map((rows) => new Set(rows.map((row) => row['*InvoiceNumber'])).size)).toEqual([500, 2])
  expect(new Set(files.flat().map((row) => row['*InvoiceNumber'])).size).toBe(502)
  expect((await download(`${query}&part=3`)).status).toBe(404)
})

test('an invoice that a later period voids stays in the file of its own, and both plans say what to do', async () => {
  const { guid } = await aCustomer(p.app, p.actors.office, { displayName: 'Void & Sons', email: 'v@example.com' })
  const made = await p.invoice(2200, guid)
  await p.rows('alter table invoices disable trigger user')
  await p.rows('alter table journal_entries disable trigger user')
  const day = addDays(today, -1)
  await p.rows('update invoices set issue_on = $2 where guid = $1', [made.guid, day])
  await p.rows('update journal_entries set posted_on = $2 where source_guid = $1', [made.guid, day])
  await p.rows('alter table invoices enable trigger user')
  await p.rows('alter table journal_entries enable trigger user')
  const reason = { version: made.version, reason: 'Twice' }
  ok(await p.app.call(p.actors.accountant, 'POST', `/Invoices/Void/${made.guid}`, reason))
  const says = `${made.number} was voided on ${today.split('-').toReversed().join('-')}. Void it there too.`
  for (const [from, to, count] of [
    [day, day, 1],
    [today, today, 0],
    [day, today, 0],
  ] as const) {
    const path = `/Accounting/Export/Plan?${asked('xero', from, to)}`
    const { problems } = ok(await p.app.call<Plan>(p.actors.accountant, 'GET', path))
    const said = problems.filter((problem) => problem.guid === made.guid).map(({ text }) => text)
    expect([from, to, said]).toEqual([from, to, from === to ? [says] : []])
    const rows = tableOf((await download(asked('xero', from, to))).body.slice(1))
    expect(rows.filter((row) => row['*InvoiceNumber'] === made.number)).toHaveLength(count)
  }
})

test('is asked for with two days in order, by who may export', async () => {
  const wrong = await p.app.call(
    p.actors.accountant,
    'GET',
    '/Accounting/Export/Plan?format=xero&from=2026-07-02&to=2026-07-01',
  )
  expect(wrong.errors).toEqual([{ path: 'to', message: 'Choose a day that isn’t before the first.' }])
  expect((await download('format=xero&from=2026-07-02&to=2026-07-01')).status).toBe(422)
  expect((await download('format=excel&from=2026-07-01&to=2026-07-02')).status).toBe(400)
  expect((await p.app.call(p.actors.office, 'GET', `/Accounting/Export?${asked('xero')}`)).status).toBe(403)
  const empty = await download(asked('journal', '2020-07-01', '2020-07-02'))
  expect(tableOf(empty.body.slice(1))).toEqual([])
  expect(empty.headers['content-disposition']).toContain('journal-2020-07-01-to-2020-07-02-1.csv')
})
