import { languages } from './core/languages.ts'
import { z } from 'zod'
import { email, guid, longText, phone, text, timestamp, version } from './core/common.ts'
import { del, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { loginRight } from './places.ts'
import { activityEntry } from './activity.ts'
import { explainQuery, explanation, permissionRule, verdict } from './explain.ts'
import { listDefaults } from './views.ts'

/** What every request carries from then on. */
const authHeaders = z.object({ Authorization: z.string(), 'X-Api-Guid': guid })
const headersAnswer = z.object({ headers: authHeaders })

/** At most 1024 bytes, so that nobody makes the server hash novels. */
const bytesWithin = (most: number) => (value: string) => new TextEncoder().encode(value).byteLength <= most
export const givenPassword = z
  .string()
  .min(1, 'This field is required.')
  .max(1024)
  .refine(bytesWithin(1024), 'Use a shorter password.')
export const newPassword = givenPassword.min(10, 'Use 10 characters or more.')

/** Display formats in PHP's letters, as people know them from the product's predecessors. */
const format = z
  .string()
  .trim()
  .min(1, 'This field is required.')
  .max(30)
  .regex(/^[dDjlNSwzWFmMntLoYyaABgGhHisveIOPpTZcrU\s\-/.,:\\]*$/, 'Use only date format letters, spaces and - / . , :')
export const preferences = z.object({
  displayDateFormat: format.default('d-m-Y'),
  displayTimeFormat: format.default('H:i'),
  displayDateTimeFormat: format.default('d-m-Y H:i'),
  /** `null`: what the browser prefers. */
  language: z.enum(languages).nullable().default(null),
})
export type Preferences = z.output<typeof preferences>
export const defaultPreferences: Preferences = {
  displayDateFormat: 'd-m-Y',
  displayTimeFormat: 'H:i',
  displayDateTimeFormat: 'd-m-Y H:i',
  language: null,
}
/** With the time zone of the business: what is shown stands in that one, wherever the person sits. */
const shownPreferences = preferences.extend({ zone: z.string() })

/** What a token says of its user. */
const userData = z.object({
  guid,
  authID: z.string(),
  name: z.string(),
  email: z.string(),
  roleName: z.string(),
  preferences: shownPreferences,
})
export type UserData = z.output<typeof userData>

const ownDocument = z.object({
  noun: z.enum(['Quotes', 'Orders', 'Invoices']),
  guid,
  number: z.string().nullable(),
  title: z.string(),
  customerName: z.string(),
  status: z.string(),
  totalCents: z.int(),
  createdAt: timestamp,
})

const permissionsAnswer = z.object({
  permissions: z.array(permissionRule),
  /** The role the caller is trying, read only; these are its rules then. */
  trying: z.object({ guid, name: z.string() }).nullable(),
  /** How the caller likes lists, where he has said. */
  lists: z.array(listDefaults),
})

/** A PNG or JPEG picture of at most 512 x 512 dots and 64 KiB, base64; `null` takes it away. */
export const avatar = z.strictObject({ base64: z.base64().max(87_400) }).nullable()

const session = z.object({
  guid,
  userAgent: z.string(),
  ip: z.string(),
  createdAt: timestamp,
  renewedAt: timestamp,
  renewableUntil: timestamp,
  isRemembered: z.boolean(),
  isCurrent: z.boolean(),
})
export const sessionShown = session.omit({ isCurrent: true })
const ownUser = userData.extend({
  version,
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
  roleGuid: guid,
  /** A data address of the picture. */
  avatar: z.string().nullable(),
  twoStep: z.object({ isOn: z.boolean(), isRequired: z.boolean(), recoveryCodesLeft: z.int() }),
  lastLoginAt: timestamp.nullable(),
  createdAt: timestamp,
})
const ownAnswer = z.object({ user: ownUser })

export const authApi = {
  login: post({
    path: '/Kernal/Users/Auth/Login',
    effect: 'external',
    can: loginRight,
    who: 'public',
    cost: 'login',
    status: 201,
    passes: ['trying', 'two-step', 'maintenance'],
    message: 'Logged in.',
    summary:
      'Logs a user in; with two-step login on, the code of the authenticator app or a recovery code is asked for ' +
      '(401 TWO_STEP_REQUIRED) once the password is right',
    body: z.strictObject({
      authID: text(254),
      authPassword: givenPassword,
      authCode: z.string().trim().max(40).optional(),
      rememberMe: z.boolean().optional(),
    }),
    /**
     * `setup`: the role asks for two-step login and it is not set up; until it is, the server answers 403
     * TWO_STEP_SETUP to all but that.
     */
    response: headersAnswer.extend({ twoStep: z.enum(['off', 'on', 'setup']) }),
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
    passes: ['trying', 'two-step'],
    effect: 'write',
    unaudited: 'the session itself says when it was renewed',
    can: ['read', 'Auth:Renew'],
    who: 'public',
    message: 'Session renewed.',
    summary: 'A new token for one that has expired or is about to',
    response: headersAnswer,
  }),
  logout: post({
    path: '/Kernal/Auth/Logout',
    passes: ['trying', 'two-step', 'maintenance'],
    effect: 'write',
    unaudited: 'without a session there is nothing to end, and with one there is a line',
    can: ['read', 'Auth:Logout'],
    who: 'public',
    message: 'Logged out.',
    summary: 'Ends the session of the token, on every process and for good',
    response: z.null(),
  }),
  permissions: get({
    path: '/Kernal/Auth/Roles/Permissions',
    effect: 'read',
    can: ['read', 'Auth:Permissions'],
    who: 'public',
    passes: ['two-step'],
    summary: 'The rules that hold for the caller',
    response: permissionsAnswer,
  }),
  rolePermissions: get({
    path: '/Kernal/Auth/Roles/Permissions/:roleGUID',
    effect: 'read',
    can: ['read', 'Auth:Permissions'],
    who: 'public',
    passes: ['two-step'],
    summary: "The rules of a role: the caller's own, or any with the right to see roles",
    response: permissionsAnswer,
  }),
  devPermissions: get({
    path: '/Dev/Kernal/Auth/Roles/Permissions',
    effect: 'read',
    can: ['read', 'Dev:Permissions'],
    summary: "The rules of the caller's role or, with the right to see roles, of any, straight from the database",
    query: z.strictObject({ roleGUID: guid.optional() }),
    response: permissionsAnswer,
  }),
  devReload: get({
    path: '/Dev/Kernal/Auth/Roles/Permissions/Reload',
    effect: 'read',
    can: ['read', 'Dev:Permissions'],
    summary: "The same, and the server's cache of rules is dropped",
    query: z.strictObject({ roleGUID: guid.optional() }),
    response: permissionsAnswer,
  }),
  sessions: get({
    path: '/Kernal/Auth/Sessions',
    effect: 'read',
    can: ['read', 'Account'],
    summary: 'Where the caller is logged in',
    response: z.object({ items: z.array(session) }),
  }),
  endSession: del({
    path: '/Kernal/Auth/Sessions/:guid',
    effect: 'write',
    can: ['update', 'Account'],
    message: 'Session ended.',
    summary: "Ends one of the caller's sessions",
    response: z.null(),
  }),
  changePassword: post({
    path: '/Kernal/Users/Password',
    effect: 'external',
    can: ['update', 'Account'],
    message: 'Password changed. All other sessions have ended.',
    summary: "Changes the caller's own password",
    body: z.strictObject({ currentPassword: givenPassword, newPassword }),
    response: z.null(),
  }),
  endOtherSessions: post({
    path: '/Kernal/Auth/Sessions/EndOthers',
    effect: 'write',
    can: ['update', 'Account'],
    message: 'All other sessions have ended.',
    summary: "Ends all of the caller's sessions but this one",
    response: z.object({ ended: z.int() }),
  }),
  explain: get({
    path: '/Kernal/Auth/Explain',
    effect: 'read',
    can: ['read', 'Auth:Permissions'],
    who: 'public',
    summary: 'Why the caller may or may not do something',
    query: explainQuery,
    response: z.object({ explanation }),
  }),
  mayAll: get({
    path: '/Kernal/Auth/Explain/All',
    effect: 'read',
    can: ['read', 'Auth:Permissions'],
    who: 'public',
    summary: 'Every right there is, and whether the caller has it on all, some or no records',
    response: z.object({ items: z.array(verdict) }),
  }),
  account: get({
    path: '/Kernal/Users/Account',
    effect: 'read',
    can: ['read', 'Account'],
    passes: ['two-step'],
    summary: 'The caller',
    response: ownAnswer,
  }),
  updateAccount: patch({
    path: '/Kernal/Users/Account',
    effect: 'write',
    can: ['update', 'Account'],
    message: 'Saved.',
    summary: "Changes the caller's own details and display formats",
    body: patchOf(
      z.strictObject({
        firstName: text(80),
        lastName: longText(80),
        email: email.or(z.literal('')),
        phone: phone.or(z.literal('')),
        preferences: z.strictObject({
          displayDateFormat: format.optional(),
          displayTimeFormat: format.optional(),
          displayDateTimeFormat: format.optional(),
          language: z.enum(languages).nullish(),
        }),
      }),
    ),
    response: ownAnswer,
  }),
  setAvatar: post({
    path: '/Kernal/Users/Avatar',
    effect: 'external',
    can: ['update', 'Account'],
    message: 'Photo saved.',
    summary: "Changes the caller's picture, or takes it away",
    body: z.strictObject({ avatar }),
    response: ownAnswer,
  }),
  activity: get({
    path: '/Kernal/Users/Activity',
    effect: 'read',
    can: ['read', 'Account'],
    summary: 'What the caller did lately',
    response: z.object({ items: z.array(activityEntry) }),
  }),
  documents: get({
    path: '/Kernal/Users/Documents',
    effect: 'read',
    can: ['read', 'Account'],
    summary: 'Quotes, orders and invoices the caller owns or is assigned to, as far as his rights go',
    response: z.object({ items: z.array(ownDocument) }),
  }),
}
