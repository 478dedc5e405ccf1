import { invalid, notFound } from '../../contract/core/errors.ts'
import { centsToDecimal } from '../../contract/core/money.ts'
import type { Input, Output } from '../../contract/core/op.ts'
import { type ExportFormat, exportPartSizes, exportProblemsShown, type exportsApi } from '../../contract/exports.ts'
import type { Ctx, Db, Handlers } from '../core/ctx.ts'
import { byteOrderMark, cell, lineEnd } from '../core/http/cells.ts'
import type { WrittenFile } from '../core/http/csv.ts'
import { forwardsMovedIn } from '../journal/gst.service.ts'
import { booksOf, spoken } from '../journal/locks.service.ts'
import {
  type ExportProblem,
  guidsOfPart,
  partsOf,
  type Period,
  type PostedLine,
  postedLines,
  problemsIn,
  soldDocuments,
} from './exports.queries.ts'
import { myobHead, myobRows } from './myob.ts'
import { slashed } from './sales.ts'
import { xeroHead, xeroRows } from './xero.ts'

type Api = typeof exportsApi
type Asked = Input<Api['plan']>

/** Documents, or entries, that are read and written at once. */
const batchSize = 100

const contentOf = (format: ExportFormat) => (format === 'journal' ? 'entries' : 'documents')

function periodOf(ctx: Ctx, { from, to }: Asked): Period {
  if (from > to) throw invalid('to', 'Choose a day that isn’t before the first.')
  return { entityGuid: booksOf(ctx), from, to }
}

const nameOf = ({ format, from, to }: Asked, part: number) =>
  `${format}-${from}-to-${to}-${part}.${format === 'myob' ? 'txt' : 'csv'}`

const programs = { xero: 'Xero', myob: 'MYOB', journal: '' } as const

function said({ code, noun, guid, label, cents, on, count }: ExportProblem, format: ExportFormat) {
  const text =
    code === 'voided_later'
      ? `${label} was voided on ${spoken(on ?? '')}. Void it there too.`
      : `${count} customers are called ${label}. ${programs[format]} takes them for one; rename all but one.`
  return { noun, guid, label, cents, text }
}

/** GST that counts in a period before its sales, or was turned back as they came: other programs know nothing of it. */
async function forwardsIn(ctx: Ctx, { entityGuid, from, to }: Period): Promise<Output<Api['plan']>['problems']> {
  const forwards = await forwardsMovedIn(ctx.db, entityGuid, from, to)
  return forwards.slice(0, exportProblemsShown).map(({ guid, number, beforeCents, afterCents }) => {
    const cents = afterCents - beforeCents
    const sum = centsToDecimal(Math.abs(cents))
    const text =
      cents > 0
        ? `$${sum} of GST brought forward is in the activity statement of this period and not in these files.`
        : `$${sum} of GST in these files was brought forward to an earlier activity statement.`
    return { noun: 'Orders' as const, guid, label: number, cents, text }
  })
}

async function plan(ctx: Ctx, input: Asked): Promise<Output<Api['plan']>> {
  const { format } = input
  const period = periodOf(ctx, input)
  const parts = await partsOf(ctx.db, contentOf(format), period, exportPartSizes[format])
  const problems = format === 'journal' ? [] : await problemsIn(ctx.db, period, exportProblemsShown)
  return {
    parts: parts.flatMap(({ part, documents, sums }) =>
      documents === 0 ? [] : [{ part, name: nameOf(input, part), documents, sums }],
    ),
    problems: [
      ...(format === 'journal' ? [] : await forwardsIn(ctx, period)),
      ...problems.map((problem) => said(problem, format)),
    ].slice(0, exportProblemsShown),
  }
}

const journalHead =
  byteOrderMark +
  [
    'Date',
    'Entry',
    'Source',
    'Narrative',
    'Account',
    'Account name',
    'Debit',
    'Credit',
    'GST code',
    'Revenue stream',
    'Customer',
    'Document',
  ].join(',') +
  lineEnd

const amount = (cents: number) => (cents === 0 ? '' : centsToDecimal(cents))

const journalRow = (line: PostedLine) =>
  [
    slashed(line.on),
    String(line.entry),
    line.source,
    cell(line.narrative),
    line.account,
    cell(line.accountName),
    amount(line.debitCents),
    amount(line.creditCents),
    line.gstCode ?? '',
    cell(line.stream ?? ''),
    cell(line.customerName ?? ''),
    cell(line.document ?? ''),
  ].join(',') + lineEnd

const rowsOf: Record<ExportFormat, (db: Db, guids: readonly string[]) => Promise<string[]>> = {
  xero: async (db, guids) => (await soldDocuments(db, guids)).map(xeroRows),
  myob: async (db, guids) => (await soldDocuments(db, guids)).map(myobRows),
  journal: async (db, guids) => (await postedLines(db, guids)).map(journalRow),
}
const heads: Record<ExportFormat, string> = { xero: xeroHead, myob: myobHead, journal: journalHead }

async function* written(db: Db, format: ExportFormat, guids: readonly string[]): AsyncGenerator<string> {
  yield heads[format]
  for (let i = 0; i < guids.length; i += batchSize)
    yield (await rowsOf[format](db, guids.slice(i, i + batchSize))).join('')
}

/** One file; the first of a period in which nothing happened has its headings alone. */
async function file(ctx: Ctx, input: Input<Api['file']>): Promise<WrittenFile> {
  const { format, part } = input
  const period = periodOf(ctx, input)
  const guids = await guidsOfPart(ctx.db, contentOf(format), period, { part, size: exportPartSizes[format] })
  if (guids.length === 0 && part > 1) throw notFound()
  return {
    fileName: nameOf(input, part),
    mime: format === 'myob' ? 'text/tab-separated-values' : 'text/csv',
    lines: written(ctx.db, format, guids),
  }
}

export const accountingExports: Handlers<Api> = { plan, file }
