import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { makeFiles } from '../server/core/adapters/files-choose.ts'
import { AppError } from '../contract/core/errors.ts'
import type { AfterRestore } from '../server/core/db/after-restore.ts'
import { connect } from '../server/core/db/connect.ts'
import { openDatabase } from '../server/core/db/database.ts'
import { checkBackup, restore, restoreData } from '../server/core/db/restore.ts'
import { loadSettings, SettingsError } from '../server/core/env.ts'
import { addAnchors } from '../server/core/jobs/anchor.ts'
import { loadKeys } from '../server/core/keys.ts'
import { terminal } from '../server/core/console.ts'
import { missingFiles, putBack } from '../server/files/files.service.ts'
import { lastSeals } from '../server/ledger/seals.ts'
import { command } from './command.ts'

// npm run restore -- <folder> [--last invoice=INV-1042 --last quote=Q-77 …] [--gap] [--new-links]
await command(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      last: { type: 'string', multiple: true, default: [] },
      gap: { type: 'boolean', default: false },
      'new-links': { type: 'boolean', default: false },
    },
  })
  if (!positionals[0])
    throw new SettingsError('Name the folder of the backup: npm run restore -- data/backups/2026-07-01T02-00-00')
  const startedAt = performance.now()
  const settings = loadSettings()
  const folder = resolve(positionals[0])
  const manifest = await checkBackup(folder)
  restoreData(folder, settings.dataDir)
  const keys = loadKeys(settings)
  if (keys.fingerprint !== manifest.keyFingerprint)
    throw new SettingsError(
      'The key here is not the one of the backup, so its secrets could not be read; ' +
        'restore into an empty DATA_DIR, or set APP_KEY to the one it was made with.',
    )
  // The files first: where their store can't be reached, nothing has been done yet.
  const files = makeFiles(settings)
  const kept = await putBack(folder, files).catch((cause: unknown) => {
    if (!(cause instanceof AppError)) throw cause
    throw new SettingsError('The store of files can’t be reached: check FILES_URL and its keys. Nothing was restored.')
  })
  const database = await openDatabase(settings, keys, terminal)
  try {
    const now = new Date()
    const report = `restore-${now.toISOString().slice(0, 19).replaceAll(':', '-')}.txt`
    const after: AfterRestore = {
      madeAt: manifest.madeAt,
      now,
      report,
      lastGiven: asked(values.last, values.gap),
      hasNewLinks: values['new-links'],
    }
    const unknown = await restore(database.owner, database.appRole, folder, manifest, terminal, after)
    const missing = await missingFiles(database.owner, files, kept)
    unknown.push(
      missing.length === 0
        ? `${kept.size} files are in the store.`
        : `${kept.size} files are in the store. ${missing.length} are missing there and in the backup:\n` +
            missing.map(({ sha256, name }) => `  ${sha256}${name === null ? '' : `  ${name}`}`).join('\n'),
    )
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    const head = `Restored ${rows.toLocaleString('en')} rows as of ${manifest.madeAt} in ${seconds} s.`
    writeFileSync(join(settings.dataDir, report), `${[`${head} (${now.toISOString()})`, ...unknown].join('\n\n')}\n`, {
      mode: 0o600,
    })
    await anchorAnew(database.app, settings.dataDir, now)
    console.log(
      [
        head,
        ...unknown,
        `This is kept in ${join(settings.dataDir, report)}. Now run npm run verify-ledger, then npm start.`,
      ].join('\n\n'),
    )
  } finally {
    await database.stop()
  }
})

/**
 * The last numbers given: as the options say, else as somebody at the terminal says; where nobody does, a gap is left.
 */
function asked(last: readonly string[], isGap: boolean): AfterRestore['lastGiven'] {
  const given = new Map(last.map((text) => [text.split('=', 1)[0] ?? '', text.slice(text.indexOf('=') + 1)]))
  return async (counter, gap) => {
    const named = given.get(counter.kind)
    if (named !== undefined) return named
    if (isGap || last.length > 0 || !process.stdin.isTTY) return null
    const terminalLines = createInterface({ input: process.stdin, output: process.stdout })
    try {
      return (
        (
          await terminalLines.question(
            `${counter.business}: last ${counter.kind} number given ` +
              `(in the backup ${counter.prefix}${counter.next - 1}; leave empty to leave out ${gap} numbers): `,
          )
        ).trim() || null
      )
    } finally {
      terminalLines.close()
    }
  }
}

/** How far the logs were sealed before this restore does not hold for the database that is here now. */
async function anchorAnew(app: Parameters<typeof connect>[0], dataDir: string, now: Date) {
  const db = connect(app, { poolSize: 1 })
  try {
    addAnchors(
      dataDir,
      (await lastSeals(db)).map((seal) => ({ ...seal, at: now.toISOString(), because: 'restored' as const })),
    )
  } finally {
    await db.destroy()
  }
}
