import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDataDir } from './data-dir.ts'
import { type Settings, SettingsError } from './env.ts'

export interface Keys {
  /** Signs the tokens of sessions. */
  token: Buffer
  /** What the scheduled-job calls must carry. */
  cron: string
  /** 32 bytes for AES-256-GCM: secrets of others that rest in the database. */
  encryption: Buffer
  /** The password of the database role the product works with. */
  dbPassword: string
  /** Signs the webhooks of the payment sandbox. */
  webhook: string
  /** Seals the logs that the books are proven by. */
  seal: Buffer
  /** Says which master key was used without telling it. */
  fingerprint: string
}

const isSystemError = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code

const readMaster = (path: string): Buffer | null => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return null
    throw new SettingsError(`The key file ${path} cannot be read; give it back to the user this runs as.`, {
      cause: error,
    })
  }
  const found = /"master":\s*"([\w+/=-]{43,})"/.exec(text)?.[1]
  if (!found)
    throw new SettingsError(
      `The key file ${path} is damaged; put it back from a backup, because what it has encrypted cannot be read ` +
        'without it.',
    )
  return Buffer.from(found, 'base64')
}

/** Written aside and linked into place: of two first starts at once one wins, and a killed one leaves no half file. */
const makeMaster = (dataDir: string, path: string): Buffer => {
  ensureDataDir(dataDir)
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  const file = openSync(aside, 'wx', 0o600)
  try {
    writeSync(
      file,
      `${JSON.stringify({ master: randomBytes(32).toString('base64'), madeAt: new Date().toISOString() }, null, 2)}\n`,
    )
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(aside, path)
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
  } finally {
    rmSync(aside, { force: true })
  }
  const master = readMaster(path)
  if (!master) throw new SettingsError(`The key file ${path} could not be kept.`)
  return master
}

/** The keys of this installation, all derived from APP_KEY or from the one made on the first start. */
export const loadKeys = (settings: Pick<Settings, 'appKey' | 'cronKey' | 'dataDir'>): Keys => {
  const path = join(settings.dataDir, 'keys.json')
  const master = settings.appKey
    ? Buffer.from(settings.appKey)
    : (readMaster(path) ?? makeMaster(settings.dataDir, path))
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', master, 'brolga', purpose, 32))
  return {
    token: derive('token'),
    cron: settings.cronKey ?? derive('cron').toString('base64url'),
    encryption: derive('encryption'),
    dbPassword: derive('database').toString('base64url'),
    webhook: derive('webhook').toString('base64url'),
    seal: derive('seal'),
    fingerprint: derive('fingerprint').toString('hex').slice(0, 16),
  }
}

/** Compares secrets in a time that tells nothing about where they differ. */
export const timingSafeEqualText = (a: string, b: string) =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
