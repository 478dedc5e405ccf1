import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outboxFolder } from '../../server/core/adapters/mail.ts'
import { openCtx, systemRun } from '../../server/core/run.ts'
import { noticeQueue } from '../../server/core/notices.ts'
import { accountEmailJob } from '../../server/auth/account-emails.ts'
import { parseEml } from '../../server/messages/eml.ts'
import { noticeJob } from '../../server/notifications/notifications.jobs.ts'
import type { Running } from './start.ts'

export interface Letter {
  to: string
  subject: string
  text: string
  /** The token of the link in it. */
  token: string
}

const seen = new WeakMap<Running, Set<string>>()

/** Works off what waits to be written, and gives the letters that were not given before. */
export async function letters(app: Running): Promise<Letter[]> {
  for (;;) {
    const jobs = await app.deps.boss.fetch<Record<string, unknown>>(accountEmailJob.name, { batchSize: 500 })
    if (jobs.length === 0) break
    for (const job of jobs) {
      await accountEmailJob.handler(openCtx(systemRun(app.deps, accountEmailJob.name)), job.data)
      await app.deps.boss.complete(accountEmailJob.name, job.id)
    }
  }
  const folder = outboxFolder(app.dataDir)
  const known = seen.get(app) ?? new Set<string>()
  seen.set(app, known)
  const fresh = (existsSync(folder) ? readdirSync(folder).toSorted() : []).filter((name) => !known.has(name))
  return Promise.all(
    fresh.map(async (name) => {
      known.add(name)
      const { to, subject, text } = await parseEml(readFileSync(join(folder, name)))
      return { to, subject, text, token: /#([\w-]{43})/.exec(text)?.[1] ?? '' }
    }),
  )
}

/** Works off what people are to be told. */
export async function tellPeople(app: Running): Promise<void> {
  for (const job of await app.deps.boss.fetch<Record<string, unknown>>(noticeQueue, { batchSize: 500 })) {
    await app.deps.db
      .transaction()
      .execute((db) => noticeJob.handler(openCtx(systemRun(app.deps, noticeQueue), db), job.data))
    await app.deps.boss.complete(noticeQueue, job.id)
  }
}
