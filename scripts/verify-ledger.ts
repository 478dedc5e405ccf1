import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../server/core/db/connect.ts'
import { openDatabase } from '../server/core/db/database.ts'
import { loadSettings, SettingsError } from '../server/core/env.ts'
import { addAnchors, lastAnchors } from '../server/core/jobs/anchor.ts'
import { loadKeys } from '../server/core/keys.ts'
import { terminal } from '../server/core/console.ts'
import { lastSeals } from '../server/ledger/seals.ts'
import { verifyLedger } from '../server/ledger/verify.ts'
import { command } from './command.ts'

// npm run verify-ledger [-- --accept]   `--accept` takes how far the logs are sealed from this database, from now on
await command(async () => {
  const settings = loadSettings()
  if (!settings.databaseUrl && !existsSync(join(settings.dataDir, 'postgres')))
    throw new SettingsError(`There is no database in ${settings.dataDir}; set DATA_DIR to the folder of the product.`)
  const startedAt = performance.now()
  const keys = loadKeys(settings)
  const database = await openDatabase(settings, keys, terminal)
  const db = connect(database.app, { poolSize: 1 })
  try {
    if (process.argv.includes('--accept')) {
      const at = new Date().toISOString()
      addAnchors(
        settings.dataDir,
        (await lastSeals(db)).map((seal) => ({ ...seal, at, because: 'accepted' as const })),
      )
      console.log(
        'The logs of this database are taken as they are. What was cut off before now will not be told again.',
      )
    }
    const { ok, problems, checked } = await verifyLedger(db, { key: keys.seal, anchors: lastAnchors(settings.dataDir) })
    for (const { code, entity, guid, number, message } of problems)
      console.log(`${code}  ${entity} ${number ?? ''} ${message}${guid ? `  (${guid})` : ''}`.replace(/ {3,}/g, '  '))
    const looked = Object.entries(checked).map(
      ([name, count]) => `${count.toLocaleString('en')} ${name.replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`)}`,
    )
    console.log(`Checked ${looked.join(', ')} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
    console.log(ok ? 'The ledger is in order.' : `The ledger is not in order: ${problems.length} problems.`)
    if (!ok) process.exitCode = 1
  } finally {
    await db.destroy()
    await database.stop()
  }
})
