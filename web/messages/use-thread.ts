import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { ThreadItem } from '../../contract/message-writes.ts'
import { request } from '../core/api/client.ts'
import type { ApiError } from '../core/api/error.ts'
import { queryClient, readKey } from '../core/api/hooks.ts'
import { useOwner } from '../core/api/of-business.ts'
import { type About, wayOf } from './about.ts'

interface Thread {
  items: readonly ThreadItem[]
  since: string
}

/** What is new of a conversation takes the place of what was known of it. The newest stands last. */
function merged(known: readonly ThreadItem[], news: readonly ThreadItem[]): ThreadItem[] {
  const all = new Map([...known, ...news].map((item) => [item.guid, item]))
  return [...all.values()].toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.guid.localeCompare(b.guid))
}

/** A conversation. Whenever something of it changes, what is new is asked for and nothing else. */
export function useThread({ by, guid }: About) {
  const { load } = wayOf[by]
  const business = useOwner()
  const queryKey = [...readKey(load, { guid }, business), 'thread'] as const
  // Whoever comes back begins anew: what was filed elsewhere meanwhile is gone.
  const isBegun = useRef(false)
  return useQuery<Thread, ApiError>({
    queryKey,
    queryFn: async ({ signal }) => {
      const known = isBegun.current ? queryClient.getQueryData<Thread>(queryKey) : undefined
      const answer = await request(load, { guid, ...(known ? { since: known.since } : {}) }, { signal, business })
      isBegun.current = true
      return { items: merged(known?.items ?? [], answer.items), since: answer.since }
    },
    staleTime: 0,
  })
}
