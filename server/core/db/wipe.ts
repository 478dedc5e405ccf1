import pg from 'pg'

/** Removes everything of ours from a database. */
export const wipe = async (owner: pg.ClientConfig) => {
  const db = new pg.Client(owner)
  await db.connect()
  try {
    await db.query(
      `drop schema if exists public, migrations, pgboss cascade;
        create schema public;
        grant usage on schema public to public`,
    )
  } finally {
    await db.end()
  }
}
