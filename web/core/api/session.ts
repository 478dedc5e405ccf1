import type { ListDefaults } from '../../../contract/views.ts'
import { dropStored, readFresh, readStored, staleAfterMs, writeStored } from '../storage.ts'
import {
  authFlags,
  authHeaders,
  authState,
  clearAuth,
  keepHeaders,
  keepLists,
  keepPermissions,
  type Permission,
  type TriedRole,
} from './auth-state.ts'
import { maintenance, noteMaintenance } from './connection.ts'
import { ApiError } from './error.ts'
import { refuse } from './refusals.ts'
import { errorOf, exchange, readReply, type Endpoint } from './transport.ts'

const validateEveryMs = 10_000

/** Sends a call of the auth family: it never renews, and any answer but success is an error. */
export async function authCall(endpoint: Endpoint, body?: Record<string, unknown>) {
  const reply = await exchange(endpoint, body, {}, readReply)
  if (reply.status >= 400) throw errorOf(reply)
  return (reply.data.serviceData ?? {}) as Record<string, unknown>
}

async function takeHeaders(endpoint: Endpoint, body: Record<string, unknown>) {
  try {
    const answer = await authCall(endpoint, body)
    if (keepHeaders(answer.headers)) return answer
    clearAuth()
    throw refuse('UNEXPECTED_FORMAT')
  } catch (error) {
    if (isRefusal(error)) clearAuth()
    throw error
  }
}

// Only a clear no ends a session: a network failure, a 5xx or "slow down" says nothing about it.
const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.responseCode < 500 && error.responseCode !== 429

export interface Login {
  authID: string
  authPassword: string
  /** Of the authenticator app, or a recovery code; asked for once the password is right. */
  authCode?: string
  /** Renewable for 30 days instead of 12 hours. */
  rememberMe: boolean
}

/** Logs in; the answer says whether the role asks for two-step login that is not set up yet. */
export async function logIn(login: Login): Promise<{ mustSetUpTwoStep: boolean }> {
  const { twoStep } = await takeHeaders('POST /Kernal/Users/Auth/Login', { ...login })
  await loadPermissions()
  return { mustSetUpTwoStep: twoStep === 'setup' }
}

/** Gets anonymous credentials: the visitor's guid first, when there is none yet, then the guest token. */
export async function enterAsGuest() {
  if (!authHeaders()['X-Api-Guid']) await loadPermissions()
  if (!authHeaders()['X-Api-Guid']) throw refuse('NO_GUID')
  await takeHeaders('POST /Kernal/Guests/Auth', {})
  await loadPermissions()
}

let renewing: Promise<boolean> | null = null

async function renewUnderLock(before: string | undefined): Promise<boolean> {
  const stored = readStored<{ Authorization: string }>('headers')?.value
  // Another tab was quicker while we waited for the lock.
  if (stored && stored.Authorization !== before) return keepHeaders(stored)
  writeStored('refreshInProgress', true)
  try {
    await takeHeaders('POST /Kernal/Auth/Renew', {})
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  } finally {
    dropStored('refreshInProgress')
  }
}

const lockName = 'renew-session'
/** What another window stored reaches this one a moment after the lock does. */
const newsMs = 500

async function newsOfOthers(before: string | undefined) {
  for (const until = Date.now() + newsMs; Date.now() < until; await new Promise((done) => setTimeout(done, 10)))
    if (readStored<{ Authorization: string }>('headers')?.value.Authorization !== before) return
}

/** One window at a time; whoever had to wait for another first looks what that one has brought. */
async function renewInTurn(before: string | undefined): Promise<boolean> {
  if (!('locks' in navigator)) return renewUnderLock(before)
  const atOnce = await navigator.locks.request(lockName, { ifAvailable: true }, (lock) =>
    lock ? renewUnderLock(before) : null,
  )
  if (atOnce !== null) return atOnce
  return navigator.locks.request(lockName, async () => {
    await newsOfOthers(before)
    return renewUnderLock(before)
  })
}

/**
 * Renews the token; however many ask at once, in however many tabs, there is one request. False: the server said no.
 */
export function renewOnce(): Promise<boolean> {
  if (!authFlags().isTokenRenewAllowed) return Promise.resolve(false)
  // The token as it was when somebody found it over: while we wait for the lock another window
  // may have put a new one there.
  const before = authState.get().headers?.Authorization
  renewing ??= renewInTurn(before).finally(() => {
    renewing = null
  })
  return renewing
}

export async function renewIfNeeded() {
  const flags = authFlags()
  if (flags.isTokenExpired && flags.isTokenRenewAllowed) await renewOnce()
}

export function endSession() {
  if (authState.get().headers) clearAuth()
}

export async function logOut() {
  try {
    await exchange('POST /Kernal/Auth/Logout', {}, { timeoutMs: 3000 }, readReply)
  } catch {
    // The server cannot be told; this browser forgets the session all the same.
  }
  clearAuth()
}

const isTried = (value: unknown): value is TriedRole =>
  typeof value === 'object' && value !== null && 'guid' in value && 'name' in value

/** Fetches what the role (or, without a token, anybody) may do. */
export async function loadPermissions(): Promise<Permission[]> {
  const role = authState.get().token?.roleGUID
  const { permissions, trying, lists } = await authCall(
    `GET /Kernal/Auth/Roles/Permissions${role ? `/${encodeURIComponent(role)}` : ''}`,
  )
  // Somebody else logged in while we asked: these are the rights of another role.
  if (authState.get().token?.roleGUID !== role) throw refuse('ENDPOINT_MISMATCH')
  if (!Array.isArray(permissions)) {
    clearAuth()
    throw refuse('UNEXPECTED_FORMAT')
  }
  // Whoever is told his rights is not kept out by maintenance.
  if (maintenance.get()) noteMaintenance(null)
  keepPermissions(permissions as Permission[], isTried(trying) ? trying : null)
  if (Array.isArray(lists)) keepLists(lists as ListDefaults[])
  return permissions as Permission[]
}

/** The permissions in store, fetched when there are none and refreshed behind the scenes when they are old. */
export async function ensurePermissions(): Promise<Permission[]> {
  const { permissions } = authState.get()
  if (!permissions) return loadPermissions()
  if (Date.now() - permissions.at > staleAfterMs) loadPermissions().catch(() => undefined)
  return permissions.list
}

let validatedAt = 0
/**
 * Looks at the token again, at most every ten seconds unless forced or unless the stored status is stale; a token that
 * can never be used again ends the session.
 */
export function validateToken(isForced = false) {
  const isRecent = Date.now() - validatedAt < validateEveryMs && readFresh('authStatus') !== null
  if (isRecent && !isForced) return authFlags()
  validatedAt = Date.now()
  const flags = authFlags()
  if (authState.get().headers && (!flags.isAuthenticated || (flags.isTokenExpired && !flags.isTokenRenewAllowed)))
    clearAuth()
  const now = authFlags()
  if (now.isAuthenticated) writeStored('authStatus', now)
  return now
}
