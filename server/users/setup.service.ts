import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { newPassword } from '../../contract/auth.ts'
import type { Language } from '../../contract/core/languages.ts'
import { catalogue } from '../../contract/api.ts'
import { abn } from '../../contract/core/abn.ts'
import { email, longText, text } from '../../contract/core/common.ts'
import { notFound } from '../../contract/core/errors.ts'
import { createFirstBusiness } from '../businesses/businesses.service.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { transact } from '../core/db/transact.ts'
import { joinTransaction } from '../core/db/join-transaction.ts'
import type { Deps } from '../core/deps.ts'
import { phrases } from '../core/i18n/phrases.ts'
import { sayIn } from '../core/i18n/sentences.ts'
import { timingSafeEqualText } from '../core/keys.ts'
import { hashPassword } from '../core/passwords.ts'
import { inTransaction, systemRun } from '../core/run.ts'
import { seedRoles } from '../roles/sample-roles.service.ts'
import type { SetupErrors, SetupForm } from './setup.page.ts'

const key = 'setup'
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Whose installation it becomes. */
export interface FirstRun {
  business: { legalName: string; abn: string | null; gstRegistered: boolean; email: string | null }
  administrator: Omit<NewUser, 'roleGuid'>
}
/** Makes roles, the business and its administrator, with or without more. */
export type MakeCompany = (deps: Deps, first: FirstRun) => Promise<unknown>

const given = z.object({
  legalName: text(160),
  abn: z
    .string()
    .trim()
    .transform((t) => t || null)
    .pipe(abn.nullable()),
  email: z
    .string()
    .trim()
    .transform((t) => t || null)
    .pipe(email.nullable()),
  isGstRegistered: z.boolean(),
  firstName: text(80),
  lastName: longText(80),
  authID: text(254),
  password: newPassword,
})

const hasUsers = async (db: Db) =>
  (await db.selectFrom('users').select('guid').limit(1).executeTakeFirst()) !== undefined
const stored = (db: Db) => db.selectFrom('appState').select('value').where('key', '=', key)

/**
 * A new one-time token for the first run, or null when the product is set up or is being set up. Only its hash is kept.
 */
export async function newSetupToken({ db }: Pick<Deps, 'db'>): Promise<string | null> {
  if (await hasUsers(db)) return null
  const token = randomBytes(32).toString('base64url')
  const value = JSON.stringify({ tokenHash: hashOf(token) })
  return transact(db, async (tx) => {
    const isBusy =
      (await stored(tx).executeTakeFirst()) !== undefined &&
      (await stored(tx).forUpdate().skipLocked().executeTakeFirst()) === undefined
    if (isBusy) return null
    await tx
      .insertInto('appState')
      .values({ key, value })
      .onConflict((c) => c.column('key').doUpdateSet({ value }))
      .execute()
    return token
  })
}

const refuseUnlessOpen = async (db: Db, row: { value: Record<string, unknown> } | undefined, token: string) => {
  const tokenHash = row?.value['tokenHash']
  if (typeof tokenHash !== 'string' || !timingSafeEqualText(tokenHash, hashOf(token)) || (await hasUsers(db)))
    throw notFound('There’s nothing at this address.')
}

/** Refuses everybody without the token, and everybody once there is a user. */
export const checkSetup = async (db: Db, token: string): Promise<void> =>
  refuseUnlessOpen(db, await stored(db).executeTakeFirst(), token)

/** The same, and keeps everybody else out until the transaction ends; whoever finds it taken is refused at once. */
const takeSetup = async (db: Db, token: string): Promise<void> =>
  refuseUnlessOpen(db, await stored(db).forUpdate().skipLocked().executeTakeFirst(), token)

/**
 * Makes the business, the sample roles and the first administrator, and the sample data when it is wanted: all or
 * nothing, and once. The errors of the form otherwise, in the language of the page.
 */
export async function setUp(
  deps: Deps,
  sent: { form: SetupForm; password: string; language: Language },
  makeSample: MakeCompany,
): Promise<SetupErrors | null> {
  const { form, language } = sent
  await checkSetup(deps.db, form.token)
  const read = await readFirstRun(sent)
  if ('errors' in read) return read.errors
  await joinTransaction(deps.db, async (db) => {
    await takeSetup(db, form.token)
    const make = form.start === 'sample' ? makeSample : makeEmpty
    await make({ ...deps, db, reads: db, exports: db }, read.first)
    await db
      .updateTable('appState')
      .set({ value: JSON.stringify({ doneAt: deps.now().toISOString(), start: form.start, language }) })
      .where('key', '=', key)
      .execute()
  })
  deps.rights.forget()
  return null
}

async function readFirstRun({
  form,
  password,
  language,
}: {
  form: SetupForm
  password: string
  language: Language
}): Promise<{ errors: SetupErrors } | { first: FirstRun }> {
  const parsed = given.safeParse({ ...form, password })
  const errors: SetupErrors = {}
  for (const issue of parsed.error?.issues ?? [])
    errors[String(issue.path[0]) as keyof SetupErrors] ??= sayIn(language, issue.message)
  if (form.start === 'sample' && form.isGstRegistered && !form.abn.trim())
    errors.abn = phrases('setup', language)('error.abnNeeded')
  if (!parsed.success || Object.keys(errors).length > 0) return { errors }
  const { data } = parsed
  const passwordHash = await hashPassword(data.password)
  return {
    first: {
      business: { legalName: data.legalName, abn: data.abn, gstRegistered: data.isGstRegistered, email: data.email },
      administrator: {
        authId: data.authID,
        firstName: data.firstName,
        lastName: data.lastName,
        email: data.email ?? '',
        passwordHash,
        language,
      },
    },
  }
}

const makeEmpty: MakeCompany = (deps, { business, administrator }) =>
  inTransaction(systemRun(deps, 'setup'), async (ctx) => {
    await createFirstBusiness(ctx, business)
    const roles = await seedRoles(ctx.db, catalogue)
    await makeUser(ctx, { ...administrator, roleGuid: roles.Administrator })
  })

export interface NewUser {
  authId: string
  firstName: string
  lastName: string
  email: string
  roleGuid: string
  passwordHash: string
  /** What the product opens in for this person; what the browser prefers when not given. */
  language?: Language
}

/** A user of the first run or of the sample company. */
export async function makeUser(ctx: Ctx, { language, ...user }: NewUser): Promise<string> {
  const { guid } = await ctx.db
    .insertInto('users')
    .values({ ...user, ...(language ? { preferences: JSON.stringify({ language }) } : {}) })
    .returning('guid')
    .executeTakeFirstOrThrow()
  const { passwordHash: _hash, ...shown } = user
  ctx.audit({ action: 'user.created', entity: 'Users', guid, after: shown })
  return guid
}
