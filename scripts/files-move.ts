import { parseArgs } from 'node:util'
import { type FileStore, makeFolder } from '../server/core/adapters/files.ts'
import { makeS3 } from '../server/core/adapters/files-s3.ts'
import { connect } from '../server/core/db/connect.ts'
import { openDatabase } from '../server/core/db/database.ts'
import { loadSettings, SettingsError } from '../server/core/env.ts'
import { filesUrlRule, readFilesUrl } from '../server/core/files-url.ts'
import { loadKeys } from '../server/core/keys.ts'
import { terminal } from '../server/core/console.ts'
import { allNamed, moveFiles } from '../server/files/files.service.ts'
import { command } from './command.ts'

/** A bucket, or the data folder of an address such as file:///srv/brolga. */
function storeOf(option: 'from' | 'to', url: string): FileStore {
  if (url.startsWith('file:///')) return makeFolder(decodeURIComponent(new URL(url).pathname))
  const place = readFilesUrl(url)
  if (!place) throw new SettingsError(`--${option} ${filesUrlRule}, or a data folder such as file:///srv/brolga.`)
  const { FILES_ACCESS_KEY = '', FILES_SECRET_KEY = '', FROM_ACCESS_KEY, FROM_SECRET_KEY } = process.env
  const own = option === 'from' && FROM_ACCESS_KEY !== undefined && FROM_SECRET_KEY !== undefined
  const [accessKey, secretKey] = own ? [FROM_ACCESS_KEY, FROM_SECRET_KEY] : [FILES_ACCESS_KEY, FILES_SECRET_KEY]
  if (!accessKey || !secretKey) throw new SettingsError('FILES_ACCESS_KEY and FILES_SECRET_KEY must be set.')
  return makeS3({ ...place, accessKey, secretKey })
}

// npm run files-move -- --from <store> --to <store>
await command(async () => {
  const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } })
  const { from, to } = values
  if (!from || !to) throw new SettingsError('npm run files-move takes --from <store> --to <store>.')
  const [source, target] = [storeOf('from', from), storeOf('to', to)]
  const settings = loadSettings()
  const database = await openDatabase(settings, loadKeys(settings), terminal)
  const db = connect(database.app, { poolSize: 1 })
  try {
    const { copied, skipped, missing } = await moveFiles(allNamed(db), source, target)
    for (const sha256 of missing) console.log(`Missing or damaged: ${sha256}`)
    console.log(`Copied ${copied}, skipped ${skipped}, missing ${missing.length}.`)
    if (missing.length > 0) process.exitCode = 1
  } finally {
    await db.destroy()
    await database.stop()
  }
})
