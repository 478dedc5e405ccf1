import {
  QueryClient,
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import type { Op } from '../../../contract/core/op.ts'
import { staleAfter } from '../../../contract/nouns.ts'
import { request } from './client.ts'
import { ApiError } from './error.ts'
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
export const nounOf = (path: string) => segmentOf(path).toLowerCase()

export const readKey = (op: Op, input: object) => [nounOf(op.path), op.path, input] as const

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
  return useQuery<Answer<O>, ApiError>({
    queryKey: readKey(op, input as object),
    queryFn: ({ signal }) => request(op, input, { signal }),
    ...(keep ? { placeholderData: keepPreviousData } : {}),
    ...(isAsideWhenOff && rest.enabled === false ? { notifyOnChangeProps: [] } : {}),
    ...rest,
  })
}

/** Starts reading before the page needs it. */
export const prefetch = <O extends Op>(op: O, input: Payload<O>) =>
  queryClient.prefetchQuery({
    queryKey: readKey(op, input as object),
    queryFn: ({ signal }) => request(op, input, { signal }),
  })

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

/** Writes through an operation. POST carries an `Idempotency-Key` by itself; what it made stale is read again afterwards. */
export function useWrite<O extends Op>(
  op: O,
  options: WriteOptions<O> = {},
): UseMutationResult<Answer<O>, ApiError, Payload<O>> {
  const client = useQueryClient()
  const submit = useSubmitKey()
  const running = useRef<string | null>(null)
  const mutation = useMutation<Answer<O>, ApiError, Payload<O>>({
    mutationFn: (input) => request(op, input, op.method === 'POST' ? { idempotencyKey: submit.keyFor(input) } : {}),
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
    onSettled: () => {
      running.current = null
    },
  })
  const { mutate } = mutation
  // The second click of a double click comes before the button is drawn as busy: it is the same submit.
  const mutateOnce = useCallback<typeof mutate>(
    (...given) => {
      const text = JSON.stringify(given[0])
      if (op.method === 'POST' && running.current === text) return
      running.current = text
      mutate(...given)
    },
    [op, mutate],
  )
  return { ...mutation, mutate: mutateOnce }
}
