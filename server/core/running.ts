import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureDataDir } from './data-dir.ts'
import { type Settings, urlHost } from './env.ts'
import { tryLock } from './lock.ts'

interface Running {
  pid: number
  /** Where people reach it. */
  address: string
  /** Where this machine reaches it, whatever stands in between. */
  local: string
}
export interface Claim {
  /** Tells later starts where this one is. */
  announce(address: string): void
  release(): void
}

const readRunning = (path: string): Running | null => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Running
  } catch {
    return null
  }
}

const answers = async (address: string) => {
  try {
    return (await fetch(`${address}/health/live`, { signal: AbortSignal.timeout(1000) })).ok
  } catch {
    return false
  }
}

/**
 * Says that this process runs the product, or where the one is that does so already. There is one demo in a data
 * folder; several servers may share one, each on its own port.
 */
export const claimRunning = async (settings: Settings, secondsToWait = 60): Promise<Claim | Running> => {
  ensureDataDir(settings.dataDir)
  const name = settings.mode === 'production' ? `running-${settings.port || process.pid}` : 'running'
  const file = join(settings.dataDir, `${name}.json`)
  for (const deadline = performance.now() + secondsToWait * 1000; ; await sleep(100)) {
    const held = tryLock(join(settings.dataDir, `${name}.lock`), 'exclusive')
    if (held) {
      rmSync(file, { force: true })
      return {
        announce: (address) => {
          const local = settings.port === 0 ? address : `http://${urlHost(settings.host)}:${settings.port}`
          writeFileSync(`${file}.new`, `${JSON.stringify({ pid: process.pid, address, local } satisfies Running)}\n`)
          renameSync(`${file}.new`, file)
        },
        release: () => {
          rmSync(file, { force: true })
          held.release()
        },
      }
    }
    const running = existsSync(file) ? readRunning(file) : null
    if (running && (await answers(running.local))) return running
    if (performance.now() > deadline)
      throw new Error(`Another start in ${settings.dataDir} neither gets ready nor ends; stop it and start again.`)
  }
}
