import {
  QueryClient,
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useRef } from 'react'
import type { Op } from '../../../contract/core/op.ts'
import { staleAfter } from '../../../contract/stale.ts'
import type { May } from './can.ts'
import { request } from './client.ts'
import { ApiError } from './error.ts'
import { useOwner } from './of-business.ts'
import { announceReads } from './reads.ts'
import type { Answer, Payload } from './types.ts'

const isDefinite = (error: unknown) => error instanceof ApiError && error.responseCode < 500

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, error) => !isDefinite(error) && count < 2,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: 0 },
  },
})

announceReads({
  clear: () => queryClient.clear(),
  refresh: () => void queryClient.invalidateQueries({ type: 'active' }),
})

const segmentOf = (path: string) => path.split('/')[1] ?? ''
/** The noun of a path: its first segment, in lower case. What guests read has one noun, `service`. */
const nounOf = (path: string) => segmentOf(path).toLowerCase()

/** What is read for a record of another business than the window's is kept beside the window's own. */
export const readKey = (op: Op, input: object, business: string | null = null) =>
  business === null
    ? ([nounOf(op.path), op.path, input] as const)
    : ([nounOf(op.path), op.path, input, business] as const)

const readOf = <O extends Op>(op: O, input: Payload<O>, business: string | null = null) => ({
  queryKey: readKey(op, input as object, business),
  queryFn: ({ signal }: { signal: AbortSignal }) => request(op, input, { signal, business }),
})

/** Begins a read that the page will show, before it is drawn. What failed is told by the page. */
export const readAhead = async <O extends Op>(may: May, op: O, input: Payload<O>) => {
  if (may(op)) await queryClient.prefetchQuery(readOf(op, input))
}

export interface ReadOptions {
  enabled?: boolean
  /** Keeps showing the last answer while the next page or filter loads. */
  keep?: boolean
  staleTime?: number
  refetchInterval?: number | false
  /** Takes no part while it is not enabled: what others read under the same key draws nothing again here. */
  isAsideWhenOff?: boolean
}

/** Reads through an operation, cached under its noun. */
export function useRead<O extends Op>(
  op: O,
  input: Payload<O>,
  options: ReadOptions = {},
): UseQueryResult<Answer<O>, ApiError> {
  const { keep, isAsideWhenOff = false, ...rest } = options
  const business = useOwner()
  return useQuery<Answer<O>, ApiError>({
    ...readOf(op, input, business),
    ...(keep ? { placeholderData: keepPreviousData } : {}),
    ...(isAsideWhenOff && rest.enabled === false ? { notifyOnChangeProps: [] } : {}),
    ...rest,
  })
}

export interface WriteOptions<O extends Op> {
  onSuccess?: (answer: Answer<O>, input: Payload<O>) => unknown
  onError?: (error: ApiError, input: Payload<O>) => unknown
}

/** Drops everything read of these nouns; what is on screen reads again. */
export const dropReads = (client: QueryClient, nouns: readonly string[]) =>
  Promise.all(nouns.map((noun) => client.invalidateQueries({ queryKey: [noun.toLowerCase()] })))

/** One key per submit: the same input tried again after an unknown outcome keeps its key, so that it has one effect. */
function useSubmitKey() {
  const last = useRef<{ input: string; key: string } | null>(null)
  return {
    keyFor: (input: unknown) => {
      const text = JSON.stringify(input)
      if (last.current?.input !== text) last.current = { input: text, key: crypto.randomUUID() }
      return last.current.key
    },
    done: () => {
      last.current = null
    },
  }
}

/**
 * The second click of a double click comes before a button is drawn as busy: it is the same
 * submit, and nothing follows it.
 */
function useRunning() {
  const running = useRef(new Set<string>())
  return {
    /** Whether this is not under way yet. */
    begin: (what: unknown) => {
      const text = JSON.stringify(what)
      if (running.current.has(text)) return false
      running.current.add(text)
      return true
    },
    end: (what: unknown) => void running.current.delete(JSON.stringify(what)),
  }
}

/**
 * Writes through an operation. POST carries an `Idempotency-Key` by itself; what it made
 * stale is read again afterwards.
 */
export function useWrite<O extends Op>(
  op: O,
  options: WriteOptions<O> = {},
): UseMutationResult<Answer<O>, ApiError, Payload<O>> {
  const client = useQueryClient()
  const submit = useSubmitKey()
  const running = useRunning()
  const business = useOwner()
  const mutation = useMutation<Answer<O>, ApiError, Payload<O>>({
    mutationFn: (input) =>
      request(op, input, { business, ...(op.method === 'POST' ? { idempotencyKey: submit.keyFor(input) } : {}) }),
    onSuccess: async (answer, input) => {
      submit.done()
      // oxlint-disable-next-line typescript/no-floating-promises -- screens refresh behind; the caller goes on at once
      dropReads(client, staleAfter(segmentOf(op.path)))
      await options.onSuccess?.(answer, input)
    },
    onError: (error, input) => {
      if (isDefinite(error)) submit.done()
      options.onError?.(error, input)
    },
    onSettled: (_answer, _error, input) => running.end(input),
  })
  const { mutate, mutateAsync } = mutation
  const mutateOnce: typeof mutate = (...given) => {
    if (running.begin(given[0])) mutate(...given)
  }
  const mutateOnceAsync: typeof mutateAsync = (...given) =>
    running.begin(given[0]) ? mutateAsync(...given) : new Promise(() => undefined)
  return { ...mutation, mutate: mutateOnce, mutateAsync: mutateOnceAsync }
}

/** Runs an operation that is only known when it runs; what it made stale is read again. */
export function useRun(): <O extends Op>(op: O, input: Payload<O>) => Promise<Answer<O>> {
  const client = useQueryClient()
  const submit = useSubmitKey()
  const running = useRunning()
  const business = useOwner()
  return async (op, input) => {
    const what = [op.method, op.path, input]
    if (!running.begin(what)) return new Promise(() => undefined)
    const key = op.method === 'POST' ? { idempotencyKey: submit.keyFor(what) } : {}
    const sent = request(op, input, { business, ...key })
    const answer = await sent
      .catch((error: unknown) => {
        if (isDefinite(error)) submit.done()
        throw error
      })
      .finally(() => running.end(what))
    submit.done()
    // oxlint-disable-next-line typescript/no-floating-promises -- screens refresh behind; the caller goes on at once
    dropReads(client, staleAfter(segmentOf(op.path)))
    return answer
  }
}
