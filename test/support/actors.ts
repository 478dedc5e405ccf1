import { catalogue } from '../../contract/api.ts'
import type { Action } from '../../contract/core/op.ts'
import { findAccount } from '../../server/auth/auth.queries.ts'
import { insertSession } from '../../server/auth/sessions.service.ts'
import { issueHeaders } from '../../server/auth/tokens-of.ts'
import { newApiGuid } from '../../server/core/http/identify.ts'
import { hashPassword } from '../../server/core/passwords.ts'
import { sampleRoleNames, type SampleRoleName, seedRoles } from '../../server/roles/sample-roles.service.ts'
import type { Caller, Running } from './start.ts'

export const password = 'correct horse battery'
let hash: Promise<string> | null = null

export interface Actor extends Caller {
  userGuid: string
  authId: string
}
export interface Actors {
  roles: Record<SampleRoleName, string>
  noOne: null
  guest: Caller
  /** Logged in, with a role that has no rules. */
  emptyRole: Actor
  administrator: Actor
  office: Actor
  sales: Actor
  field: Actor
  accountant: Actor
  readOnly: Actor
}

/** The sample roles and one person of each, logged in. */
export async function seedActors(app: Running): Promise<Actors> {
  const roles = await app.deps.db.transaction().execute((db) => seedRoles(db, catalogue))
  app.deps.rights.forget()
  const empty = await aRole(app, 'Nothing', [])
  const people: Actor[] = []
  for (const [name, roleGuid] of [
    ...sampleRoleNames.filter((n) => n !== 'Guest').map((n) => [n, roles[n]] as const),
    ['Nothing', empty] as const,
  ])
    people.push(await aPerson(app, name.toLowerCase().replace(' ', ''), roleGuid))
  const [administrator, office, sales, field, accountant, readOnly, emptyRole] = people as [
    Actor,
    Actor,
    Actor,
    Actor,
    Actor,
    Actor,
    Actor,
  ]
  return {
    roles,
    noOne: null,
    guest: await aGuest(app),
    emptyRole,
    administrator,
    office,
    sales,
    field,
    accountant,
    readOnly,
  }
}

export interface RuleFacts {
  subject: string
  action: Action
  conditions?: Record<string, unknown>
  inverted?: boolean
  priority?: number
  enabled?: boolean
  apiGuidRequired?: boolean
  authorizationHeaderRequired?: boolean
}

export async function aRole(app: Running, name: string, rules: RuleFacts[]): Promise<string> {
  const { guid } = await app.deps.db.insertInto('roles').values({ name }).returning('guid').executeTakeFirstOrThrow()
  if (rules.length > 0)
    await app.deps.db
      .insertInto('permissions')
      .values(rules.map((rule) => ({ ...rule, roleGuid: guid, conditions: JSON.stringify(rule.conditions ?? {}) })))
      .execute()
  return guid
}

/** A user of a role, logged in; the login is `<name>@test.example`. */
export async function aPerson(app: Running, name: string, roleGuid: string): Promise<Actor> {
  const authId = `${name}@test.example`
  const passwordHash = await (hash ??= hashPassword(password))
  const { guid } = await app.deps.db
    .insertInto('users')
    .values({ authId, passwordHash, firstName: name, email: authId, roleGuid })
    .returning('guid')
    .executeTakeFirstOrThrow()
  return { userGuid: guid, authId, headers: await openSession(app, guid) }
}

/** The same, with a role of the same name that has these rules. */
export const aPersonWho = async (app: Running, name: string, rules: RuleFacts[]): Promise<Actor> =>
  aPerson(app, name, await aRole(app, name, rules))

/** What a login gives, without the work of checking a password: seven people in every file would make up minutes. */
export async function openSession({ deps }: Running, userGuid: string): Promise<Caller['headers']> {
  const account = await findAccount(deps.db, userGuid)
  if (!account) throw new Error(`there is no user ${userGuid}`)
  const { roleGuid, authVersion } = account
  const now = deps.now()
  const apiGuid = newApiGuid(deps.keys)
  const renewableUntil = new Date(now.getTime() + 12 * 3_600_000)
  const session = { kind: 'user' as const, apiGuid, userGuid, roleGuid, authVersion, isRemembered: false }
  const { guid } = await insertSession(deps.db, { ...session, renewableUntil, userAgent: '', ip: '' })
  const { headers } = await issueHeaders(deps, now, { sessionGuid: guid, apiGuid, roleGuid, renewableUntil, account })
  return headers
}

export async function logIn(app: Running, authID: string, authPassword = password): Promise<Record<string, string>> {
  const { data, status, body } = await app.call<{ headers: Record<string, string> }>(
    null,
    'POST',
    '/Kernal/Users/Auth/Login',
    { authID, authPassword },
  )
  if (status !== 201) throw new Error(`${authID} could not log in: ${body}`)
  return data.headers
}

export async function aGuest(app: Running): Promise<Caller> {
  const first = await app.call(null, 'GET', '/Kernal/Auth/Roles/Permissions')
  const apiGuid = String(first.headers['x-api-guid'])
  const { data, status, body } = await app.call<{ headers: Record<string, string> }>(
    null,
    'POST',
    '/Kernal/Guests/Auth',
    undefined,
    { 'x-api-guid': apiGuid },
  )
  if (status !== 201) throw new Error(`a guest was not let in: ${body}`)
  return { headers: data.headers }
}
