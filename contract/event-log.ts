import { z } from 'zod'
import { actionRun } from './actions.ts'
import { day, guid, listQuery, ofBusiness, pageOf, reference, timestamp, whose } from './core/common.ts'
import { get } from './core/op.ts'
import { type EventName, events } from './events.ts'
import type { TemplateKind } from './messages.ts'
import { type NounName, nounNames, nouns } from './nouns.ts'
import { templateKindFacts } from './template-kinds.ts'
import type { VariableFields } from './template-variables.ts'

/*
 * What happened, as actions and webhooks wait for it. Everything there is stands in the audit log; here is what is
 * worth acting on, with what is known of its record.
 */

/** The events that are kept: those that actions may wait for. */
export const keptEvents = (Object.keys(events) as EventName[]).filter((name) => events[name].automates)
export const keptNouns = nounNames.filter((noun) => keptEvents.some((name) => events[name].noun === noun))

/** Which templates see what an event knows of its record: the kind that says most of a record of the noun. */
const seenBy: Readonly<Partial<Record<NounName, TemplateKind>>> = {
  Customers: 'general',
  Quotes: 'quote',
  Orders: 'order',
  Invoices: 'invoice',
  Payments: 'receipt',
  Refunds: 'refund',
}
export const factsKindOf = (noun: NounName): TemplateKind | null => seenBy[noun] ?? null
/** What an event may know of a record of a noun, each path with its type; null of nouns that no template is about. */
export function factsOf(noun: NounName): VariableFields | null {
  const kind = factsKindOf(noun)
  return kind && templateKindFacts[kind].fields
}

const value = z.union([z.string(), z.number(), z.null()])
const listedEvent = z.object({
  guid,
  ...whose,
  key: z.string(),
  at: timestamp,
  /** Who did it; null where no user did. */
  by: z.string().nullable(),
  byKind: z.enum(['user', 'guest', 'system']),
  noun: z.string(),
  record: reference,
  /** What its sentence is filled with. */
  values: z.record(z.string(), value),
  /** How many actions led to it, one after the other. */
  depth: z.int(),
  /** The event that the first of them waited for: the event itself, where a person or a job did it. */
  rootGuid: guid,
  /** So many actions began with it. */
  started: z.int(),
})
export type ListedEvent = z.output<typeof listedEvent>

const event = listedEvent.extend({
  /** What templates may say of its record; null until they are read, and where its noun has none. */
  facts: z.record(z.string(), z.unknown()).nullable(),
  /** What became of the actions that waited for it, where the caller may read these. */
  runs: z.array(actionRun),
})

export const eventLogApi = {
  list: get({
    path: '/Events',
    effect: 'read',
    can: nouns.Events.pages.list.can,
    summary: 'What happened and actions may wait for, the newest first: of records that the caller may read',
    query: listQuery(['at'], {
      ...ofBusiness,
      key: z.enum(keptEvents).optional(),
      noun: z.enum(keptNouns).optional(),
      /** Of the business. */
      day: day.optional(),
    }).omit({ search: true }),
    response: pageOf(listedEvent),
  }),
  get: get({
    path: '/Events/:guid',
    effect: 'read',
    can: nouns.Events.pages.view.can,
    summary: 'One event with what is known of its record, and the events of its chain',
    response: z.object({
      event,
      /** Everything that followed from the same event, in order, and that event first. */
      chain: z.array(listedEvent),
    }),
  }),
}
