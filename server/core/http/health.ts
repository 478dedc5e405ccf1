import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'

/** `live`: the process answers. `ready`: the database does too, and it is as new as this program. */
export function serveHealth(app: FastifyInstance, deps: Pick<Deps, 'db'>, migrations: number) {
  app.get('/health/live', () => ({ status: 'live' }))
  app.get('/health/ready', async (_request, reply) => {
    try {
      const { rows } = await sql<{ last: number | null }>`select schema_version() as last`.execute(deps.db)
      if ((rows[0]?.last ?? 0) >= migrations) return { status: 'ready' }
      return await reply
        .code(503)
        .header('retry-after', '2')
        .send({ status: 'the database is older than this program' })
    } catch {
      return reply.code(503).header('retry-after', '2').send({ status: 'the database does not answer' })
    }
  })
}
