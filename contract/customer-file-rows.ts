import { z } from 'zod'
import { type Address, address } from './core/address.ts'
import { abn, acn } from './core/abn.ts'
import { email, guid, longText, phone, text } from './core/common.ts'
import { zodSentence } from './core/sentences.ts'
import { columnLetters, type ImportField, type ImportSource, type Mapping, type Place } from './customer-files.ts'
import { customerKinds } from './customers.ts'
import { namesState, readOneLineAddress, stateOf, stateOfPostcode } from './one-line-address.ts'

/** What is wrong in one cell; rows as the spreadsheet counts them, with the heading in row 1. */
export interface RowProblem {
  row: number
  /** The heading of the column. */
  column: string
  field: ImportField | null
  /** Where and what, in one sentence. */
  message: string
  /** What alone: for a table that names the row and the column beside it. */
  what: string
}

/** A customer as a row of a file tells of it. */
export interface FileCustomer {
  guid: string | null
  displayName: string
  kind: (typeof customerKinds)[number]
  abn: string | null
  acn: string | null
  email: string | null
  phone: string | null
  externalRef: string | null
  /** Days from the day of the invoice. */
  termsDays: number | null
  notes: string | null
  postal: Address | null
  site: Address | null
  contacts: { name: string; email: string | null }[]
}

export interface ReadRow {
  row: number
  /** What people call it, right or wrong. */
  name: string
  /** Null where something is wrong. */
  customer: FileCustomer | null
  problems: RowProblem[]
  /** What the file says and the customer will not have, and what was made of several columns. */
  warnings: string[]
}

interface Table {
  source: ImportSource
  headers: readonly string[]
  mapping: Mapping
}

/** Marks that show nothing and come along from other programs: directions of writing, breaks without width. */
const unseen = /[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
/** An export writes an apostrophe before what a spreadsheet would take for a formula. */
const guarded = /^'(?=[=+\-@\t|%＝＋－＠])/
const clean = (cell: string) =>
  cell
    .replace(unseen, '')
    .replace(/\u00a0/g, ' ')
    .trim()
    .replace(guarded, '')

/** Several columns of one field: these are joined, of others the first that says something counts. */
const joints: Partial<Record<ImportField, string>> = { 'postal.line2': ', ', 'site.line2': ', ', notes: '\n' }

type Values = Partial<Record<ImportField, { text: string; column: string }>>

function valuesOf(cells: readonly string[], { headers, mapping }: Table): Values {
  const values: Values = {}
  for (const [index, field] of mapping.entries()) {
    const cell = field === null ? '' : clean(cells[index] ?? '')
    if (field === null || cell === '') continue
    const before = values[field]
    const joint = joints[field]
    if (!before) values[field] = { text: cell, column: headers[index]?.trim() || columnLetters(index) }
    else if (joint !== undefined) before.text += joint + cell
  }
  return values
}

/** What has no value in MYOB. */
const noReference = /^\*none$/i
const daysAfter =
  /^(2|daysafter(thebilldate|billdate|theinvoicedate|invoicedate)?|inagivennumberofdays|inagivenofdays)$/
/** Kinds as other programs say them. */
const kindWords: Readonly<Record<string, FileCustomer['kind']>> = {
  person: 'individual',
  company: 'business',
  organisation: 'business',
  organization: 'business',
}

/** The fields of one row while they are read, and what is wrong with them. */
interface Reading {
  row: number
  values: Values
  problems: RowProblem[]
  warnings: string[]
}

const textOf = ({ values }: Reading, field: ImportField): string | null => values[field]?.text ?? null

function refuse({ row, values, problems }: Reading, field: ImportField, message: string, what: string) {
  problems.push({ row, column: values[field]?.column ?? '', field, message, what })
}

/** A value by the rule that forms ask for. */
function checked<T>(
  reading: Reading,
  field: ImportField,
  schema: z.ZodType<T>,
  given: string | null = textOf(reading, field),
): T | null {
  if (given === null) return null
  const result = schema.safeParse(given, { error: zodSentence })
  if (result.success) return result.data
  const { row, values } = reading
  const what = result.error.issues[0]?.message ?? ''
  refuse(reading, field, `Row ${row}, ${values[field]?.column ?? ''}: ${what}`, what)
  return null
}

function abnOf(reading: Reading): string | null {
  const result = abn.safeParse(textOf(reading, 'abn') ?? '')
  if (!result.success && textOf(reading, 'abn') !== null)
    refuse(reading, 'abn', `Row ${reading.row}: this ABN fails its check digit.`, 'This ABN fails its check digit.')
  return result.data ?? null
}

function acnOf(reading: Reading): string | null {
  const result = acn.safeParse(textOf(reading, 'acn') ?? '')
  if (!result.success && textOf(reading, 'acn') !== null)
    refuse(reading, 'acn', `Row ${reading.row}: this ACN fails its check digit.`, 'This ACN fails its check digit.')
  return result.data ?? null
}

const name = text(160)
const contactName = text(120)
const reference = text(80)
const note = longText(4000)
const terms = z
  .string()
  .regex(/^\d{1,9}$/, 'Enter a whole number.')
  .transform(Number)
  .pipe(z.int().min(0).max(365))

/** Several addresses in one cell: the first counts. */
function emailOf(reading: Reading, field: ImportField) {
  const given = textOf(reading, field)
  if (given === null) return null
  const [first = '', ...others] = given.split(/[;,\s]+/).filter((part) => part !== '')
  if (others.length > 0 && /@/.test(given)) reading.warnings.push('Only the first email address is used.')
  return checked(reading, field, email, first)
}

function termsOf(reading: Reading): number | null {
  const from = textOf(reading, 'termsFrom')
    ?.toLowerCase()
    .replace(/\(s\)/g, 's')
    .replace(/[^a-z0-9]/g, '')
  if (textOf(reading, 'termsDays') === null) return null
  if (from !== undefined && !daysAfter.test(from)) {
    reading.warnings.push('Payment terms are left out: their days aren’t counted from the invoice date.')
    return null
  }
  return checked(reading, 'termsDays', terms)
}

function kindOf(reading: Reading, isPerson: boolean): FileCustomer['kind'] {
  const said = textOf(reading, 'kind')?.toLowerCase()
  if (said === undefined) return isPerson ? 'individual' : 'business'
  return checked(reading, 'kind', z.enum(customerKinds), kindWords[said] ?? said) ?? 'business'
}

const partsOf = (reading: Reading, place: Place) =>
  (['one', 'line1', 'line2', 'suburb', 'state', 'postcode'] as const).flatMap((part) => {
    const value = textOf(reading, `${place}.${part}`)
    return value === null ? [] : [value]
  })

/** The address, and as a text what makes none: that goes into the notes. */
function addressOf(reading: Reading, place: Place): { address: Address | null; rest: string | null } {
  const parts = partsOf(reading, place)
  if (parts.length === 0) return { address: null, rest: null }
  const one = textOf(reading, `${place}.one`)
  const [line1, line2, suburb, postcode] = [
    textOf(reading, `${place}.line1`),
    textOf(reading, `${place}.line2`),
    textOf(reading, `${place}.suburb`),
    textOf(reading, `${place}.postcode`),
  ]
  const whole = line1 === null && one !== null ? readOneLineAddress(one) : null
  // Spreadsheets take the zero off 0800.
  const code = postcode !== null && /^\d{3}$/.test(postcode) ? `0${postcode}` : postcode
  const said = textOf(reading, `${place}.state`)
  const given = whole ?? {
    line1: line1 ?? line2 ?? one,
    ...(line1 !== null && line2 !== null ? { line2 } : {}),
    suburb,
    state: said === null ? stateOfPostcode(code ?? '') : stateOf(said),
    postcode: code,
  }
  const result = address.safeParse(given)
  const isStateSaid = whole && one !== null ? namesState(one) : said !== null
  if (result.success && !isStateSaid) reading.warnings.push('The state is taken from the postcode.')
  return result.success ? { address: result.data, rest: null } : { address: null, rest: parts.join(', ') }
}

function contactsOf(reading: Reading): FileCustomer['contacts'] {
  return (['1', '2', '3', '4', '5', '6'] as const).flatMap((n) => {
    const words = [textOf(reading, `contact.${n}.first`), textOf(reading, `contact.${n}.last`)].filter(
      (w) => w !== null,
    )
    const field = reading.values[`contact.${n}.first`]
      ? (`contact.${n}.first` as const)
      : (`contact.${n}.last` as const)
    const address = emailOf(reading, `contact.${n}.email`)
    const called = words.length > 0 ? checked(reading, field, contactName, words.join(' ')) : null
    if (called !== null) return [{ name: called, email: address }]
    return address === null ? [] : [{ name: address.slice(0, 120), email: address }]
  })
}

const joinedName = 'Name taken from the first and last names.'

/** MYOB has the last name of a person where it has the name of a company; others may have no name but the contact's. */
function nameOf(reading: Reading, source: ImportSource): { called: string | null; isPerson: boolean } {
  const first = reading.values['contact.1.first']
  const last = reading.values['contact.1.last']
  const given = reading.values.displayName
  if (source === 'myob' && given && first && !last && isFirstName(first.column)) {
    reading.values['contact.1.last'] = given
    reading.warnings.push(joinedName)
    return { called: `${first.text} ${given.text}`, isPerson: true }
  }
  if (given) return { called: given.text, isPerson: false }
  const words = [first?.text, last?.text].filter((word) => word !== undefined)
  if (words.length > 1) reading.warnings.push(joinedName)
  return words.length > 0 ? { called: words.join(' '), isPerson: true } : { called: null, isPerson: false }
}
const isFirstName = (column: string) => /first/i.test(column)

/** What one row says; null for a row without a word in it. */
export function readRow(row: number, cells: readonly string[], table: Table): ReadRow | null {
  if (cells.every((cell) => clean(cell) === '')) return null
  const reading: Reading = { row, values: valuesOf(cells, table), problems: [], warnings: [] }
  const { called, isPerson } = nameOf(reading, table.source)
  if (called === null)
    reading.problems.push({
      row,
      column: columnOf(table, 'displayName'),
      field: null,
      message: `Row ${row}: enter a name.`,
      what: 'Enter a name.',
    })
  const [postal, site] = [addressOf(reading, 'postal'), addressOf(reading, 'site')]
  const ref = textOf(reading, 'externalRef')
  if (postal.rest !== null) reading.warnings.push('The postal address is incomplete, so it goes into the notes.')
  if (site.rest !== null) reading.warnings.push('The site address is incomplete, so it goes into the notes.')
  const notes = [textOf(reading, 'notes'), postal.rest, site.rest].filter((part) => part !== null).join('\n')
  const customer: FileCustomer = {
    guid: checked(reading, 'guid', guid, textOf(reading, 'guid')?.toLowerCase() ?? null),
    displayName: checked(reading, 'displayName', name, called) ?? '',
    kind: kindOf(reading, isPerson),
    abn: abnOf(reading),
    acn: acnOf(reading),
    email: emailOf(reading, 'email'),
    phone: checked(reading, textOf(reading, 'phone') === null ? 'mobile' : 'phone', phone),
    externalRef: ref === null || noReference.test(ref) ? null : checked(reading, 'externalRef', reference),
    termsDays: termsOf(reading),
    notes: notes === '' ? null : checked(reading, 'notes', note, notes),
    postal: postal.address,
    site: site.address,
    contacts: contactsOf(reading),
  }
  const { problems, warnings } = reading
  const label = (called ?? '').slice(0, 160)
  return {
    row,
    name: label,
    customer: problems.length > 0 ? null : customer,
    problems,
    warnings: [...new Set(warnings)],
  }
}

/** The heading of the column that a field is read from. */
const columnOf = ({ headers, mapping }: Table, field: ImportField): string =>
  headers[mapping.indexOf(field)]?.trim() ?? ''

/**
 * Rows that say the same count once: the row that each one repeats. Those that say different things under one reference
 * or record are problems.
 */
export function findRepeated(rows: readonly ReadRow[]): { sameAs: Map<number, number>; problems: RowProblem[] } {
  const seen = new Map<string, number>()
  const keys = new Map<string, number>()
  const sameAs = new Map<number, number>()
  const problems: RowProblem[] = []
  for (const { row, customer } of rows) {
    if (!customer) continue
    const whole = JSON.stringify(customer)
    const first = seen.get(whole)
    if (first !== undefined) {
      sameAs.set(row, first)
      continue
    }
    seen.set(whole, row)
    for (const field of ['guid', 'externalRef'] as const) {
      const value = customer[field]
      if (value === null) continue
      const key = `${field} ${value.toLowerCase()}`
      const other = keys.get(key)
      if (other === undefined) keys.set(key, row)
      else
        problems.push({
          row,
          column: '',
          field,
          message: `Row ${row}: row ${other} has the same reference.`,
          what: `Row ${other} has the same reference.`,
        })
    }
  }
  return { sameAs, problems }
}
