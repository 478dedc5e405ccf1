import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { EmailProvider } from '../../contract/email-accounts.ts'
import { guardedFetch } from '../core/adapters/guarded-fetch.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import type { OAuthClient } from '../core/env.ts'
import type { AccountRow } from './email-accounts.queries.ts'
import { openSecret, sealSecret } from './secrets.ts'

/** An account that cannot log in until a person has done something. */
export class AccountLoginError extends Error {
  readonly status: 'needs_login' | 'broken'
  constructor(status: 'needs_login' | 'broken', said: string) {
    super(said)
    this.status = status
  }
}

const callMs = 10_000
/** Longer than the call takes: whoever dies in between is in nobody's way for long. */
const renewMs = 15_000
/** A token is renewed before it ends on the way. */
const marginMs = 60_000
const maxAnswer = 64 * 1024

const granted = z.object({
  access_token: z.string().min(1).max(16_000),
  expires_in: z.coerce.number().int().min(1).max(31_536_000).default(3600),
  refresh_token: z.string().min(1).max(16_000).optional(),
})
const refused = z.object({ error: z.string().max(200), error_description: z.string().optional() })
type Granted = z.infer<typeof granted>

/** The provider says no, in the words of the protocol: `invalid_grant` where somebody has to log in anew. */
class GrantRefused extends Error {
  readonly error: string
  constructor(error: string, said: string) {
    super(said)
    this.error = error
  }
}

/** Asks the token endpoint of a provider; its answer is parsed, and nothing of it is told but why it refuses. */
export async function askForToken(
  ctx: Pick<Ctx, 'deps'>,
  client: OAuthClient,
  grant: Readonly<Record<string, string>>,
): Promise<Granted> {
  const form = { client_id: client.clientId, client_secret: client.clientSecret, ...grant }
  const answer = await guardedFetch(ctx.deps.settings, client.tokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams(form).toString(),
    timeoutMs: callMs,
    maxBytes: maxAnswer,
  })
  const body: unknown = parsed(answer.body)
  const yes = answer.status === 200 ? granted.safeParse(body) : null
  if (yes?.success) return yes.data
  const no = refused.safeParse(body)
  if (no.success) throw new GrantRefused(no.data.error, (no.data.error_description || no.data.error).slice(0, 300))
  throw new Error(`The provider answered ${answer.status}.`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The columns of a login that was granted; a provider may keep the refresh token as it is, or give another one. */
export function tokenColumns(ctx: Pick<Ctx, 'deps'>, guid: string, token: Granted) {
  const { keys, now } = ctx.deps
  return {
    accessSecret: sealSecret(keys, guid, 'access', token.access_token),
    accessUntil: new Date(now().getTime() + token.expires_in * 1000),
    ...(token.refresh_token ? { refreshSecret: sealSecret(keys, guid, 'refresh', token.refresh_token) } : {}),
    renewingUntil: null,
  }
}

interface Renewal {
  refreshToken: string
  provider: EmailProvider
  /** The turn ends then; no other one ends at the same instant. */
  until: Date
}
type Turn = { token: string } | Renewal | 'wait'

/**
 * Under the lock of its row: the token while it is good, or the turn to renew it. The call itself is made after the
 * lock is given back, and nobody else makes it meanwhile: a refresh token may work only once.
 */
async function takeTurn(ctx: Ctx, guid: string): Promise<Turn> {
  const { keys } = ctx.deps
  const now = ctx.deps.now()
  const row = await ctx.db
    .selectFrom('emailAccounts')
    .selectAll()
    .where('guid', '=', guid)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const token = isGood(row, now) ? openSecret(keys, guid, 'access', row.accessSecret ?? '') : null
  if (token) return { token }
  if (row.renewingUntil && new Date(row.renewingUntil) > now) return 'wait'
  const refreshToken = row.refreshSecret === null ? null : openSecret(keys, guid, 'refresh', row.refreshSecret)
  if (refreshToken === null || row.provider === null)
    throw new AccountLoginError('needs_login', 'Log in with the provider.')
  const until = new Date(now.getTime() + renewMs)
  await ctx.db.updateTable('emailAccounts').set({ renewingUntil: until }).where('guid', '=', guid).execute()
  return { refreshToken, provider: row.provider, until }
}

const isGood = ({ accessSecret, accessUntil }: AccountRow, now: Date) =>
  accessSecret !== null && accessUntil !== null && new Date(accessUntil).getTime() - marginMs > now.getTime()

/** A token that is good for a while; throws `AccountLoginError` where somebody has to log in anew. */
export async function accessTokenOf(ctx: OpenCtx, guid: string): Promise<string> {
  const deadline = performance.now() + renewMs + callMs
  for (;;) {
    const turn = await ctx.tx((tx) => takeTurn(tx, guid))
    if (turn === 'wait') {
      if (performance.now() > deadline) throw new Error('The login takes too long to renew.')
      await sleep(100)
    } else if ('token' in turn) return turn.token
    else return renewed(ctx, guid, turn)
  }
}

async function renewed(ctx: OpenCtx, guid: string, turn: Renewal): Promise<string> {
  const client = ctx.deps.settings.oauth[turn.provider]
  const set = (columns: Partial<ReturnType<typeof tokenColumns>>) =>
    ctx.db
      .updateTable('emailAccounts')
      .set(columns)
      .where('guid', '=', guid)
      // Whoever changed the login meanwhile has ended this turn, and another one may have begun.
      .where('renewingUntil', '=', turn.until.toISOString())
      .execute()
  try {
    if (!client) throw new AccountLoginError('broken', `Logging in with ${turn.provider} isn’t set up.`)
    const token = await askForToken(ctx, client, { grant_type: 'refresh_token', refresh_token: turn.refreshToken })
    await set(tokenColumns(ctx, guid, token))
    return token.access_token
  } catch (error) {
    await set({ renewingUntil: null })
    if (error instanceof GrantRefused && error.error === 'invalid_grant')
      throw new AccountLoginError('needs_login', error.message)
    throw error
  }
}
