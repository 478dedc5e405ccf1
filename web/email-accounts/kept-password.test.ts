import { expect, test } from 'vitest'
import type { EmailAccount } from '../../contract/email-accounts.ts'
import { keptPassword } from './kept-password.ts'

const smtp = { host: 'smtp.wattle.example', port: 465, security: 'tls', username: 'desk' } as const
const imap = { ...smtp, host: 'imap.wattle.example', port: 993 }
const saved = { smtp, imap, hasSecret: true, auth: { kind: 'password', provider: null } } as EmailAccount

test.each([
  ['nothing', {}, 'kept'],
  ['how its name is written', { smtp: { ...smtp, host: ' SMTP.wattle.example' } }, 'kept'],
  ['that its mailbox is not read any more', { imap: null }, 'kept'],
  ['that it needs no login', { smtp: { ...smtp, host: 'mail.wattle.example', username: '' } }, 'kept'],
  ['the host', { smtp: { ...smtp, host: 'mail.wattle.example' } }, 'again'],
  ['the port', { smtp: { ...smtp, port: 587 } }, 'again'],
  ['the encryption', { smtp: { ...smtp, security: 'starttls' } }, 'again'],
  ['the username', { smtp: { ...smtp, username: 'office' } }, 'again'],
  ['the mailbox', { imap: { ...imap, host: 'mail.wattle.example' } }, 'again'],
] as const)('Of a server that changes %s the password is said to be what the server makes of it', (_, change, said) => {
  expect(keptPassword(saved, { smtp, imap, ...change })).toBe(said)
})

test('Where no password is kept, nothing is said of it', () => {
  expect(keptPassword(undefined, { smtp, imap })).toBeNull()
  expect(keptPassword({ ...saved, hasSecret: false }, { smtp, imap })).toBeNull()
  const oauth = { ...saved, auth: { kind: 'oauth2', provider: 'google' } } as EmailAccount
  expect(keptPassword(oauth, { smtp, imap })).toBeNull()
})
