import {
  type ActionInput,
  actionsApi,
  type PausedReason,
  type RunState,
  type TraceLine,
} from '../../contract/actions.ts'
import type { EventName } from '../../contract/events.ts'
import { actions } from '../actions/actions.service.ts'
import type { Actor } from '../core/ctx.ts'
import { newGuid } from '../core/guid.ts'
import { type Crew, play, type Stage } from './actors.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const roleOf = (actor: Actor) => ({ roleGuid: actor.kind === 'user' ? actor.roleGuid : '' })

interface Told {
  state: RunState
  reason?: string
  steps?: readonly (readonly [what: TraceLine['what'], ok: boolean, said: string])[]
}
interface Made extends ActionInput {
  /** Null: never turned on; `on`: still on; else what turned it off. */
  became: null | 'on' | PausedReason
  /** What became of the newest of its events, the newest first. */
  runs: readonly Told[]
}

const asked = ['conditions', true, ''] as const
const done = (said: string, ...before: (typeof asked)[]): Told => ({
  state: 'done',
  steps: [...before, ['effect', true, said]],
})
const failed = (reason: string): Told => ({ state: 'failed', reason, steps: [['effect', false, reason]] })
const many = (count: number, told: Told) => Array.from({ length: count }, () => told)

const made = (crew: Crew, templateGuid: string): readonly Made[] => [
  {
    name: 'Work that is not invoiced',
    eventKey: 'order.completed',
    conditions: { path: 'order.toInvoice', is: 'above', value: 50_000 },
    delayMinutes: 120,
    effects: [{ type: 'notify', to: roleOf(crew.office), text: 'Invoice what is left.' }],
    became: 'on',
    runs: [
      { state: 'waiting' },
      { state: 'running', steps: [asked] },
      done('Office', asked),
      { state: 'skipped', reason: 'loop' },
      { state: 'skipped', reason: 'not_met' },
      failed('We can’t find that record.'),
      done('Office', asked),
      { state: 'skipped', reason: 'too_many' },
      done('Office', asked),
    ],
  },
  {
    name: 'Ask why quotes are declined',
    eventKey: 'quote.declined',
    conditions: {
      all: [
        { path: 'total', is: 'atLeast', value: 300_000 },
        { path: 'note', is: 'isEmpty' },
      ],
    },
    delayMinutes: 1440,
    effects: [{ type: 'notify', to: 'recordOwner', text: 'Call and ask why.' }],
    became: null,
    runs: [],
  },
  {
    name: 'Mark new customers',
    eventKey: 'customer.created',
    delayMinutes: 0,
    effects: [{ type: 'tag', add: ['new'], remove: [] }],
    became: 'person',
    runs: many(2, done('new')),
  },
  {
    name: 'Write again about quotes',
    eventKey: 'quote.sent',
    delayMinutes: 4320,
    effects: [{ type: 'message', templateGuid, to: 'customer', attachDocument: true }],
    became: 'failures',
    runs: many(5, failed('This customer has no email address. Add one to the customer.')),
  },
  {
    name: 'Tell the accountant of refunds',
    eventKey: 'refund.made',
    delayMinutes: 0,
    effects: [{ type: 'notify', to: roleOf(crew.accountant), text: 'Check this refund.' }],
    became: 'owner',
    runs: [{ state: 'skipped', reason: 'owner' }, done('Accountant')],
  },
  {
    name: 'Mark large invoices',
    eventKey: 'invoice.issued',
    conditions: { path: 'total', is: 'above', value: 1_000_000 },
    delayMinutes: 0,
    effects: [{ type: 'tag', add: ['large'], remove: [] }],
    became: 'runaway',
    runs: [{ state: 'skipped', reason: 'runaway' }, ...many(3, done('large', asked))],
  },
]

/** When they were turned on: before what they are shown to have done. */
const daysOn = 150

/** One action in each state it can be in, with what became of them. */
export async function makeActions(stage: Stage, crew: Crew, businessGuid: string): Promise<void> {
  const { deps, at: now } = stage
  const template = await deps.db
    .selectFrom('templates')
    .select('guid')
    .where('businessGuid', '=', businessGuid)
    .where('kind', '=', 'quote_followup')
    .where('activeVersionGuid', 'is not', null)
    .executeTakeFirstOrThrow()
  for (const { became, runs, ...input } of made(crew, template.guid)) {
    const at = new Date(now.getTime() - daysOn * dayMs)
    const { action } = await play({ ...stage, at }, actionsApi.create, actions.create, input)
    if (became === null) continue
    await play({ ...stage, at }, actionsApi.status, actions.status, {
      guid: action.guid,
      version: action.version,
      deed: 'activate',
    })
    if (became !== 'on')
      await deps.db
        .updateTable('actions')
        .set({ status: 'paused', pausedReason: became, stoppedAt: new Date(now.getTime() - dayMs) })
        .where('guid', '=', action.guid)
        .execute()
    await makeRuns(stage, businessGuid, { guid: action.guid, eventKey: input.eventKey }, runs)
  }
}

async function makeRuns(
  { deps, at: now }: Stage,
  businessGuid: string,
  action: { guid: string; eventKey: EventName },
  told: readonly Told[],
) {
  const events = await deps.db
    .selectFrom('events')
    .selectAll()
    .where('key', '=', action.eventKey)
    .where('businessGuid', '=', businessGuid)
    .orderBy('at', 'desc')
    .limit(told.length)
    .execute()
  const rows = events.flatMap((event, i) => {
    const one = told[i]
    if (!one) return []
    const at = new Date(event.at)
    const isOver = one.state !== 'waiting' && one.state !== 'running'
    const trace = (one.steps ?? []).map(([what, ok, said]): TraceLine => ({
      at: at.toISOString(),
      what,
      index: 0,
      ok,
      said,
    }))
    return [
      {
        ...{ guid: newGuid(), businessGuid, actionGuid: action.guid, eventGuid: event.guid },
        ...{ rootGuid: event.rootGuid, depth: event.depth, noun: event.noun, recordGuid: event.recordGuid },
        recordLabel: String(event.values['number'] ?? event.values['name'] ?? ''),
        state: one.state,
        reason: one.reason ?? null,
        // What is not over stays as it is for a while.
        dueAt: isOver ? at : new Date(now.getTime() + 2 * dayMs),
        endedAt: isOver ? at : null,
        trace: JSON.stringify(trace),
        createdAt: at,
      },
    ]
  })
  if (rows.length > 0) await deps.db.insertInto('actionRuns').values(rows).execute()
}
