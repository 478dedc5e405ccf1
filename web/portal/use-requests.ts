import { useState } from 'react'
import { isCounterOffer } from '../../contract/negotiation.ts'
import { serviceApi } from '../../contract/service.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import type { ApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { dropHere, readHere, writeHere } from '../core/storage.ts'
import { rereadWhenOutdated } from './accept-panel.tsx'
import { originOf } from './kept-choice.ts'
import { asksOf, type Choice, noChoice, type Request, withRequest } from './requests.ts'
import type { ServiceLine } from './shown-lines.ts'

export interface Requests {
  /** What is not sent yet, of lines that are there. */
  drafts: readonly Request[]
  of: (line: ServiceLine) => readonly Request[]
  add: (request: Request) => void
  remove: (request: Request) => void
  send: () => void
  withdraw: (askGuid: string) => void
  /** Whether what was chosen goes along. */
  hasChoice: boolean
  isSending: boolean
  /** The request that is being taken back. */
  withdrawing: string | null
  error: ApiError | null
}

/** What a customer asks for: gathered in this window, where it outlasts a reload, and sent at once. */
export function useRequests(
  guid: string,
  { lines, documentSha256 }: Pick<ServiceQuote, 'lines' | 'documentSha256'>,
  choice: Choice,
  { onDone, onRefused }: { onDone: (isCounterOffer: boolean) => void; onRefused: () => void },
): Requests {
  const key = `requests.${guid}`
  const [gathered, setGathered] = useState<readonly Request[]>(() => readHere<Request[]>(key)?.value ?? [])
  const keep = (next: readonly Request[]) => {
    setGathered(next)
    if (next.length > 0) writeHere(key, next)
    else dropHere(key)
  }
  const onError = rereadWhenOutdated(onRefused)
  const asks = useWrite(serviceApi.asks, {
    onSuccess: (_answer, sent) => {
      keep([])
      onDone(sent.asks.some(isCounterOffer))
    },
    onError,
  })
  const withdraw = useWrite(serviceApi.withdraw, { onError })
  const there = new Set(lines.map(originOf))
  const drafts = gathered.filter(({ origin }) => there.has(origin))
  return {
    drafts,
    of: (line) => drafts.filter(({ origin }) => origin === originOf(line)),
    add: (request) => keep(withRequest(gathered, request)),
    remove: (request) => keep(gathered.filter((one) => one !== request)),
    send: () => asks.mutate({ guid, documentSha256, asks: asksOf(drafts, lines, choice) }),
    withdraw: (askGuid) => withdraw.mutate({ guid, documentSha256, askGuids: [askGuid] }),
    hasChoice: asksOf(drafts, lines, choice).length > asksOf(drafts, lines, noChoice).length,
    isSending: asks.isPending,
    withdrawing: withdraw.isPending ? (withdraw.variables.askGuids[0] ?? null) : null,
    error: asks.error ?? withdraw.error,
  }
}
