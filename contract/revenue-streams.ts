import { z } from 'zod'
import { archivingOps } from './core/archiving.ts'
import { answerOf } from './core/answer.ts'
import { amountCents, archivedFilter, cents, guid, listQuery, maybe, pageOf, recordShape, text } from './core/common.ts'
import { plainBulkEditOp } from './core/bulk-edit.ts'
import { exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { nouns } from './nouns.ts'

const { pages } = nouns.RevenueStreams

/** A month of a calendar, `YYYY-MM`. */
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter a month as year and month.')
const target = z.strictObject({
  /** The first month it holds for; it holds until the next one begins. */
  month,
  cents: amountCents,
})

const streamFields = {
  code: text(20),
  name: text(80),
  /** The account of the books that its revenue belongs to. */
  accountCode: maybe(text(20)),
  parentGuid: maybe(guid),
  /** What is aimed at a month, GST not included. */
  targets: z
    .array(target)
    .max(60, 'Enter 60 months or fewer.')
    .refine(
      (given) => given.every((one, i) => i === 0 || one.month > (given[i - 1]?.month ?? '')),
      'List each month once, the earliest first.',
    )
    .default([]),
}
export const streamInput = z.strictObject(streamFields)
export type StreamInput = z.infer<typeof streamInput>

const stream = z.object({
  ...recordShape,
  ...answerOf(streamFields),
  /** What issued invoices of this month bring in for it, GST not included. */
  thisMonthCents: cents,
  /** What is aimed at this month; null when nothing is. */
  targetCents: amountCents.nullable(),
  productCount: z.int(),
})
export type RevenueStream = z.infer<typeof stream>
const one = z.object({ stream })

const list = get({
  path: '/RevenueStreams',
  effect: 'read',
  can: pages.list.can,
  summary: 'Revenue streams, with this month and its target',
  query: listQuery(['code', 'name'], { archived: archivedFilter }),
  response: pageOf(stream),
})
export const revenueStreamsApi = {
  list,
  export: exportOf(list, {
    code: 'Code',
    name: 'Name',
    accountCode: 'Account',
    thisMonthCents: 'This month',
    targetCents: 'Target',
  }),
  get: get({
    path: '/RevenueStreams/:guid',
    effect: 'read',
    can: ['read', 'RevenueStreams:Preview:Guid'],
    summary: 'One revenue stream',
    response: one,
  }),
  create: post({
    path: '/RevenueStreams',
    effect: 'write',
    can: ['create', 'RevenueStreams:Create'],
    status: 201,
    message: 'Revenue stream created.',
    summary: 'Makes a revenue stream',
    body: streamInput,
    response: one,
  }),
  update: patch({
    path: '/RevenueStreams/:guid',
    effect: 'write',
    can: ['update', 'RevenueStreams:Update:Guid'],
    message: 'Revenue stream saved.',
    summary: 'Changes a revenue stream; lines of documents keep the one they have',
    body: patchOf(streamInput),
    response: one,
  }),
  edit: plainBulkEditOp('RevenueStreams', streamInput.pick({ accountCode: true, parentGuid: true })),
  ...archivingOps('RevenueStreams', 'a stream', one),
}

/** What is aimed at in a month: the last target that has begun. */
export const targetIn = (targets: readonly { month: string; cents: number }[], month: string): number | null =>
  targets.findLast((given) => given.month <= month)?.cents ?? null
