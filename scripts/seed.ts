import { buildApp } from '../server/app.ts'
import { openDatabase } from '../server/core/db/database.ts'
import { migrate } from '../server/core/db/migrate.ts'
import { loadSettings, SettingsError } from '../server/core/env.ts'
import { loadKeys } from '../server/core/keys.ts'
import { openLog } from '../server/core/log.ts'
import { terminal } from '../server/core/console.ts'
import { ensureSample, loginsText } from '../server/demo.ts'
import { hasLarge, makeLarge, referenceSize } from '../server/sample/large.ts'
import { seedSample } from '../server/sample/sample.ts'
import { command } from './command.ts'

// npm run seed -- [--scale large]: the sample company, and on request the reference data that speed is measured with.
await command(async () => {
  const scale = /^--scale(?:=| )?(\w*)$/.exec(process.argv.slice(2).join(' '))?.[1] ?? 'small'
  if (scale !== 'small' && scale !== 'large')
    throw new SettingsError('npm run seed takes --scale small or --scale large.')
  const settings = loadSettings()
  const keys = loadKeys(settings)
  const database = await openDatabase(settings, keys, terminal)
  await migrate(database.owner, database.appRole, terminal)
  const app = await buildApp({ settings, keys, database, log: openLog(settings), hasWorkers: false })
  try {
    await ensureSample(
      settings,
      (await app.setupLink()) !== null,
      async (password) => void (await seedSample(app, { password })),
    )
    const { db } = app.deps
    if (scale === 'large' && !(await hasLarge(db))) {
      console.log(
        `Making the reference data: ${Object.entries(referenceSize)
          .map(([what, n]) => `${n.toLocaleString('en')} ${what}`)
          .join(', ')} …`,
      )
      const startedAt = performance.now()
      await makeLarge(db, database.owner)
      console.log(`Made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`)
    }
    console.log(`The sample company is there.\n\n${loginsText(settings)}`)
  } finally {
    await app.close()
    await database.stop()
  }
})
