import { z } from 'zod'
import { archivingOps } from './core/archiving.ts'
import {
  archivedFilter,
  anyOf,
  guid,
  listQuery,
  maybe,
  pageOf,
  recordShape,
  reference,
  text,
  timestamp,
  version,
} from './core/common.ts'
import { type Condition, condition } from './core/conditions.ts'
import { type Action as Doing, exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { maxTagLength } from './core/tagging.ts'
import type { Transitions } from './core/transitions.ts'
import { type EventName, events } from './events.ts'
import { type NounName, nouns, rowOf } from './nouns.ts'
import { templateKindFacts } from './template-kinds.ts'
import { type TemplateKind, templateKinds } from './messages.ts'

/** The events that an action may wait for. */
export const actionEvents = (Object.keys(events) as EventName[]).filter((name) => events[name].automates)
const eventKey = z.enum(actionEvents)

export const actionStatuses = ['draft', 'active', 'paused'] as const
export type ActionStatus = (typeof actionStatuses)[number]
/** Who or what turned an action off. */
const pausedReasons = ['person', 'failures', 'owner', 'runaway'] as const
export type PausedReason = (typeof pausedReasons)[number]
export const actionTransitions = {
  update: { from: actionStatuses },
  activate: { from: ['draft', 'paused'], to: 'active' },
  pause: { from: ['active'], to: 'paused' },
} as const satisfies Transitions<ActionStatus>

const runStates = ['waiting', 'running', 'done', 'skipped', 'failed'] as const
export type RunState = (typeof runStates)[number]
/** Why a run was not made: guards in the order they are asked, and what stopped a run that waited. */
const skipReasons = ['owner', 'too_deep', 'loop', 'too_many', 'runaway', 'not_met', 'archived'] as const
export type SkipReason = (typeof skipReasons)[number]

/** How far actions may follow from each other, and how often one runs. */
export const actionLimits = {
  depth: 3,
  perRecordAndDay: 3,
  perHour: 200,
  failuresInARow: 5,
  /** Of a preview. */
  previewEvents: 2000,
  previewDays: 30,
  delayMinutes: 43_200,
} as const

/** What a run does; each effect once, in order. */
const effectTypes = ['message', 'notify', 'transition', 'tag', 'webhook'] as const
export type EffectType = (typeof effectTypes)[number]

interface Deed {
  can: readonly [Doing, string]
  /** What the right is called in a refusal. */
  right: string
}
const orders = ['update', 'Orders:Status:Guid'] as const
const series = ['update', 'Quotes:Series:Update:Guid'] as const
/** What an action may do with the record of its event. */
export const deedsOf = {
  Orders: {
    confirm: { can: orders, right: 'confirm orders' },
    start: { can: orders, right: 'start orders' },
    hold: { can: orders, right: 'hold orders' },
    complete: { can: orders, right: 'complete orders' },
    reopen: { can: orders, right: 'reopen orders' },
    close: { can: orders, right: 'close orders' },
    cancel: { can: orders, right: 'cancel orders' },
  },
  Quotes: {
    cancel: { can: ['update', 'Quotes:Update:Guid'], right: 'cancel quotes' },
    convert: { can: ['update', 'Quotes:Convert:Guid'], right: 'convert quotes' },
  },
  Invoices: { issue: { can: ['update', 'Invoices:Issue:Guid'], right: 'issue invoices' } },
  Series: {
    start: { can: series, right: 'start recurring quotes' },
    pause: { can: series, right: 'pause recurring quotes' },
    resume: { can: series, right: 'resume recurring quotes' },
    cancel: { can: series, right: 'cancel recurring quotes' },
  },
} as const satisfies Partial<Record<NounName, Readonly<Record<string, Deed>>>>
const deedNames = [...new Set(Object.values(deedsOf).flatMap((deeds) => Object.keys(deeds)))] as [string, ...string[]]
/** The deeds of an event's noun, by name. */
export const deedsFor = (noun: NounName | null): Readonly<Record<string, Deed>> =>
  (deedsOf as Partial<Record<NounName, Readonly<Record<string, Deed>>>>)[noun ?? 'Files'] ?? {}

/** The words a template of which kind may be filled with, by the noun of an event: its own, and its customer's. */
export function templateFits(kind: TemplateKind, noun: NounName | null): boolean {
  if (!noun) return false
  const { record } = templateKindFacts[kind]
  return record === rowOf(noun).one || (record === 'customer' && hasCustomer(noun))
}
const hasCustomer = (noun: NounName | null): boolean =>
  noun === 'Customers' || noun === 'Refunds' || (noun !== null && rowOf(noun).isForCustomer === true)

/** Which effects an event of a noun can have. */
export function effectsFor(noun: NounName | null): EffectType[] {
  return effectTypes.filter((type) => {
    if (type === 'message') return hasCustomer(noun)
    if (type === 'transition') return Object.keys(deedsFor(noun)).length > 0
    return type !== 'tag' || (noun !== null && rowOf(noun).hasTags === true)
  })
}

const tag = text(maxTagLength)
/** Each effect with its fields: the form of an effect is made of them. */
export const effectSchemas = {
  message: z.strictObject({
    type: z.literal('message'),
    templateGuid: guid,
    to: z.enum(['customer', 'billing']),
    attachDocument: z.boolean(),
  }),
  notify: z.strictObject({
    type: z.literal('notify'),
    to: z.union([z.strictObject({ roleGuid: guid }), z.strictObject({ userGuid: guid }), z.literal('recordOwner')]),
    text: text(200),
  }),
  transition: z.strictObject({ type: z.literal('transition'), deed: z.enum(deedNames) }),
  tag: z.strictObject({ type: z.literal('tag'), add: z.array(tag).max(20), remove: z.array(tag).max(20) }),
  webhook: z.strictObject({ type: z.literal('webhook'), webhookGuid: guid }),
} as const satisfies Record<EffectType, z.ZodObject>
const effect = z.discriminatedUnion('type', [
  effectSchemas.message,
  effectSchemas.notify,
  effectSchemas.transition,
  effectSchemas.tag,
  effectSchemas.webhook,
])
export type ActionEffect = z.output<typeof effect>

const actionFields = {
  name: text(80, 'Enter a name.'),
  eventKey,
  conditions: maybe(condition),
  delayMinutes: z.int().min(0).max(actionLimits.delayMinutes).default(0),
  effects: z.array(effect).min(1, 'Choose what it does.').max(5),
}
export const actionInput = z.strictObject(actionFields)
export type ActionInput = z.output<typeof actionInput>

const action = z.object({
  ...recordShape,
  name: z.string(),
  eventKey: z.string(),
  conditions: z.custom<Condition>().nullable(),
  delayMinutes: z.int(),
  effects: z.array(effect),
  /** It runs with this user's rights. */
  owner: reference,
  status: z.enum(actionStatuses),
  pausedReason: z.enum(pausedReasons).nullable(),
  /** What it does, as a sentence in the language of the reader. */
  sentence: z.string(),
  /** When it was last turned on, and since when it is off again. */
  activatedAt: timestamp.nullable(),
  stoppedAt: timestamp.nullable(),
})
export type Action = z.output<typeof action>
const one = z.object({ action })

const actionItem = action.omit({ conditions: true, effects: true, delayMinutes: true }).extend({
  lastRun: z.object({ at: timestamp, state: z.enum(runStates) }).nullable(),
  /** Runs of the last 30 days that failed. */
  failures: z.int(),
})
export type ActionItem = z.output<typeof actionItem>

export const actionRun = z.object({
  guid,
  action: reference,
  event: guid,
  /** What the event happened to. */
  record: reference,
  noun: z.string(),
  /** 0 is the first time; each replay of the event counts on. */
  replay: z.int(),
  state: z.enum(runStates),
  reason: z.string().nullable(),
  at: timestamp,
  dueAt: timestamp,
  endedAt: timestamp.nullable(),
  trace: z.array(
    z.object({
      at: timestamp,
      what: z.enum(['conditions', 'effect']),
      /** Which effect, counted from 0. */
      index: z.int(),
      ok: z.boolean(),
      said: z.string(),
    }),
  ),
})
export type ActionRun = z.output<typeof actionRun>
export type TraceLine = ActionRun['trace'][number]

const previewItem = z.object({
  event: z.object({ guid, key: z.string(), at: timestamp, record: reference, noun: z.string() }),
  wouldRun: z.boolean(),
  reason: z.enum(skipReasons).nullable(),
  effects: z.array(z.string()),
})
const preview = z.object({
  /** So many events were looked at, and so many of them it would have run for. */
  considered: z.int(),
  wouldRun: z.int(),
  /** The newest of them. */
  items: z.array(previewItem),
})
export type ActionPreview = z.output<typeof preview>

/** What the effects of an action may name. */
const choices = z.object({
  templates: z.array(reference.extend({ kind: z.enum(templateKinds) })),
  roles: z.array(reference),
  users: z.array(reference),
  webhooks: z.array(reference),
})
export type ActionChoices = z.output<typeof choices>

const registerItem = z.object({
  guid,
  action: z.string(),
  /** The sentence. */
  decides: z.string(),
  /** Which data it looks at. */
  uses: z.string(),
  /** Whom or what it does something to. */
  affects: z.string(),
  responsible: z.string(),
  since: timestamp,
  /** Null while it is on. */
  until: timestamp.nullable(),
})
export type RegisterItem = z.output<typeof registerItem>

const { pages } = nouns.Actions
const register = get({
  path: '/Events/Actions/Register',
  effect: 'read',
  can: pages.register.can,
  summary: 'The register of automated decisions: every action that is on or was, with who answers for it',
  query: listQuery(['action', 'since'], {}).omit({ search: true }),
  response: pageOf(registerItem),
})

export const actionsApi = {
  list: get({
    path: '/Events/Actions',
    effect: 'read',
    can: pages.list.can,
    summary: 'What is done by itself when something happens',
    query: listQuery(['name', 'createdAt'], {
      status: anyOf(actionStatuses).optional(),
      eventKey: eventKey.optional(),
      archived: archivedFilter,
    }),
    response: pageOf(actionItem),
  }),
  register,
  registerExport: exportOf(register, {
    action: 'Action',
    decides: 'Decides',
    uses: 'Uses',
    affects: 'Affects',
    responsible: 'Responsible',
    since: 'Since',
    until: 'Until',
  }),
  runs: get({
    path: '/Events/Actions/Runs',
    effect: 'read',
    can: pages.view.can,
    summary: 'Runs of actions with what each did, the newest first',
    query: listQuery(['at'], {
      action: guid.optional(),
      event: guid.optional(),
      state: anyOf(runStates).optional(),
    }).omit({ search: true }),
    response: pageOf(actionRun),
  }),
  choices: get({
    path: '/Events/Actions/Choices',
    effect: 'read',
    can: pages.view.can,
    summary: 'What effects may name: templates, roles, users and webhooks of the business',
    response: choices,
  }),
  get: get({
    path: '/Events/Actions/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One action',
    response: one,
  }),
  create: post({
    path: '/Events/Actions',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Action saved.',
    summary: 'Makes a draft of an action; whoever saves it becomes its owner and needs the rights of its effects',
    body: actionInput,
    response: one,
  }),
  update: patch({
    path: '/Events/Actions/:guid',
    effect: 'write',
    can: ['update', 'Events:Actions:Update:Guid'],
    message: 'Action saved.',
    summary: 'Changes an action; whoever saves it becomes its owner and needs the rights of its effects',
    body: patchOf(actionInput),
    response: one,
  }),
  status: post({
    path: '/Events/Actions/Status/:guid',
    effect: 'write',
    can: ['update', 'Events:Actions:Update:Guid'],
    message: 'Action turned on.',
    messageOf: (answer) => (answer.action.status === 'active' ? 'Action turned on.' : 'Action paused.'),
    summary: 'Turns an action on, with the rights of whoever does, or pauses it',
    body: z.strictObject({ version, deed: z.enum(['activate', 'pause']) }),
    response: one,
  }),
  preview: post({
    path: '/Events/Actions/Preview',
    effect: 'read',
    can: pages.view.can,
    cost: 'costly',
    timeoutMs: 20_000,
    summary: 'What an action, saved or not, would have done with the newest 2,000 events of the last days',
    body: z.strictObject({
      action: actionInput,
      days: z.int().min(1).max(actionLimits.previewDays).default(actionLimits.previewDays),
    }),
    response: preview,
  }),
  replay: post({
    path: '/Events/Actions/Replay/:guid',
    effect: 'write',
    can: ['update', 'Events:Actions:Replay:Guid'],
    message: 'Replay started.',
    summary: 'Runs an action again for events that happened, with what is known of their records today',
    body: z.strictObject({ eventGuids: z.array(guid).min(1, 'Choose at least one.').max(50) }),
    response: z.object({ runs: z.array(actionRun) }),
  }),
  ...archivingOps('Events/Actions', 'an action', one, 'Events:Actions'),
}
