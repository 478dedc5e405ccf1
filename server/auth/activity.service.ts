import { sql } from 'kysely'
import type { ActivityEntry } from '../../contract/activity.ts'
import { eventOf, loggedAs } from '../../contract/events.ts'
import { readRight } from '../../contract/nouns.ts'
import type { Ctx } from '../core/ctx.ts'
import { may } from '../core/http/permission.ts'
import { type AuditRow, timelineEntryOf } from '../timeline/timeline.service.ts'

const shown = 50
const read = 200

interface Line extends AuditRow {
  entityGuid: string | null
  /** Whose activity it is. */
  ownName: string
}

/**
 * What a person did, newest first; with `about`, also what others did to the account. Lines about records of a kind the
 * reader may not list at all are left out; whoever did something knows that he did it.
 */
export async function activityOf(ctx: Ctx, userGuid: string, which: 'by' | 'about'): Promise<ActivityEntry[]> {
  const by = sql`(select * from audit_log where actor_guid = ${userGuid}::uuid order by id desc limit ${read})`
  const about = sql`(select * from audit_log where entity = any(${loggedAs('Users')}::text[])
    and entity_guid = ${userGuid}::uuid order by id desc limit ${read})`
  const { rows } =
    await sql<Line>`select l.at, l.action, l.actor_kind, l.actor_name, u.name as user_name, l.after, l.reason,
      l.entity, l.entity_guid, (select name from users where guid = ${userGuid}::uuid) as own_name
    from (${which === 'by' ? by : sql`${by} union ${about}`}) l left join users u on u.guid = l.actor_guid
      order by l.id desc limit ${read}`.execute(ctx.db)
  const isOwn = ctx.actor.kind === 'user' && ctx.actor.userGuid === userGuid
  return rows
    .map((row) => ({ row, noun: eventOf(row.action, row.entity).noun }))
    .filter(({ noun }) => isOwn || noun === 'Users' || may(ctx.actor, ...readRight(noun, 'All')))
    .slice(0, shown)
    .map(({ row, noun }) => {
      const { at, what, by: name, byKind, values } = timelineEntryOf(ctx.actor, row)
      // Who logs in or takes up an invitation is not known as a user until it is done.
      const isOwnDoing = byKind === 'guest' && noun === 'Users' && row.entityGuid === userGuid
      return { at, what, noun, guid: row.entityGuid, by: isOwnDoing ? row.ownName : name, values }
    })
}
