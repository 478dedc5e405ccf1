import { startEmbedded } from '../../server/core/db/embedded.ts'
import { quiet } from '../../server/core/console.ts'

// A process of its own for the tests of the embedded database: starts it, tells its number, and stops it when asked to.
const server = await startEmbedded({ dataDir: process.argv[2] ?? '', log: quiet, durable: false })
process.stdout.write(`${JSON.stringify({ pid: server.pid, adopted: server.adopted, host: server.host })}\n`)
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)))
setInterval(() => undefined, 1000)
