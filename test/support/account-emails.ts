import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outboxFolder } from '../../server/core/adapters/mail.ts'
import type { OpenCtx } from '../../server/core/ctx.ts'
import type { JobDefinition } from '../../server/core/jobs/jobs.ts'
import { inTransaction, openCtx, systemRun } from '../../server/core/run.ts'
import { noticeQueue } from '../../server/core/notices.ts'
import { accountEmailJob } from '../../server/auth/account-emails.service.ts'
import { processQueue } from '../../server/messages/messages.queue.ts'
import { parseEml } from '../../server/messages/eml.ts'
import { noticeJob } from '../../server/notifications/notifications.jobs.ts'
import type { Running } from './start.ts'

export interface AccountEmail {
  to: string
  subject: string
  text: string
  /** The token of the link in it. */
  token: string
}

const seen = new WeakMap<Running, Set<string>>()

/** Works off what waits to be written, and gives the emails that were not given before. */
export async function accountEmails(app: Running): Promise<AccountEmail[]> {
  for (;;) {
    const jobs = await app.deps.boss.fetch<Record<string, unknown>>(accountEmailJob.name, { batchSize: 500 })
    if (jobs.length === 0) break
    for (const job of jobs) {
      await work(app, accountEmailJob, job.data)
      await app.deps.boss.complete(accountEmailJob.name, job.id)
    }
  }
  await processQueue(openCtx(systemRun(app.deps, 'test')), () => true)
  const sent = await app.deps.db.selectFrom('messages').select('guid').where('ownerType', '=', 'user').execute()
  const files = new Set(sent.map(({ guid }) => `${guid}.eml`))
  const folder = outboxFolder(app.dataDir)
  const known = seen.get(app) ?? new Set<string>()
  seen.set(app, known)
  const fresh = (existsSync(folder) ? readdirSync(folder).toSorted() : []).filter(
    (name) => files.has(name) && !known.has(name),
  )
  return Promise.all(
    fresh.map(async (name) => {
      known.add(name)
      const { to, subject, text } = await parseEml(readFileSync(join(folder, name)))
      return { to, subject, text, token: /#([\w-]{43})/.exec(text)?.[1] ?? '' }
    }),
  )
}

/** Works a job off in the transaction it has for itself. */
const work = (app: Running, job: JobDefinition, data: Record<string, unknown>) =>
  inTransaction(systemRun(app.deps, job.name), (ctx) => job.handler(ctx as OpenCtx, data))

/** Works off what people are to be told. */
export async function tellPeople(app: Running): Promise<void> {
  for (const job of await app.deps.boss.fetch<Record<string, unknown>>(noticeQueue, { batchSize: 500 })) {
    await work(app, noticeJob, job.data)
    await app.deps.boss.complete(noticeQueue, job.id)
  }
}
