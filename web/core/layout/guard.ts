import { redirect, type ParsedLocation } from '@tanstack/react-router'
import { rightsOf } from '../api/can.ts'
import { authHeaders, clearAuth, type Permission } from '../api/auth-state.ts'
import { ensurePermissions, staleAfterMs, validateToken } from '../api/session.ts'
import { readStored, writeStored } from '../storage.ts'
import { isSafeTarget, rememberTarget } from './target.ts'
import type { PageRoute } from './route.ts'

const blockWindowMs = 60_000
const blockThreshold = 5
const bypassMs = 5000

let blocks: number[] = []
let bypassUntil = 0

/** Lets every page through for a moment: for moves that the product itself makes while rights change. */
export function bypassChecks(forMs = bypassMs) {
  bypassUntil = Date.now() + forMs
}

/** Counts a failed ability check; true when there were five within a minute, and the state must be reset. */
function blocked(): boolean {
  const now = Date.now()
  blocks = [...blocks.filter((at) => now - at < blockWindowMs), now]
  if (blocks.length < blockThreshold) return false
  blocks = []
  return true
}

const parentOf = (subject: string) => subject.split(':', 1)[0] ?? subject

/** The permission entry that stands for the page: its subject, the parent of it, or everything. */
function matchedPermission(permissions: Permission[], subject: string): Permission | null {
  const stored = readStored<{ subject: string; permission: Permission }>('matchedPermission')
  const isFresh = stored && Date.now() - stored.at < staleAfterMs && stored.value.subject === subject
  const fits = (name: string) => permissions.find((p) => p.enabled && !p.inverted && p.subject === name)
  const found = fits(subject) ?? fits(parentOf(subject)) ?? fits('all') ?? null
  if (found && !isFresh) writeStored('matchedPermission', { subject, permission: found })
  return found
}

const toLogin = (location: ParsedLocation) => {
  const to = location.href === '/' ? undefined : location.href
  return redirect({ to: '/login', search: to && isSafeTarget(to) ? { to } : {} })
}

const notAuthorized = (page: PageRoute) => redirect({ to: '/not-authorized', search: { subject: page.subject ?? '', action: page.action ?? 'read' } })

/** May this visitor see this page? Throws the redirect when not. The server decides again on every call. */
export async function guard(page: PageRoute, location: ParsedLocation): Promise<void> {
  if (page.open || Date.now() < bypassUntil) return
  const auth = validateToken()
  if (auth.isTokenExpired && auth.isTokenRenewAllowed) {
    rememberTarget(location.href)
    throw redirect({ to: '/auth-waiting' })
  }
  if (page.notLoggedIn) {
    if (auth.isUser) throw redirect({ to: '/dashboards/ecommerce' })
    return
  }
  if (page.guest) {
    if (auth.isAuthenticated) return
    rememberTarget(location.href)
    throw redirect({ to: '/auth-lobby' })
  }
  if (!page.subject) {
    if (auth.isUser) return
    throw toLogin(location)
  }
  // Visitors without credentials have nothing to look up: every page with a subject is behind the login.
  if (!auth.isAuthenticated) throw toLogin(location)
  await checkAbility(page, page.subject, auth.isUser, location)
}

async function checkAbility(page: PageRoute, subject: string, isUser: boolean, location: ParsedLocation) {
  const permissions = await ensurePermissions()
  const matched = matchedPermission(permissions, subject)
  const headers = authHeaders()
  if ((matched?.apiGuidRequired && !headers['X-Api-Guid']) || (matched?.authorizationHeaderRequired && !headers.Authorization)) {
    clearAuth()
    throw toLogin(location)
  }
  const rights = await rightsOf(permissions)
  if (rights.can(page.action ?? 'read', subject)) {
    blocks = []
    return
  }
  if (blocked()) {
    clearAuth()
    throw toLogin(location)
  }
  throw isUser ? notAuthorized(page) : toLogin(location)
}
