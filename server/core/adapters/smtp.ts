import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import SMTPConnection from 'nodemailer/lib/smtp-connection/index.js'
import type { Checked } from '../outbound.ts'
import { tlsProblem } from './tls-words.ts'

/** With what somebody logs in: a password, or a token that a provider gave. */
export type MailLogin = { user: string } & ({ password: string } | { accessToken: string })
export type Security = 'tls' | 'starttls' | 'none'

type SmtpStep = 'connect' | 'secure' | 'login' | 'send'
/** Where it ended: before the message, while it was under way, or after all of it without an answer. */
export type Reached = 'nothing' | 'some' | 'all'

/** A step that failed, with what the server said. */
export class SmtpError extends Error {
  readonly step: SmtpStep
  /** The code of the server's answer; 0 where it had none. */
  readonly code: number
  readonly command: string
  readonly reached: Reached

  constructor(step: SmtpStep, cause: unknown, reached: Reached = 'nothing') {
    super(saidOf(cause), { cause })
    this.step = step
    this.code = cause instanceof Error && 'responseCode' in cause ? Number(cause.responseCode) || 0 : 0
    this.command = cause instanceof Error && 'command' in cause ? String(cause.command) : ''
    this.reached = reached
  }
}

/** What a server said, or what its encryption lacks, in one line of bounded length. */
export const saidOf = (cause: unknown): string =>
  (tlsProblem(cause) ?? (cause instanceof Error ? cause.message : String(cause)))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 500)

/** A server may repeat what it was shown: a secret is taken out of its words. */
function withoutSecret(text: string, login: MailLogin): string {
  const secret = 'accessToken' in login ? login.accessToken : login.password
  const base64 = (plain: string) => Buffer.from(plain).toString('base64')
  const shown = [
    base64(`\u0000${login.user}\u0000${secret}`),
    tokenOf(login.user, secret),
    base64(secret),
    // What is short is found everywhere, and tells nothing.
    ...(secret.length > 3 ? [secret] : []),
  ]
  return shown.reduce((clean, one) => clean.replaceAll(one, '•••'), text)
}

/** The same of an error, which may be written to the log with all that belongs to it. */
export function hideSecret(error: unknown, login: MailLogin): void {
  if (!(error instanceof Error)) return
  for (const name of ['message', 'stack', 'response', 'responseText', 'executedCommand'] as const) {
    const value: unknown = Reflect.get(error, name)
    if (typeof value === 'string') Reflect.set(error, name, withoutSecret(value, login))
  }
}

interface Envelope {
  from: string
  to: readonly string[]
}
export interface Taken {
  response: string
  rejected: { address: string; reason: string }[]
}

/** One connection to a mail server, step by step; each answers what the server said, or throws `SmtpError`. */
export interface SmtpSession {
  connect(): Promise<string>
  secure(): Promise<string>
  login(login: MailLogin): Promise<string>
  send(envelope: Envelope, raw: Uint8Array): Promise<Taken>
  /** Ends it; whoever waits for an answer is told `reason`. */
  close(reason?: string): void
}

/** A server for TLS is asked by its name, and an address by no name at all. */
export const serverName = (host: string): { servername?: string } => (isIP(host) === 0 ? { servername: host } : {})

const tokenOf = (user: string, accessToken: string) =>
  Buffer.from(`user=${user}\u0001auth=Bearer ${accessToken}\u0001\u0001`).toString('base64')

/** The server says why it refuses a token only after it was asked to go on. */
const withToken: SMTPConnection.CustomAuthenticationHandlers = {
  XOAUTH2: async (ctx) => {
    const { user, accessToken } = ctx.auth as unknown as { user: string; accessToken: string }
    let answer = await ctx.sendCommand(`AUTH XOAUTH2 ${tokenOf(user, accessToken)}`)
    if (answer.status === 334) answer = await ctx.sendCommand('')
    if (answer.status !== 235) throw new Error(answer.response)
  },
}

/** A connection to an address that was checked; `waitMs` is how long the server may be silent. */
export function smtpSession({ host, port, address, family }: Checked, security: Security, waitMs: number): SmtpSession {
  let socket: Socket | null = null
  let smtp: SMTPConnection | null = null
  let failed: (error: Error) => void = () => undefined
  const failing = new Promise<never>((_, reject) => {
    failed = reject
  })
  failing.catch(() => undefined)

  const step = async <T>(name: SmtpStep, work: () => Promise<T>): Promise<T> => {
    try {
      return await Promise.race([work(), failing])
    } catch (error) {
      throw error instanceof SmtpError ? error : new SmtpError(name, error)
    }
  }
  const opened = (): SMTPConnection => {
    if (!smtp) throw new Error('it is not connected')
    return smtp
  }
  const answer = (connection: SMTPConnection) => saidOf(connection.lastServerResponse || '')

  return {
    connect: () =>
      step('connect', async () => {
        socket = connect({ host: address, port, family })
        socket.setTimeout(waitMs, () => socket?.destroy(new Error('The server doesn’t answer.')))
        await once(socket, 'connect')
        socket.setTimeout(0)
        socket.on('error', (error) => failed(error))
        return `${address}:${port}`
      }),
    secure: () =>
      step('secure', async () => {
        if (!socket) throw new Error('it is not connected')
        smtp = new SMTPConnection({
          host,
          port,
          connection: socket,
          secure: security === 'tls',
          requireTLS: security === 'starttls',
          ignoreTLS: security === 'none',
          tls: { ...serverName(host), rejectUnauthorized: true },
          greetingTimeout: waitMs,
          socketTimeout: waitMs,
          connectionTimeout: waitMs,
          customAuth: withToken,
          logger: false,
        })
        const connection = smtp
        connection.on('error', (error) => failed(error))
        await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())))
        const tls = connection._socket as Partial<TLSSocket> | undefined
        return tls?.getProtocol?.() ?? answer(connection)
      }),
    login: (login) =>
      step('login', async () => {
        const connection = opened()
        const auth =
          'accessToken' in login
            ? // Names the method; the token itself is sent by `withToken`.
              { method: 'XOAUTH2', oauth2: {} as never, user: login.user, accessToken: login.accessToken }
            : { credentials: { user: login.user, pass: login.password } }
        await new Promise<void>((resolve, reject) =>
          connection.login(auth, (error) => (error ? reject(error) : resolve())),
        ).catch((error: unknown) => {
          hideSecret(error, login)
          throw error
        })
        return withoutSecret(answer(connection), login)
      }),
    send: async (envelope, raw) => {
      let reached: Reached = 'nothing'
      const body = Readable.from(
        (function* () {
          reached = 'some'
          yield Buffer.from(raw)
        })(),
      )
      body.once('end', () => (reached = 'all'))
      try {
        const info = await step('send', () => {
          const connection = opened()
          return new Promise<SMTPConnection.SentMessageInfo>((resolve, reject) =>
            connection.send({ from: envelope.from, to: [...envelope.to] }, body, (error, sent) =>
              error ? reject(error) : resolve(sent),
            ),
          )
        })
        const reasons = info.rejectedErrors ?? []
        return {
          response: saidOf(info.response),
          rejected: info.rejected.map((to, i) => ({ address: to, reason: saidOf(reasons[i] ?? 'refused') })),
        }
      } catch (error) {
        throw new SmtpError('send', error instanceof SmtpError ? error.cause : error, reached)
      }
    },
    close: (reason) => {
      if (reason) failed(new Error(reason))
      if (smtp) smtp.close()
      socket?.destroy()
    },
  }
}
