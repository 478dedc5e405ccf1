import { authApi } from '../../contract/auth.ts'
import { useRead, useWrite, type WriteOptions } from '../core/api/hooks.ts'
import { renewOnce } from '../core/api/session.ts'
import type { Answer } from '../core/api/types.ts'

export type OwnUser = Answer<typeof authApi.account>['user']

export const useOwnAccount = () => useRead(authApi.account, {}, { staleTime: 60_000 })

/** Saves something of one's own account; the token says it too from then on, so that every screen does. */
export const useOwnUpdate = (options: WriteOptions<typeof authApi.updateAccount> = {}) =>
  useWrite(authApi.updateAccount, {
    ...options,
    onSuccess: async (answer, input) => {
      await renewOnce().catch(() => false)
      await options.onSuccess?.(answer, input)
    },
  })
