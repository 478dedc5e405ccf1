import { z } from 'zod'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Action = 'read' | 'create' | 'update' | 'delete' | 'manage'

/**
 * What a request may do. `read` runs on the pool; `write` is one transaction around the handler; `external` handlers
 * open short transactions themselves, because they talk to other systems and that must never happen inside one.
 */
export type Effect = 'read' | 'write' | 'external'

/**
 * Which kinds of caller the operation is for. `public` needs no token, `guest` a guest or staff token, `staff` a token
 * with user data, `cron` the cron key or a staff token, `webhook` a signature that the handler checks itself.
 */
export type Who = 'public' | 'guest' | 'staff' | 'cron' | 'webhook'

/**
 * What else may be in the way of a caller who has the right: a second factor that is not set up yet, a role
 * that is only tried, maintenance.
 */
type Barrier = 'two-step' | 'trying' | 'maintenance'

/** Rate-limit class: how dear a call is. `normal` when not said. */
export type Cost = 'normal' | 'costly' | 'login' | 'guest'

type ParamNames<P extends string> = P extends `${string}:${infer N}/${infer Rest}`
  ? N | ParamNames<`/${Rest}`>
  : P extends `${string}:${infer N}`
    ? N
    : never
export type PathParams<P extends string> = { [K in ParamNames<P>]: string }

export interface Op<
  P extends string = string,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  method: Method
  /** Below `/api/v2`; parameters as `:guid`. */
  path: P
  effect: Effect
  can: readonly [Action, string]
  who: Who
  query: Q
  body: B
  /** The schema of `serviceData`: what it does not name never leaves the server. */
  response: R
  status: number
  /** The sentence in the success envelope. */
  message: string
  /** The sentence where it depends on what became of it; `message` then is what is usual. */
  messageOf?(answer: z.output<R>): string
  /** One line for the API description. */
  summary: string
  cost?: Cost
  /** Client timeout in milliseconds; 10,000 when not said. */
  timeoutMs?: number
  /** Barriers that do not stop this operation: the ways out of them, mostly. */
  passes?: readonly Barrier[]
  /** How much a request may bring; 1 MiB when not said. */
  maxBodyBytes?: number
  /** Moves money: refused without an `Idempotency-Key`, so that asking again can never move it twice. */
  needsKey?: boolean
  /** The path names a link that only a customer knows: misses are counted, and whoever guesses has to wait. */
  byLink?: true
  /** The body may come as a form, too, of which nothing is read: what it does is said by its path. */
  takesForm?: true
  /** Why a write leaves no line in the audit log. */
  unaudited?: string
  /** Columns of the CSV export, in order; only on list operations. */
  columns?: Columns
  /** Columns of the export as other programs want them, by what `format` calls them. */
  formats?: Readonly<Record<string, Columns>>
  /**
   * The answer is not JSON: its media type. The handler returns `{ bytes, fileName }` or a text; of a `file` it says
   * the type itself, and names the bytes: `{ bytes, fileName, mime, etag }`. A `redirect` leads to `{ location }`.
   */
  produces?: 'application/pdf' | 'text/csv' | 'text/event-stream' | 'file' | 'redirect'
}

/** Heading per exported field. */
export type Columns = Readonly<Record<string, string>>

/** The empty object, for operations without query or body. Unknown keys are refused. */
const none = z.strictObject({}) as unknown as z.ZodType<object, object>
type None = typeof none
/** Whether what an operation takes comes in its body. */
export const hasBody = ({ body }: { body: z.ZodType }): boolean => body !== none

type Given<P extends string, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType, E extends Effect> = Omit<
  Op<P, Q, B, R>,
  'effect' | 'query' | 'body' | 'status' | 'message' | 'who' | 'method'
> & {
  effect: E
  query?: Q
  body?: B
  status?: number
  message?: string
  who?: Who
}

type Made<P extends string, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType, E extends Effect> = Op<
  P,
  Q,
  B,
  R
> & { effect: E }

function make<P extends string, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType, E extends Effect>(
  method: Method,
  given: Given<P, Q, B, R, E>,
): Made<P, Q, B, R, E> {
  return {
    status: 200,
    message: 'OK',
    who: 'staff',
    ...given,
    method,
    query: given.query ?? (none as unknown as Q),
    body: given.body ?? (none as unknown as B),
  }
}

export const get = <const P extends string, R extends z.ZodType, const E extends Effect, Q extends z.ZodType = None>(
  given: Given<P, Q, None, R, E>,
) => make<P, Q, None, R, E>('GET', given)
export const post = <
  const P extends string,
  R extends z.ZodType,
  const E extends Effect,
  Q extends z.ZodType = None,
  B extends z.ZodType = None,
>(
  given: Given<P, Q, B, R, E>,
) => make<P, Q, B, R, E>('POST', given)
export const patch = <
  const P extends string,
  R extends z.ZodType,
  const E extends Effect,
  Q extends z.ZodType = None,
  B extends z.ZodType = None,
>(
  given: Given<P, Q, B, R, E>,
) => make<P, Q, B, R, E>('PATCH', given)
export const del = <
  const P extends string,
  R extends z.ZodType,
  const E extends Effect,
  Q extends z.ZodType = None,
  B extends z.ZodType = None,
>(
  given: Given<P, Q, B, R, E>,
) => make<P, Q, B, R, E>('DELETE', given)

type ParamsOf<O> = O extends Op<infer P, z.ZodType, z.ZodType, z.ZodType> ? PathParams<P> : never
/** What the handler gets: path parameters, query and body in one object, parsed. */
export type Input<O extends Op> = ParamsOf<O> & z.output<O['query']> & z.output<O['body']>
/** What the caller receives as `serviceData`. */
export type Output<O extends Op> = z.output<O['response']>
/** What the handler returns, before stripping. */
export type Returned<O extends Op> = z.input<O['response']>

export type Api = Readonly<Record<string, Op>>

/** A document drawn as PDF: that waits its turn, and longer than the worker may draw before it is given up (30 s). */
export const drawnPdf = { effect: 'external', cost: 'costly', produces: 'application/pdf', timeoutMs: 40_000 } as const

/**
 * The CSV of exactly what a list shows, at `<list path>/Export`: the server runs the list's own handler page by page.
 */
export function exportOf<P extends string, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  list: Op<P, Q, B, R>,
  columns: Columns,
): Op<`${P}/Export`, Q, B, z.ZodAny> & { exports: true } {
  return {
    ...list,
    path: `${list.path}/Export`,
    columns,
    produces: 'text/csv',
    cost: 'costly',
    timeoutMs: 20_000,
    summary: `${list.summary} as CSV`,
    response: z.any(),
    exports: true,
  }
}

/**
 * The same with columns of other programs: `format` says whose. Its own handler answers pages, whose rows have those
 * columns by their headings.
 */
export function exportIn<
  P extends string,
  Q extends z.ZodObject,
  B extends z.ZodType,
  R extends z.ZodType,
  const F extends string,
>(list: Op<P, Q, B, R>, columns: Columns, formats: Readonly<Record<F, readonly string[]>>) {
  const names = Object.keys(formats) as [F, ...F[]]
  const { exports: _shared, ...op } = exportOf(list, columns)
  return {
    ...op,
    effect: 'read' as const,
    query: list.query.extend({ format: z.enum(names).optional() }) as unknown as z.ZodType<
      z.output<Q> & { format?: F },
      z.input<Q> & { format?: F }
    >,
    formats: Object.fromEntries(
      names.map((name) => [name, Object.fromEntries(formats[name].map((heading) => [heading, heading]))]),
    ) as Readonly<Record<F, Columns>>,
  }
}
