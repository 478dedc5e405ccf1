import { useEffect, useState } from 'react'
import type { OptionAnswer } from '../../contract/booking-options.ts'
import { serviceApi } from '../../contract/service.ts'
import type { LineQuestions, ServiceQuote } from '../../contract/service-quotes.ts'
import type { ApiError } from '../core/api/error.ts'
import { useRead } from '../core/api/hooks.ts'
import { dropHere, readHere, writeHere } from '../core/storage.ts'
import { isChoice, openGroups } from './shown-lines.ts'

interface LineAnswers {
  lineGuid: string
  answers: OptionAnswer[]
}

type Changed = Readonly<Record<string, OptionAnswer[]>>

export interface Answers {
  /** The quote with the lines and prices that the answers make. */
  quote: ServiceQuote
  questions: readonly LineQuestions[]
  /** What is sent along when the quote is accepted; nothing where nothing was asked. */
  given: LineAnswers[] | undefined
  /** Stands for the choice and the amounts that were shown last. */
  choiceSha256: string | undefined
  change: (lineGuid: string, answers: OptionAnswer[]) => void
  /** Once they are accepted, the window keeps them no longer. */
  forget: () => void
  /** What keeps the answers from being accepted, by `answers.<line>.<option>`, of an address by its part. */
  problems: Readonly<Record<string, string>>
  /** The price of the last answers is not known yet. */
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

/**
 * What the customer answers to the questions of a quote, and what the quote comes to with it: the server prices, by
 * what was offered. Answers belong to the document they were given to.
 */
export function useAnswers(guid: string, offered: ServiceQuote, chosen: ReadonlySet<string>): Answers {
  const { documentSha256, questions } = offered
  // They outlast a reload of the page.
  const kept = `answers.${guid}.${documentSha256 ?? ''}`
  const [state, setState] = useState(() => ({ of: documentSha256, changed: readHere<Changed>(kept)?.value ?? {} }))
  const changed = state.of === documentSha256 ? state.changed : {}
  const answered = questions.map(({ lineGuid, answers }) => ({ lineGuid, answers: changed[lineGuid] ?? answers }))
  // Of what is not bought nothing is asked.
  const bought = new Set(offered.lines.filter((l) => !isChoice(l) || chosen.has(l.guid)).map((l) => l.guid))
  const all = answered.filter(({ lineGuid }) => bought.has(lineGuid))
  const isComplete = openGroups(offered.lines, chosen).length === 0
  const choices = offered.lines.some(isChoice) && isComplete ? { selectedLineGuids: [...chosen].toSorted() } : {}
  const body = JSON.stringify({ guid, documentSha256, answers: all, ...choices })
  const rested = useRested(body)
  const isAsked = questions.length > 0 && isComplete
  const read = useRead(serviceApi.price, JSON.parse(rested) as { guid: string }, {
    enabled: isAsked,
    staleTime: Infinity,
  })
  // What can't be priced leaves the last price there was: the one without answers belongs to nothing that is ticked.
  const fresh = read.isPlaceholderData ? undefined : read.data
  const [last, setLast] = useState({ of: documentSha256, data: fresh })
  if (fresh && fresh !== last.data) setLast({ of: documentSha256, data: fresh })
  const before = last.of === documentSha256 ? last.data : undefined
  const priced = questions.length > 0 ? (fresh ?? before) : undefined
  const selected = new Map(offered.lines.map((line) => [line.guid, line.isSelected]))
  return {
    quote: priced
      ? {
          ...offered,
          // What the business proposes stays marked, whatever is chosen.
          lines: priced.lines.map((line) => ({ ...line, isSelected: selected.get(line.guid) ?? line.isSelected })),
        }
      : offered,
    questions: (priced?.questions ?? questions)
      .filter(({ lineGuid }) => bought.has(lineGuid))
      .map((one) => ({
        ...one,
        answers: all.find(({ lineGuid }) => lineGuid === one.lineGuid)?.answers ?? one.answers,
      })),
    given: questions.length > 0 ? all : undefined,
    choiceSha256: priced?.choiceSha256,
    change: (lineGuid, answers) => {
      const next = { ...changed, [lineGuid]: answers }
      setState({ of: documentSha256, changed: next })
      writeHere(kept, next)
    },
    forget: () => dropHere(kept),
    problems: Object.fromEntries((priced?.problems ?? []).map(({ path, message }) => [path, message])),
    isPricing: isAsked && (rested !== body || read.isFetching),
    error: isAsked ? read.error : null,
    again: () => void read.refetch(),
  }
}
