import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createTransport, type SendMailOptions } from 'nodemailer'
import type { MessageFailure } from '../../../contract/messages.ts'
import type { Settings } from '../env.ts'
import { writeWhole } from './files.ts'

interface Part {
  name: string
  mime: string
  bytes: Uint8Array
}
export interface Inline extends Part {
  cid: string
}

export interface Mail {
  /** Names the file in the local outbox: the same message is kept once, however often it is sent. */
  guid: string
  from: string
  to: readonly string[]
  cc?: readonly string[]
  bcc?: readonly string[]
  replyTo?: string
  subject: string
  html: string
  text: string
  attachments?: readonly Part[]
  /** Pictures that its HTML shows, by their ids. */
  inline?: readonly Inline[]
  /** Fixed when the message is queued, so that a repeated try is recognised as the same mail. */
  messageId: string
  /** One that is `prepared` stays on one line, as long as it is. */
  headers?: Readonly<Record<string, string | { prepared: true; value: string }>>
}

/**
 * `accepted` by the mail server or the outbox, with the very bytes that went out; `refused` for good, or
 * `deferred` and worth another try.
 */
/** `isUnanswered`: the server has the whole message and hung up without a word, so it may be delivered. */
export type MailResult =
  | { outcome: 'accepted'; response: string; raw: Uint8Array; rejected?: { address: string; reason: string }[] }
  | { outcome: 'refused' | 'deferred'; reason: string; type?: MessageFailure; isUnanswered?: boolean }

/**
 * A message the server never answered is sent again this often: rather twice in somebody's mailbox
 * than never, but not for ever.
 */
export const maxUnanswered = 3

export interface MailSender {
  /** `outbox` keeps mails in a local folder, because no mail server is set up. */
  kind: 'smtp' | 'outbox'
  send(mail: Mail): Promise<MailResult>
  /** Whether the mail server can be reached and lets us in; null when all is well. */
  verify(): Promise<string | null>
  close(): void
}

const timeoutMs = 30_000
const breaks = /[\r\n]/

export const outboxFolder = (dataDir: string) => join(dataDir, 'outbox')

export const makeMail = (settings: Pick<Settings, 'smtpUrl' | 'dataDir'>): MailSender =>
  settings.smtpUrl ? smtp(settings.smtpUrl) : outbox(settings)

const attached = ({ name, mime, bytes }: Part) => ({
  filename: name,
  contentType: mime,
  content: Buffer.from(bytes),
})

function compose(mail: Mail): SendMailOptions {
  const lines = [
    mail.from,
    mail.subject,
    mail.messageId,
    mail.replyTo ?? '',
    ...mail.to,
    ...(mail.cc ?? []),
    ...(mail.bcc ?? []),
    ...Object.entries(mail.headers ?? {}).flatMap(([name, given]) => [
      name,
      typeof given === 'string' ? given : given.value,
    ]),
    ...(mail.attachments ?? []).flatMap((a) => [a.name, a.mime]),
  ]
  if (lines.some((line) => breaks.test(line))) throw new Error('a line of a mail header must not contain line breaks')
  return {
    from: mail.from,
    to: [...mail.to],
    cc: [...(mail.cc ?? [])],
    bcc: [...(mail.bcc ?? [])],
    ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
    subject: mail.subject,
    html: mail.html,
    text: mail.text,
    messageId: mail.messageId,
    headers: { ...mail.headers },
    attachments: [
      ...(mail.inline ?? []).map(({ cid, ...part }) => ({
        ...attached(part),
        cid,
        contentDisposition: 'inline' as const,
      })),
      ...(mail.attachments ?? []).map(attached),
    ],
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function smtp(url: string): MailSender {
  const composer = makeComposer()
  const transport = createTransport(smtpOptions(new URL(url)))
  return {
    kind: 'smtp',
    send: async (mail) => {
      let isHandedOver = false
      try {
        const { message, envelope } = await composer.sendMail(compose(mail))
        const raw = message as Buffer
        const body = Readable.from([raw])
        body.once('end', () => (isHandedOver = true))
        const info = await transport.sendMail({ envelope, raw: body, disableFileAccess: true, disableUrlAccess: true })
        return {
          outcome: 'accepted',
          response: info.response.slice(0, 300),
          rejected: refusedAddresses(info.rejected),
          raw,
        }
      } catch (error) {
        return failed(error, isHandedOver)
      }
    },
    verify: async () => {
      try {
        await transport.verify()
        return null
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    },
    close: () => transport.close(),
  }
}

function smtpOptions({ protocol, hostname, port, username, password }: URL) {
  const isSecure = protocol === 'smtps:'
  return {
    host: hostname,
    port: port ? Number(port) : isSecure ? 465 : 587,
    secure: isSecure,
    // Without a certificate that can be checked, a password is never sent.
    requireTLS: username !== '' && !isSecure,
    tls: { rejectUnauthorized: true },
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    pool: true as const,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** A 5xx of the mail server is its last word on this message; everything else may pass. */
function failed(error: unknown, isHandedOver: boolean): MailResult {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500)
  const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
  const isOfMessage =
    error instanceof Error && 'command' in error && ['MAIL FROM', 'RCPT TO', 'DATA'].includes(String(error.command))
  const isRefused =
    (code >= 500 && code < 600 && isOfMessage) ||
    (error instanceof Error && 'code' in error && error.code === 'EENVELOPE' && code >= 500)
  const command = error instanceof Error && 'command' in error ? String(error.command) : ''
  const type = command.startsWith('AUTH') ? 'login' : code === 0 ? 'connection' : 'refused'
  return isRefused
    ? { outcome: 'refused', reason, type: command === 'RCPT TO' ? 'address' : 'refused' }
    : { outcome: 'deferred', reason, type, isUnanswered: isHandedOver && code === 0 }
}

/** A server may take a message for some of its recipients only. */
const refusedAddresses = (rejected: readonly (string | { address: string })[] | undefined) =>
  (rejected ?? []).map((to) => ({ address: typeof to === 'string' ? to : to.address, reason: 'refused' }))

/** The very bytes of a mail, and to whom they go. */
export async function rawOf(mail: Mail): Promise<{ raw: Buffer; to: string[] }> {
  const composer = makeComposer()
  try {
    const { message } = await composer.sendMail(compose(mail))
    return { raw: message as Buffer, to: [...new Set([...mail.to, ...(mail.cc ?? []), ...(mail.bcc ?? [])])] }
  } finally {
    composer.close()
  }
}

/** Keeps a mail in the local outbox, once. */
export async function keepInOutbox({ dataDir }: Pick<Settings, 'dataDir'>, mail: Mail): Promise<Uint8Array> {
  if (!/^[\w-]{1,80}$/.test(mail.guid)) throw new Error('the guid of a mail names its file')
  const folder = outboxFolder(dataDir)
  const path = join(folder, `${mail.guid}.eml`)
  const before = await readFile(path).catch(() => null)
  if (before) return before
  const { raw } = await rawOf(mail)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeWhole(path, raw)
  return raw
}

const makeComposer = () => createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

function outbox(settings: Pick<Settings, 'dataDir'>): MailSender {
  return {
    kind: 'outbox',
    send: async (mail) => ({
      outcome: 'accepted',
      response: 'kept in the local outbox',
      raw: await keepInOutbox(settings, mail),
    }),
    verify: async () => null,
    close: () => undefined,
  }
}
