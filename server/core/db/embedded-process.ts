import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'

const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Name and state letter of a process, or null when there is none. */
const processOf = (pid: number): { name: string; isZombie: boolean } | null => {
  if (process.platform === 'linux') {
    const stat = textOf(`/proc/${pid}/stat`)
    if (!stat) return null
    const end = stat.lastIndexOf(')')
    return { name: stat.slice(stat.indexOf('(') + 1, end), isZombie: stat[end + 2] === 'Z' }
  }
  try {
    const [state = '', ...name] = execFileSync('ps', ['-o', 'state=,comm=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
    return { name: name.join(' ').split('/').at(-1) ?? '', isZombie: state.startsWith('Z') }
  } catch {
    return null
  }
}

/** A zombie is not alive: it waits for its parent, which in a container may never come. */
export const isAlive = (pid: number) => processOf(pid)?.isZombie === false

const worksIn = (pid: number, folder: string) => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
  } catch {
    return true
  }
}

/** The request every PostgreSQL answers with one byte before anything else: would it speak TLS? */
const tlsRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** Whether a server answers on its socket: a process that was killed this very moment still counts as alive. */
export const answers = ({ socket, port }: Pick<Postmaster, 'socket' | 'port'>) =>
  new Promise<boolean>((done) => {
    const asked = connect(join(socket, `.s.PGSQL.${port}`))
    asked.setTimeout(2000, () => asked.destroy())
    asked.once('connect', () => asked.write(tlsRequest))
    asked.once('data', () => {
      done(true)
      asked.destroy()
    })
    asked.once('error', () => done(false)).once('close', () => done(false))
  })

export interface Postmaster {
  pid: number
  port: number
  socket: string
  isReady: boolean
  /** `running` is ours and alive; `gone` left only its file; `other` is a living process that got the same number. */
  state: 'running' | 'gone' | 'other'
}

/** What the lock file of a database says about the server that runs it, held against the processes there are. */
export const readPostmaster = (cluster: string): Postmaster | null => {
  const rows = textOf(join(cluster, 'postmaster.pid'))?.split('\n')
  const pid = Number(rows?.[0])
  if (!rows || !Number.isInteger(pid) || pid <= 1) return null
  const found = processOf(pid)
  const isOurs = found?.name === 'postgres' && worksIn(pid, cluster)
  const state = !found || found.isZombie ? 'gone' : isOurs ? 'running' : 'other'
  return {
    pid,
    port: Number(rows[3]) || 5432,
    socket: rows[4] ?? '',
    isReady: rows[7]?.startsWith('ready') === true,
    state,
  }
}
