import type pg from 'pg'

/** The PostgreSQL all tests share, as the setup hands it to the test files. */
export interface Cluster {
  server: { host: string; port: number; user: string } | { connectionString: string | undefined }
  /** A migrated database without connections; cloning it takes a tenth of a second. */
  template: string
  appRole: string
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: Cluster
  }
}

/** How to reach a database of the cluster; `null` is the one TEST_DATABASE_URL names. */
export const configFor = ({ server }: Cluster, database: string | null): pg.ClientConfig => {
  if ('host' in server) return { ...server, database: database ?? 'postgres' }
  const url = new URL(server.connectionString ?? '')
  if (database !== null) url.pathname = `/${database}`
  return { connectionString: url.href }
}

export const withUser = (config: pg.ClientConfig, user: string, password: string): pg.ClientConfig => {
  if (!config.connectionString) return { ...config, user }
  const url = new URL(config.connectionString)
  url.searchParams.set('user', user)
  url.searchParams.set('password', password)
  return { connectionString: url.href }
}
