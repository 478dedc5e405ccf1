import { chmodSync, existsSync, mkdirSync } from 'node:fs'

export const runsAsRoot = () => process.getuid?.() === 0

/** Makes the data folder. Started by root it can be walked through, because the database in it runs as another user. */
export const ensureDataDir = (dataDir: string) => {
  if (existsSync(dataDir)) return
  mkdirSync(dataDir, { recursive: true })
  chmodSync(dataDir, runsAsRoot() ? 0o711 : 0o700)
}
