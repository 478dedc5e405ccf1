import { sql } from 'kysely'
import { factsKindOf } from '../../contract/event-log.ts'
import type { EventName } from '../../contract/events.ts'
import type { NounName } from '../../contract/nouns.ts'
import { templateKindFacts } from '../../contract/template-kinds.ts'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import type { ToldValues } from '../core/db/schema-events.ts'
import { inTransaction, systemRun } from '../core/run.ts'
import { recordFields } from '../messages/trial.service.ts'

/** An event that was taken up, with what is known of its record. */
export interface TakenEvent {
  guid: string
  key: EventName
  noun: NounName
  recordGuid: string
  businessGuid: string | null
  values: ToldValues
  facts: Record<string, unknown> | null
  depth: number
  rootGuid: string
  at: string
}
/** What begins with an event, in the transaction that takes it up. */
export type Begin = (ctx: Ctx, event: TakenEvent) => Promise<void>

/** What templates may say of the record of an event now; null where no template is about such records. */
export async function readFacts(
  ctx: Pick<Ctx, 'db' | 'deps'>,
  { noun, recordGuid, businessGuid }: Pick<TakenEvent, 'noun' | 'recordGuid' | 'businessGuid'>,
): Promise<Record<string, unknown> | null> {
  const kind = factsKindOf(noun)
  if (!kind || !businessGuid) return null
  const { record } = templateKindFacts[kind]
  const source = { businessGuid, kind, record, guid: recordGuid }
  return { ...(await recordFields({ db: ctx.db, deps: ctx.deps }, source)) }
}

const columns = ['guid', 'key', 'noun', 'recordGuid', 'businessGuid', 'values', 'depth', 'rootGuid', 'at'] as const

const lockNext = (ctx: Ctx, passedOver: readonly string[]) =>
  ctx.db
    .selectFrom('events')
    .select(columns)
    .where('takenAt', 'is', null)
    .where(sql<boolean>`not guid = any(${passedOver}::uuid[])`)
    .orderBy('at')
    .orderBy('guid')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

async function takeUp(ctx: Ctx, event: Omit<TakenEvent, 'facts'>, begin: Begin): Promise<void> {
  const facts = await readFacts(ctx, event)
  await ctx.db
    .updateTable('events')
    .set({ facts: facts && JSON.stringify(facts), takenAt: ctx.now })
    .where('guid', '=', event.guid)
    .execute()
  await begin(ctx, { ...event, facts })
}

/**
 * Takes up what is new, each event in a transaction of its own, whoever else is at it. One that cannot be taken up is
 * passed over until the next time, and holds up none of the others.
 */
export async function takeEvents(
  { deps, log }: Pick<OpenCtx, 'deps' | 'log'>,
  hasTime: () => boolean,
  begin: Begin,
): Promise<{ succeeded: number; failed: number; remaining: number }> {
  const passedOver: string[] = []
  let succeeded = 0
  while (hasTime()) {
    let guid: string | null = null
    try {
      await inTransaction(systemRun(deps, 'events'), async (ctx) => {
        const next = await lockNext(ctx, passedOver)
        guid = next?.guid ?? null
        if (next) await takeUp(ctx, next, begin)
      })
      if (guid === null) return { succeeded, failed: passedOver.length, remaining: 0 }
      succeeded++
    } catch (error) {
      log.error({ err: error, event: guid }, 'an event could not be taken up')
      if (guid === null) throw error
      passedOver.push(guid)
    }
  }
  return { succeeded, failed: passedOver.length, remaining: 1 }
}
