import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { SettingsError } from './env.ts'

export const runsAsRoot = () => process.getuid?.() === 0

/** Makes the data folder. Started by root it can be walked through, because the database in it runs as another user. */
export const ensureDataDir = (dataDir: string) => {
  try {
    if (!existsSync(dataDir)) {
      mkdirSync(dataDir, { recursive: true })
      chmodSync(dataDir, runsAsRoot() ? 0o711 : 0o700)
    }
    if (!statSync(dataDir).isDirectory()) throw new Error('not a folder')
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new SettingsError(`The data folder ${dataDir} cannot be written; set DATA_DIR to one that can.`, {
      cause: error,
    })
  }
}
