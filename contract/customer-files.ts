import { z } from 'zod'

/** What a file was written by; `own` is the product's export, `other` any table with a heading. */
export const importSources = ['own', 'xero', 'myob', 'servicem8', 'jobber', 'other'] as const
export type ImportSource = (typeof importSources)[number]

const contactNumbers = ['1', '2', '3', '4', '5', '6'] as const
const contactParts = ['first', 'last', 'email'] as const
const places = ['postal', 'site'] as const
/** `one` is a whole address in one field. */
const addressParts = ['line1', 'line2', 'suburb', 'state', 'postcode', 'one'] as const
export type Place = (typeof places)[number]
type AddressPart = (typeof addressParts)[number]

type ContactField = `contact.${(typeof contactNumbers)[number]}.${(typeof contactParts)[number]}`
type AddressField = `${Place}.${AddressPart}`
const simpleFields = [
  'guid',
  'displayName',
  'kind',
  'abn',
  'acn',
  'email',
  'phone',
  'mobile',
  'externalRef',
  'termsDays',
  /** From when the days of the terms count: other files than ours say so in a column of its own. */
  'termsFrom',
  'notes',
] as const

/** What a column of a file can be read as. */
export const importFields: readonly ImportField[] = [
  ...simpleFields,
  ...contactNumbers.flatMap((n) => contactParts.map((part): ContactField => `contact.${n}.${part}`)),
  ...places.flatMap((place) => addressParts.map((part): AddressField => `${place}.${part}`)),
]
export type ImportField = (typeof simpleFields)[number] | ContactField | AddressField
export const importField = z.enum(importFields as [ImportField, ...ImportField[]])

/** The field of each column, in the order of the file; null for one that is left out. */
export type Mapping = readonly (ImportField | null)[]

/** A heading as aliases have it: letters and digits alone. */
const plainHeader = (header: string): string => header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const byAliases = (aliases: Readonly<Partial<Record<ImportField, string>>>): Map<string, ImportField> =>
  new Map(
    Object.entries(aliases).flatMap(([field, words]) =>
      (words ?? '').split(/\s+/).map((word): [string, ImportField] => [word, field as ImportField]),
    ),
  )

const addressWords: Readonly<Record<AddressPart, string>> = {
  one: 'address fulladdress',
  line1: 'street street1 line1 address1 addressline1 streetaddress',
  line2: 'street2 line2 address2 addressline2 addressline3 addressline4',
  suburb: 'suburb city town locality',
  state: 'state province region stateprovince',
  postcode: 'postcode postalcode zip zipcode zippostalcode zippostal',
}
const placeWords: Readonly<Record<Place, string>> = {
  postal: 'postal billing mailing po billingaddress postaladdress mailingaddress',
  site: 'site property service sa job delivery shipping serviceaddress propertyaddress siteaddress',
}
function addressAliases(place: Place, prefixes: readonly string[]): [string, ImportField][] {
  return prefixes.flatMap((prefix) =>
    addressParts.flatMap((part) =>
      addressWords[part].split(' ').map((word): [string, ImportField] => [prefix + word, `${place}.${part}`]),
    ),
  )
}

/** What columns are called in any file. */
const common = new Map<string, ImportField>([
  ...addressAliases('postal', ['', ...placeWords.postal.split(' ')]),
  ...addressAliases('site', placeWords.site.split(' ')),
  ...byAliases({
    displayName:
      'name displayname customer customername client clientname company companyname contactname businessname',
    kind: 'kind customertype',
    abn: 'abn taxnumber taxid australianbusinessnumber',
    acn: 'acn companynumber australiancompanynumber',
    email: 'email emails emailaddress email1 primaryemail',
    phone: 'phone phones phonenumber phone1 mainphone mainphones workphone workphones homephone homephones telephone',
    mobile: 'mobile mobiles mobilenumber mobilephone mobilephones cell cellphone',
    externalRef:
      'reference externalref externalreference accountnumber customernumber clientnumber customerid clientid',
    termsDays: 'termsdays paymentterms paymenttermsdays terms',
    notes: 'notes note comments internalnotes',
    'contact.1.first': 'firstname contactfirst contactfirstname contactperson maincontact',
    'contact.1.last': 'lastname surname contactlast contactlastname',
    'contact.1.email': 'contactemail',
  }),
])

const special: Readonly<Record<ImportSource, ReadonlyMap<string, ImportField | null>>> = {
  own: new Map<string, ImportField | null>([
    ['recordid', 'guid'],
    // The list's file has the suburb alone, which is no address.
    ['suburb', null],
  ]),
  xero: new Map<string, ImportField | null>([
    ['duedatesalesday', 'termsDays'],
    ['duedatesalesterm', 'termsFrom'],
    ...['1', '2', '3', '4', '5'].flatMap((n): [string, ImportField][] => {
      const contact = `contact.${String(Number(n) + 1) as '2' | '3' | '4' | '5' | '6'}` as const
      return [
        [`person${n}firstname`, `${contact}.first`],
        [`person${n}lastname`, `${contact}.last`],
        [`person${n}email`, `${contact}.email`],
      ]
    }),
  ]),
  myob: byAliases({
    displayName: 'colastname',
    externalRef: 'cardid',
    termsDays: 'balanceduedays',
    termsFrom: 'termspaymentisdue',
  }),
  servicem8: byAliases({ 'site.one': 'address siteaddress', 'postal.one': 'billingaddress' }),
  jobber: byAliases({ externalRef: 'jid', 'contact.1.first': 'firstname', 'contact.1.last': 'lastname' }),
  other: new Map(),
}

/** MYOB's columns below `Addr 1` and `Addr 2`: a bare ` - City` belongs to the address before it. */
const myobAddress: Readonly<Record<string, (place: Place) => ImportField>> = {
  line1: (place) => `${place}.line1`,
  line2: (place) => `${place}.line2`,
  line3: (place) => `${place}.line2`,
  line4: (place) => `${place}.line2`,
  city: (place) => `${place}.suburb`,
  state: (place) => `${place}.state`,
  postcode: (place) => `${place}.postcode`,
}
const myobFirstAddress: Readonly<Record<string, ImportField>> = {
  phone1: 'phone',
  phoneno1: 'phone',
  phone2: 'mobile',
  phoneno2: 'mobile',
  email: 'email',
  contactname: 'contact.1.first',
}

function guessMyob(headers: readonly string[]): Mapping {
  let place: Place | null = 'postal'
  return headers.map((header): ImportField | null => {
    const plain = plainHeader(header)
    const number = /^addr(\d)/.exec(plain)?.[1]
    if (number !== undefined) place = number === '1' ? 'postal' : number === '2' ? 'site' : null
    const word = plain.replace(/^addr\d/, '')
    const isBare = number !== undefined || header.trim().startsWith('-')
    const known = special.myob.get(plain)
    if (known) return known
    const part = isBare && Object.hasOwn(myobAddress, word) ? myobAddress[word] : undefined
    if (part) return place && part(place)
    if (isBare && Object.hasOwn(myobFirstAddress, word)) {
      const field = myobFirstAddress[word] ?? null
      return place === 'postal' ? field : place === 'site' && field === 'contact.1.first' ? 'contact.2.first' : null
    }
    return isBare || plain === 'taxidno' ? null : (common.get(plain) ?? null)
  })
}

/** What the columns of a file most likely are. */
export function guessMapping(source: ImportSource, headers: readonly string[]): Mapping {
  if (source === 'myob') return guessMyob(headers)
  const own = special[source]
  return headers.map((header) => {
    const plain = plainHeader(header)
    return own.has(plain) ? (own.get(plain) ?? null) : (common.get(plain) ?? null)
  })
}

/** Which program wrote a file, by its headings; MYOB's first line may be `{}`. */
export function sourceOf(headers: readonly string[], isBraced: boolean): ImportSource {
  const plain = new Set(headers.map(plainHeader))
  const hasAny = (...names: string[]) => names.some((name) => plain.has(name))
  if (isBraced || plain.has('colastname')) return 'myob'
  if (plain.has('recordid') && plain.has('name')) return 'own'
  if (hasAny('contactname', 'name') && hasAny('poaddressline1', 'duedatesalesday', 'duedatebillsday')) return 'xero'
  if (plain.has('contactname') && hasAny('emailaddress', 'accountnumber')) return 'xero'
  if (hasAny('jid', 'propertystreet', 'propertystreet1', 'servicestreet1', 'billingstreet1', 'propertyprovince'))
    return 'jobber'
  if (hasAny('clientname', 'companyname') && hasAny('billingaddress', 'address')) return 'servicem8'
  return 'other'
}

/** The letters that a spreadsheet has above a column. */
export const columnLetters = (index: number): string =>
  (index >= 26 ? columnLetters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

/** The first row of a file of MYOB says nothing else. */
export const isBraces = (cells: readonly string[]): boolean =>
  cells[0]?.trim() === '{}' && cells.slice(1).every((cell) => cell.trim() === '')
