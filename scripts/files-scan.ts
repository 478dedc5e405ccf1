import { buildApp } from '../server/app.ts'
import { openDatabase } from '../server/core/db/database.ts'
import { migrate } from '../server/core/db/migrate.ts'
import { loadSettings, SettingsError } from '../server/core/env.ts'
import { loadKeys } from '../server/core/keys.ts'
import { openLog } from '../server/core/log.ts'
import { openCtx, systemRun } from '../server/core/run.ts'
import { terminal } from '../server/core/console.ts'
import { scanUnchecked } from '../server/files/files.service.ts'
import { command } from './command.ts'

// npm run files-scan: checks files that came before SCAN_URL was set
await command(async () => {
  const settings = loadSettings()
  if (settings.scanUrl === undefined)
    throw new SettingsError('SCAN_URL must be set: it says who checks files for viruses.')
  const keys = loadKeys(settings)
  const database = await openDatabase(settings, keys, terminal)
  await migrate(database.owner, database.appRole, terminal)
  const app = await buildApp({ settings, keys, database, log: openLog(settings), hasWorkers: false })
  try {
    const { clean, infected, failed } = await scanUnchecked(openCtx(systemRun(app.deps, 'files-scan')))
    console.log(`Checked ${clean + infected} files: ${clean} clean, ${infected} infected. Not checked: ${failed}.`)
    if (failed > 0) process.exitCode = 1
  } finally {
    await app.close()
    await database.stop()
  }
})
