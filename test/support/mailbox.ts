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
}
const hoodiecrow = createRequire(import.meta.url)('hoodiecrow-imap') as (options: Options) => Hoodiecrow

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
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
