import { z } from 'zod'
import { guid, listQuery, pageOf, text, timestamp } from './core/common.ts'
import { get, post } from './core/op.ts'
import { importField, importSources } from './customer-files.ts'
import { nouns } from './nouns.ts'

const importStatuses = ['staging', 'applying', 'done', 'failed', 'stopped', 'undone'] as const
export type ImportStatus = (typeof importStatuses)[number]
export const importActions = ['create', 'fill', 'skip', 'bad'] as const
export type ImportAction = (typeof importActions)[number]

const { can } = nouns.Imports.pages.import

/** 5 MiB as base64, with room to say that a file is larger. */
const maxBase64 = 8_000_000
/** The body with a file in it, in bytes. */
const maxBody = 8_400_000

const mapping = z.array(z.strictObject({ index: z.int().min(0).max(199), field: importField.nullable() })).max(200)
const file = {
  fileName: text(200),
  base64: z
    .string()
    .max(maxBase64, 'This file is larger than 5 MB. Split it into smaller files.')
    .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'Send the file as base64.'),
  /** The field of each column; those that are not named are read as their headings say. */
  mapping: mapping.optional(),
}

const problem = z.object({
  row: z.int(),
  column: z.string(),
  message: z.string(),
  /** The message without the row and the column. */
  what: z.string(),
})
const previewRow = z.object({
  row: z.int(),
  action: z.enum(importActions),
  name: z.string(),
  matchGuid: guid.nullable(),
  /** What the customer that is there already is called. */
  matchName: z.string().nullable(),
  warnings: z.array(z.string()),
})
const preview = z.object({
  source: z.enum(importSources),
  columns: z.array(z.object({ index: z.int(), header: z.string(), sample: z.array(z.string()) })),
  mapping: z.array(z.object({ index: z.int(), field: importField.nullable() })),
  counts: z.object({ create: z.int(), fill: z.int(), skip: z.int(), bad: z.int() }),
  /** The first 50. */
  rows: z.array(previewRow),
  /** The first 200. */
  problems: z.array(problem),
})
export type ImportPreview = z.output<typeof preview>

const importShape = z.object({
  guid,
  fileName: z.string(),
  source: z.enum(importSources),
  onDuplicate: z.enum(['skip', 'fill']),
  status: z.enum(importStatuses),
  total: z.int(),
  staged: z.int(),
  created: z.int(),
  filled: z.int(),
  skipped: z.int(),
  /** How many customers undoing it archived; null until then. */
  archived: z.int().nullable(),
  /** Why it failed. */
  failure: z.string().nullable(),
  createdAt: timestamp,
  createdByName: z.string().nullable(),
  finishedAt: timestamp.nullable(),
  undoneAt: timestamp.nullable(),
})
export type CustomerImport = z.output<typeof importShape>

/** Why an undone import keeps a customer: documents name it, or somebody has changed it since. */
const keptReasons = ['inUse', 'changed'] as const

export const importsApi = {
  preview: post({
    path: '/Customers/Imports/Preview',
    effect: 'read',
    can,
    cost: 'costly',
    timeoutMs: 30_000,
    maxBodyBytes: maxBody,
    summary: 'Reads a file of customers and says what an import would do; writes nothing',
    body: z.strictObject(file),
    response: preview,
  }),
  create: post({
    path: '/Customers/Imports',
    effect: 'external',
    can,
    cost: 'costly',
    status: 201,
    timeoutMs: 30_000,
    maxBodyBytes: maxBody,
    message: 'Import started.',
    summary: 'Imports a file of customers: all of it or nothing',
    body: z.strictObject({ ...file, onDuplicate: z.enum(['skip', 'fill']).default('skip') }),
    response: z.object({ import: importShape }),
  }),
  list: get({
    path: '/Customers/Imports',
    effect: 'read',
    can,
    summary: 'The imports of customers',
    query: listQuery(['createdAt'], {}),
    response: pageOf(importShape),
  }),
  get: get({
    path: '/Customers/Imports/:guid',
    effect: 'read',
    can,
    summary: 'One import of customers: how far it is, or how it ended',
    response: z.object({ import: importShape }),
  }),
  stop: post({
    path: '/Customers/Imports/Stop/:guid',
    effect: 'write',
    can,
    message: 'Import stopped.',
    summary: 'Stops an import that has not been applied: nothing of it stays',
    response: z.object({ import: importShape }),
  }),
  undo: post({
    path: '/Customers/Imports/Undo/:guid',
    effect: 'write',
    can,
    timeoutMs: 30_000,
    message: 'Import undone.',
    summary: 'Archives the customers of an import that are not used and empties what it filled',
    response: z.object({
      import: importShape,
      archived: z.int(),
      emptied: z.int(),
      keptCount: z.int(),
      /** The first 200. */
      kept: z.array(z.object({ guid, displayName: z.string(), reason: z.enum(keptReasons) })),
    }),
  }),
}
