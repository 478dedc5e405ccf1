import { z } from 'zod'
import { cents, email, guid, longText, maybe, quantity, text, timestamp, version } from './core/common.ts'
import type { FieldError } from './core/errors.ts'
import { isText } from './core/money.ts'
import { get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import type { Transitions } from './core/transitions.ts'
import { lineInput, type LineKind, trimQuantity } from './lines.ts'
import { signature } from './quotes.ts'

const changeStatuses = ['draft', 'sent', 'accepted', 'declined', 'cancelled'] as const
export type ChangeStatus = (typeof changeStatuses)[number]
/** A change is recorded where its customer agreed by word; only one that was sent can be signed. */
export const changeTransitions = {
  update: { from: ['draft'] },
  send: { from: ['draft'], to: 'sent' },
  accept: { from: ['sent'], to: 'accepted' },
  decline: { from: ['sent'], to: 'declined' },
  record: { from: ['draft', 'sent'], to: 'accepted' },
  cancel: { from: ['draft', 'sent'], to: 'cancelled' },
} as const satisfies Transitions<ChangeStatus>

/** `edited` is what the office changed by itself, without anybody's signature. */
export const changeMethods = ['guest', 'phone', 'email', 'in_person', 'signed_paper', 'edited'] as const
/** What the office did where nobody signed, as such changes are titled. */
export const officeTitles = ['Edited', 'Settled', 'Off hire'] as const
export type OfficeTitle = (typeof officeTitles)[number]
/** How staff says that a customer agreed. */
export const recordMethods = ['phone', 'email', 'in_person', 'signed_paper'] as const
/** What the evidence tells of a change. */
export type ChangeReason = 'sent' | 'accepted' | 'declined' | 'cancelled' | 'edited'
const maxActions = 50

/** What is done with one line of an order; prices are in the order's price mode. */
const changeAction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('add'), line: lineInput.omit({ guid: true }) }),
  z.strictObject({
    kind: z.literal('change'),
    lineGuid: guid,
    quantity: quantity.optional(),
    unitPriceCents: cents.optional(),
  }),
  z.strictObject({ kind: z.literal('remove'), lineGuid: guid }),
])
export type ChangeAction = z.infer<typeof changeAction>

const side = z.object({ quantity: z.string(), unitPriceCents: cents, totalCents: cents })
/** A line that is other than it was. Amounts of a side are with all that lies below the line, GST included. */
const changedLine = z.object({
  kind: z.enum(['add', 'change', 'remove']),
  lineGuid: guid,
  name: z.string(),
  description: z.string().nullable(),
  unit: z.string(),
  before: side.nullable(),
  after: side.nullable(),
})
export type ChangedLine = z.infer<typeof changedLine>

/** What a change does to an order, before anybody agreed. */
const effect = {
  lines: z.array(changedLine),
  deltaCents: cents,
  contractBeforeCents: cents,
  contractAfterCents: cents,
}
/** A change as its customer reads it. */
export const guestChange = z.object({
  guid,
  number: z.string(),
  title: z.string(),
  note: z.string().nullable(),
  status: z.enum(changeStatuses),
  ...effect,
  sha256: z.string().nullable(),
  sentAt: timestamp.nullable(),
  acceptance: z
    .object({
      method: z.enum(changeMethods),
      name: z.string(),
      at: timestamp,
      /** The last hash of the evidence then; null where the office changed it by itself. */
      evidenceSha256: z.string().nullable(),
    })
    .nullable(),
})
export type GuestChange = z.infer<typeof guestChange>
const change = guestChange.extend({
  actions: z.array(z.unknown()),
  createdAt: timestamp,
  byName: z.string().nullable(),
  decline: z.object({ name: z.string(), note: z.string().nullable(), at: timestamp }).nullable(),
})
export type ChangeOrder = z.infer<typeof change>

export const changeNumber = (position: number): string => `CO-${position}`

interface OrderedLine {
  guid: string
  kind: LineKind
  parentLineGuid: string | null
  name: string
  description: string | null
  unit: string
  quantity: string
  unitPriceCents: number
  totalCents: number
}

/** The lines of an order that somebody entered, each with what it comes to together with what lies below it. */
function wholes(lines: readonly OrderedLine[]): Map<string, OrderedLine> {
  const found = new Map(lines.filter((l) => l.parentLineGuid === null && !isText(l)).map((l) => [l.guid, { ...l }]))
  for (const { parentLineGuid, totalCents } of lines) {
    const parent = parentLineGuid === null ? undefined : found.get(parentLineGuid)
    if (parent) parent.totalCents += totalCents
  }
  return found
}

const sideOf = ({ quantity: count, unitPriceCents, totalCents }: OrderedLine) => ({
  quantity: trimQuantity(count),
  unitPriceCents,
  totalCents,
})

/** What is other between two states of an order's lines: quantities, prices, lines; not how they are worded. */
export function changedLines(before: readonly OrderedLine[], after: readonly OrderedLine[]): ChangedLine[] {
  const was = wholes(before)
  const is = wholes(after)
  const told = ({ guid: lineGuid, name, description, unit }: OrderedLine) => ({ lineGuid, name, description, unit })
  const gone = [...was.values()].filter((line) => !is.has(line.guid))
  const others = [...is.values()].flatMap((line): ChangedLine[] => {
    const old = was.get(line.guid)
    if (!old) return [{ kind: 'add', ...told(line), before: null, after: sideOf(line) }]
    const sides = { before: sideOf(old), after: sideOf(line) }
    const isSame =
      sides.before.quantity === sides.after.quantity && sides.before.unitPriceCents === sides.after.unitPriceCents
    // Its total alone moves where a discount of the whole document does.
    return isSame ? [] : [{ kind: 'change', ...told(line), ...sides }]
  })
  return [
    ...gone.map((line): ChangedLine => ({ kind: 'remove', ...told(line), before: sideOf(line), after: null })),
    ...others,
  ]
}

/** The actions that lead from one state to the other, for changes that nobody entered as such. */
export const actionsOf = (lines: readonly ChangedLine[]) =>
  lines.map(({ kind, lineGuid, name, unit, before, after }) => {
    if (kind === 'remove') return { kind, lineGuid }
    const now = { quantity: after?.quantity ?? '0', unitPriceCents: after?.unitPriceCents ?? 0 }
    if (kind === 'add') return { kind, line: { name, unit, ...now } }
    return {
      kind,
      lineGuid,
      ...(before?.quantity === now.quantity ? {} : { quantity: now.quantity }),
      ...(before?.unitPriceCents === now.unitPriceCents ? {} : { unitPriceCents: now.unitPriceCents }),
    }
  })

interface InvoicedLine extends Pick<OrderedLine, 'guid' | 'kind' | 'parentLineGuid' | 'name' | 'quantity'> {
  unitPriceCents: number
  quantityInvoiced: string
}

/**
 * Lines with actions applied: others stay as they are, new ones come last. `added` makes a line of what is entered.
 * Actions on lines that are not there do nothing; `actionProblems` tells of them.
 */
export function applyActions<L extends { guid?: string | undefined; quantity: string; unitPriceCents?: number }>(
  lines: readonly L[],
  actions: readonly ChangeAction[],
  added: (line: Extract<ChangeAction, { kind: 'add' }>['line'], index: number) => L,
): L[] {
  const byLine = new Map(actions.flatMap((a) => (a.kind === 'add' ? [] : [[a.lineGuid, a] as const])))
  const kept = lines.flatMap((line) => {
    const action = line.guid === undefined ? undefined : byLine.get(line.guid)
    if (!action) return [line]
    if (action.kind === 'remove') return []
    const { quantity: count = line.quantity, unitPriceCents = line.unitPriceCents } = action
    return [{ ...line, quantity: count, ...(unitPriceCents === undefined ? {} : { unitPriceCents }) }]
  })
  return [...kept, ...actions.flatMap((a, i) => (a.kind === 'add' ? [added(a.line, i)] : []))]
}

/** What keeps actions from being done with an order as it is, by `actions.<i>.<field>`. */
export function actionProblems(actions: readonly ChangeAction[], lines: readonly InvoicedLine[]): FieldError[] {
  const known = new Map(lines.filter((l) => l.parentLineGuid === null && !isText(l)).map((l) => [l.guid, l]))
  const named = new Set<string>()
  return actions.flatMap((action, i): FieldError[] => {
    const at = (field: string, message: string) => [{ path: `actions.${i}.${field}`, message }]
    if (action.kind === 'add') return isText(action.line) ? at('line.kind', 'Choose a line with a price.') : []
    const line = known.get(action.lineGuid)
    if (!line) return at('lineGuid', 'Choose a line of this order.')
    if (named.has(line.guid)) return at('lineGuid', 'This is listed twice.')
    named.add(line.guid)
    const invoiced = Number(line.quantityInvoiced)
    if (action.kind === 'remove')
      return invoiced > 0 ? at('lineGuid', `“${line.name}” is already invoiced and can’t be removed.`) : []
    const { quantity: count, unitPriceCents } = action
    const isSamePrice = unitPriceCents === undefined || unitPriceCents === line.unitPriceCents
    const isSameCount = count === undefined || trimQuantity(count) === trimQuantity(line.quantity)
    if (isSamePrice && isSameCount) return at('quantity', 'Enter another quantity or price.')
    if (count !== undefined && Number(count) < invoiced) {
      const least = trimQuantity(line.quantityInvoiced)
      return at('quantity', `${least} of ${trimQuantity(line.quantity)} are already invoiced. Choose ${least} or more.`)
    }
    if (!isSamePrice && invoiced > 0)
      return at('unitPriceCents', 'Part of this line is invoiced, so this can’t be changed. Add another line instead.')
    return []
  })
}

const actions = z.array(changeAction).min(1, 'Add what changes.').max(maxActions, `Up to ${maxActions} changes.`)
const changeInput = z.strictObject({ title: text(120), note: maybe(longText(2000)), actions })

const list = z.object({
  /** What the order came to when it was agreed; null while nothing is. */
  agreedCents: cents.nullable(),
  /** The last hash of the evidence; null while nothing was sent or agreed. */
  evidenceSha256: z.string().nullable(),
  /** Each hash of the evidence, the oldest first: a file that ends with one of these is that of this order. */
  chainSha256s: z.array(z.string()),
  items: z.array(change),
})
const one = z.strictObject({ version, changeGuid: guid })
const write = { effect: 'write', can: ['update', 'Orders:Changes'], response: list } as const

/** Changes of an order: all by the order's guid. */
export const changeOps = {
  changes: get({
    path: '/Orders/Changes/:guid',
    effect: 'read',
    can: ['read', 'Orders:Changes'],
    summary: 'Changes of an order, the oldest first',
    response: list,
  }),
  evidence: get({
    path: '/Orders/Evidence/:guid',
    effect: 'external',
    can: ['read', 'Orders:Changes'],
    cost: 'costly',
    produces: 'file',
    summary: 'All that was sent, signed and declined in one file that proves itself, as the evidence of quotes does',
    response: z.any(),
  }),
  previewChange: post({
    path: '/Orders/Changes/Preview/:guid',
    effect: 'read',
    can: ['read', 'Orders:Changes'],
    summary: 'What a change would make of an order; nothing is saved',
    body: z.strictObject({ actions }),
    response: z.object(effect),
  }),
  addChange: post({
    path: '/Orders/Changes/:guid',
    effect: 'write',
    can: ['create', 'Orders:Changes'],
    status: 201,
    message: 'Change order created.',
    summary: 'Drafts a change of an order that is agreed',
    body: changeInput.extend({ version }),
    response: list,
  }),
  updateChange: patch({
    path: '/Orders/Changes/:guid',
    ...write,
    message: 'Change order saved.',
    summary: 'Edits a draft of a change; what was sent stays as it is',
    body: patchOf(changeInput).extend({ changeGuid: guid }),
  }),
  sendChange: post({
    path: '/Orders/Changes/Send/:guid',
    ...write,
    message: 'Change order sent.',
    summary: 'Freezes a change and sends it to be signed; one at a time',
    body: one.extend({ to: z.array(email).min(1).max(10).optional() }),
  }),
  recordChange: post({
    path: '/Orders/Changes/Record/:guid',
    ...write,
    message: 'Change order recorded.',
    summary: 'Says that the customer agreed to a change, and does it',
    body: one.extend({ method: z.enum(recordMethods), name: text(120) }),
  }),
  cancelChange: post({
    path: '/Orders/Changes/Cancel/:guid',
    ...write,
    message: 'Change order cancelled.',
    summary: 'Takes back a change that nobody answered',
    body: one,
  }),
}

/** A guest names the change as he read it, by its hash. */
export const guestAcceptance = z.strictObject({
  changeGuid: guid,
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'Reload the page and try again.'),
  name: text(120),
  signature: signature.optional(),
})
export const guestDecline = guestAcceptance
  .omit({ name: true, signature: true })
  .extend({ note: maybe(longText(1000)) })
