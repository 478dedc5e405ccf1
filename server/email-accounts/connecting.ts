import { createHash } from 'node:crypto'
import type { EmailProvider, RefusedLogin } from '../../contract/email-accounts.ts'
import { conflict, notFound } from '../../contract/core/errors.ts'
import { pathOf } from '../../contract/nouns.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { apiRoot } from '../core/http/mount.ts'
import { userOf } from '../core/records.ts'
import { linkHash, newLinkToken, seal, unseal } from '../core/secrets.ts'
import { lockAccount, refuseArchived } from './email-accounts.queries.ts'
import { askForToken, tokenColumns } from './tokens.ts'

/** How long somebody may take to log in with a provider. */
const stateMs = 10 * 60_000

const returnTo = ({ deps: { settings } }: Pick<Ctx, 'deps'>) => `${settings.publicUrl}${apiRoot}/EmailAccounts/Callback`
const sealedTo = (stateHash: string) => `email-login:${stateHash}`

/** What a provider asks for beside the protocol, so that it gives a login that lasts. */
const besides: Readonly<Record<EmailProvider, Record<string, string>>> = {
  google: { access_type: 'offline', prompt: 'consent' },
  microsoft: { prompt: 'select_account' },
}

/** Where to log in: the state names this beginning alone, and the verifier proves that it was ours. */
export async function connect(ctx: Ctx, { guid }: { guid: string }): Promise<{ url: string }> {
  const account = await lockAccount(ctx, guid)
  const userGuid = userOf(ctx)
  if (!account || !userGuid) throw notFound()
  refuseArchived(account)
  const { provider } = account
  if (!provider) throw conflict('This email account logs in with a password.')
  const client = ctx.deps.settings.oauth[provider]
  if (!client) throw conflict('Logging in with this provider isn’t set up.')
  const state = newLinkToken()
  const stateHash = linkHash(state)
  const verifier = newLinkToken()
  await ctx.db.deleteFrom('emailLogins').where('expiresAt', '<', ctx.now.toISOString()).execute()
  await ctx.db
    .insertInto('emailLogins')
    .values({
      stateHash,
      accountGuid: guid,
      userGuid,
      verifier: seal(ctx.deps.keys, verifier, sealedTo(stateHash)),
      expiresAt: new Date(ctx.now.getTime() + stateMs),
    })
    .execute()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: returnTo(ctx),
    scope: client.scope,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    login_hint: account.smtp.username,
    ...besides[provider],
  })
  return { url: `${client.authorizeUrl}?${query}` }
}

interface Came {
  state?: string | undefined
  code?: string | undefined
  error?: string | undefined
}

/** A state works once, whatever comes of it. */
async function takeState(ctx: OpenCtx, state: string) {
  const stateHash = linkHash(state)
  const row = await ctx.db
    .deleteFrom('emailLogins')
    .where('stateHash', '=', stateHash)
    .returningAll()
    .executeTakeFirst()
  if (!row || new Date(row.expiresAt) <= ctx.deps.now()) return null
  return { ...row, verifier: unseal(ctx.deps.keys, row.verifier, sealedTo(stateHash)) }
}

/** Somebody comes back from a provider; the list says what came of it. */
export async function callback(ctx: OpenCtx, came: Came): Promise<{ location: string }> {
  const result = await connected(ctx, came)
  const query = new URLSearchParams('refused' in result ? { refused: result.refused } : { connected: result.connected })
  return { location: `${ctx.deps.settings.publicUrl}${pathOf('EmailAccounts', 'list')}?${query}` }
}

async function connected(
  ctx: OpenCtx,
  { state, code, error }: Came,
): Promise<{ connected: string } | { refused: RefusedLogin }> {
  const begun = state ? await takeState(ctx, state) : null
  if (!begun) return { refused: 'expired' }
  if (error !== undefined || !code) return { refused: 'denied' }
  const { accountGuid: guid } = begun
  const account = await ctx.db
    .selectFrom('emailAccounts')
    .select('provider')
    .where('guid', '=', guid)
    .where('archivedAt', 'is', null)
    .executeTakeFirst()
  const client = account?.provider ? ctx.deps.settings.oauth[account.provider] : null
  if (!account?.provider || !client) return { refused: 'failed' }
  const token = await askForToken(ctx, client, grantOf(ctx, code, begun.verifier)).catch((refusal: unknown) => {
    ctx.log.warn({ reason: refusal instanceof Error ? refusal.message : '' }, 'a provider gave no login')
    return null
  })
  if (!token?.refresh_token) return { refused: 'failed' }
  const isKept = await keep(ctx, { guid, provider: account.provider, userGuid: begun.userGuid }, token)
  return isKept ? { connected: guid } : { refused: 'failed' }
}

const grantOf = (ctx: OpenCtx, code: string, verifier: string) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: returnTo(ctx),
  code_verifier: verifier,
})

const keep = (
  ctx: OpenCtx,
  { guid, provider, userGuid }: { guid: string; provider: EmailProvider; userGuid: string },
  token: Awaited<ReturnType<typeof askForToken>>,
): Promise<boolean> =>
  ctx.tx(async (tx) => {
    const row = await tx.db
      .selectFrom('emailAccounts')
      .selectAll()
      .where('guid', '=', guid)
      .where('provider', '=', provider)
      .where('archivedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return false
    await tx.db
      .updateTable('emailAccounts')
      .set({
        ...tokenColumns(tx, guid, token),
        status: row.status === 'paused' ? 'paused' : 'active',
        failures: 0,
        openUntil: null,
        lastSaid: null,
        readSaid: null,
      })
      .where('guid', '=', guid)
      .execute()
    const user = await tx.db.selectFrom('users').select('name').where('guid', '=', userGuid).executeTakeFirstOrThrow()
    tx.audit({
      action: 'email_account.connected',
      entity: 'EmailAccounts',
      guid,
      after: { name: row.fromAddress },
      by: { guid: userGuid, name: user.name },
    })
    return true
  })
