import { z } from 'zod'
import type { Conditions } from './core/ability.ts'
import { email, guid, longText, text, timestamp, version } from './core/common.ts'
import { del, get, patch, post } from './core/op.ts'

/** What every request carries from then on. */
export const authHeaders = z.object({ Authorization: z.string(), 'X-Api-Guid': guid })
const headersAnswer = z.object({ headers: authHeaders })

/** At most 1024 bytes, so that nobody makes the server hash novels. */
const bytesWithin = (most: number) => (value: string) => new TextEncoder().encode(value).byteLength <= most
export const givenPassword = z.string().min(1, 'is required').max(1024).refine(bytesWithin(1024), 'must be 1024 bytes or fewer')
export const newPassword = givenPassword.min(10, 'must be 10 characters or more')

/** Display formats in PHP's letters, as people know them from the product's predecessors. */
const format = z.string().trim().min(1, 'is required').max(30).regex(/^[dDjlNSwzWFmMntLoYyaABgGhHisveIOPpTZcrU\s\-/.,:\\]*$/, 'may have the letters of PHP date formats, spaces and - / . , :')
export const preferences = z.object({
  displayDateFormat: format.default('d-m-Y'),
  displayTimeFormat: format.default('H:i'),
  displayDateTimeFormat: format.default('d-m-Y H:i'),
})
export type Preferences = z.output<typeof preferences>
export const defaultPreferences: Preferences = { displayDateFormat: 'd-m-Y', displayTimeFormat: 'H:i', displayDateTimeFormat: 'd-m-Y H:i' }

/** What a token says of its user. */
export const userData = z.object({ guid, authID: z.string(), name: z.string(), email: z.string(), roleName: z.string(), preferences })
export type UserData = z.output<typeof userData>

/** A rule as it travels: the specification's fields. */
export const permissionRule = z.object({
  subject: z.string(),
  action: z.enum(['read', 'create', 'update', 'delete', 'manage']),
  /** As stored: what is outside the vocabulary is shown, and denies. */
  conditions: z.custom<Conditions | null>((value) => typeof value === 'object'),
  enabled: z.boolean(),
  priority: z.int(),
  inverted: z.boolean(),
  apiGuidRequired: z.boolean(),
  authorizationHeaderRequired: z.boolean(),
})
const permissionsAnswer = z.object({ permissions: z.array(permissionRule) })

const session = z.object({ guid, userAgent: z.string(), ip: z.string(), createdAt: timestamp, renewedAt: timestamp, renewableUntil: timestamp, isRemembered: z.boolean(), isCurrent: z.boolean() })

export const authApi = {
  login: post({
    path: '/Kernal/Users/Auth/Login',
    effect: 'external',
    can: ['read', 'Auth:Login'],
    who: 'public',
    cost: 'login',
    status: 201,
    message: 'You are logged in.',
    summary: 'Logs a user in',
    body: z.strictObject({ authID: text(254), authPassword: givenPassword, rememberMe: z.boolean().optional() }),
    response: headersAnswer,
  }),
  guest: post({
    path: '/Kernal/Guests/Auth',
    effect: 'write',
    unaudited: 'an anonymous session says nothing about anybody',
    can: ['read', 'Auth:Guest'],
    who: 'public',
    cost: 'guest',
    status: 201,
    message: 'Welcome.',
    summary: 'Gives a visitor anonymous credentials; needs the API guid of an earlier answer',
    response: headersAnswer,
  }),
  renew: post({
    path: '/Kernal/Auth/Renew',
    effect: 'write',
    unaudited: 'the session itself says when it was renewed',
    can: ['read', 'Auth:Renew'],
    who: 'public',
    message: 'Your session goes on.',
    summary: 'A new token for one that has expired or is about to',
    response: headersAnswer,
  }),
  logout: post({
    path: '/Kernal/Auth/Logout',
    effect: 'write',
    unaudited: 'without a session there is nothing to end, and with one there is a line',
    can: ['read', 'Auth:Logout'],
    who: 'public',
    message: 'You are logged out.',
    summary: 'Ends the session of the token, on every process and for good',
    response: z.null(),
  }),
  permissions: get({ path: '/Kernal/Auth/Roles/Permissions', effect: 'read', can: ['read', 'Auth:Permissions'], who: 'public', summary: 'The rules that hold for the caller', response: permissionsAnswer }),
  rolePermissions: get({ path: '/Kernal/Auth/Roles/Permissions/:roleGUID', effect: 'read', can: ['read', 'Auth:Permissions'], who: 'public', summary: "The rules of a role: the caller's own, or any with the right to see roles", response: permissionsAnswer }),
  devPermissions: get({ path: '/Dev/Kernal/Auth/Roles/Permissions', effect: 'read', can: ['read', 'Dev:Permissions'], summary: "The rules of the caller's role, straight from the database", response: permissionsAnswer }),
  devReload: get({ path: '/Dev/Kernal/Auth/Roles/Permissions/Reload', effect: 'read', can: ['read', 'Dev:Permissions'], summary: "The same, and the server's cache of rules is dropped", response: permissionsAnswer }),
  sessions: get({ path: '/Kernal/Auth/Sessions', effect: 'read', can: ['read', 'Account'], summary: 'Where the caller is logged in', response: z.object({ items: z.array(session) }) }),
  endSession: del({ path: '/Kernal/Auth/Sessions/:guid', effect: 'write', can: ['update', 'Account'], message: 'That session is ended.', summary: "Ends one of the caller's sessions", response: z.null() }),
  changePassword: post({
    path: '/Kernal/Users/Password',
    effect: 'external',
    can: ['update', 'Account'],
    message: 'Your password is changed. All other sessions are ended.',
    summary: "Changes the caller's own password",
    body: z.strictObject({ currentPassword: givenPassword, newPassword }),
    response: z.null(),
  }),
  account: get({ path: '/Kernal/Users/Account', effect: 'read', can: ['read', 'Account'], summary: 'The caller', response: z.object({ user: userData.extend({ version, firstName: z.string(), lastName: z.string(), phone: z.string() }) }) }),
  updateAccount: patch({
    path: '/Kernal/Users/Account',
    effect: 'write',
    can: ['update', 'Account'],
    message: 'Saved.',
    summary: "Changes the caller's own details and display formats",
    body: z.strictObject({
      version,
      firstName: text(80).optional(),
      lastName: longText(80).optional(),
      email: email.or(z.literal('')).optional(),
      phone: longText(40).optional(),
      preferences: z.strictObject({ displayDateFormat: format.optional(), displayTimeFormat: format.optional(), displayDateTimeFormat: format.optional() }).optional(),
    }),
    response: z.object({ user: userData.extend({ version, firstName: z.string(), lastName: z.string(), phone: z.string() }) }),
  }),
}
