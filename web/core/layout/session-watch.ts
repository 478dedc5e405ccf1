import { forgetReads } from '../api/reads.ts'
import type { AnyRouter } from '@tanstack/react-router'
import { isBypassed } from './bypass.ts'
import { notice } from './notice.ts'
import { authFlags, authState } from '../api/auth-state.ts'

/**
 * When a session ends or changes hands, here or in another tab: nothing of it stays, and the
 * guard looks at the page again.
 */
export function watchSession(router: AnyRouter) {
  const whoNow = () => (authFlags().isAuthenticated ? (authState.get().token?.userData?.guid ?? 'guest') : null)
  let who = whoNow()
  authState.watch(() => {
    const now = whoNow()
    if (now === who) return
    const hadSession = who !== null
    who = now
    if (!hadSession) return
    if (now === null && !isBypassed()) notice.set(notice.get() ?? 'ENDED')
    forgetReads()
    void router.invalidate()
  })
}
