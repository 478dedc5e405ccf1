import { sql } from 'kysely'

type Since = 'welcomeSince' | 'followUpSince'

/** Since when the business `b` of a query sends such emails; null where it doesn’t. */
export const emailsSince = (column: Since) => sql<string | null>`(select case when a.business_guid is null
    then b.created_at else ${sql.ref(`a.${column}`)} end
  from (values (1)) x left join automatic_emails a on a.business_guid = b.guid)`
