/**
 * What a template may speak of, each path with its type. Amounts, days and instants are written by a filter, so that
 * they read as the language writes them.
 */
export type VariableType =
  | 'text'
  | 'number'
  | 'money'
  | 'date'
  | 'dateTime'
  | 'boolean'
  /** An address, which may stand where a link leads. */
  | 'link'
  | VariableList
  | VariableFields
export interface VariableList {
  readonly each: VariableFields
}
/** The field without a name is what they are written as together; most cannot be. */
export interface VariableFields {
  readonly [name: string]: VariableType
}

export const isList = (type: VariableType): type is VariableList => typeof type === 'object' && 'each' in type

const business = { name: 'text', legalName: 'text', phone: 'text', email: 'text', website: 'text' } as const
const customer = { name: 'text', email: 'text' } as const
const site = { name: 'text', line1: 'text', suburb: 'text', state: 'text', postcode: 'text' } as const
const jobType = { name: 'text', durationMin: 'number' } as const
const lines = {
  each: { name: 'text', description: 'text', quantity: 'number', unit: 'text', total: 'money' },
} as const
const base = { business, customer, site, jobType } as const

/** By the kind of record a template is filled from; `job` is whichever of them a job has. */
export const templateVariables = {
  job: base,
  quote: {
    ...base,
    quote: { number: 'text', title: 'text', total: 'money', deposit: 'money', validUntil: 'date', lines },
  },
  order: {
    ...base,
    order: { number: 'text', title: 'text', total: 'money', toInvoice: 'money', scheduledOn: 'date', lines },
  },
  invoice: {
    ...base,
    invoice: {
      number: 'text',
      title: 'text',
      total: 'money',
      balance: 'money',
      issuedOn: 'date',
      dueOn: 'date',
      lines,
    },
  },
} as const satisfies Readonly<Record<string, VariableFields>>
export type TemplateKind = keyof typeof templateVariables

type Valued<T> = T extends { readonly each: infer E }
  ? Valued<E>[]
  : T extends 'text' | 'date' | 'dateTime' | 'link'
    ? string | null
    : T extends 'number'
      ? number | string | null
      : T extends 'money'
        ? number | null
        : T extends 'boolean'
          ? boolean | null
          : { -readonly [K in keyof T]: Valued<T[K]> }
/** What fills a template of a kind: texts, numbers, cents, `YYYY-MM-DD`. */
export type TemplateValues<K extends TemplateKind> = Valued<(typeof templateVariables)[K]>

const sampleLines = [
  {
    name: 'Marquee 6 × 6 m',
    description: 'Set up and taken down, with weights.',
    quantity: 1,
    unit: 'each',
    total: 85_800,
  },
  { name: 'Trestle table with eight chairs', description: null, quantity: 8, unit: 'each', total: 45_760 },
]
const about = { number: '0042', title: 'Marquee for the garden party', total: 131_560, lines: sampleLines }
/** Stands in where no record was chosen. */
export const sampleValues: TemplateValues<'quote'> & TemplateValues<'order'> & TemplateValues<'invoice'> = {
  business: {
    name: 'Our business',
    legalName: 'Our business Pty Ltd',
    phone: '02 5550 1820',
    email: 'hello@demo.example',
    website: 'https://demo.example',
  },
  customer: { name: 'Alex Morgan', email: 'alex@demo.example' },
  site: { name: 'Garden', line1: '12 Fig Street', suburb: 'Marrickville', state: 'NSW', postcode: '2204' },
  jobType: { name: 'Event', durationMin: 180 },
  quote: { ...about, number: 'Q-0042', deposit: 39_468, validUntil: '2026-12-18' },
  order: { ...about, number: 'ORD-0042', toInvoice: 92_092, scheduledOn: '2026-12-12' },
  invoice: { ...about, number: 'INV-0042', balance: 92_092, issuedOn: '2026-12-14', dueOn: '2026-12-28' },
}

/** Every path there is, written with dots; what stands in lists is under the list's own path. */
function pathsOf(fields: VariableFields, before = ''): string[] {
  return Object.entries(fields).flatMap(([name, type]) => {
    if (name === '') return []
    const path = before ? `${before}.${name}` : name
    return [path, ...(typeof type === 'object' && !isList(type) ? pathsOf(type, path) : [])]
  })
}

/** How many letters have to change until one word is the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}

/** The path that was probably meant; none where nothing is near. */
function nearestPath(fields: VariableFields, wanted: string): string | null {
  const near = pathsOf(fields)
    .map((path) => ({ path, away: distance(path, wanted.slice(0, 80)) }))
    .filter(({ away }) => away <= Math.max(2, Math.floor(wanted.length / 3)))
    .toSorted((a, b) => a.away - b.away)
  return near[0]?.path ?? null
}

/** What is said of a path that is not there: the one that was probably meant is named. */
export function missingVariable(fields: VariableFields, path: string): string {
  const meant = nearestPath(fields, path)
  return meant ? `There is no \`${path}\`. Did you mean \`${meant}\`?` : `There’s no variable called \`${path}\`.`
}
