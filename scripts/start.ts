import { ensureWebBuilt } from './web-build.ts'

await ensureWebBuilt()
await import('../server/main.ts')
