import { type App, buildApp } from '../server/app.ts'
import type { Database } from '../server/core/db/database.ts'
import type { Embedded } from '../server/core/db/embedded.ts'
import { loadSettings } from '../server/core/env.ts'
import { loadKeys } from '../server/core/keys.ts'
import { makeLog } from '../server/core/log.ts'
import { makeExplainer, nodesOf, type PlanNode, rowsOf } from './explain.ts'
import { apiRoot } from './product.ts'
import { dataDir, password } from './reference.ts'

/** The product in this process, where every statement of a request can be explained. */
export interface InProcess {
  app: App
  /** Null where the answer is that there is no such thing, or that this cannot be asked. */
  look(path: string): Promise<Look | null>
  close(): Promise<void>
}

export interface Look {
  path: string
  ms: number
  /** Rows that the scans of all its statements touched. */
  rowsRead: number
  nodes: PlanNode[]
}

async function logIn(app: App): Promise<Record<string, string>> {
  const answer = await app.fastify.inject({
    method: 'POST',
    url: `${apiRoot}/Kernal/Users/Auth/Login`,
    payload: { authID: 'admin@demo.example', authPassword: password },
  })
  return answer.json<{ serviceData: { headers: Record<string, string> } }>().serviceData.headers
}

export async function openInProcess(server: Embedded, database: string, folder = dataDir): Promise<InProcess> {
  const settings = loadSettings({
    DATA_DIR: folder,
    MODE: 'production',
    SCHEDULER: 'off',
    PAYMENT_PROVIDER: 'none',
    PORT: '0',
  })
  const app = await buildApp({
    settings,
    keys: loadKeys(settings),
    database: reach(server, database),
    log: makeLog('silent'),
    hasWorkers: false,
  })
  const { plans, state } = makeExplainer(app)
  const headers = await logIn(app)
  const look = async (path: string) => {
    const get = () => app.fastify.inject({ method: 'GET', url: path, headers })
    const startedAt = performance.now()
    const answer = await get()
    const ms = performance.now() - startedAt
    // Some ask for more than a list does, and some are for development alone.
    if (answer.statusCode === 404 || answer.statusCode === 400) return null
    if (answer.statusCode >= 400) throw new Error(`${path}: ${answer.body}`)
    plans.length = 0
    state.isOn = true
    await get()
    state.isOn = false
    const nodes = plans.flatMap(nodesOf)
    return { path, ms, rowsRead: nodes.reduce((sum, node) => sum + rowsOf(node), 0), nodes }
  }
  return { app, look, close: () => app.close() }
}

export const appRole = 'brolga_app'
const reach = (server: Embedded, database: string): Pick<Database, 'app' | 'read'> => ({
  app: { host: server.host, port: server.port, user: appRole, database },
  read: null,
})
