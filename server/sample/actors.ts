import { findBusiness } from '../core/business.ts'
import { catalogue } from '../../contract/api.ts'
import { buildAbility } from '../../contract/core/ability.ts'
import type { Op } from '../../contract/core/op.ts'
import { firstBusiness } from '../businesses/businesses.service.ts'
import type { Actor, Ctx, OpenCtx } from '../core/ctx.ts'
import type { Deps } from '../core/deps.ts'
import { hashPassword } from '../core/passwords.ts'
import { inTransaction, openCtx, type Run, systemRun } from '../core/run.ts'
import { seedRoles } from '../roles/sample-roles.service.ts'
import { type FirstRun, makeUser } from '../users/setup.service.ts'
import { people, type PersonKey } from './company.ts'

export type Crew = Record<PersonKey, Actor>

/** Rights are tried out by requests; on this stage everybody may play the part that is written. */
const rules = [
  {
    subject: 'all',
    action: 'manage' as const,
    conditions: null,
    enabled: true,
    priority: 0,
    inverted: false,
    apiGuidRequired: false,
    authorizationHeaderRequired: false,
  },
]
const rights = { rules, ability: buildAbility(rules) }

/**
 * The people of the sample company, each with the role their login speaks of; whoever sets the
 * product up is its administrator.
 */
export async function makeCrew(
  deps: Deps,
  password: string,
  now: Date,
  administrator?: FirstRun['administrator'],
): Promise<Crew> {
  const passwordHash = await hashPassword(password)
  const isTaken = (login: string) => login === administrator?.authId.toLowerCase()
  const crew = await inTransaction({ ...systemRun(deps, 'sample'), now }, async (ctx) => {
    const roles = await seedRoles(ctx.db, catalogue)
    const made: [PersonKey, Actor][] = []
    for (const [key, firstName, lastName, role] of people) {
      const email = `${key}@demo.example`
      const sample = { authId: isTaken(email) ? `sample-${email}` : email, firstName, lastName, email, passwordHash }
      const person = (key === 'admin' && administrator) || sample
      const userGuid = await makeUser(ctx, { ...person, roleGuid: roles[role] })
      made.push([
        key,
        {
          kind: 'user',
          apiGuid: userGuid,
          sessionGuid: userGuid,
          userGuid,
          name: `${person.firstName} ${person.lastName}`.trim(),
          roleGuid: roles[role],
          ...rights,
          worksIn: null,
        },
      ])
    }
    return Object.fromEntries(made) as Crew
  })
  deps.rights.forget()
  return crew
}

/** A customer on the page of a document. */
export const guest = (apiGuid: string): Actor => ({
  kind: 'guest',
  apiGuid,
  sessionGuid: apiGuid,
  roleGuid: apiGuid,
  ...rights,
})

/** Runs the product's own services as somebody at some time, through the same schemas a request passes. */
export interface Stage {
  at: Date
  by: Actor
  deps: Deps
  /** The business it is done for; the first one when not said. */
  businessGuid?: string
}

async function runOf({ at, by, deps, businessGuid }: Stage): Promise<Run> {
  const named = businessGuid === undefined ? undefined : await findBusiness(deps.db, businessGuid)
  const business = named ?? (await firstBusiness(deps.db))
  const clocked: Deps = { ...deps, now: () => at }
  return { ...systemRun(clocked, 'sample'), actor: by, business, now: at }
}

/**
 * Takes the place of the queue: what a step leaves to be done afterwards is done right after it,
 * at the same time of the story.
 */
export function withoutQueue(deps: Deps): { deps: Deps; left: { queue: string; data: object }[] } {
  const left: { queue: string; data: object }[] = []
  const send = (queue: string, data: object) => {
    left.push({ queue, data })
    return Promise.resolve(null)
  }
  return {
    deps: {
      ...deps,
      boss: Object.assign(Object.create(deps.boss) as typeof deps.boss, { send }),
    },
    left,
  }
}

type Handler<R, C> = (ctx: C, input: never) => Promise<R>

export function play<R>(
  stage: Stage,
  op: Op & { effect: 'external' },
  handler: Handler<R, OpenCtx>,
  input: Record<string, unknown>,
): Promise<R>
export function play<R>(stage: Stage, op: Op, handler: Handler<R, Ctx>, input: Record<string, unknown>): Promise<R>
export async function play<R>(
  stage: Stage,
  op: Op,
  handler: Handler<R, OpenCtx>,
  input: Record<string, unknown>,
): Promise<R> {
  const { guid, ...body } = input
  const parsed = { ...(guid ? { guid } : {}), ...(op.body.parse(body) as object) } as never
  const run = await runOf(stage)
  return op.effect === 'external'
    ? handler(openCtx(run), parsed)
    : inTransaction(run, (ctx) => (handler as Handler<R, Ctx>)(ctx, parsed))
}

export const onStage = async <R>(stage: Stage, work: (ctx: Ctx) => Promise<R>): Promise<R> =>
  inTransaction(await runOf(stage), work)
