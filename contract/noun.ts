import type { Action } from './core/op.ts'

/** Columns that row conditions speak of, by the names of the table's own columns. */
export interface ScopeColumns {
  readonly business?: string
  readonly owner?: string
  readonly status?: string
  /** Cents. */
  readonly amount?: string
  /**
   * Whoever does the work: of an order its lead, by a column, and whoever is among the people of the order; of other
   * records the people of the orders whose column leads to the record by one of its own.
   */
  readonly assigned?: { readonly lead: string; readonly by: string } | { readonly order: string; readonly by: string }
}

/** Lists that businesses may share: a business says whose it works with. */
export type Pool = 'customersOf' | 'catalogueOf'

/**
 * A page of the web app: where it is, and the right that opens it. The operation it begins with asks for the same one.
 */
export interface Page {
  /** `$guid` stands for the record. */
  readonly path: string
  readonly can: readonly [Action, string]
}

/** How the search of everything shows what it finds. Columns by the names of the table's own. */
export interface Hit {
  /** What a record is called: the first of these that it has. */
  readonly label: readonly string[]
  /** What tells it from others; `customer` is the name of its customer. */
  readonly detail: readonly string[]
  /** Its day, the first of these that it has; of an instant the day it falls on where the business is. */
  readonly day?: readonly string[]
  /** Records with this value in this column take their amount back: it is shown below zero. */
  readonly takenBack?: readonly [column: string, value: string]
}

/** What the house has to know of a noun. Whatever is said of nouns one by one is said here, and nowhere else. */
export interface Noun {
  /** One of them, as links, messages, events and numbers name it. */
  readonly one: string
  readonly table: string
  readonly icon?: string
  /** The noun whose rights hold for it, where it has none of its own; or its own subject, where that is longer. */
  readonly rightsOf?: string
  /** Whatever is done with it asks for that one subject: the action alone tells one right from another. */
  readonly hasOneRight?: true
  /** Its pages: `view` is a record's own, `list` that of all. */
  readonly pages?: Readonly<Record<string, Page>>
  readonly statuses?: readonly string[]
  /** Rows are kept back one by one by these. */
  readonly scope?: ScopeColumns
  /** Businesses may share one list of them: its business column names the pool, which a business tells by this. */
  readonly pool?: Pool
  /**
   * The right that its amounts ask for, where seeing the record is not enough: in every answer, list, search and file.
   */
  readonly amountFor?: readonly [Action, string]
  /**
   * The noun whose records it is a part of, by a column: opened and kept back with them. Its list has those
   * with a business in `listed`.
   */
  readonly partOf?: { readonly noun: 'Customers'; readonly by: string; readonly listed: string }
  /** Made for a customer, whose timeline tells of it. */
  readonly isForCustomer?: true
  /** Those that were merged name whoever is kept in this column: lists and the search show them no more. */
  readonly merged?: string
  /** Never archived. */
  readonly isForGood?: true
  /** The counters its numbers come from. */
  readonly counters?: readonly string[]
  /** Nouns whose pages show something of it. */
  readonly shownOn?: readonly string[]
  /** Nouns that come into being, or change, by what is done to it. */
  readonly makes?: readonly string[]
  /** Has lines, a customer and a link of its own for that customer. */
  readonly isDocument?: true
  /** People are told of what happens to it. */
  readonly isNotified?: true
  /** What it is searched by, in its list and everywhere: the table keeps these columns as one text, `search_text`. */
  readonly searchText?: readonly string[]
  /** Found by the search of everything, in the order of these rows. */
  readonly hit?: Hit
  /** The newest of its events stand on the dashboard. */
  readonly isActivity?: true
  /** People put words of their own on its records, and narrow its list by them. */
  readonly hasTags?: true
  /** Files hang on its records. */
  readonly attachments?: Attachments
}

/** Who may see the files of a record, and who may add some: any of `write` is enough. */
interface Attachments {
  readonly read: Page['can']
  readonly write: readonly Page['can'][]
  /** The instant its document was frozen: what hung there by then stays. */
  readonly frozenAt?: string
  /** The record whose rights hold for it, where these speak of another noun: the column that leads to it. */
  readonly through?: { readonly noun: 'Customers'; readonly by: string }
}

const at = <const N extends string>(noun: N) => `/apps/${noun.toLowerCase() as Lowercase<N>}` as const

/** The same of records that are written where they are looked at, somewhere else than their noun is called. */
export const lookedAt = <const N extends string, const A extends string>(noun: N, path: A) =>
  ({
    list: { path: `${path}/list`, can: ['read', `${noun}:Preview:All`] },
    view: { path: `${path}/preview/$guid`, can: ['read', `${noun}:Preview:Guid`] },
  }) as const
/** The pages of records that are looked at in a list and one by one. */
export const looked = <const N extends string>(noun: N) => lookedAt(noun, at(noun))
/** The pages of records that people write, too. */
export const written = <const N extends string>(noun: N) => writtenAt(noun, at(noun))
/** The same somewhere else than their noun is called. */
export const writtenAt = <const N extends string, const A extends string>(noun: N, path: A) =>
  ({
    ...lookedAt(noun, path),
    add: { path: `${path}/add`, can: ['create', `${noun}:Create`] },
    edit: { path: `${path}/edit/$guid`, can: ['update', `${noun}:Update:Guid`] },
  }) as const

/** The pages of records that begin in a dialog of their list. */
export const begun = <const N extends string, const A extends string>(noun: N, at: A) =>
  ({
    list: { path: `${at}/list`, can: ['read', `${noun}:Preview:All`] },
    view: { path: `${at}/edit/$guid`, can: ['read', `${noun}:Preview:Guid`] },
    add: { path: `${at}/list`, can: ['create', `${noun}:Create`] },
  }) as const

/** Files on records that people write: whoever reads the record reads them, and whoever changes it adds some. */
export const files = <const N extends string>(noun: N) =>
  ({
    read: ['read', `${noun}:Preview:Guid`],
    write: [['update', `${noun}:Update:Guid`]],
  }) as const

/** Documents are told by their number, or while they have none by their title. */
export const documentHit = { label: ['number', 'title'], detail: ['customer', 'title'], day: ['createdAt'] } as const

export const owned = { business: 'businessGuid', owner: 'createdBy' } as const
export const document = {
  business: 'businessGuid',
  owner: 'ownerGuid',
  status: 'status',
  amount: 'totalCents',
} as const
