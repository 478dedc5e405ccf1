import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { notFound } from '../../contract/core/errors.ts'
import type { messagesApi } from '../../contract/messages.ts'
import { outboxFolder } from '../core/adapters/mail.ts'
import type { Ctx, Handlers } from '../core/ctx.ts'
import { parseEml } from './eml.ts'

const maxShown = 200
const headBytes = 8192
const suffix = '.eml'

/** Mails kept in the local folder, newest first. */
export const outbox: Pick<Handlers<typeof messagesApi>, 'outbox' | 'outboxMail'> = {
  outbox: async (ctx) => {
    const files = await newest(ctx)
    const items = await Promise.all(
      files.map(async (file) => ({ ...shown(file, await parseEml(await beginning(file.path))), bytes: file.bytes })),
    )
    return { items, isActive: ctx.deps.mail.kind === 'outbox' }
  },
  outboxMail: async (ctx, { id }) => {
    if (!/^[\w-]{1,80}$/.test(id)) throw notFound()
    const path = join(outboxFolder(ctx.deps.settings.dataDir), `${id}${suffix}`)
    const bytes = await readFile(path).catch(() => null)
    if (!bytes) throw notFound()
    const parsed = await parseEml(bytes)
    return {
      mail: {
        ...shown({ id, at: (await stat(path)).mtime }, parsed),
        bytes: bytes.length,
        html: parsed.html,
        text: parsed.text,
        attachments: parsed.attachments,
      },
    }
  },
}

const shown = (
  { id, at }: { id: string; at: Date },
  { from, to, subject }: { from: string; to: string; subject: string },
) => ({ id, at: at.toISOString(), from, to, subject })

async function newest(ctx: Ctx) {
  const folder = outboxFolder(ctx.deps.settings.dataDir)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(suffix))
  // Names are time-ordered guids: the newest need not be looked for in all of them.
  const latest = names.sort().slice(-maxShown)
  const files = await Promise.all(
    latest.map(async (name) => {
      const path = join(folder, name)
      const facts = await stat(path)
      return { id: name.slice(0, -suffix.length), path, at: facts.mtime, bytes: facts.size }
    }),
  )
  return files.sort((a, b) => b.at.getTime() - a.at.getTime())
}

/** The head of a mail is all that a list shows. */
async function beginning(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
