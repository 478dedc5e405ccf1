import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** What a mail server answers to a command: 250 where nothing is said. */
type Says = number | undefined | 'hang'
interface MailServerRules {
  /** Whether somebody is let in, or the words with which he is not. */
  login?: (user: string, secret: string) => boolean | string
  from?: (address: string) => Says
  to?: (address: string) => Says
  data?: (raw: string) => Says | 'hang up'
}

const refusal = (code: number) => Object.assign(new Error(`said ${code}`), { responseCode: code })

/** With `secure` it speaks TLS from the first word, else after STARTTLS. */
type Encryption = Pick<SMTPServerOptions, 'secure' | 'key' | 'cert' | 'minVersion' | 'maxVersion' | 'ciphers'>

/** A mail server on this machine, that says what a test wants it to say and keeps what it was given. */
export async function aMailServer(rules: MailServerRules = {}, encryption: Encryption | null = null) {
  const got: { from: string; to: string[]; raw: string; login: string | undefined }[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: rules.login === undefined,
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    allowInsecureAuth: true,
    closeTimeout: 100,
    disabledCommands: [...(rules.login ? [] : ['AUTH']), ...(encryption ? [] : ['STARTTLS'])],
    ...encryption,
    onConnect: (_session, done) => {
      connections++
      done()
    },
    onAuth: ({ username = '', password, accessToken }, _session, done) => {
      const verdict = rules.login?.(username, password ?? accessToken ?? '')
      if (verdict === true) return done(null, { user: username })
      done(Object.assign(new Error(verdict || 'wrong password'), { responseCode: 535 }))
    },
    onMailFrom: ({ address }, _session, done) => say(rules.from?.(address), done),
    onRcptTo: ({ address }, _session, done) => say(rules.to?.(address), done),
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const raw = Buffer.concat(parts).toString('latin1')
        const { mailFrom, rcptTo } = session.envelope
        const said = rules.data?.(raw)
        if (said === undefined || said === 'hang up')
          got.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            raw,
            login: typeof session.user === 'string' ? session.user : undefined,
          })
        if (said === 'hang up') for (const connection of server.connections) connection.close()
        else say(said, done)
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    rules,
    got,
    connections: () => connections,
    port,
    place: (username = '') => ({ host: '127.0.0.1', port, security: 'none' as const, username }),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function say(said: Says, done: (error?: Error | null) => void) {
  if (said === 'hang') return
  done(said === undefined || said < 400 ? null : refusal(said))
}
