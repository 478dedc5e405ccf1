import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Customer } from '../../contract/customers.ts'
import type { CustomerImport } from '../../contract/imports.ts'
import { newGuid } from '../core/guid.ts'
import { openCtx, systemRun } from '../core/run.ts'
import { type Actors, aPerson, aRole } from '../../test/support/actors.ts'
import { aCustomer, aQuote, ok, startStaffed } from '../../test/support/factories.ts'
import {
  beginImport,
  csvOf,
  fileOf,
  importFile,
  importOf,
  manyRows,
  previewOf,
  workOff,
  xeroFile,
} from '../../test/support/importing.ts'
import type { Running } from '../../test/support/start.ts'
import { runImport } from './run-import.service.ts'

let app: Running
let people: Actors
beforeAll(async () => {
  ;({ app, actors: people } = await startStaffed())
})
afterAll(() => app.stop())

const get = async (guid: string) =>
  ok(await app.call<{ customer: Customer }>(people.office, 'GET', `/Customers/${guid}`)).customer
const named = async (search: string, archived = false) =>
  ok(
    await app.call<{ items: { guid: string; displayName: string }[] }>(
      people.office,
      'GET',
      `/Customers?size=100&archived=${archived}&search=${encodeURIComponent(search)}`,
    ),
  ).items
const undo = (guid: string) =>
  app.call<{
    import: CustomerImport
    archived: number
    emptied: number
    kept: { guid: string; displayName: string; reason: string }[]
  }>(people.office, 'POST', `/Customers/Imports/Undo/${guid}`, {})

/** A file that hangs on a customer. */
async function attachFile(customerGuid: string) {
  const { guid: businessGuid } = await app.deps.db.selectFrom('businesses').select('guid').executeTakeFirstOrThrow()
  const file = { guid: newGuid(), businessGuid, name: 'plan.pdf', mime: 'application/pdf', bytes: 1, sha256: 'x' }
  await app.deps.db.insertInto('files').values(file).execute()
  await app.deps.db
    .insertInto('attachments')
    .values({ guid: newGuid(), fileGuid: file.guid, ownerNoun: 'Customers', ownerGuid: customerGuid })
    .execute()
}

const heron = {
  '*ContactName': 'Heron Landscapes Pty Ltd',
  AccountNumber: 'H-1',
  EmailAddress: 'office@heron.example',
  FirstName: 'Hana',
  LastName: 'Heron',
  POAddressLine1: '1 Wharf St',
  POCity: 'Balmain',
  PORegion: 'NSW',
  POPostalCode: '2041',
  SAAddressLine1: '2 Yard Rd',
  SACity: 'Kew',
  SARegion: 'VIC',
  SAPostalCode: '3101',
  PhoneNumber: '02 5550 1234',
  TaxNumber: '51 824 753 556',
  DueDateSalesDay: '21',
  DueDateSalesTerm: 'Days After',
}

describe('a file of customers', () => {
  test('is looked at without writing anything, then taken in whole', async () => {
    const text = xeroFile([heron, { '*ContactName': 'Ibis' }, { '*ContactName': 'Ibis' }])
    const before = (await named('')).length
    const preview = await previewOf(app, people.office, text)
    expect(preview).toMatchObject({
      source: 'xero',
      counts: { create: 2, fill: 0, skip: 1, bad: 0 },
      problems: [],
      rows: [
        { row: 2, action: 'create', name: 'Heron Landscapes Pty Ltd', matchGuid: null, warnings: [] },
        { row: 3, action: 'create', name: 'Ibis' },
        { row: 4, action: 'skip', warnings: ['Same as row 3.'] },
      ],
    })
    expect(preview.columns[0]).toEqual({
      index: 0,
      header: '*ContactName',
      sample: ['Heron Landscapes Pty Ltd', 'Ibis', 'Ibis'],
    })
    expect((await named('')).length).toBe(before)

    const done = await importFile(app, people.office, text)
    expect(done).toMatchObject({ status: 'done', total: 3, created: 2, filled: 0, skipped: 1, createdByName: 'office' })
    const [listed] = await named('heron')
    expect(await get(listed?.guid ?? '')).toMatchObject({
      displayName: 'Heron Landscapes Pty Ltd',
      kind: 'business',
      abn: '51824753556',
      externalRef: 'H-1',
      email: 'office@heron.example',
      phone: '02 5550 1234',
      terms: { termsDays: 21 },
      billingAddress: { line1: '1 Wharf St', suburb: 'Balmain', state: 'NSW', postcode: '2041' },
      sites: [{ name: '2 Yard Rd', address: { suburb: 'Kew' } }],
      contacts: [{ name: 'Hana Heron', isPrimary: true }],
    })
    const { items } = ok(
      await app.call<{ items: { what: string; by: string }[] }>(
        people.office,
        'GET',
        `/Customers/Timeline/${listed?.guid}`,
      ),
    )
    expect(items.map(({ what, by }) => [what, by])).toEqual([['customer.imported', 'office']])
  })

  test('stops whole for one bad row, and says which', async () => {
    const text = xeroFile([
      { '*ContactName': 'Good Egret' },
      { '*ContactName': 'Bad Egret', TaxNumber: '51 824 753 557' },
    ])
    expect((await previewOf(app, people.office, text)).problems).toEqual([
      {
        row: 3,
        column: 'TaxNumber',
        message: 'Row 3: this ABN fails its check digit.',
        what: 'This ABN fails its check digit.',
      },
    ])
    const refused = await beginImport(app, people.office, text)
    expect([refused.status, refused.errors]).toEqual([
      422,
      [{ path: 'rows.3.abn', message: 'Row 3: this ABN fails its check digit.' }],
    ])
    expect(await named('egret')).toEqual([])
  })

  test('is read by the mapping that is sent', async () => {
    const text = csvOf(['Who', 'What'], [['Lapwing', 'Tall trees']])
    expect((await previewOf(app, people.office, text)).problems[0]?.message).toBe('Row 2: enter a name.')
    const mapping = [
      { index: 0, field: 'displayName' },
      { index: 1, field: 'notes' },
    ]
    const done = await importFile(app, people.office, text, { mapping })
    expect(done.created).toBe(1)
    const [lapwing] = await named('lapwing')
    expect((await get(lapwing?.guid ?? '')).internalNotes).toBe('Tall trees')
  })

  test('with the same bytes is refused with the day, until that import is undone', async () => {
    const text = xeroFile([{ '*ContactName': 'Once Only' }])
    const { guid } = await importFile(app, people.office, text)
    const again = await beginImport(app, people.office, text)
    expect([again.status, again.message]).toEqual([
      409,
      expect.stringMatching(/^This file was imported on \d\d-\d\d-20\d\d\.$/),
    ])
    ok(await undo(guid))
    expect((await importFile(app, people.office, text)).created).toBe(1)
  })
})

describe('customers who are there already', () => {
  test('are found by record, reference, ABN, email, then name; the first that finds anything decides', async () => {
    const make = (facts: object) => aCustomer(app, people.office, facts as { displayName: string })
    const byRef = await make({ displayName: 'Ref Co', externalRef: 'R-77' })
    const byAbn = await make({ displayName: 'Abn Co', abn: '53004085616' })
    const byMail = await make({ displayName: 'Mail Co', email: 'post@mailco.example' })
    const byName = await make({ displayName: 'The Öresund & Sons P/L' })
    const text = csvOf(
      ['Record ID', 'Name', 'Reference', 'ABN', 'Email'],
      [
        [byName.guid, 'Whatever', 'R-77', '', ''],
        ['', 'Mail Co', 'R-77', '', ''],
        ['', 'Ref Co', '', '53 004 085 616', 'post@mailco.example'],
        ['', 'Ref Co', '', '', 'POST@mailco.example'],
        ['', 'oresund and sons pty ltd', '', '', ''],
        ['', 'Nobody Known', '', '', ''],
      ],
    )
    const { rows } = await previewOf(app, people.office, text)
    expect(rows.map((row) => row.matchGuid)).toEqual([
      byName.guid,
      byRef.guid,
      byAbn.guid,
      byMail.guid,
      byName.guid,
      null,
    ])
    expect(rows[1]).toMatchObject({ name: 'Mail Co', matchName: 'Ref Co' })
    expect(rows[5]?.matchName).toBeNull()
  })

  test('are a problem where two are found, and are named by their number', async () => {
    await aCustomer(app, people.office, { displayName: 'Twin Pools' })
    await aCustomer(app, people.office, { displayName: 'twin pools pty ltd' })
    const text = xeroFile([{ '*ContactName': 'Twin Pools' }])
    const { problems, counts } = await previewOf(app, people.office, text)
    expect([problems, counts.bad]).toEqual([
      [
        {
          row: 2,
          column: '',
          message: 'Row 2: 2 customers match. Add a reference to choose one.',
          what: '2 customers match. Add a reference to choose one.',
        },
      ],
      1,
    ])
  })

  test('stay as they are, or have blanks filled; undo empties what still says the same', async () => {
    const made = await aCustomer(app, people.office, { displayName: 'Blank Bros', email: null, phone: '02 1111 2222' })
    const row = {
      ...heron,
      '*ContactName': 'Blank Bros',
      AccountNumber: 'B-1',
      EmailAddress: 'b@blank.example',
      TaxNumber: '',
    }
    expect((await previewOf(app, people.office, xeroFile([row]))).counts.fill).toBe(1)
    expect(await importFile(app, people.office, xeroFile([row]))).toMatchObject({ filled: 0, skipped: 1 })
    expect((await get(made.guid)).email).toBeNull()

    const filling = xeroFile([row, {}])
    const done = await importFile(app, people.office, `${filling}\r\n`, { onDuplicate: 'fill' })
    expect(done).toMatchObject({ created: 0, filled: 1 })
    const filled = await get(made.guid)
    expect(filled).toMatchObject({ email: 'b@blank.example', phone: '02 1111 2222', externalRef: 'B-1' })
    expect([filled.terms.termsDays, filled.sites.length, filled.contacts.length]).toEqual([21, 1, 1])
    ok(
      await app.call(people.office, 'PATCH', `/Customers/${made.guid}`, {
        version: filled.version,
        email: 'new@blank.example',
      }),
    )

    expect(ok(await undo(done.guid))).toMatchObject({ archived: 0, emptied: 1, kept: [], import: { status: 'undone' } })
    const after = await get(made.guid)
    expect(after).toMatchObject({
      email: 'new@blank.example',
      phone: '02 1111 2222',
      externalRef: null,
      billingAddress: null,
    })
    expect([after.terms.termsDays, after.sites, after.contacts]).toEqual([null, [], []])
  })
})

describe('undoing an import', () => {
  test('archives what nobody uses and names the rest, once', async () => {
    const text = xeroFile(
      ['Wren', 'Wagtail', 'Weebill', 'Woodswallow'].map((name) => ({ '*ContactName': `${name} Undone` })),
    )
    const { guid } = await importFile(app, people.office, text)
    const [wagtail, weebill, withFile, wren] = (await named('undone')).toSorted((a, b) =>
      a.displayName.localeCompare(b.displayName),
    )
    await aQuote(app, people.office, wren?.guid ?? '')
    ok(await app.call(people.office, 'PATCH', `/Customers/${weebill?.guid}`, { version: 1, phone: '02 9999 8888' }))
    await attachFile(withFile?.guid ?? '')
    const answer = ok(await undo(guid))
    expect(answer).toMatchObject({ archived: 1, emptied: 0, keptCount: 3 })
    expect(await importOf(app, people.office, guid)).toMatchObject({ created: 4, archived: 1 })
    expect(answer.kept).toEqual([
      { guid: weebill?.guid, displayName: 'Weebill Undone', reason: 'changed' },
      { guid: withFile?.guid, displayName: 'Woodswallow Undone', reason: 'inUse' },
      { guid: wren?.guid, displayName: 'Wren Undone', reason: 'inUse' },
    ])
    expect((await named('undone', true)).map((c) => c.guid)).toEqual([wagtail?.guid])
    const twice = await undo(guid)
    expect([twice.status, twice.message]).toEqual([409, 'This import has already been undone.'])
  })

  test('is for imports that were applied', async () => {
    const { guid } = ok(await beginImport(app, people.office, xeroFile([{ '*ContactName': 'Early' }])), 201).import
    expect((await undo(guid)).message).toBe('Only an import that has been applied can be undone.')
  })
})

describe('an import that is under way', () => {
  test('is stopped before it is applied, and nothing of it stays', async () => {
    const text = xeroFile([{ '*ContactName': 'Halted' }])
    const { guid, status } = ok(await beginImport(app, people.office, text), 201).import
    expect(status).toBe('staging')
    const busy = await beginImport(app, people.office, text)
    expect([busy.status, busy.message]).toEqual([409, 'This file is being imported already.'])
    const stopped = ok(
      await app.call<{ import: CustomerImport }>(people.office, 'POST', `/Customers/Imports/Stop/${guid}`, {}),
    )
    expect(stopped.import.status).toBe('stopped')
    await workOff(app, guid)
    expect([(await importOf(app, people.office, guid)).status, await named('halted')]).toEqual(['stopped', []])
    const late = await app.call(people.office, 'POST', `/Customers/Imports/Stop/${guid}`, {})
    expect([late.status, late.message]).toEqual([409, 'This import has already ended.'])
    expect((await importFile(app, people.office, text)).created).toBe(1)
  })

  test('is done once, however often the queue asks and however many work on it', async () => {
    const { guid } = ok(await beginImport(app, people.office, xeroFile(manyRows(1200))), 201).import
    await Promise.all([workOff(app, guid), workOff(app, guid)].map((work) => work.catch(() => undefined)))
    await workOff(app, guid)
    expect(await importOf(app, people.office, guid)).toMatchObject({ status: 'done', staged: 1200, created: 1200 })
    const { rows } = await app.deps.db
      .selectFrom('customers')
      .select((q) => q.fn.countAll<number>().as('rows'))
      .where('externalRef', 'like', 'F-%')
      .executeTakeFirstOrThrow()
    expect(rows).toBe(1200)
    ok(await undo(guid))
  })

  test('finds the customers of another one that came first', async () => {
    const same = { '*ContactName': 'Meeting Point', EmailAddress: 'hello@meeting.example' }
    const first = ok(await beginImport(app, people.office, xeroFile([same])), 201).import
    const second = ok(
      await beginImport(app, people.office, xeroFile([same, { '*ContactName': 'Other Point' }])),
      201,
    ).import
    await Promise.all([workOff(app, first.guid), workOff(app, second.guid)])
    const created = [await importOf(app, people.office, first.guid), await importOf(app, people.office, second.guid)]
    expect(created.reduce((sum, one) => sum + one.created, 0)).toBe(2)
    expect(await named('meeting point')).toHaveLength(1)
  })

  test('ends as failed when the queue gives it up, and may then be started again', async () => {
    const file = xeroFile([{ '*ContactName': 'Given Up' }])
    const { guid } = ok(await beginImport(app, people.office, file), 201).import
    const whole = openCtx(systemRun(app.deps, 'test'))
    const having = (tx: typeof whole.tx): typeof whole => Object.create(whole, { tx: { value: tx } }) as typeof whole
    const broken = having(() => Promise.reject(new Error('no connection')))
    let tries = 0
    const breaksFirst = having((work) => (tries++ ? whole.tx(work) : Promise.reject(new Error('no connection'))))
    await expect(runImport(broken, guid)).rejects.toThrow('no connection')
    expect((await importOf(app, people.office, guid)).status).toBe('staging')
    await expect(runImport(breaksFirst, guid, { isLast: true })).rejects.toThrow('no connection')
    expect(await importOf(app, people.office, guid)).toMatchObject({
      status: 'failed',
      failure: 'This import couldn’t be applied. Nothing was changed.',
    })
    const again = ok(await beginImport(app, people.office, file), 201).import
    await workOff(app, again.guid)
    expect(await importOf(app, people.office, again.guid)).toMatchObject({ status: 'done', created: 1 })
  })

  test('fails with the row when two customers match by then, and changes nothing', async () => {
    const { guid } = ok(
      await beginImport(app, people.office, xeroFile([{ '*ContactName': 'Late Twin' }, heron])),
      201,
    ).import
    await aCustomer(app, people.office, { displayName: 'Late Twin' })
    await aCustomer(app, people.office, { displayName: 'The Late Twin' })
    await workOff(app, guid)
    expect(await importOf(app, people.office, guid)).toMatchObject({
      status: 'failed',
      created: 0,
      failure: 'Row 2: 2 customers match. Add a reference to choose one.',
    })
  })
})

describe('what is in a file', () => {
  test('stays text, in lists and in the files that go out again', async () => {
    const text = csvOf(
      ['Name', 'Notes', 'Reference', 'Phone'],
      [
        [`'=HYPERLINK("http://x")`, '<script>alert(1)</script>', '@SUM(A1)', '+61 400 111 222'],
        ['\u202eevil\u202c Name', '', '', ''],
      ],
    )
    expect((await importFile(app, people.office, text)).created).toBe(2)
    const [formula] = await named('=HYPERLINK')
    expect(await get(formula?.guid ?? '')).toMatchObject({
      displayName: '=HYPERLINK("http://x")',
      internalNotes: '<script>alert(1)</script>',
      phone: '+61 400 111 222',
    })
    expect(await named('evil')).toMatchObject([{ displayName: 'evil Name' }])
    for (const query of ['', '?format=xero']) {
      const { body } = await app.call(people.office, 'GET', `/Customers/Export${query}`)
      expect(body).toContain(`"'=HYPERLINK(""http://x"")"`)
      expect(body).not.toMatch(/(^|,)"?[=+@]/m)
    }
  })

  test('with a NUL is refused with row and column', async () => {
    const { problems } = await previewOf(app, people.office, csvOf(['Name', 'Email'], [['A\0B', 'a@b.example']]))
    expect(problems).toEqual([
      expect.objectContaining({ message: 'Row 2, Name: Remove line breaks and special characters.' }),
    ])
  })

  test('that is no table is refused with what to do', async () => {
    for (const [bytes, sentence] of [
      [Buffer.from('%PDF-1.7'), 'This is a PDF. Save the list as CSV first.'],
      [Buffer.alloc(0), 'This file is empty.'],
      [Buffer.alloc(5 * 1024 * 1024 + 3, 'a'), 'This file is larger than 5 MB. Split it into smaller files.'],
    ] as const) {
      for (const path of ['/Customers/Imports/Preview', '/Customers/Imports']) {
        const refused = await app.call(people.office, 'POST', path, fileOf(bytes))
        expect([path, refused.status, refused.errors]).toEqual([path, 422, [{ path: 'base64', message: sentence }]])
      }
    }
    const huge = await app.call(people.office, 'POST', '/Customers/Imports', {
      fileName: 'x',
      base64: 'A'.repeat(9_000_000),
    })
    expect(huge.status).toBe(413)
    const odd = await app.call(people.office, 'POST', '/Customers/Imports', { fileName: 'x', base64: 'no base64!' })
    expect([odd.status, odd.errors[0]?.path]).toEqual([422, 'base64'])
  })
})

test('what goes out for Xero comes in again as what is there', async () => {
  await aCustomer(app, people.office, {
    displayName: 'Round Trip',
    email: 'round@trip.example',
    contacts: [{ name: 'Rae van Trip' }, { name: 'Tess', email: 'tess@trip.example' }],
  })
  const { body } = await app.call(people.office, 'GET', '/Customers/Export?format=xero&search=round')
  expect(body.split('\r\n')[1]).toContain('Round Trip,,round@trip.example,Rae van,Trip')
  const preview = await previewOf(app, people.office, body)
  expect(preview).toMatchObject({ source: 'xero', counts: { create: 0, fill: 0, skip: 1, bad: 0 }, problems: [] })
  const own = await app.call(people.office, 'GET', '/Customers/Export')
  const all = await previewOf(app, people.office, own.body)
  expect([all.source, all.counts.create, all.counts.bad]).toEqual(['own', 0, 0])
  expect((await app.call(people.office, 'GET', '/Customers/Export?format=lotus')).status).toBe(400)
})

test('only who may import sees anything of it', async () => {
  const text = xeroFile([{ '*ContactName': 'Private' }])
  const { guid } = ok(await beginImport(app, people.office, text), 201).import
  for (const who of [people.sales, people.field, people.accountant, people.readOnly])
    for (const [method, path, body] of [
      ['POST', '/Customers/Imports/Preview', fileOf(text)],
      ['POST', '/Customers/Imports', fileOf(text)],
      ['GET', '/Customers/Imports', undefined],
      ['GET', `/Customers/Imports/${guid}`, undefined],
      ['POST', `/Customers/Imports/Stop/${guid}`, {}],
      ['POST', `/Customers/Imports/Undo/${guid}`, {}],
    ] as const)
      expect([path, (await app.call(who, method, path, body)).status]).toEqual([path, 403])
  const role = await aRole(app, 'Own customers', [
    { subject: 'Customers', action: 'manage', conditions: { scope: 'own' } },
  ])
  const owner = await aPerson(app, 'owner', role)
  const refused = await app.call(owner, 'POST', '/Customers/Imports/Preview', fileOf(text))
  expect([refused.status, refused.message]).toEqual([403, 'To import customers you need access to all of them.'])
  const { items } = ok(await app.call<{ items: { guid: string }[] }>(people.office, 'GET', '/Customers/Imports?size=2'))
  expect(items[0]?.guid).toBe(guid)
  const found = await app.call<{ items: object[] }>(people.office, 'GET', '/Customers/Imports?search=nothing+like+it')
  expect(ok(found).items).toEqual([])
})
