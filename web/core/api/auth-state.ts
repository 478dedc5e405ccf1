import type { ListDefaults } from '../../../contract/views.ts'
import { dropStored, onStoredElsewhere, readStored, writeStored } from '../storage.ts'
import { createStore, useStore } from '../store.ts'
import { workAnywhere } from './business.ts'

export interface AuthHeaders {
  Authorization: string
  'X-Api-Guid': string
}

export interface Preferences {
  displayDateFormat: string
  displayTimeFormat: string
  displayDateTimeFormat: string
  /** IANA zone of the business. */
  zone?: string
}

export interface UserData {
  guid: string
  authID?: string
  displayName?: string
  name?: string
  email?: string | null
  roleName?: string
  preferences?: Partial<Preferences>
}

/** The payload of the authorization token. The signature is the server's business. */
export interface Token {
  roleGUID: string
  /** Absent for guests. */
  userData?: UserData
  /** Seconds since 1970. */
  exp: number
  isRenewAllowed: boolean
}

/** One entry of a role, as the API lists it. */
export interface Permission {
  subject: string
  action: string
  conditions: Record<string, unknown> | null
  enabled: boolean
  priority: number
  inverted: boolean
  apiGuidRequired: boolean
  authorizationHeaderRequired: boolean
}

/** The role that is tried, read only: the permissions are its own meanwhile. */
export interface TriedRole {
  guid: string
  name: string
}

export interface AuthState {
  headers: AuthHeaders | null
  token: Token | null
  apiGuid: string | null
  permissions: { list: Permission[]; at: number; trying: TriedRole | null } | null
  /** How the user likes lists where their address does not say otherwise. */
  lists: readonly ListDefaults[]
}

export const defaultPreferences: Preferences = {
  displayDateFormat: 'd-m-Y',
  displayTimeFormat: 'H:i',
  displayDateTimeFormat: 'd-m-Y H:i',
}

/** Everything of a session that is stored in the browser; all of it goes when the session ends. */
const keys = [
  'headers',
  'token',
  'apiGuid',
  'role',
  'userData',
  'preferences',
  'permissions',
  'trying',
  'lists',
  'pageMeta',
  'matchedPermission',
  'authStatus',
  'refreshInProgress',
  'blocks',
  'recents',
] as const

function decode(authorization: string): Token | null {
  try {
    const part = authorization.replace(/^Bearer\s+/i, '').split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
    const token = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Token>
    return typeof token.roleGUID === 'string' && typeof token.exp === 'number'
      ? { ...token, roleGUID: token.roleGUID, exp: token.exp, isRenewAllowed: token.isRenewAllowed === true }
      : null
  } catch {
    return null
  }
}

function restore(): AuthState {
  const headers = readStored<AuthHeaders>('headers')?.value ?? null
  const permissions = readStored<Permission[]>('permissions')
  return {
    headers,
    token: headers ? decode(headers.Authorization) : null,
    apiGuid: readStored<string>('apiGuid')?.value ?? null,
    permissions:
      permissions && Array.isArray(permissions.value)
        ? { list: permissions.value, at: permissions.at, trying: readStored<TriedRole>('trying')?.value ?? null }
        : null,
    lists: readStored<ListDefaults[]>('lists')?.value ?? [],
  }
}

export const authState = createStore<AuthState>(restore())
onStoredElsewhere((key) => {
  if (['headers', 'permissions', 'apiGuid', 'lists'].includes(key)) authState.set(restore())
})

export const authHeaders = (): Partial<AuthHeaders> => {
  const { headers, apiGuid } = authState.get()
  const guid = headers?.['X-Api-Guid'] ?? apiGuid
  return { ...(headers ? { Authorization: headers.Authorization } : {}), ...(guid ? { 'X-Api-Guid': guid } : {}) }
}

/** Every answer carries the visitor's guid; the first one we hear is the one we keep sending. */
export function keepApiGuid(headers: Headers) {
  const guid = headers.get('X-Api-Guid')
  const state = authState.get()
  if (!guid || guid === state.apiGuid) return
  writeStored('apiGuid', guid)
  authState.set({ ...state, apiGuid: guid, headers: state.headers ? { ...state.headers, 'X-Api-Guid': guid } : null })
}

/** Takes over the headers of a login, guest or renewal answer; false when they are not usable. */
export function keepHeaders(given: unknown): boolean {
  const entries = Object.entries((given ?? {}) as Record<string, unknown>)
  const value = (name: string) => entries.find(([key]) => key.toLowerCase() === name)?.[1]
  const authorization = value('authorization')
  const token = typeof authorization === 'string' ? decode(authorization) : null
  if (typeof authorization !== 'string' || !token) return false
  const state = authState.get()
  const givenGuid = value('x-api-guid')
  const apiGuid = typeof givenGuid === 'string' ? givenGuid : (state.apiGuid ?? '')
  const headers: AuthHeaders = { Authorization: authorization, 'X-Api-Guid': apiGuid }
  const stored = {
    headers,
    token,
    apiGuid,
    role: token.roleGUID,
    userData: token.userData ?? null,
    preferences: { ...defaultPreferences, ...token.userData?.preferences },
  }
  for (const [key, content] of Object.entries(stored)) writeStored(key, content)
  const isSameRole = state.token?.roleGUID === token.roleGUID
  authState.set({ ...state, headers, token, apiGuid, permissions: isSameRole ? state.permissions : null })
  writeStored('authStatus', authFlags())
  return true
}

export function keepPermissions(list: Permission[], trying: TriedRole | null = null) {
  writeStored('permissions', list)
  writeStored('trying', trying)
  // What was matched by the old ones is looked up again.
  dropStored('matchedPermission')
  authState.set({ ...authState.get(), permissions: { list, at: Date.now(), trying } })
}

export function keepLists(lists: readonly ListDefaults[]) {
  writeStored('lists', lists)
  authState.set({ ...authState.get(), lists })
}

export const noteListDefaults = (defaults: ListDefaults) =>
  keepLists([...authState.get().lists.filter(({ subject }) => subject !== defaults.subject), defaults])

const likedOf = ({ lists }: AuthState, subject: string) => lists.find((one) => one.subject === subject)
/** How the user likes a list, known by the right to read it. */
export const listDefaultsOf = (subject: string): ListDefaults | undefined => likedOf(authState.get(), subject)
export const useListDefaults = (subject: string): ListDefaults | undefined => likedOf(useStore(authState), subject)

export function clearAuth() {
  workAnywhere()
  for (const key of keys) dropStored(key)
  authState.set({ headers: null, token: null, apiGuid: null, permissions: null, lists: [] })
}

export interface AuthFlags {
  isAuthenticated: boolean
  isUser: boolean
  isGuest: boolean
  isTokenExpired: boolean
  isTokenRenewAllowed: boolean
}

/** Authenticated means: headers, role and token are all present. */
export function authFlags({ headers, token }: AuthState = authState.get()): AuthFlags {
  const isAuthenticated = Boolean(headers && token?.roleGUID)
  return {
    isAuthenticated,
    isUser: isAuthenticated && Boolean(token?.userData),
    isGuest: isAuthenticated && !token?.userData,
    isTokenExpired: token ? token.exp * 1000 <= Date.now() : false,
    isTokenRenewAllowed: token?.isRenewAllowed ?? false,
  }
}

export const useAuth = () => useStore(authState)
/** The person who is logged in; null for guests and visitors. */
export const useUser = (): UserData | null => useAuth().token?.userData ?? null
export const preferencesOf = (state: AuthState): Preferences => ({
  ...defaultPreferences,
  ...state.token?.userData?.preferences,
})
