import { z } from 'zod'
import { activityEntry } from './activity.ts'
import { avatar, newPassword, sessionShown } from './auth.ts'
import { languages } from './core/languages.ts'
import {
  anyOf,
  email,
  guid,
  listQuery,
  longText,
  pageOf,
  phone,
  recordShape,
  size,
  text,
  timestamp,
  version,
} from './core/common.ts'
import { del, exportOf, get, patch, post } from './core/op.ts'
import { patchOf } from './core/patch.ts'
import { nouns } from './nouns.ts'

const { pages } = nouns.Users

export const userStatuses = nouns.Users.statuses

const fields = {
  authID: text(254),
  firstName: text(80),
  lastName: longText(80),
  email: email.or(z.literal('')),
  phone: phone.or(z.literal('')),
  roleGuid: guid,
  /** The businesses the person works in; none named: all. */
  businessGuids: z.array(guid).max(100),
}
const optional = {
  businessGuids: fields.businessGuids.optional(),
  lastName: fields.lastName.optional(),
  phone: fields.phone.optional(),
}
const user = z.object({
  ...recordShape,
  authID: z.string(),
  name: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  roleGuid: guid,
  roleName: z.string(),
  businessGuids: z.array(guid),
  status: z.enum(userStatuses),
  hasTwoStep: z.boolean(),
  /** Of the last invitation that was sent, while the person has not come. */
  invitationExpiresAt: timestamp.nullable(),
  lastSeenAt: timestamp.nullable(),
  lastLoginAt: timestamp.nullable(),
})
export type User = z.output<typeof user>
/** A data address of the picture stands on the single record alone. */
const userShown = user.extend({ avatar: z.string().nullable() })
const userListItem = user.pick({
  guid: true,
  version: true,
  authID: true,
  name: true,
  email: true,
  phone: true,
  roleGuid: true,
  roleName: true,
  status: true,
  hasTwoStep: true,
  invitationExpiresAt: true,
  lastSeenAt: true,
  createdAt: true,
})
const one = z.object({ user: userShown })

const userColumns = {
  name: 'Name',
  authID: 'Login',
  email: 'Email',
  phone: 'Phone',
  roleName: 'Role',
  status: 'Status',
  lastSeenAt: 'Last seen',
  createdAt: 'Created',
} as const

const list = get({
  path: '/Users',
  effect: 'read',
  can: pages.list.can,
  summary: 'The people who can log in',
  query: listQuery(['name', 'authID', 'createdAt', 'lastSeenAt'], {
    status: anyOf(userStatuses).optional(),
    roleGuid: guid.optional(),
  }),
  response: pageOf(userListItem),
})

export const usersApi = {
  list,
  export: exportOf(list, userColumns),
  people: get({
    path: '/Users/People',
    effect: 'read',
    can: ['read', 'Users:People'],
    summary: 'Names of the people who work here, to choose from, for example whom an order is assigned to',
    query: z.strictObject({
      search: z.string().trim().max(100).optional(),
      size: size.optional(),
      guid: guid.optional(),
    }),
    response: z.object({ items: z.array(z.object({ guid, name: z.string() })) }),
  }),
  get: get({
    path: '/Users/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'One user',
    response: one,
  }),
  activity: get({
    path: '/Users/Activity/:guid',
    effect: 'read',
    can: pages.view.can,
    summary: 'What a user did lately, and what was done to the user',
    response: z.object({ items: z.array(activityEntry) }),
  }),
  sessions: get({
    path: '/Users/Sessions/:guid',
    effect: 'read',
    can: ['update', 'Users:Update:Guid'],
    summary: 'Where a user is logged in',
    response: z.object({ items: z.array(sessionShown) }),
  }),
  create: post({
    path: '/Users',
    effect: 'external',
    can: pages.add.can,
    status: 201,
    message: 'User created.',
    summary: 'Makes a user who can log in with the password given',
    body: z.strictObject({ ...fields, ...optional, email: fields.email.optional(), password: newPassword }),
    response: one,
  }),
  invite: post({
    path: '/Users/Invite',
    effect: 'write',
    can: pages.add.can,
    status: 201,
    message: 'Invitation sent. It’s valid for 72 hours.',
    summary:
      'Invites a person by mail, who then chooses a name and a password; ' +
      'a login that exists is refused and left as it is',
    body: z.strictObject({
      email,
      authID: fields.authID.optional(),
      firstName: longText(80).optional(),
      ...optional,
      roleGuid: guid,
      language: z.enum(languages).optional(),
    }),
    response: one,
  }),
  resendInvite: post({
    path: '/Users/Invite/Resend/:guid',
    effect: 'write',
    can: pages.add.can,
    message: 'New invitation sent. The old one no longer works.',
    summary: 'Sends another invitation to a person who has not come yet',
    body: z.strictObject({ version }),
    response: one,
  }),
  cancelInvite: del({
    path: '/Users/Invite/:guid',
    effect: 'write',
    can: pages.add.can,
    message: 'Invitation cancelled.',
    summary: 'Takes an invitation back that was not accepted',
    response: z.null(),
  }),
  update: patch({
    path: '/Users/:guid',
    effect: 'write',
    can: ['update', 'Users:Update:Guid'],
    message: 'User saved.',
    summary: 'Changes a user; another role ends all sessions of the user',
    body: patchOf(z.strictObject(fields)),
    response: one,
  }),
  setPassword: post({
    path: '/Users/Password/:guid',
    effect: 'external',
    can: ['update', 'Users:Update:Guid'],
    message: 'Password set. All of the user’s sessions have ended.',
    summary: 'Gives a user another password',
    body: z.strictObject({ version, password: newPassword }),
    response: one,
  }),
  setAvatar: post({
    path: '/Users/Avatar/:guid',
    effect: 'external',
    can: ['update', 'Users:Update:Guid'],
    message: 'Photo saved.',
    summary: 'Changes the picture of a user, or takes it away',
    body: z.strictObject({ version, avatar }),
    response: one,
  }),
  disable: post({
    path: '/Users/Disable/:guid',
    effect: 'write',
    can: ['update', 'Users:Update:Guid'],
    message: 'User deactivated.',
    summary: 'Locks a user out at once',
    body: z.strictObject({ version }),
    response: one,
  }),
  enable: post({
    path: '/Users/Enable/:guid',
    effect: 'write',
    can: ['update', 'Users:Update:Guid'],
    message: 'User reactivated.',
    summary: 'Lets a user in again',
    body: z.strictObject({ version }),
    response: one,
  }),
  resetTwoStep: post({
    path: '/Users/TwoStep/Reset/:guid',
    effect: 'write',
    can: ['update', 'Users:Update:Guid'],
    message: 'Two-step login turned off for this user.',
    summary: 'For somebody who lost the phone: turns two-step login off and ends all sessions',
    body: z.strictObject({ version }),
    response: one,
  }),
  endSession: del({
    path: '/Users/Sessions/:guid',
    effect: 'write',
    can: ['update', 'Users:Update:Guid'],
    message: 'Session ended.',
    summary: 'Ends one session of a user; the guid is the session’s',
    response: z.null(),
  }),
  endSessions: post({
    path: '/Users/Sessions/End/:guid',
    effect: 'write',
    can: ['update', 'Users:Update:Guid'],
    message: 'All of the user’s sessions have ended.',
    summary: 'Ends all sessions of a user',
    response: z.object({ ended: z.int() }),
  }),
}
