import type { Ability, Facts, Rule } from '../../../contract/core/ability.ts'
import type { Action, Op } from '../../../contract/core/op.ts'
import { createStore, useStore } from '../store.ts'
import { authFlags, authHeaders, authState, type Permission } from './auth-state.ts'

export interface Rights {
  permissions: Permission[]
  can: (action: Action, subject: string, row?: Facts['row']) => boolean
}

// The rules come with their own library: it is fetched when somebody has rights, not on the login page.
const rights = createStore<Rights | null>(null)

const callerFacts = (): Facts => {
  const { isUser, isGuest } = authFlags()
  const headers = authHeaders()
  return {
    isUser,
    isGuest,
    hasApiGuid: Boolean(headers['X-Api-Guid']),
    hasAuthorization: Boolean(headers.Authorization),
  }
}

/** The rights made of the permissions in store. */
export async function rightsOf(permissions: Permission[]): Promise<Rights> {
  const known = rights.get()
  if (known?.permissions === permissions) return known
  const { buildAbility, can } = await import('../../../contract/core/ability.ts')
  const ability: Ability = buildAbility(permissions as Rule[])
  const made: Rights = {
    permissions,
    can: (action, subject, row) => can(ability, action, subject, row ? { ...callerFacts(), row } : callerFacts()),
  }
  if (authState.get().permissions?.list === permissions) rights.set(made)
  return made
}

authState.watch(() => {
  const list = authState.get().permissions?.list
  if (list) void rightsOf(list)
  else rights.set(null)
})

export type Need = { can: readonly [Action, string] } | readonly [Action, string]

const isAllowed = (given: Rights | null, need: Need | undefined, row?: Facts['row']) => {
  if (!need) return true
  const [action, subject] = 'can' in need ? need.can : need
  return given?.can(action, subject, row) ?? false
}

/** Whether the user may run an operation (or do an action on a subject); comfort only, the server decides again. */
export function useCan(need: Op | Need | undefined, row?: Facts['row']): boolean {
  return isAllowed(useStore(rights), need, row)
}

export type May = (need: Op | Need | undefined, row?: Facts['row']) => boolean
export const mayBy =
  (given: Rights | null): May =>
  (need, row) =>
    isAllowed(given, need, row)

/** For many questions at once: `const may = useMay(); may(quotesApi.send)`. */
export const useMay = (): May => mayBy(useStore(rights))
