import { z } from 'zod'
import { cents, guid, longText, maybe, quantity, timestamp, version } from './core/common.ts'
import { get, post } from './core/op.ts'
import { nouns } from './nouns.ts'

const { pages } = nouns.Quotes

/** What customers ask of a quote: a word, another quantity of a line, to leave a line out. */
const askKinds = ['comment', 'quantity', 'drop'] as const
export type AskKind = (typeof askKinds)[number]
/** `withdrawn` by the customer, everything else by staff; a comment is answered by `agreed` with a text. */
const askOutcomes = ['agreed', 'declined', 'countered', 'withdrawn'] as const
export type AskOutcome = (typeof askOutcomes)[number]
/** All but comments: while one is open nobody can accept. */
export const isCounterOffer = ({ kind }: { kind: AskKind }): boolean => kind !== 'comment'
export const maxAsks = 20

/** How an ask was answered. */
export const askAnswer = z.object({
  outcome: z.enum(askOutcomes),
  text: z.string().nullable(),
  /** What was offered instead. */
  quantity: z.string().nullable(),
  unitPriceCents: cents.nullable(),
  /** Who of the staff; null where the customer took it back, and for customers. */
  by: z.string().nullable(),
  at: timestamp,
})
/** What was asked of any revision of a quote, with its answer. */
export const ask = z.object({
  guid,
  /** Of the revision it was put to. */
  revision: z.int(),
  /** The line in that revision, and what it is called; null of a comment on the whole. */
  lineGuid: guid.nullable(),
  originLineGuid: guid.nullable(),
  lineName: z.string().nullable(),
  kind: z.enum(askKinds),
  text: z.string().nullable(),
  quantity: z.string().nullable(),
  /** What it alone would change, GST included; null of a comment. */
  effectCents: cents.nullable(),
  at: timestamp,
  answer: askAnswer.nullable(),
})
export type Ask = z.infer<typeof ask>

const askText = longText(2000).min(1, 'This field is required.')
/** An ask as a customer sends it. */
export const askInput = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('comment'), lineGuid: maybe(guid), text: askText }),
  z.strictObject({ kind: z.literal('quantity'), lineGuid: guid, quantity, text: maybe(longText(2000)) }),
  z.strictObject({ kind: z.literal('drop'), lineGuid: guid, text: maybe(longText(2000)) }),
])
export type AskInput = z.infer<typeof askInput>

/** What a customer chooses beside his answers: how many of lines that leave it to him. */
export const lineQuantities = z.array(z.strictObject({ lineGuid: guid, quantity })).max(500)
export type LineQuantity = z.infer<typeof lineQuantities>[number]

/** What a staff member answers to one ask. */
const answerInput = z.strictObject({
  askGuid: guid,
  outcome: z.enum(['agreed', 'declined', 'countered']),
  text: maybe(longText(2000)),
  /** Offered instead, at least one of both where it is `countered`; the price in the document's price mode. */
  quantity: maybe(quantity),
  unitPriceCents: maybe(cents),
})
export type AnswerInput = z.infer<typeof answerInput>

const frameReasons = ['sent', 'viewed', 'asked', 'withdrawn', 'answered', 'accepted', 'declined'] as const
export type FrameReason = (typeof frameReasons)[number]
/** Something that was before somebody's eyes at a moment, known by its hash. */
const frame = z.object({
  guid,
  revision: z.int(),
  reason: z.enum(frameReasons),
  at: timestamp,
  /** Who did it, in words. */
  by: z.string(),
  /** Of the page. */
  sha256: z.string(),
  /** Of all that happened until then: a file of evidence is that of this quote where it ends with one of these. */
  chainSha256: z.string(),
})
export type Frame = z.infer<typeof frame>

const change = z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })
/** Two revisions of a quote, line by line. */
export const comparison = z.object({
  from: z.object({ revision: z.int(), number: z.string(), totalCents: cents }),
  to: z.object({ revision: z.int(), number: z.string(), totalCents: cents }),
  lines: z.array(
    z.object({
      change: z.enum(['same', 'changed', 'added', 'removed', 'moved']),
      originLineGuid: guid,
      name: z.string(),
      fields: z.array(change),
      /** What the line comes to more or less, without GST. */
      deltaCents: cents,
    }),
  ),
  /** What differs beside the lines. */
  document: z.array(change),
  /** GST included. */
  deltaCents: cents,
})
export type Comparison = z.infer<typeof comparison>

/** Operations on quotes that were sent and are talked about; `one` is the answer with the quote. */
export const negotiationOps = <One extends z.ZodType, Revision extends z.ZodType>(one: One, answered: Revision) => ({
  answer: post({
    path: '/Quotes/Answer/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Answers saved.',
    summary:
      'Answers what the customer asked, each with its outcome. `revise` makes a revision of what was agreed, ' +
      '`send` sends it, too',
    body: z.strictObject({
      version,
      /** None where everything is answered already, and a revision is made of what was agreed. */
      answers: z.array(answerInput).max(200),
      // oxlint-disable-next-line unicorn/no-thenable -- the specification names it; it is a word, never a function
      then: z.enum(['nothing', 'revise', 'send']).default('nothing'),
    }),
    response: answered,
  }),
  answerPreview: post({
    path: '/Quotes/Answer/Preview/:guid',
    effect: 'read',
    can: pages.edit.can,
    summary: 'What these answers alone and all of them together would come to; nothing is saved',
    body: z.strictObject({ answers: z.array(answerInput).max(200) }),
    response: z.object({
      /** GST included; with what was agreed before. */
      totalCents: cents,
      effects: z.array(z.object({ askGuid: guid, effectCents: cents })),
    }),
  }),
  reply: post({
    path: '/Quotes/Reply/:guid',
    effect: 'write',
    can: pages.edit.can,
    message: 'Reply sent.',
    summary: 'Declines everything that is open with one text: the quote can be accepted as it was sent',
    body: z.strictObject({ version, text: askText }),
    response: one,
  }),
  compare: get({
    path: '/Quotes/Compare/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'What changed from another revision of the same quote to this one',
    query: z.strictObject({ with: guid }),
    response: z.object({ comparison }),
  }),
  frames: get({
    path: '/Quotes/Frames/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'What each side had before the eyes, of all revisions until this one, the oldest first',
    response: z.object({ items: z.array(frame) }),
  }),
  frame: get({
    path: '/Quotes/Frame/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One of these: the page as it was, and what was chosen on it',
    query: z.strictObject({ frame: guid }),
    response: z.object({ frame: frame.extend({ content: z.any() }) }),
  }),
  evidence: get({
    path: '/Quotes/Evidence/:guid',
    effect: 'external',
    can: pages.view.can,
    cost: 'costly',
    produces: 'file',
    summary: 'All of it in one file that proves itself: frames as text, and events each with the hash of all before it',
    response: z.any(),
  }),
})
