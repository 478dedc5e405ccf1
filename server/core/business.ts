import type { Selectable } from 'kysely'
import type { Db } from './ctx.ts'
import type { Businesses } from './db/schema-business.ts'

export type BusinessRow = Selectable<Businesses>

/** A business as it was when its row was last written: PostgreSQL gives each writing a number of its own. */
interface BusinessRevision {
  guid: string
  revision: string
}

export interface BusinessCache {
  /** The business as of a revision that was read from the database just now. */
  of(db: Db, { guid, revision }: BusinessRevision): Promise<BusinessRow>
}

const maxBusinesses = 100

/** The row of a business is wanted by nearly every request and changes hardly ever. */
export function makeBusinesses(): BusinessCache {
  const known = new Map<string, { revision: string; row: BusinessRow }>()
  return {
    of: async (db, { guid, revision }) => {
      const before = known.get(guid)
      if (before?.revision === revision) return before.row
      const row = await findBusiness(db, guid)
      if (!row) throw new Error(`there is no business ${guid}`)
      if (known.size >= maxBusinesses) known.clear()
      known.set(guid, { revision, row })
      return row
    },
  }
}

export const findBusiness = (db: Db, guid: string): Promise<BusinessRow | undefined> =>
  db.selectFrom('businesses').selectAll().where('guid', '=', guid).executeTakeFirst()
