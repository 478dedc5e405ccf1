import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { z } from 'zod'
import { languageOf } from '../i18n/sentences.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Op } from '../../../contract/core/op.ts'
import type { BusinessRow } from '../business.ts'
import type { Actor, Ctx, Mounted } from '../ctx.ts'
import type { Deps } from '../deps.ts'
import { inTransaction, openCtx, type Run } from '../run.ts'
import { sendCsv } from './csv.ts'
import { failure, inLanguage, json, sendFailure, success } from './envelope.ts'
import { toAppError } from './errors.ts'
import {
  type Answer,
  claimForExternal,
  claimInTransaction,
  keepAnswer,
  keyUseOf,
  type KeyUse,
  releaseClaim,
} from './idempotency.ts'
import { apiGuidOf, bearerOf, businessGuidOf, identify } from './identify.ts'
import { countMiss, limitByCost, makeGeneralLimit, refuseGuesser } from './limits.ts'
import { acceptForms, parseBody, parseParams, parseQuery } from './parse.ts'
import { ownRights, refuseBehindBarriers } from './barriers.ts'
import { authorize } from './permission.ts'
import { sendFile, sendRedirect, sendStream } from './raw.ts'
import { makeTurns, type Turns } from '../turns.ts'

export const apiRoot = '/api/v2'
const defaultTimeoutMs = 10_000
/** The answer must be on its way before the client gives up. */
const marginMs = 2000
/** Calls of one operation that wait for their transaction; more would only be told to come back later. */
const maxInLine = 200

type Handle = (ctx: Ctx, input: Record<string, unknown>) => Promise<unknown>
interface Entry {
  actor: Actor
  rows: Ctx['rows']
  business: BusinessRow | null
}
declare module 'fastify' {
  interface FastifyRequest {
    entry: Entry | null
  }
}

/** Binds every operation to its route. An operation that is not fully declared does not start the server. */
export function mount(app: FastifyInstance, deps: Deps, nouns: readonly Mounted[], shed: () => void) {
  app.decorateRequest('entry', null)
  const limit = makeGeneralLimit()
  const seen = new Set<string>()
  for (const { noun, api, handlers } of nouns) {
    for (const name of Object.keys(handlers))
      if (!api[name]) throw new Error(`${noun}.${name} has a handler and no operation`)
    for (const [name, declared] of Object.entries(api)) {
      const source = declared.columns && !handlers[name] ? listOf(api, declared) : name
      const handle = handlers[source] as Handle | undefined
      // An export is its list, asked page by page: the list's schema strips its rows.
      const op = source === name ? declared : { ...declared, response: api[source]?.response ?? declared.response }
      // Those who wait for one record or number wait in line, and the connections stay free for everybody else.
      const turns = makeTurns({ atOnce: Math.max(2, Math.floor(deps.settings.dbPoolSize / 2)), maxWaiting: maxInLine })
      check(`${noun}.${name}`, op, handle, seen)
      if (isForDevelopers(op) && !deps.settings.hasDevPages) continue
      const route: RouteOptions = {
        method: op.method,
        url: `${apiRoot}${op.path}`,
        ...(op.maxBodyBytes === undefined ? {} : { bodyLimit: op.maxBodyBytes }),
        onRequest: async (request, reply) => {
          if (op.who !== 'webhook') shed()
          await enter(deps, op, request, reply, limit)
        },
        handler: (request, reply) => {
          const answering = road(deps, op, handle as Handle, turns, request, reply)
          return op.byLink ? countingMisses(deps, request, answering) : answering
        },
      }
      if (op.takesForm)
        void app.register(async (scope) => {
          acceptForms(scope)
          scope.route(route)
        })
      else app.route(route)
    }
  }
}

/** Where these are off, their paths are as unknown as any other. */
const isForDevelopers = (op: Op) => op.path.startsWith('/Dev/')

/** The list operation whose rows an export shows. */
const listOf = (api: Mounted['api'], op: Op) =>
  Object.entries(api).find(([, other]) => other.method === 'GET' && `${other.path}/Export` === op.path)?.[0] ?? ''

function check(name: string, op: Op, handle: Handle | undefined, seen: Set<string>) {
  const refuse = (what: string): never => {
    throw new Error(`${name} ${what}`)
  }
  if (!op.can?.[0] || !op.can[1]) refuse('declares no permission')
  if (!op.who || !op.effect) refuse('does not say for whom it is, or what it does')
  if (!op.query?.safeParse || !op.body?.safeParse || !op.response?.safeParse) refuse('lacks a schema')
  if (typeof handle !== 'function') refuse('has no handler')
  const route = `${op.method} ${op.path.replace(/:\w+/g, ':')}`
  if (seen.has(route)) refuse(`takes the path of another operation: ${route}`)
  seen.add(route)
}

/** Who is it, and may he? Decided before the body is read: strangers learn nothing about what would be valid. */
async function enter(
  deps: Deps,
  op: Op,
  request: FastifyRequest,
  reply: FastifyReply,
  limit: ReturnType<typeof makeGeneralLimit>,
) {
  const { actor, business } = await identify(deps, op, request)
  if (actor.kind !== 'system') reply.header('x-api-guid', actor.apiGuid)
  // A window keeps the business of its first answer: what another window chooses later does not move it.
  if (business) reply.header('x-business-guid', business.guid)
  limit(actor, request.ip)
  await refuseBehindBarriers(deps, op, actor)
  const rows = authorize(op, ownRights(op, actor), apiGuidOf(request) !== null)
  await limitByCost(deps.db, op.cost, actor, request.ip)
  if (op.byLink) await refuseGuesser(deps.db, request.ip)
  request.entry = { actor, rows, business }
}

/** A link that names nothing counts against whoever asked for it: after the transaction, which a refusal undoes. */
const countingMisses = (deps: Deps, request: FastifyRequest, answering: Promise<FastifyReply>) =>
  answering.catch(async (error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') await countMiss(deps.db, request.ip)
    throw error
  })

/** parse → idempotency → transaction → handler → audit check → strip → reply. */
async function road(
  deps: Deps,
  op: Op,
  handle: Handle,
  turns: Turns,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const input = {
    ...parseBody(op, request.body),
    ...parseQuery(op, request.query),
    ...parseParams(request.params as Record<string, string>),
  }
  const run = runOf(deps, op, turns, request, reply)
  if (op.produces === 'text/csv') return sendCsv(reply, run, op, handle, input)
  if (op.produces) {
    const raw = await inTime(
      run,
      op,
      op.effect === 'read' ? handle(openCtx(run), input) : work(run, op, (ctx) => handle(ctx, input)),
    )
    if (op.produces === 'redirect') return sendRedirect(reply, raw)
    return op.produces === 'text/event-stream' ? sendStream(reply, raw) : sendFile(reply, op.produces, raw)
  }
  const use =
    op.effect === 'read'
      ? null
      : keyUseOf(
          request.headers['idempotency-key'],
          run,
          `${op.method} ${op.path}`,
          `${request.url}\n${request.rawBody}`,
        )
  if (op.needsKey && use === null) throw new AppError('IDEMPOTENCY_REQUIRED')
  const { answer, isReplayed } = await inTime(run, op, answerOf(run, op, handle, input, use))
  if (isReplayed) reply.header('idempotency-replayed', 'true')
  return reply
    .code(answer.status)
    .header('content-type', json)
    .send(inLanguage(request, answer.status, answer.body))
}

/** Drawing takes a while and waits its turn: nobody draws for whoever has closed the page. */
function goneOf(op: Op, reply: FastifyReply): AbortSignal | undefined {
  if (op.produces !== 'application/pdf') return undefined
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}

function runOf(deps: Deps, op: Op, turns: Turns, request: FastifyRequest, reply: FastifyReply): Run {
  const { entry } = request
  if (!entry) throw new AppError('NOT_AUTHENTICATED')
  const idempotencyKey = request.headers['idempotency-key']
  return {
    deps,
    ...entry,
    now: deps.now(),
    log: request.log,
    request: {
      id: request.id,
      ip: request.ip,
      userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
      language: languageOf(request.headers['accept-language']),
      idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : null,
      apiGuid: apiGuidOf(request),
      businessGuid: businessGuidOf(request),
      bearer: bearerOf(request),
      gone: goneOf(op, reply),
      raw: op.who === 'webhook' ? { body: request.rawBody, headers: request.headers } : null,
    },
    isOver: false,
    isAudited: false,
    hasEvents: false,
    turns,
    mustAudit: op.effect === 'write' && op.unaudited === undefined,
  }
}

/** Lists may come from a replica; a single record never does, because one looks at it right after changing it. */
const isList = (op: Op) => op.effect === 'read' && op.query instanceof z.ZodObject && 'size' in op.query.shape
const work = <T>(run: Run, op: Op, what: (ctx: Ctx) => Promise<T>): Promise<T> =>
  op.effect === 'write' ? inTransaction(run, what) : what(openCtx(run, isList(op) ? run.deps.reads : run.deps.db))

interface Outcome {
  answer: Answer
  isReplayed: boolean
}

async function answerOf(
  run: Run,
  op: Op,
  handle: Handle,
  input: Record<string, unknown>,
  use: KeyUse | null,
): Promise<Outcome> {
  // Parsing the result through its schema is what keeps unnamed fields inside.
  const make = async (ctx: Ctx): Promise<Answer> => {
    const made = op.response.parse(await handle(ctx, input))
    return { status: op.status, body: success(op.messageOf?.(made) ?? op.message, made) }
  }
  if (op.effect === 'external') return external(run, op, use, make)
  if (!use || op.effect === 'read') return { answer: await work(run, op, make), isReplayed: false }
  const { mustAudit } = run
  return inTransaction(run, async (ctx) => {
    run.kept = null
    const before = await claimInTransaction(ctx.db as Parameters<typeof claimInTransaction>[0], run.deps.keys, use)
    run.mustAudit = mustAudit && before === null
    if (before) return { answer: before, isReplayed: true }
    const answer = await make(ctx)
    // Written with the audit lines, in one statement.
    run.kept = { use, answer }
    return { answer, isReplayed: false }
  })
}

/** The claim is committed before another system is spoken to; a refusal is an answer like any other and kept too. */
async function external(run: Run, op: Op, use: KeyUse | null, make: (ctx: Ctx) => Promise<Answer>): Promise<Outcome> {
  const before = use ? await claimForExternal(run.deps, use) : null
  if (before) return { answer: before, isReplayed: true }
  try {
    const answer = await make(openCtx(run))
    if (use) await keepAnswer(run.deps.db, run.deps.keys, use, answer)
    if (op.method !== 'GET' && op.unaudited === undefined && !run.isAudited)
      run.log.error(`${op.method} ${op.path} left no audit line`)
    return { answer, isReplayed: false }
  } catch (thrown) {
    const error = toAppError(thrown)
    if (use && error.status < 500)
      await keepAnswer(run.deps.db, run.deps.keys, use, { status: error.status, body: failure(error, run.request.id) })
    else if (use) await releaseClaim(run.deps, use)
    throw thrown
  }
}

/** Tells the caller in time that it takes too long; what has not been committed by then never is. */
function inTime<T>(run: Run, op: Op, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        run.isOver = true
        reject(new AppError('OVERLOADED', 'This took too long. Please try again in a moment.'))
      },
      (op.timeoutMs ?? defaultTimeoutMs) - marginMs,
    )
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Set before any route: a route keeps the error handler it was made under. */
export const answerErrors = (app: FastifyInstance) =>
  app.setErrorHandler((error, request, reply) => sendFailure(request, reply, error))

/** The answer for paths that are not there, which may be addresses of the web app. */
export function answerUnknown(
  app: FastifyInstance,
  page: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null,
) {
  app.setNotFoundHandler(
    (request, reply) =>
      page(request, reply) ??
      sendFailure(request, reply, new AppError('NOT_FOUND', 'There’s nothing at this address.')),
  )
}
