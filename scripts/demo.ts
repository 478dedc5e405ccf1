import { ensureWebBuilt } from './web-build.ts'

process.env.MODE ??= 'demo'
await ensureWebBuilt()
await import('../server/main.ts')
