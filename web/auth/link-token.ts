import { useEffect, useState } from 'react'
import { ApiError } from '../core/api/error.ts'
import { authCall } from '../core/api/session.ts'
import type { Endpoint } from '../core/api/transport.ts'

/**
 * The secret of a link in a mail. It stands behind `#`, where no server and no other site sees it, and is taken out of
 * the address at once, so that it stays in no history either.
 */
function takeToken(): string {
  const token = location.hash.slice(1)
  if (token) history.replaceState(history.state, '', location.pathname + location.search)
  // What is no token at all leads nowhere, like one that was used.
  return /^[\w-]{43}$/.test(token) ? token : ''
}

export type LinkState<T> = { token: string; data: T | null; error: unknown }

/** Asks the server whether the link still works, and for whom. */
export function useLink<T>(check: Endpoint): LinkState<T> & { retry: () => void } {
  const [token] = useState(takeToken)
  const [attempt, setAttempt] = useState(0)
  // Without a token there is nothing to ask: the link is as dead as one that was used.
  const [state, setState] = useState<{ data: T | null; error: unknown }>(() => ({
    data: null,
    error: token ? null : new ApiError('', 'LINK_DEAD', 410),
  }))
  useEffect(() => {
    if (!token) return
    let isGone = false
    authCall(check, { token }).then(
      (data) => {
        if (!isGone) setState({ data: data as T, error: null })
      },
      (error: unknown) => {
        if (!isGone) setState({ data: null, error })
      },
    )
    return () => {
      isGone = true
    }
  }, [attempt, check, token])
  return {
    ...state,
    token,
    retry: () => {
      if (!token) return
      setState({ data: null, error: null })
      setAttempt(attempt + 1)
    },
  }
}
