import { loginRight } from '../../../contract/places.ts'
import type { Permission } from '../api/auth-state.ts'
import { refuse } from '../api/refusals.ts'
import { readFresh, writeStored } from '../storage.ts'
import type { PageMeta } from './page.ts'

/** What everybody may do, logged in or not. */
const everyone: Permission[] = [
  {
    subject: loginRight[1],
    action: loginRight[0],
    conditions: null,
    enabled: true,
    priority: 0,
    inverted: false,
    apiGuidRequired: false,
    authorizationHeaderRequired: false,
  },
]

const parentOf = (subject: string) => subject.split(':', 1)[0] ?? subject
const isSubject = (value: unknown): value is string => typeof value === 'string' && /^\w+(:\w+)*$/.test(value)

interface Matched {
  metaSubject: string
  action: string
  permission: Partial<Permission> | null
}

/** Holds the subject of the page against what is remembered of it. */
export function checkMeta(path: string, subject: string) {
  const meta = readFresh<Partial<PageMeta>>('pageMeta')
  const remembered = meta?.path === path && 'subject' in meta ? meta.subject : subject
  if (!isSubject(subject) || !isSubject(remembered)) throw refuse('META_SUBJECT')
}

/**
 * The permission entry that stands for the page: its subject, the parent of it, or everything. It is remembered for
 * five minutes; a remembered one that cannot be right is refused.
 */
export function matchedPermission(
  permissions: Permission[] | null,
  [action, subject]: readonly [string, string],
): Permission | null {
  const stored = permissions ? readFresh<Matched>('matchedPermission') : null
  const names = [subject, parentOf(subject), 'all']
  if (stored?.metaSubject === subject && stored.action === action) {
    const named = stored.permission?.subject
    if (!isSubject(named)) throw refuse('PERMISSION_SUBJECT')
    if (!names.includes(named)) throw refuse('SUBJECT_MISMATCH')
    return stored.permission as Permission
  }
  const fits = (name: string) =>
    (permissions ?? everyone).find(
      (p) => p.enabled && !p.inverted && p.subject === name && (p.action === action || p.action === 'manage'),
    )
  const found = names.map(fits).find((entry) => entry !== undefined) ?? null
  // What everybody may do is not worth remembering.
  if (found && permissions)
    writeStored('matchedPermission', { metaSubject: subject, action, permission: found } satisfies Matched)
  return found
}
