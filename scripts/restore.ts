import { resolve } from 'node:path'
import { openDatabase } from '../server/core/db/database.ts'
import { checkBackup, restore, restoreFiles } from '../server/core/db/restore.ts'
import { loadSettings, SettingsError } from '../server/core/env.ts'
import { loadKeys } from '../server/core/keys.ts'
import { terminal } from '../server/core/say.ts'
import { command } from './command.ts'

// npm run restore -- <folder>
await command(async () => {
  if (!process.argv[2]) throw new SettingsError('Name the folder of the backup: npm run restore -- data/backups/2026-07-01T02-00-00')
  const startedAt = performance.now()
  const settings = loadSettings()
  const folder = resolve(process.argv[2])
  const manifest = await checkBackup(folder)
  restoreFiles(folder, settings.dataDir)
  const keys = loadKeys(settings)
  if (keys.fingerprint !== manifest.keyFingerprint) throw new SettingsError('The key here is not the one of the backup, so its secrets could not be read; restore into an empty DATA_DIR, or set APP_KEY to the one it was made with.')
  const database = await openDatabase(settings, keys, terminal)
  try {
    await restore(database.owner, database.appRole, folder, manifest, terminal)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(`Restored ${rows.toLocaleString('en')} rows as of ${manifest.madeAt} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
  } finally {
    await database.stop()
  }
})
