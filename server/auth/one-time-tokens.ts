import { AppError } from '../../contract/core/errors.ts'
import type { Ctx, Db } from '../core/ctx.ts'
import { linkHash, newLinkToken } from '../core/secrets.ts'
import type { Account } from './auth.queries.ts'

export type LinkKind = 'reset' | 'invitation'
const statusFor = { reset: 'active', invitation: 'invited' } as const

/** A new link for a person; those of the same kind before it are dead. */
export async function issueToken(
  ctx: Ctx,
  kind: LinkKind,
  account: Pick<Account, 'guid' | 'authVersion'>,
  minutes: number,
): Promise<string> {
  const token = newLinkToken()
  await closeLinks(ctx.db, kind, account.guid, ctx.now)
  await ctx.db
    .insertInto('credentialLinks')
    .values({
      hash: linkHash(token),
      kind,
      userGuid: account.guid,
      authVersion: account.authVersion,
      expiresAt: new Date(ctx.now.getTime() + minutes * 60_000),
      createdAt: ctx.now,
    })
    .execute()
  return token
}

const closeLinks = (db: Db, kind: LinkKind, userGuid: string, at: Date) =>
  db
    .updateTable('credentialLinks')
    .set({ usedAt: at })
    .where('userGuid', '=', userGuid)
    .where('kind', '=', kind)
    .where('usedAt', 'is', null)
    .execute()

/** The account behind a link that still works: not used, not too old, and nothing about the login has changed since. */
export async function findByLink(ctx: Ctx, kind: LinkKind, token: string) {
  const found = await ctx.db
    .selectFrom('credentialLinks')
    .innerJoin('users', 'users.guid', 'credentialLinks.userGuid')
    .innerJoin('roles', 'roles.guid', 'users.roleGuid')
    .select([
      'credentialLinks.hash',
      'credentialLinks.expiresAt',
      'users.guid',
      'users.authId',
      'users.firstName',
      'users.lastName',
      'users.createdBy',
      'roles.name as roleName',
      'roles.requiresTwoStep',
    ])
    .where('credentialLinks.hash', '=', linkHash(token))
    .where('credentialLinks.kind', '=', kind)
    .where('credentialLinks.usedAt', 'is', null)
    .where('credentialLinks.expiresAt', '>', ctx.now.toISOString())
    .whereRef('credentialLinks.authVersion', '=', 'users.authVersion')
    .where('users.status', '=', statusFor[kind])
    .where('roles.archivedAt', 'is', null)
    .executeTakeFirst()
  if (!found) throw new AppError('LINK_DEAD')
  return found
}

/** Uses a link up, once: of two that come at the same moment the second finds it used. */
export async function spendLink(ctx: Ctx, kind: LinkKind, token: string) {
  const found = await findByLink(ctx, kind, token)
  const used = await ctx.db
    .updateTable('credentialLinks')
    .set({ usedAt: ctx.now })
    .where('hash', '=', found.hash)
    .where('usedAt', 'is', null)
    .returning('hash')
    .executeTakeFirst()
  if (!used) throw new AppError('LINK_DEAD')
  return found
}
