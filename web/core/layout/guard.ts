import { redirect, type ParsedLocation } from '@tanstack/react-router'
import { places } from '../../../contract/places.ts'
import { authHeaders, authState, clearAuth } from '../api/auth-state.ts'
import { rightsOf } from '../api/can.ts'
import { ApiError } from '../api/error.ts'
import { refusalOf, type Refusal } from '../api/refusals.ts'
import { ensurePermissions, validateToken } from '../api/session.ts'
import { dropStored, readStored, writeStored } from '../storage.ts'
import { isBypassed } from './bypass.ts'
import { checkMeta, matchedPermission } from './matching.ts'
import { notice } from './notice.ts'
import type { PageRoute } from './route.ts'
import { isSafeTarget } from './safe-target.ts'
import { rememberTarget } from './target.ts'

const blockWindowMs = 60_000
const blockThreshold = 5

/** Counts a failed ability check; true when there were five within a minute, and the state must be reset. */
function isBlocked(): boolean {
  const now = Date.now()
  const stored = readStored<unknown>('blocks')?.value
  const known = Array.isArray(stored) ? stored.filter((at): at is number => typeof at === 'number') : []
  const blocks = [...known.filter((at) => now - at < blockWindowMs), now]
  writeStored('blocks', blocks)
  return blocks.length >= blockThreshold
}

function toLogin(location: ParsedLocation, reason?: Refusal | 'BLOCKED') {
  if (reason) notice.set(reason)
  const to = location.href === '/' ? undefined : location.href
  return redirect({ to: places.login, search: to && isSafeTarget(to) ? { to } : {} })
}

/** Nothing of the session is left, and the login says why. */
function reset(location: ParsedLocation, reason: Refusal | 'BLOCKED') {
  clearAuth()
  return toLogin(location, reason)
}

type Rights = Awaited<ReturnType<typeof rightsOf>>

const notAuthorized = (page: PageRoute) =>
  redirect({ to: places.notAuthorized, search: { subject: page.can?.[1] ?? '', action: page.can?.[0] ?? 'read' } })

/** May this visitor see this page? Throws the redirect when not. The server decides again on every call. */
export async function guard(page: PageRoute, location: ParsedLocation, pages: readonly PageRoute[]): Promise<void> {
  if (page.open || isBypassed()) return
  let auth = validateToken()
  if (auth.isTokenExpired && !auth.isTokenRenewAllowed) auth = validateToken(true)
  if (auth.isTokenExpired && auth.isTokenRenewAllowed) {
    rememberTarget(location.href)
    throw redirect({ to: places.waiting })
  }
  if (page.notLoggedIn && auth.isUser) throw redirect({ to: '/' })
  if (page.guest) {
    if (auth.isAuthenticated) return
    rememberTarget(location.href)
    throw redirect({ to: places.lobby })
  }
  if (!page.can) {
    if (!auth.isUser && !page.notLoggedIn) throw toLogin(location)
    // The page asks for no right; the navigation around it and its actions do.
    if (auth.isUser) await ensurePermissions().then(rightsOf, () => null)
    return
  }
  if (!auth.isAuthenticated) {
    // Visitors have the rights of everybody, and nothing to look up at the server.
    if (matchedPermission(null, page.can)) return
    throw toLogin(location)
  }
  if (page.notLoggedIn) return
  try {
    await checkAbility(page, page.can, location, pages)
  } catch (error) {
    const reason = error instanceof ApiError ? refusalOf(error.message) : null
    // The server could not say: that is no verdict on the visitor.
    if (!reason || reason === 'ENDPOINT_MISMATCH') throw error
    dropStored('pageMeta')
    throw reset(location, reason)
  }
}

/** Every user has it. */
const ownPage = places.accessControl

/**
 * The first page of the navigation that somebody may see whose role has no dashboard: nobody logs in to be turned away.
 */
const startOf = (pages: readonly PageRoute[], rights: Rights) =>
  pages.find(({ nav, can }) => nav && nav.group !== 'home' && can && rights.can(...can))?.path ?? ownPage

async function checkAbility(
  page: PageRoute,
  can: NonNullable<PageRoute['can']>,
  location: ParsedLocation,
  pages: readonly PageRoute[],
) {
  const permissions = await ensurePermissions()
  checkMeta(location.pathname, can[1])
  const matched = matchedPermission(permissions, can)
  const headers = authHeaders()
  if (matched?.apiGuidRequired && !headers['X-Api-Guid']) throw reset(location, 'NO_GUID')
  if (matched?.authorizationHeaderRequired && !headers.Authorization) throw reset(location, 'INSUFFICIENT')
  const rights = await rightsOf(permissions)
  if (rights.can(...can)) return
  const start = page.nav?.group === 'home' ? startOf(pages, rights) : undefined
  if (start) throw redirect({ to: start })
  if (isBlocked()) throw reset(location, 'BLOCKED')
  throw authState.get().token?.userData ? notAuthorized(page) : toLogin(location, 'INSUFFICIENT')
}
