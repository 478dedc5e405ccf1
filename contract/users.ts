import { z } from 'zod'
import { newPassword } from './auth.ts'
import { anyOf, email, guid, listQuery, longText, pageOf, recordShape, text, timestamp, version } from './core/common.ts'
import { exportOf, get, patch, post } from './core/op.ts'

export const userStatuses = ['invited', 'active', 'locked', 'suspended', 'archived'] as const
export type UserStatus = (typeof userStatuses)[number]

const fields = {
  authId: text(254),
  firstName: text(80),
  lastName: longText(80),
  email: email.or(z.literal('')),
  phone: longText(40),
  roleGuid: guid,
}
export const user = z.object({
  ...recordShape,
  authId: z.string(),
  name: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string(),
  roleGuid: guid,
  roleName: z.string(),
  status: z.enum(userStatuses),
  lastSeenAt: timestamp.nullable(),
  lastLoginAt: timestamp.nullable(),
})
export type User = z.output<typeof user>
export const userListItem = user.pick({ guid: true, authId: true, name: true, email: true, phone: true, roleGuid: true, roleName: true, status: true, lastSeenAt: true, createdAt: true })
const one = z.object({ user })

export const userColumns = { name: 'Name', authId: 'Login', email: 'E-mail', phone: 'Phone', roleName: 'Role', status: 'Status', lastSeenAt: 'Last seen', createdAt: 'Created' } as const

const list = get({
  path: '/Users',
  effect: 'read',
  can: ['read', 'Users:Preview:All'],
  summary: 'The people who can log in',
  query: listQuery(['name', 'authId', 'createdAt', 'lastSeenAt'], { status: anyOf(userStatuses).optional(), roleGuid: guid.optional() }),
  response: pageOf(userListItem),
})

export const usersApi = {
  list,
  export: exportOf(list, userColumns),
  get: get({ path: '/Users/:guid', effect: 'read', can: ['read', 'Users:Preview:Guid'], summary: 'One user', response: one }),
  create: post({
    path: '/Users',
    effect: 'external',
    can: ['create', 'Users:Create'],
    status: 201,
    message: 'User created.',
    summary: 'Makes a user who can log in with the password given',
    body: z.strictObject({ ...fields, lastName: fields.lastName.optional(), email: fields.email.optional(), phone: fields.phone.optional(), password: newPassword }),
    response: one,
  }),
  update: patch({
    path: '/Users/:guid',
    effect: 'write',
    can: ['update', 'Users:Update:Guid'],
    message: 'User saved.',
    summary: 'Changes a user; another role ends all sessions of the user',
    body: z.strictObject(fields).partial().extend({ version }),
    response: one,
  }),
  setPassword: post({
    path: '/Users/Password/:guid',
    effect: 'external',
    can: ['update', 'Users:Update:Guid'],
    message: 'The password is set. All sessions of the user are ended.',
    summary: 'Gives a user another password',
    body: z.strictObject({ version, password: newPassword }),
    response: one,
  }),
  disable: post({ path: '/Users/Disable/:guid', effect: 'write', can: ['update', 'Users:Update:Guid'], message: 'The user can no longer log in.', summary: 'Locks a user out at once', body: z.strictObject({ version }), response: one }),
  enable: post({ path: '/Users/Enable/:guid', effect: 'write', can: ['update', 'Users:Update:Guid'], message: 'The user can log in again.', summary: 'Lets a user in again', body: z.strictObject({ version }), response: one }),
  endSessions: post({ path: '/Users/Sessions/End/:guid', effect: 'write', can: ['update', 'Users:Update:Guid'], message: 'All sessions of the user are ended.', summary: 'Ends all sessions of a user', response: z.object({ ended: z.int() }) }),
}
