import { isAgreed, openAsks } from '../../contract/quote-actions.ts'
import { isCounterOffer, type AnswerInput, type Ask } from '../../contract/negotiation.ts'
import type { Quote } from '../../contract/quotes.ts'

/** What is about to be answered to one request. */
export interface Mark {
  /** Null until somebody decides; a comment needs a text alone. */
  outcome: AnswerInput['outcome'] | null
  text: string
  /** Offered instead: decimal text, or nothing. */
  quantity: string
  /** In the document's price mode. */
  unitPriceCents: number | null
}
export type Marks = Readonly<Record<string, Mark>>

export const noMark: Mark = { outcome: null, text: '', quantity: '', unitPriceCents: null }
export const markOf = (marks: Marks, { guid }: Pick<Ask, 'guid'>): Mark => marks[guid] ?? noMark

/** Whether something would be sent: a decision, or words under a comment. */
export const isMarked = (ask: Ask, { outcome, text }: Mark): boolean =>
  isCounterOffer(ask) ? outcome !== null : text.trim() !== ''

const offered = ({ outcome, quantity, unitPriceCents }: Mark) =>
  outcome === 'countered'
    ? { ...(quantity ? { quantity } : {}), ...(unitPriceCents === null ? {} : { unitPriceCents }) }
    : {}

/** What is sent of what is marked, in the order of the requests. */
export const sentAnswers = (asks: readonly Ask[], marks: Marks): AnswerInput[] =>
  asks.flatMap((ask): AnswerInput[] => {
    const mark = markOf(marks, ask)
    if (!isMarked(ask, mark)) return []
    const text = mark.text.trim()
    return [
      {
        askGuid: ask.guid,
        outcome: mark.outcome ?? 'agreed',
        ...(text ? { text } : {}),
        ...offered(mark),
      },
    ]
  })

/** What is priced of it: counters that offer nothing yet, comments and words are left out. */
export const pricedAnswers = (asks: readonly Ask[], marks: Marks): AnswerInput[] =>
  sentAnswers(asks.filter(isCounterOffer), marks).flatMap(({ text: _text, ...answer }) =>
    answer.outcome === 'countered' && !answer.quantity && typeof answer.unitPriceCents !== 'number' ? [] : [answer],
  )

/** One text for everything that is open and has no lasting effect: comments answered, the rest left as it is. */
export const repliesTo = (asks: readonly Ask[], text: string): AnswerInput[] =>
  asks.filter((ask) => !isCounterOffer(ask)).map(({ guid }) => ({ askGuid: guid, outcome: 'agreed', text }))

/** Why no revision can be made of these answers; null when it can. */
export type NoRevision = 'noAnswer' | 'hasRequests' | 'nothingAgreed' | 'revisedAlready' | null
export function whyNoRevision(quote: Quote, marks: Marks): NoRevision {
  const open = openAsks(quote).filter(isCounterOffer)
  if (quote.nextRevisionGuid) return 'revisedAlready'
  if (open.some((ask) => !isMarked(ask, markOf(marks, ask)))) return 'hasRequests'
  const isOffered = (outcome: string | null | undefined) => outcome === 'agreed' || outcome === 'countered'
  return isAgreed(quote) || open.some((ask) => isOffered(markOf(marks, ask).outcome)) ? null : 'nothingAgreed'
}

/** Problems of a save by the request they were sent for: `text`, `quantity`, `unitPriceCents`, `outcome`, `askGuid`. */
export type AskProblems = Readonly<Record<string, Readonly<Record<string, string>>>>
export function problemsByAsk(
  sent: readonly AnswerInput[],
  errors: readonly { path: string; message: string }[],
): AskProblems {
  const found: Record<string, Record<string, string>> = {}
  for (const { path, message } of errors) {
    const [, index, field] = /^answers\.(\d+)\.(\w+)$/.exec(path) ?? []
    const answer = sent[Number(index)]
    if (answer && field) (found[answer.askGuid] ??= {})[field] = message
  }
  return found
}
