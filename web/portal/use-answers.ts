import { useEffect, useState } from 'react'
import type { OptionAnswer } from '../../contract/booking-options.ts'
import type { LineQuantity } from '../../contract/negotiation.ts'
import { rangeOfLine } from '../../contract/quantity-range.ts'
import { serviceApi } from '../../contract/service.ts'
import type { LineQuestions, ServiceQuote } from '../../contract/service-quotes.ts'
import type { ApiError } from '../core/api/error.ts'
import { dropReads, queryClient, useRead } from '../core/api/hooks.ts'
import { dropHere, readHere, writeHere } from '../core/storage.ts'
import {
  answersFor,
  chosenOf,
  type KeptChoice,
  movedOf,
  nothingChosen,
  originOf,
  withAnswered,
  withPicked,
} from './kept-choice.ts'
import { isChoice, openGroups, type ServiceLine } from './shown-lines.ts'

interface LineAnswers {
  lineGuid: string
  answers: OptionAnswer[]
}

export interface Answers {
  /** The quote with the lines and prices that the choice makes. */
  quote: ServiceQuote
  /** The options and alternatives that are taken. */
  chosen: ReadonlySet<string>
  choose: (line: ServiceLine) => void
  questions: readonly LineQuestions[]
  /** What is sent along when the quote is accepted; nothing where nothing was asked. */
  given: LineAnswers[] | undefined
  change: (lineGuid: string, answers: OptionAnswer[]) => void
  /** How many of a line are wanted, by what was typed last. */
  quantityOf: (line: ServiceLine) => string
  changeQuantity: (line: ServiceLine, quantity: string) => void
  /** The quantities that were moved, as they are sent. */
  quantities: LineQuantity[]
  /** Stands for the choice and the amounts that were shown last; nothing where only options can be chosen. */
  choiceSha256: string | undefined
  /** Once they are accepted, the window keeps them no longer. */
  forget: () => void
  /** What keeps the choice from being accepted, by `answers.<line>.<option>` or `quantities.<line>`. */
  problems: Readonly<Record<string, string>>
  /** The price of the last choice is not known yet. */
  isPricing: boolean
  error: ApiError | null
  again: () => void
}

/** Typing ends before it is asked. */
const restMs = 250

/** The last value that stayed for a moment. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

/** What the customer chose: it outlasts a reload of the page, and a revision as far as it still applies. */
function useKeptChoice(guid: string) {
  const key = `choice.${guid}`
  const [kept, setKept] = useState<KeptChoice>(() => ({ ...nothingChosen, ...readHere<KeptChoice>(key)?.value }))
  const keep = (next: KeptChoice) => {
    setKept(next)
    writeHere(key, next)
  }
  return { kept, keep, forget: () => dropHere(key) }
}

/** The page shows a document that is no longer the one behind its link: the newer one is read at once. */
function useReread(error: ApiError | null) {
  const isOutdated = error?.error === 'STALE_VERSION'
  useEffect(() => {
    if (isOutdated) void dropReads(queryClient, ['service'])
  }, [isOutdated])
}

/**
 * What the customer chooses, moves and answers, and what the quote comes to with it: the server prices, by what was
 * offered.
 */
export function useAnswers(guid: string, offered: ServiceQuote): Answers {
  const { documentSha256, questions, lines } = offered
  const { kept, keep, forget } = useKeptChoice(guid)
  const isOpen = offered.status === 'sent'
  const chosen = chosenOf(lines, isOpen ? kept : nothingChosen)
  const lineOf = (lineGuid: string) => lines.find((line) => line.guid === lineGuid)
  // Of what is not bought nothing is asked.
  const bought = new Set(lines.filter((l) => !isChoice(l) || chosen.has(l.guid)).map((l) => l.guid))
  const given = answersFor(offered, kept).filter(({ lineGuid }) => bought.has(lineGuid))
  const quantities = movedOf(lines, chosen, kept)
  const isComplete = openGroups(lines, chosen).length === 0
  const choices = lines.some(isChoice) && isComplete ? { selectedLineGuids: [...chosen].toSorted() } : {}
  const body = JSON.stringify({ guid, documentSha256, answers: given, quantities, ...choices })
  const rested = useRested(body)
  const isPriced = isOpen && (questions.length > 0 || lines.some((line) => rangeOfLine(line) !== null))
  const isAsked = isPriced && isComplete
  const read = useRead(serviceApi.price, JSON.parse(rested) as { guid: string }, {
    enabled: isAsked,
    staleTime: Infinity,
  })
  useReread(isAsked ? read.error : null)
  // What can't be priced leaves the last price there was: the one without answers belongs to nothing that is ticked.
  const fresh = read.isPlaceholderData ? undefined : read.data
  const [last, setLast] = useState({ of: documentSha256, data: fresh })
  if (fresh && fresh !== last.data) setLast({ of: documentSha256, data: fresh })
  const before = last.of === documentSha256 ? last.data : undefined
  const priced = isPriced ? (fresh ?? before) : undefined
  const selected = new Map(lines.map((line) => [line.guid, line.isSelected]))
  return {
    quote: priced
      ? {
          ...offered,
          // What the business proposes stays marked, whatever is chosen.
          lines: priced.lines.map((line) => ({ ...line, isSelected: selected.get(line.guid) ?? line.isSelected })),
        }
      : offered,
    chosen,
    choose: (line) => keep(withPicked(kept, line, chosen)),
    questions: (priced?.questions ?? questions)
      .filter(({ lineGuid }) => bought.has(lineGuid))
      .map((one) => ({
        ...one,
        answers: given.find(({ lineGuid }) => lineGuid === one.lineGuid)?.answers ?? one.answers,
      })),
    given: questions.length > 0 ? given : undefined,
    change: (lineGuid, answers) => {
      const line = lineOf(lineGuid)
      const asking = questions.find((one) => one.lineGuid === lineGuid)
      if (line && asking) keep(withAnswered(kept, line, asking, answers))
    },
    quantityOf: (line) => kept.quantities[originOf(line)] ?? lineOf(line.guid)?.quantity ?? line.quantity,
    changeQuantity: (line, quantity) =>
      keep({ ...kept, quantities: { ...kept.quantities, [originOf(line)]: quantity } }),
    quantities,
    choiceSha256: priced?.choiceSha256,
    forget,
    problems: Object.fromEntries((priced?.problems ?? []).map(({ path, message }) => [path, message])),
    isPricing: isAsked && (rested !== body || read.isFetching),
    error: isAsked ? read.error : null,
    again: () => void read.refetch(),
  }
}
