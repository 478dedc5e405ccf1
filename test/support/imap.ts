import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { AddressInfo, Server } from 'node:net'

/*
 * A mail server that hands out mail, on loopback: hoodiecrow, with what goes wrong on real ones. It comes without
 * types, so what is used of it stands here.
 */
interface Folder {
  messages: { uid: number; raw: string }[]
  uidnext: number
  uidvalidity: number
}
interface Connection {
  socket: { destroy(): void } | null
  send(response: object, ...more: unknown[]): void
  selectedMailbox: Folder
}
interface Parsed {
  tag: string
  attributes: { value?: string }[]
}
type Command = (connection: Connection, parsed: Parsed, data: string, done: () => void) => void
interface Hoodiecrow {
  server: Server
  listen(port: number, host: string): void
  close(done: () => void): void
  getMailbox(path: string): Folder
  appendMessage(path: string, flags: string[], at: string, raw: string): void
  setCommandHandler(name: string, command: Command): void
  connectionHandlers: ((connection: Connection) => void)[]
}

const load = createRequire(import.meta.url)
const hoodiecrow = load('hoodiecrow-imap') as (options: object) => Hoodiecrow
const usual = (name: string) => load(`hoodiecrow-imap/lib/commands/${name}.js`) as Command

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const two = (n: number) => String(n).padStart(2, '0')
const written = (at: Date) =>
  `${two(at.getUTCDate())}-${months[at.getUTCMonth()]}-${at.getUTCFullYear()} ${at.toISOString().slice(11, 19)} +0000`

export interface ImapDouble {
  port: number
  folder: Folder
  /** Connections that were made. */
  connections: number
  arrives(raw: Buffer | string, at?: Date): number
  /** What becomes of the next commands of a name: as usual where nothing is said. */
  on(name: 'UID FETCH' | 'UID SEARCH', command: Command | null): void
  usual(name: 'UID FETCH' | 'UID SEARCH'): Command
  stop(): Promise<void>
}

/** The user is `testuser`, the password `testpass`. */
export async function startImap(): Promise<ImapDouble> {
  const imap = hoodiecrow({ plugins: ['ID', 'AUTH-PLAIN', 'SASL-IR'], storage: { INBOX: { messages: [] }, '': {} } })
  imap.listen(0, '127.0.0.1')
  await once(imap.server, 'listening')
  const open = new Set<Connection>()
  const double: ImapDouble = {
    port: (imap.server.address() as AddressInfo).port,
    folder: imap.getMailbox('INBOX'),
    connections: 0,
    arrives: (raw, at = new Date()) => {
      imap.appendMessage('INBOX', [], written(at), typeof raw === 'string' ? raw : raw.toString('latin1'))
      return double.folder.messages.at(-1)?.uid ?? 0
    },
    on: (name, command) => imap.setCommandHandler(name, command ?? usual(name.toLowerCase())),
    usual: (name) => usual(name.toLowerCase()),
    stop: async () => {
      for (const { socket } of open) socket?.destroy()
      await new Promise<void>((done) => void imap.close(done))
    },
  }
  imap.connectionHandlers.push((connection) => {
    double.connections++
    open.add(connection)
  })
  return double
}
