import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { makeFiles } from '../server/core/adapters/files-choose.ts'
import { backUp } from '../server/core/db/backup.ts'
import { connect } from '../server/core/db/connect.ts'
import { openDatabase } from '../server/core/db/database.ts'
import { loadSettings, SettingsError } from '../server/core/env.ts'
import { loadKeys } from '../server/core/keys.ts'
import { terminal } from '../server/core/console.ts'
import { filesToBackUp } from '../server/files/files.service.ts'
import { command } from './command.ts'

// npm run backup -- [folder]
await command(async () => {
  const settings = loadSettings()
  if (!settings.databaseUrl && !existsSync(join(settings.dataDir, 'postgres')))
    throw new SettingsError(`There is no database in ${settings.dataDir}; set DATA_DIR to the folder of the product.`)
  const startedAt = performance.now()
  const folder = resolve(
    process.argv[2] ?? join(settings.dataDir, 'backups', new Date().toISOString().slice(0, 19).replaceAll(':', '-')),
  )
  const keys = loadKeys(settings)
  const database = await openDatabase(settings, keys, terminal)
  const db = connect(database.app, { poolSize: 1 })
  try {
    const { tables, missing = [] } = await backUp(
      {
        owner: database.owner,
        dataDir: settings.dataDir,
        keyFingerprint: keys.fingerprint,
        files: filesToBackUp(db, makeFiles(settings)),
      },
      folder,
    )
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(
      `Backed up ${rows.toLocaleString('en')} rows of ${tables.length} tables, the files and the keys ` +
        `in ${((performance.now() - startedAt) / 1000).toFixed(1)} s: ${folder}`,
    )
    console.log('It holds the keys of this installation: keep it as safe as they are.')
    for (const sha256 of missing) console.log(`Missing or damaged in the store of files: ${sha256}`)
    if (missing.length > 0) process.exitCode = 1
  } finally {
    await db.destroy()
    await database.stop()
  }
})
