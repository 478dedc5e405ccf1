import { randomBytes } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import type { Op } from '../../../contract/core/op.ts'
import type { BusinessRow } from '../business.ts'
import type { Actor, Db, Rights, WorksIn } from '../ctx.ts'
import type { Deps } from '../deps.ts'
import { missingRight } from '../delegation.ts'
import { type Keys, timingSafeEqualText } from '../keys.ts'
import { keyedHash } from '../secrets.ts'
import { notHere } from '../reach.ts'
import { accessFor } from '../rights.ts'
import type { Claims } from '../tokens.ts'
import { worksInText } from '../works-in.ts'

const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The API guid a caller brought, if it is one. The name is matched without regard to case by the HTTP server. */
export const apiGuidOf = (request: FastifyRequest): string | null => {
  const sent = request.headers['x-api-guid']
  return typeof sent === 'string' && guidPattern.test(sent) ? sent.toLowerCase() : null
}

/** The business a call is made for, as its header names it. */
export const businessGuidOf = (request: FastifyRequest): string | null => {
  const sent = request.headers['x-business-guid']
  return typeof sent === 'string' && sent !== '' ? sent.toLowerCase() : null
}

/**
 * A guid that shows that it came from here: half of it is random and the other half follows from that and our key, so
 * none has to be kept. It looks like any random UUID.
 */
export const newApiGuid = (keys: Pick<Keys, 'encryption'>): string => {
  const random = randomBytes(8)
  random.writeUInt8(((random[6] ?? 0) & 0x0f) | 0x40, 6)
  return withProof(keys, random)
}

function withProof(keys: Pick<Keys, 'encryption'>, random: Buffer): string {
  const proof = Buffer.from(keyedHash(keys, `api-guid:${random.toString('hex')}`), 'hex').subarray(0, 8)
  proof.writeUInt8(((proof[0] ?? 0) & 0x3f) | 0x80, 0)
  return Buffer.concat([random, proof])
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Whether a guid was given out by us. */
export const isIssued = (keys: Pick<Keys, 'encryption'>, guid: string): boolean =>
  timingSafeEqualText(guid, withProof(keys, Buffer.from(guid.replaceAll('-', '').slice(0, 16), 'hex')))

const schemeOf = (request: FastifyRequest) => {
  const header = request.headers.authorization
  const space = header?.indexOf(' ') ?? -1
  return header && space > 0
    ? { scheme: header.slice(0, space).toLowerCase(), value: header.slice(space + 1).trim() }
    : null
}

export const bearerOf = (request: FastifyRequest): string | null => {
  const given = schemeOf(request)
  return given?.scheme === 'bearer' ? given.value : null
}

export interface SessionRow {
  kind: 'user' | 'guest'
  apiGuid: string
  userGuid: string | null
  name: string | null
  status: string | null
  roleGuid: string
  roleOfSession: string
  isSameAuth: boolean | null
  isRevoked: boolean
  isRoleArchived: boolean
  renewableUntil: string
  rulesVersion: number
  isTwoStepMissing: boolean
  tryingRole: string | null
  tryingName: string | null
  tryingVersion: number | null
  businessGuid: string | null
  businessRevision: string | null
  worksIn: WorksIn | null
}

const sessionSql = `select s.kind, s.api_guid, s.user_guid, u.name, u.status, coalesce(u.role_guid,
  s.role_guid) as role_guid, s.role_guid as role_of_session,
 u.auth_version = s.auth_version as is_same_auth, s.revoked_at is not null as is_revoked,
 r.archived_at is not null as is_role_archived, s.renewable_until, r.rules_version,
 r.requires_two_step and u.two_step_on_at is null and s.kind = 'user' as is_two_step_missing, t.guid as trying_role,
 t.name as trying_name, t.rules_version as trying_version,
 b.guid as business_guid, b.revision as business_revision,
 ${worksInText} as works_in
 from sessions s left join users u on u.guid = s.user_guid join roles r on r.guid = coalesce(u.role_guid, s.role_guid)
 left join roles t on t.guid = s.trying_role and t.archived_at is null
 left join lateral (select guid, xmin::text as revision from businesses where archived_at is null
 and (u.business_guids = '{}' or guid = any(u.business_guids))
 order by guid::text = $2 desc, guid = u.last_business desc nulls last, coalesce(trading_name, legal_name), guid
 limit 1) b on s.kind = 'user'
 where s.guid = $1`

/**
 * The session with its user and role as they are now, or null when there is none that still counts. Its business is the
 * one that is asked for; of a person who does not work there, the one he used last, or the first by name.
 */
export async function findLiveSession(db: Db, sid: string, businessGuid = ''): Promise<SessionRow | null> {
  const { rows } = await db.executeQuery<SessionRow>(CompiledQuery.raw(sessionSql, [sid, businessGuid]))
  const row = rows[0]
  if (!row || row.isRevoked || row.isRoleArchived || row.roleGuid !== row.roleOfSession) return null
  if (row.kind === 'user' && (row.status !== 'active' || !row.isSameAuth)) return null
  return row
}

const notAuthenticated = () => new AppError('NOT_AUTHENTICATED')

interface Caller {
  actor: Actor
  /** The one a user works for with this call. */
  business: BusinessRow | null
}

/** The caller behind a token that is still in force. */
async function callerOfToken(deps: Deps, token: string, request: FastifyRequest, who: Op['who']): Promise<Caller> {
  const claims = await deps.tokens.read(token)
  if (!claims) throw notAuthenticated()
  if (claims.exp * 1000 <= deps.now().getTime()) throw new AppError('TOKEN_EXPIRED')
  const asked = businessGuidOf(request)
  const session = await findLiveSession(deps.db, claims.sid, asked ?? '')
  if (!session || !isTrue(claims, session, apiGuidOf(request))) throw notAuthenticated()
  // What is open to everybody, such as leaving, is open from a tab of a business one has left, too.
  if (asked !== null && session.kind === 'user' && asked !== session.businessGuid && who !== 'public')
    throw new AppError('FORBIDDEN', notHere, { fields: [{ path: 'X-Business-Guid', message: notHere }] })
  return { actor: await actorOfSession(deps, claims.sid, session), business: await businessOf(deps, session) }
}

const businessOf = (deps: Deps, { businessGuid: guid, businessRevision: revision }: SessionRow) =>
  guid === null || revision === null ? null : deps.businesses.of(deps.db, { guid, revision })

/** The caller a session stands for, with the rights of his role as they are now. */
export async function actorOfSession(
  deps: Pick<Deps, 'db' | 'rights'>,
  sessionGuid: string,
  session: SessionRow,
): Promise<Extract<Actor, { kind: 'user' | 'guest' }>> {
  const rights = await deps.rights.of(deps.db, session.roleGuid, session.rulesVersion)
  const common = { apiGuid: session.apiGuid, sessionGuid, roleGuid: session.roleGuid, ...rights }
  if (!session.userGuid) return { kind: 'guest', ...common }
  const trying = await triedRole(deps, session, rights)
  return {
    kind: 'user',
    userGuid: session.userGuid,
    name: session.name ?? '',
    ...common,
    ...trying?.rights,
    worksIn: session.worksIn,
    standing: { isTwoStepMissing: session.isTwoStepMissing, trying: trying?.shown ?? null },
  }
}

/** The role a session looks through, for as long as its user may manage roles and could give that one away. */
async function triedRole(deps: Pick<Deps, 'db' | 'rights'>, session: SessionRow, own: Rights) {
  if (!session.tryingRole || session.tryingVersion === null) return null
  const facts = { isUser: true, isGuest: false, hasApiGuid: true, hasAuthorization: true }
  if (accessFor(own.ability, 'update', 'Roles:Update:Guid', facts) === 'none') return null
  const rights = await deps.rights.of(deps.db, session.tryingRole, session.tryingVersion)
  return missingRight(own.ability, rights.ability, rights.rules)
    ? null
    : { rights, shown: { guid: session.tryingRole, name: session.tryingName ?? '', own } }
}

/** Whether token and API guid say what the session says: a token belongs to the browser it was given to. */
export const isTrue = (claims: Claims, session: SessionRow, sentApiGuid: string | null) =>
  claims.roleGUID === session.roleGuid &&
  (claims.userData?.guid ?? null) === session.userGuid &&
  (sentApiGuid === null || sentApiGuid === session.apiGuid)

const cronActor: Actor = { kind: 'system', name: 'cron' }

/** `Authorization: Cron <key>` or `?key=`; a browser on another site can never make this call. */
function cronCaller(deps: Deps, request: FastifyRequest): boolean {
  const given = schemeOf(request)
  const query = request.query as Record<string, unknown>
  const inQuery = query['key']
  delete query['key']
  const key = given?.scheme === 'cron' ? given.value : typeof inQuery === 'string' ? inQuery : null
  if (key === null) return false
  if (request.headers['sec-fetch-site'] === 'cross-site')
    throw new AppError('FORBIDDEN', 'Scheduled jobs can’t be started from other sites.')
  if (!timingSafeEqualText(key, deps.keys.cron)) throw notAuthenticated()
  return true
}

/** Who is asking. A public operation is open to a caller whose token has ended: how else would he log in again. */
export async function identify(deps: Deps, op: Pick<Op, 'who'>, request: FastifyRequest): Promise<Caller> {
  if (op.who === 'cron' && cronCaller(deps, request)) return { actor: cronActor, business: null }
  if (op.who === 'webhook') return { actor: { kind: 'system', name: 'webhook' }, business: null }
  const sentApiGuid = apiGuidOf(request)
  const given = schemeOf(request)
  if (given || request.headers.authorization !== undefined) {
    try {
      if (given?.scheme !== 'bearer') throw notAuthenticated()
      return await callerOfToken(deps, given.value, request, op.who)
    } catch (error) {
      const isRefused = error instanceof AppError && error.status === 401
      if (op.who !== 'public' || !isRefused) throw error
    }
  }
  const { rules, ability } = await deps.rights.ofVisitors(deps.db)
  const apiGuid = sentApiGuid !== null && isIssued(deps.keys, sentApiGuid) ? sentApiGuid : newApiGuid(deps.keys)
  return { actor: { kind: 'none', apiGuid, rules, ability }, business: null }
}
