import { once } from 'node:events'
import { createRequire } from 'node:module'
import type { AddressInfo, Server } from 'node:net'

interface Options {
  plugins: string[]
  storage: Record<string, unknown>
}
interface Hoodiecrow {
  server: Server
  listen(port: number, host: string): void
  close(done?: () => void): void
  appendMessage(mailbox: string, flags: string[], internaldate: string | false, raw: string): void
  setCommandHandler(name: string, command: Command): void
}
type Command = (
  connection: { send(response: object): void },
  parsed: { tag: string },
  data: string,
  done: () => void,
) => void
const load = createRequire(import.meta.url)
const hoodiecrow = load('hoodiecrow-imap') as (options: Options) => Hoodiecrow
const usualSearch = load('hoodiecrow-imap/lib/commands/uid search.js') as Command
const refusedSearch: Command = (connection, { tag }, _, done) => {
  connection.send({ tag, command: 'NO', attributes: [{ type: 'TEXT', value: 'Try again later' }] })
  done()
}

/** A mailbox on this machine; `testuser` logs in with `testpass`. */
export async function aMailbox(sent: readonly string[] = []) {
  const server = hoodiecrow({
    plugins: ['SASL-IR', 'AUTH-PLAIN', 'XOAUTH2', 'SPECIAL-USE', 'UNSELECT'],
    storage: {
      INBOX: { messages: [] },
      '': {
        separator: '/',
        folders: { 'Sent Items': { 'special-use': '\\Sent', messages: sent.map((raw) => ({ raw })) } },
      },
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    place: { host: '127.0.0.1', port, security: 'none' as const, username: 'testuser' },
    sent: (raw: string) => server.appendMessage('Sent Items', [], false, raw),
    refusesSearch: (isRefused: boolean) =>
      server.setCommandHandler('UID SEARCH', isRefused ? refusedSearch : usualSearch),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
