import { ImapFlow } from 'imapflow'
import type { Checked } from '../outbound.ts'
import { hideSecret, type MailLogin, saidOf, type Security, serverName } from './smtp.ts'

/** A mailbox that could not be opened: whether the server was reached, and what it said. */
export class ImapError extends Error {
  readonly step: 'imapConnect' | 'imapLogin'
  /** How long it took to reach the server, and how it greeted. */
  readonly connectMs: number
  readonly greeting: string
  readonly isLoginRefused: boolean
  constructor(step: ImapError['step'], cause: unknown, reached: { connectMs: number; greeting: string }) {
    super(responseOf(cause), { cause })
    this.step = step
    this.connectMs = reached.connectMs
    this.greeting = reached.greeting
    this.isLoginRefused = isTrueOf(cause, 'authenticationFailed')
  }
}

const isTrueOf = (error: unknown, mark: 'tlsFailed' | 'authenticationFailed') =>
  error instanceof Error && Object.entries(error).some(([name, value]) => name === mark && value === true)

const responseOf = (cause: unknown): string => {
  const text = cause instanceof Error && 'responseText' in cause ? cause.responseText : null
  return saidOf(typeof text === 'string' && text ? text : cause)
}

/** What a hostile server may make of our memory. */
const maxResponse = 40 * 1024 * 1024

export interface Mailbox {
  client: ImapFlow
  /** How long it took to reach the server, and then to be let in. */
  connectMs: number
  loginMs: number
  greeting: string
}

/** Opens a mailbox at an address that was checked. It never connects again by itself; whoever opens it closes it. */
export async function openMailbox(
  { host, port, address }: Checked,
  security: Security,
  login: MailLogin,
  waitMs: number,
): Promise<Mailbox> {
  const client = new ImapFlow({
    host: address,
    port,
    secure: security === 'tls',
    doSTARTTLS: security === 'starttls',
    ...serverName(host),
    tls: { rejectUnauthorized: true },
    auth:
      'accessToken' in login
        ? { user: login.user, accessToken: login.accessToken }
        : { user: login.user, pass: login.password },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    maxLiteralSize: maxResponse,
    maxResponseSize: maxResponse + 1024 * 1024,
    maxLineLength: 1024 * 1024,
  })
  // Without somebody who listens an error of the connection would end the process.
  client.on('error', () => undefined)
  const began = Date.now()
  const reachedIn = () => ({
    connectMs: Math.max(0, (client.connectedAt ?? Date.now()) - began),
    greeting: saidOf(client.greeting ?? ''),
  })
  try {
    await client.connect()
  } catch (error) {
    const step = client.connectedAt === null || isTrueOf(error, 'tlsFailed') ? 'imapConnect' : 'imapLogin'
    client.close()
    hideSecret(error, login)
    throw new ImapError(step, error, reachedIn())
  }
  const reached = reachedIn()
  return { client, ...reached, loginMs: Math.max(0, Date.now() - began - reached.connectMs) }
}

/** The folder that keeps what was sent: the one that was named, else the one the server marks as such. */
export async function sentFolderOf(client: ImapFlow, named: string | null): Promise<string | null> {
  const folders = await client.list()
  return (
    (named ? folders.find(({ path }) => path === named) : folders.find((f) => f.specialUse === '\\Sent'))?.path ?? null
  )
}

/** Whether a mail with this Message-ID lies in a folder; throws where the server refuses to say. */
export async function hasMail(client: ImapFlow, folder: string, messageId: string): Promise<boolean> {
  await client.mailboxOpen(folder, { readOnly: true })
  const found = await client.search({ header: { 'message-id': messageId } }, { uid: true })
  if (!Array.isArray(found)) throw new Error('the server refused to search')
  return found.length > 0
}
