import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { newPassword } from '../../contract/auth.ts'
import { catalogue } from '../../contract/api.ts'
import { abn } from '../../contract/core/abn.ts'
import { email, longText, text } from '../../contract/core/common.ts'
import { notFound } from '../../contract/core/errors.ts'
import { createFirstBusiness } from '../businesses/businesses.service.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import type { Deps } from '../core/deps.ts'
import { timingSafeEqualText } from '../core/keys.ts'
import { hashPassword } from '../core/passwords.ts'
import { inTransaction, systemRun } from '../core/run.ts'
import { seedRoles } from '../roles/sample-roles.ts'
import type { SetupErrors, SetupForm } from './setup.page.ts'

const key = 'setup'
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

const given = z.object({
  legalName: text(160),
  abn: z.string().trim().transform((t) => t || null).pipe(abn.nullable()),
  email: z.string().trim().transform((t) => t || null).pipe(email.nullable()),
  isGstRegistered: z.boolean(),
  firstName: text(80),
  lastName: longText(80),
  authID: text(254),
  password: newPassword,
})

const hasUsers = async (db: Db) => (await db.selectFrom('users').select('guid').limit(1).executeTakeFirst()) !== undefined

/** A new one-time token for the first run, or null when the product is set up. Only its hash is kept. */
export async function newSetupToken(deps: Pick<Deps, 'db'>): Promise<string | null> {
  if (await hasUsers(deps.db)) return null
  const token = randomBytes(32).toString('base64url')
  const value = JSON.stringify({ tokenHash: hashOf(token) })
  await deps.db.insertInto('appState').values({ key, value }).onConflict((c) => c.column('key').doUpdateSet({ value })).execute()
  return token
}

/** Refuses everybody without the token, and everybody once there is a user: the answer is the same as for a page that never was. */
export async function checkSetup(db: Db, token: string): Promise<void> {
  const row = await db.selectFrom('appState').select('value').where('key', '=', key).forUpdate().executeTakeFirst()
  const tokenHash = row?.value['tokenHash']
  if (typeof tokenHash !== 'string' || !timingSafeEqualText(tokenHash, hashOf(token)) || (await hasUsers(db))) throw notFound('There is nothing here.')
}

/** Makes the business, the sample roles and the first administrator, all or nothing and once; the errors of the form otherwise. */
export async function setUp(deps: Deps, form: SetupForm, password: string): Promise<SetupErrors | null> {
  await deps.db.transaction().execute((db) => checkSetup(db, form.token))
  const parsed = given.safeParse({ ...form, password })
  if (!parsed.success) return Object.fromEntries(parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message]))
  const { data } = parsed
  const passwordHash = await hashPassword(data.password)
  await inTransaction(systemRun(deps, 'setup'), async (ctx) => {
    await checkSetup(ctx.db, form.token)
    await createFirstBusiness(ctx, { legalName: data.legalName, abn: data.abn, gstRegistered: data.isGstRegistered, email: data.email })
    const roles = await seedRoles(ctx.db, catalogue)
    await makeUser(ctx, { authId: data.authID, firstName: data.firstName, lastName: data.lastName, email: data.email ?? '', roleGuid: roles.Administrator, passwordHash })
    await ctx.db.updateTable('appState').set({ value: JSON.stringify({ doneAt: ctx.now.toISOString() }) }).where('key', '=', key).execute()
  })
  deps.rights.forget()
  return null
}

export interface NewUser {
  authId: string
  firstName: string
  lastName: string
  email: string
  roleGuid: string
  passwordHash: string
}

/** A user of the first run or of the sample company. */
export async function makeUser(ctx: Ctx, user: NewUser): Promise<string> {
  const { guid } = await ctx.db.insertInto('users').values(user).returning('guid').executeTakeFirstOrThrow()
  const { passwordHash: _hash, ...shown } = user
  ctx.audit({ action: 'create', entity: 'User', guid, after: shown })
  return guid
}
