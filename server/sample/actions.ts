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

interface Made extends ActionInput {
  /** Null: never turned on; `on`: still on; else what turned it off. */
  became: null | 'on' | PausedReason
}

const made = (crew: Crew): readonly Made[] => [
  {
    name: 'Work that is not invoiced',
    eventKey: 'order.completed',
    conditions: { path: 'order.toInvoice', is: 'above', value: 50_000 },
    delayMinutes: 120,
    effects: [{ type: 'notify', to: roleOf(crew.office), text: 'Invoice what is left.' }],
    became: 'on',
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
  },
  {
    name: 'Mark new customers',
    eventKey: 'customer.created',
    delayMinutes: 0,
    effects: [{ type: 'tag', add: ['new'], remove: [] }],
    became: 'person',
  },
  {
    name: 'Hold orders with a declined change',
    eventKey: 'order.change_declined',
    delayMinutes: 0,
    effects: [
      { type: 'transition', deed: 'hold' },
      { type: 'notify', to: roleOf(crew.office), text: 'Talk to the customer.' },
    ],
    became: 'failures',
  },
  {
    name: 'Tell the accountant of refunds',
    eventKey: 'refund.made',
    delayMinutes: 0,
    effects: [{ type: 'notify', to: roleOf(crew.accountant), text: 'Check this refund.' }],
    became: 'owner',
  },
  {
    name: 'Mark large quotes',
    eventKey: 'quote.sent',
    conditions: { path: 'quote.total', is: 'above', value: 1_000_000 },
    delayMinutes: 0,
    effects: [{ type: 'tag', add: ['large'], remove: [] }],
    became: 'runaway',
  },
]

interface Told {
  state: RunState
  reason?: string
  steps?: readonly (readonly [what: TraceLine['what'], ok: boolean, said: string])[]
}
const asked = ['conditions', true, ''] as const
const done: Told = { state: 'done', steps: [asked, ['effect', true, 'Office']] }
/** What became of the newest events of each kind, the newest first. */
const fates: Readonly<Partial<Record<EventName, readonly Told[]>>> = {
  'order.completed': [
    { state: 'waiting' },
    { state: 'running', steps: [asked] },
    done,
    { state: 'skipped', reason: 'loop' },
    { state: 'skipped', reason: 'not_met' },
    {
      state: 'failed',
      reason: 'We can’t find that record.',
      steps: [asked, ['effect', false, 'We can’t find that record.']],
    },
    done,
    { state: 'skipped', reason: 'too_many' },
    done,
  ],
  'customer.created': [
    { state: 'done', steps: [['effect', true, 'new']] },
    { state: 'done', steps: [['effect', true, 'new']] },
  ],
  'quote.sent': [
    { state: 'skipped', reason: 'runaway' },
    ...Array.from({ length: 3 }, () => ({ ...done, steps: [asked, ['effect', true, 'large'] as const] })),
  ],
  'order.change_declined': Array.from({ length: 5 }, () => ({
    state: 'failed' as const,
    reason: 'This isn’t possible in the current status.',
    steps: [['effect', false, 'This isn’t possible in the current status.'] as const],
  })),
  'refund.made': [
    { state: 'skipped', reason: 'owner' },
    { state: 'done', steps: [['effect', true, 'Accountant']] },
  ],
}

/** One action in each state it can be in, with what became of them. */
export async function makeActions(stage: Stage, crew: Crew, businessGuid: string): Promise<void> {
  const { deps, at: now } = stage
  for (const { became, ...input } of made(crew)) {
    const at = new Date(now.getTime() - 20 * dayMs)
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
    await makeRuns(stage, businessGuid, { guid: action.guid, eventKey: input.eventKey })
  }
}

async function makeRuns({ deps, at: now }: Stage, businessGuid: string, action: { guid: string; eventKey: EventName }) {
  const told = fates[action.eventKey] ?? []
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
