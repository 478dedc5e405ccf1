import pg from 'pg'
import { type Settings, SettingsError } from '../env.ts'
import type { Keys } from '../keys.ts'
import type { Say } from '../console.ts'
import { startEmbedded } from './embedded.ts'

export interface Database {
  /** Owns the tables; migrates, backs up and restores. */
  owner: pg.ClientConfig
  /** What the product works with: owns nothing and cannot change a table. */
  app: pg.ClientConfig
  appRole: string
  /** A replica for reading, when there is one. */
  read: pg.ClientConfig | null
  embedded: boolean
  /** Lets go of the embedded server; the last process to do so stops it. */
  stop: () => Promise<void>
  /** The same without waiting, for an end that must not. */
  abandon: () => void
}

const databaseName = 'brolga'
const oldestMajor = 15
/** How long the database lets one statement, one wait for a lock and one idle transaction of the product last. */
const bounds = { statement_timeout: '8s', idle_in_transaction_session_timeout: '5s', lock_timeout: '3s' }

/** Starts or reaches the database, and sees to it that it and the product's own role are there. */
export const openDatabase = async (settings: Settings, keys: Pick<Keys, 'dbPassword'>, log: Say): Promise<Database> =>
  settings.databaseUrl ? openServer(settings, settings.databaseUrl, keys, log) : openEmbedded(settings, log)

const openEmbedded = async (settings: Settings, log: Say): Promise<Database> => {
  const server = await startEmbedded({ dataDir: settings.dataDir, log, durable: settings.mode !== 'test' })
  const owner = { host: server.host, port: server.port, user: server.user, database: databaseName }
  const appRole = `${databaseName}_app`
  try {
    const db = await connectOrCreate(owner)
    await using(db, () => ensureRole(db, appRole, null))
  } catch (error) {
    await server.stop()
    throw error
  }
  return {
    owner,
    app: { ...owner, user: appRole },
    appRole,
    read: null,
    embedded: true,
    stop: server.stop,
    abandon: server.abandon,
  }
}

const using = async <T>(db: pg.Client, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } finally {
    await db.end()
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

const connectOrCreate = async (owner: pg.ClientConfig): Promise<pg.Client> => {
  const db = new pg.Client(owner)
  try {
    await db.connect()
    return db
  } catch (error) {
    if (codeOf(error) !== '3D000') throw error
  }
  const maintenance = new pg.Client({ ...owner, database: 'postgres' })
  await maintenance.connect()
  await using(maintenance, async () => {
    await maintenance.query(`create database ${databaseName}`).catch((error: unknown) => {
      // Another start made it at the same moment.
      if (!['42P04', '23505'].includes(codeOf(error))) throw error
    })
  })
  return connectOrCreate(owner)
}

interface Role {
  rolsuper: boolean
  rolcreatedb: boolean
  rolcreaterole: boolean
  rolcanlogin: boolean
  rolconfig: string[] | null
}
const findRole = async (db: pg.Client, name: string) =>
  (
    await db.query<Role>(
      'select rolsuper, rolcreatedb, rolcreaterole, rolcanlogin, rolconfig from pg_roles where rolname = $1',
      [name],
    )
  ).rows[0]

const isBounded = (role: Role) =>
  Object.entries(bounds).every(([name, value]) => role.rolconfig?.includes(`${name}=${value}`))
const isPlain = (role: Role) => !role.rolsuper && !role.rolcreatedb && !role.rolcreaterole && role.rolcanlogin

/** Makes the product's role or mends it. A password is set on a new role alone; `setPassword` changes it later. */
const ensureRole = async (db: pg.Client, name: string, password: string | null) => {
  const role = await findRole(db, name)
  const quoted = db.escapeIdentifier(name)
  const attributes = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls'
  if (!role) {
    await db
      .query(`create role ${quoted} ${attributes} ${password === null ? '' : `password ${db.escapeLiteral(password)}`}`)
      .catch((error: unknown) => {
        if (!['42710', '23505'].includes(codeOf(error))) throw error
      })
  } else if (!isPlain(role)) await db.query(`alter role ${quoted} ${attributes}`)
  if (role && isBounded(role)) return
  for (const [setting, value] of Object.entries(bounds))
    await db.query(`alter role ${quoted} set ${setting} = ${db.escapeLiteral(value)}`)
}

const reach = async (url: string, setting: string): Promise<pg.Client> => {
  const db = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await db.connect()
    return db
  } catch (error) {
    throw new SettingsError(`The database of ${setting} cannot be used: ${reasonOf(error)}.`, { cause: error })
  }
}
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}

const openServer = async (
  settings: Settings,
  url: string,
  keys: Pick<Keys, 'dbPassword'>,
  log: Say,
): Promise<Database> => {
  const db = await reach(url, 'DATABASE_URL')
  return using(db, async () => {
    const { rows } = await db.query<{ version: number; database: string; user: string }>(
      `select current_setting('server_version_num')::int / 10000 as version,
        current_database() as database, current_user as user`,
    )
    const { version = 0, database = '', user = '' } = rows[0] ?? {}
    if (version < oldestMajor)
      throw new SettingsError(`DATABASE_URL leads to PostgreSQL ${version}, and ${oldestMajor} or newer is needed.`)
    const appUrl = settings.appDatabaseUrl ?? (await ownAppUrl(db, url, `${database}_app`, keys.dbPassword, log))
    const appRole = await checkAppUrl(db, appUrl, user)
    return {
      owner: { connectionString: url },
      app: { connectionString: appUrl },
      appRole,
      read: readConfig(settings, appUrl),
      embedded: false,
      stop: async () => undefined,
      abandon: () => undefined,
    }
  })
}

const withUser = (url: string, user: string, password: string) => {
  const changed = new URL(url)
  // As parameters, because an address without a host (a socket) can carry no user otherwise.
  changed.searchParams.set('user', user)
  changed.searchParams.set('password', password)
  return changed.href
}

const readConfig = (settings: Settings, appUrl: string): pg.ClientConfig | null => {
  if (!settings.readDatabaseUrl) return null
  const read = new URL(settings.readDatabaseUrl)
  if (read.username || read.searchParams.has('user')) return { connectionString: settings.readDatabaseUrl }
  const { user, password } = new pg.Client({ connectionString: appUrl })
  return { connectionString: withUser(settings.readDatabaseUrl, user ?? '', password ?? '') }
}

/**
 * The address of the role we look after ourselves; its password follows from the key, so
 * several servers with one key agree.
 */
const ownAppUrl = async (db: pg.Client, url: string, role: string, password: string, log: Say): Promise<string> => {
  const appUrl = withUser(url, role, password)
  try {
    await ensureRole(db, role, password)
    if (!(await mayLogin(appUrl))) {
      log.info(`Giving the database role ${role} the password that belongs to the present key`)
      await db.query(`alter role ${db.escapeIdentifier(role)} password ${db.escapeLiteral(password)}`)
    }
  } catch (error) {
    if (codeOf(error) !== '42501') throw error
    throw new SettingsError(
      `The role of DATABASE_URL may not look after the role "${role}"; ` +
        'make a role that owns nothing and set APP_DATABASE_URL to its address.',
      { cause: error },
    )
  }
  return appUrl
}

const mayLogin = async (url: string) => {
  const db = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await db.connect()
    await db.end()
    return true
  } catch (error) {
    if (['28P01', '28000'].includes(codeOf(error))) return false
    throw error
  }
}

const checkAppUrl = async (owner: pg.Client, appUrl: string, ownerRole: string): Promise<string> => {
  const db = await reach(appUrl, 'APP_DATABASE_URL')
  const { rows } = await using(db, () =>
    db.query<{ user: string; database: string }>('select current_user as user, current_database() as database'),
  )
  const role = rows[0]?.user ?? ''
  const found = await findRole(owner, role)
  const { rows: owned } = await owner.query(
    'select 1 from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname = $1 limit 1',
    [role],
  )
  if (role === ownerRole || found?.rolsuper || owned.length > 0)
    throw new SettingsError(
      'APP_DATABASE_URL must use a role that owns nothing and is no superuser, not the one of DATABASE_URL.',
    )
  const { rows: own } = await owner.query<{ database: string }>('select current_database() as database')
  if (!found || own[0]?.database !== rows[0]?.database)
    throw new SettingsError('APP_DATABASE_URL must lead to the same database as DATABASE_URL.')
  return role
}
