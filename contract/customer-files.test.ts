import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { guessMapping, importFields, type ImportSource, isBraces, type Mapping, sourceOf } from './customer-files.ts'
import { findRepeated, readRow } from './customer-file-rows.ts'
import { readOneLineAddress } from './one-line-address.ts'

const xero = `*ContactName,AccountNumber,EmailAddress,FirstName,LastName,POAddressLine1,POAddressLine2,POCity,PORegion,
  POPostalCode,SAAddressLine1,SACity,SARegion,SAPostalCode,PhoneNumber,MobileNumber,TaxNumber,DueDateSalesDay,
  DueDateSalesTerm,Person1FirstName,Person1LastName,Person1Email`
  .split(',')
  .map((header) => header.trim())
const below = (...names: string[]) => names.map((name) => `           - ${name}`)
const myob = [
  'Co./Last Name',
  'First Name',
  'Card ID',
  'Addr 1 - Line 1',
  ...below('Line 2', 'City', 'State', 'Postcode', 'Phone # 1', 'Email'),
  'Addr 2 - Line 1',
  ...below('City', 'State', 'Postcode'),
  'Addr 3 - Line 1',
  ...below('City'),
  'Terms - Payment is Due',
  ...below('Balance Due Days'),
  'A.B.N.',
  'Notes',
]
/** Reads a row by the names of its columns. */
function read(headers: readonly string[], cells: Readonly<Record<string, string>>, mapping?: Mapping) {
  const source = sourceOf(headers, false)
  const table = { source, headers, mapping: mapping ?? guessMapping(source, headers) }
  return readRow(
    2,
    headers.map((header) => cells[header] ?? ''),
    table,
  )
}

describe('a file is known by its heading', () => {
  test.each<[ImportSource, string]>([
    ['xero', '*ContactName,EmailAddress,POAddressLine1'],
    ['xero', '*Name,POAddressLine1'],
    ['xero', 'ContactName,AccountNumber,EmailAddress'],
    ['myob', 'Co./Last Name,First Name,Card ID'],
    ['servicem8', 'Client Name,Address,Billing Address,Email'],
    ['jobber', 'J-ID,Display Name,First Name,Last Name,Company Name'],
    ['jobber', 'First Name,Last Name,Property Street,Property City,Property Province'],
    ['own', 'Name,Kind,ABN,Email,Phone,Suburb,Balance,Overdue,Created,Record ID'],
    ['other', 'Name,Email,Phone'],
  ])('%s: %s', (source, heading) => expect(sourceOf(heading.split(','), false)).toBe(source))
  test('MYOB may begin with braces', () => {
    expect([isBraces(['{}']), isBraces(['{}', '', '']), isBraces(['Name'])]).toEqual([true, true, false])
    expect(sourceOf(['Something'], true)).toBe('myob')
  })
})

describe('a row of Xero', () => {
  test('becomes a customer with both addresses, people and terms', () => {
    const row = read(xero, {
      '*ContactName': 'Cormorant Cafe Pty Ltd',
      AccountNumber: 'C-17',
      EmailAddress: 'Accounts@Cormorant.example',
      FirstName: 'Mia',
      LastName: 'Wong',
      POAddressLine1: 'PO Box 7',
      POAddressLine2: 'Level 2',
      POCity: 'Balmain',
      PORegion: 'New South Wales',
      POPostalCode: '2041',
      SAAddressLine1: '1 Wharf St',
      SACity: 'Darwin',
      SARegion: 'nt',
      SAPostalCode: '800',
      MobileNumber: '0400 111 222',
      TaxNumber: '51 824 753 556',
      DueDateSalesDay: '14',
      DueDateSalesTerm: 'Days After',
      Person1FirstName: 'Omar',
      Person1Email: 'omar@cormorant.example',
    })
    expect(row?.problems).toEqual([])
    expect(row?.customer).toEqual({
      guid: null,
      displayName: 'Cormorant Cafe Pty Ltd',
      kind: 'business',
      abn: '51824753556',
      acn: null,
      email: 'accounts@cormorant.example',
      phone: '0400 111 222',
      externalRef: 'C-17',
      termsDays: 14,
      notes: null,
      postal: { line1: 'PO Box 7', line2: 'Level 2', suburb: 'Balmain', state: 'NSW', postcode: '2041' },
      site: { line1: '1 Wharf St', suburb: 'Darwin', state: 'NT', postcode: '0800' },
      contacts: [
        { name: 'Mia Wong', email: null },
        { name: 'Omar', email: 'omar@cormorant.example' },
      ],
    })
  })

  test('is told wrong by row and column, everything at once', () => {
    const row = read(xero, {
      TaxNumber: '51 824 753 557',
      EmailAddress: 'nobody',
      DueDateSalesDay: '400',
      PhoneNumber: '+61\u0000400111222',
    })
    expect(row?.customer).toBeNull()
    expect(row?.problems.map(({ row: at, column, message }) => [at, column, message])).toEqual([
      [2, '*ContactName', 'Row 2: enter a name.'],
      [2, 'TaxNumber', 'Row 2: this ABN fails its check digit.'],
      [2, 'EmailAddress', 'Row 2, EmailAddress: Enter a valid email address.'],
      [2, 'PhoneNumber', 'Row 2, PhoneNumber: Remove line breaks and special characters.'],
      [2, 'DueDateSalesDay', 'Row 2, DueDateSalesDay: Enter 365 or less.'],
    ])
    expect(row?.problems.map(({ what }) => what)).toEqual([
      'Enter a name.',
      'This ABN fails its check digit.',
      'Enter a valid email address.',
      'Remove line breaks and special characters.',
      'Enter 365 or less.',
    ])
  })

  test('says what it leaves out: other terms, and what is only half an address', () => {
    const row = read(xero, {
      '*ContactName': 'Heron',
      DueDateSalesDay: '20',
      DueDateSalesTerm: 'of the following month',
      POAddressLine1: '4 Rue Cler',
      POCity: 'Paris',
      EmailAddress: 'a@heron.example; b@heron.example',
    })
    expect(row?.customer).toMatchObject({
      termsDays: null,
      postal: null,
      notes: '4 Rue Cler, Paris',
      email: 'a@heron.example',
    })
    expect(row?.warnings).toEqual([
      'The postal address is incomplete, so it goes into the notes.',
      'Only the first email address is used.',
      'Payment terms are left out: their days aren’t counted from the invoice date.',
    ])
  })

  test('takes the state from the postcode where none is said, and says so', () => {
    const cells = { '*ContactName': 'Heron', POAddressLine1: '4 Pyrmont Bridge Rd', POCity: 'Camperdown' }
    const row = read(xero, { ...cells, POPostalCode: '2050' })
    expect(row?.customer?.postal).toMatchObject({ suburb: 'Camperdown', state: 'NSW', postcode: '2050' })
    expect(row?.warnings).toEqual(['The state is taken from the postcode.'])
    // One that lies in two states tells none.
    expect(read(xero, { ...cells, POPostalCode: '2620' })?.customer?.postal).toBeNull()
  })

  test('loses marks that show nothing, and the apostrophe of our own exports', () => {
    const row = read(xero, {
      '*ContactName': '\u202Egnp.exe\u202C Pty\u00a0Ltd',
      PhoneNumber: "'+61 400 111 222",
      AccountNumber: '\ufeff\u2066C-1\u2069',
    })
    expect(row?.customer).toMatchObject({
      displayName: 'gnp.exe Pty Ltd',
      phone: '+61 400 111 222',
      externalRef: 'C-1',
    })
  })
})

describe('a row of MYOB', () => {
  const cells = (given: Readonly<Record<number, string>>) => myob.map((_, i) => given[i] ?? '')
  const table = { source: 'myob' as const, headers: myob, mapping: guessMapping('myob', myob) }
  test('has columns that belong to the address before them', () => {
    expect(table.mapping).toEqual([
      'displayName',
      'contact.1.first',
      'externalRef',
      'postal.line1',
      'postal.line2',
      'postal.suburb',
      'postal.state',
      'postal.postcode',
      'phone',
      'email',
      'site.line1',
      'site.suburb',
      'site.state',
      'site.postcode',
      null,
      null,
      'termsFrom',
      'termsDays',
      'abn',
      'notes',
    ])
  })
  test('is a person where it has a first name, and a company else', () => {
    const person = readRow(3, cells({ 0: 'Hartmann', 1: 'Anna', 2: '*None' }), table)
    expect(person?.customer).toMatchObject({
      displayName: 'Anna Hartmann',
      kind: 'individual',
      externalRef: null,
      contacts: [{ name: 'Anna Hartmann', email: null }],
    })
    expect(person?.warnings).toEqual(['Name taken from the first and last names.'])
    const company = readRow(4, cells({ 0: 'Hartmann & Co', 2: 'CUS000004', 16: '2', 17: '7' }), table)
    expect(company?.customer).toMatchObject({
      displayName: 'Hartmann & Co',
      kind: 'business',
      externalRef: 'CUS000004',
      termsDays: 7,
      contacts: [],
    })
    expect(company?.warnings).toEqual([])
  })
})

test('rows of ServiceM8 and Jobber are read with their own words for things', () => {
  const m8 = ['Client Name', 'Address', 'Billing Address', 'First Name', 'Last Name', 'Email', 'Phone', 'Mobile']
  expect(
    read(m8, {
      'Client Name': 'Teal Pools',
      Address: '12 Station Street Newtown NSW 2042',
      'Billing Address': 'PO Box 9\nParramatta NSW 2124\nAustralia',
      'First Name': 'Sam',
    })?.customer,
  ).toMatchObject({
    site: { line1: '12 Station Street', suburb: 'Newtown', state: 'NSW', postcode: '2042' },
    postal: { line1: 'PO Box 9', suburb: 'Parramatta', state: 'NSW', postcode: '2124' },
    contacts: [{ name: 'Sam', email: null }],
  })
  const jobber = `J-ID,First Name,Last Name,Company Name,Main Phone #s,E-mails,Billing Street 1,Billing City,
    Billing State/Province,Billing Zip,Property Street,Property City,Property Province,Property Postal Code`
  expect(
    read(
      jobber.split(',').map((header) => header.trim()),
      {
        'J-ID': '88',
        'First Name': 'Lee',
        'Last Name': 'Ng',
        'Billing Street 1': '5 Elm Rd',
        'Billing City': 'Kew',
        'Billing State/Province': 'Victoria',
        'Billing Zip': '3101',
        'Main Phone #s': '(03) 9999 0000',
      },
    )?.customer,
  ).toMatchObject({
    displayName: 'Lee Ng',
    kind: 'individual',
    externalRef: '88',
    phone: '(03) 9999 0000',
    postal: { line1: '5 Elm Rd', suburb: 'Kew', state: 'VIC', postcode: '3101' },
  })
})

describe('an address in one field is read from its end', () => {
  test.each([
    ['1 Wharf St, Balmain NSW 2041', ['1 Wharf St', undefined, 'Balmain', 'NSW', '2041']],
    ['1 Wharf St Balmain East NSW 2041', ['1 Wharf St', undefined, 'Balmain East', 'NSW', '2041']],
    ['Unit 3, 1 Wharf St, Balmain, N.S.W. 2041, Australia', ['Unit 3', '1 Wharf St', 'Balmain', 'NSW', '2041']],
    ['9 The Esplanade\nDarwin\nNorthern Territory 0800', ['9 The Esplanade', undefined, 'Darwin', 'NT', '0800']],
    ['4/12 High Street Kew 3101 Vic', ['4/12 High Street', undefined, 'Kew', 'VIC', '3101']],
    ['7 Church St, Camperdown 2050', ['7 Church St', undefined, 'Camperdown', 'NSW', '2050']],
    ['PO Box 7, South Brisbane, Queensland, 4101', ['PO Box 7', undefined, 'South Brisbane', 'QLD', '4101']],
  ])('%s', (text, expected) => {
    const found = readOneLineAddress(text)
    expect([found?.line1, found?.line2, found?.suburb, found?.state, found?.postcode]).toEqual(expected)
  })
  test.each([
    '',
    'Balmain',
    '1 Wharf St, Balmain',
    'Balmain NSW 2041',
    '10 Downing Street, London SW1A 2AA',
    '2041',
    'Shop 4, PO Box 2041',
    '1 Ross Rd, Queanbeyan 2620',
  ])('%s is none', (text) => expect(readOneLineAddress(text)).toBeNull())
})

test('equal rows count once, and two different ones under one reference are a problem', () => {
  const headers = ['Name', 'Reference']
  const table = { source: 'other' as const, headers, mapping: guessMapping('other', headers) }
  const rows = [
    ['Ibis', 'A'],
    ['Ibis', 'A'],
    ['Egret', 'a'],
    ['Egret', ''],
  ].map((cells, i) => readRow(i + 2, cells, table))
  const { sameAs, problems } = findRepeated(rows.filter((row) => row !== null))
  expect([...sameAs]).toEqual([[3, 2]])
  expect(problems.map((p) => p.message)).toEqual(['Row 4: row 2 has the same reference.'])
})

test('whatever stands in a row, it is a customer or a problem that names the row, and nothing is thrown', () => {
  const hostile = fc.constantFrom('=1+1', '\0', '\u202e', '51824753556', 'a@b.co', ',')
  const cell = fc.oneof(fc.string({ unit: 'binary' }), hostile)
  fc.assert(
    fc.property(
      fc.constantFrom<ImportSource>('own', 'xero', 'myob', 'servicem8', 'jobber', 'other'),
      fc.array(fc.tuple(fc.option(fc.constantFrom(...importFields)), cell), { maxLength: 12 }),
      fc.integer({ min: 2, max: 10_001 }),
      (source, columns, row) => {
        const mapping = columns.map(([field]) => field)
        const table = { source, headers: columns.map((_, i) => `H${i}`), mapping }
        const read = readRow(
          row,
          columns.map(([, text]) => text),
          table,
        )
        if (!read) return
        expect(read.customer === null).toBe(read.problems.length > 0)
        for (const problem of read.problems) expect(problem.message).toMatch(new RegExp(`^Row ${row}\\b`))
        // oxlint-disable-next-line no-control-regex -- what must not come in
        expect(JSON.stringify(read.customer ?? '')).not.toMatch(/[\u202a-\u202e]|\\u0000/)
      },
    ),
  )
})
