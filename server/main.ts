import { once } from 'node:events'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { ensureDataDir } from './core/data-dir.ts'
import { openDatabase } from './core/db/database.ts'
import { migrate } from './core/db/migrate.ts'
import { loadSettings, type Settings, SettingsError } from './core/env.ts'
import { loadKeys } from './core/keys.ts'
import { openLog } from './core/log.ts'
import { claimRunning } from './core/running.ts'
import { startSandbox } from './core/sandbox-process.ts'
import { terminal } from './core/console.ts'
import { makeShutdown } from './core/shutdown.ts'
import { clearHalfMadeSample, ensureSample, loginsText } from './demo.ts'

const say = (text: string) => console.log(text)

const shutdown = makeShutdown(say)

/** Refuses a port that cannot be had before a database and a sample company are made for minutes. */
const tryPort = async ({ port, host }: Settings) => {
  const probe = createServer().listen(port, host)
  await once(probe, 'listening')
  await promisify(probe.close.bind(probe))()
}

const serve = async () => {
  const settings = loadSettings()
  ensureDataDir(settings.dataDir)
  const isDemo = settings.mode === 'demo'
  const claim = await claimRunning(settings)
  if (!('release' in claim)) {
    say(`${settings.appTitle} is running already: ${claim.address}${isDemo ? `\n\n${loginsText(settings)}` : ''}`)
    return shutdown.now(0)
  }
  shutdown.add(async () => claim.release())
  await tryPort(settings)
  const keys = loadKeys(settings)

  // The database starts in its own process while this one reads the application.
  const opening = openDatabase(settings, keys, terminal)
  const reading = import('./app.ts')
  reading.catch(() => undefined)
  const database = await opening
  shutdown.add(database.stop)
  shutdown.onForce(database.abandon)
  if (isDemo) await clearHalfMadeSample(settings, database)
  await migrate(database.owner, database.appRole, terminal)

  const { buildApp } = await reading
  const app = await buildApp({ settings, keys, database, log: openLog(settings) })
  shutdown.add(() => app.close())
  if (settings.startsSandbox) {
    const sandbox = await startSandbox(settings, keys)
    shutdown.add(sandbox.stop)
  }
  if (isDemo) {
    await ensureSample(settings, (await app.setupLink()) !== null, async (password) => {
      say('Making the sample company (first start only) …')
      const { seedSample } = await import('./sample/sample.ts')
      await seedSample(app, { password })
    })
  }
  const address = await app.listen()
  claim.announce(address)
  say(`\n${settings.appTitle} is ready: ${address}\n`)
  if (isDemo) return say(`${loginsText(settings)}\n\n  Ctrl-C stops it.\n`)
  if (settings.paymentProvider === 'sandbox')
    say(
      'Card payments go to the sandbox: test cards only, no real money moves. ' +
        'Set STRIPE_SECRET_KEY for real ones, or PAYMENT_PROVIDER=none for none.\n',
    )
  const link = await app.setupLink()
  if (link) say(`No user yet. Set the product up with this link, which works once: ${link}\n`)
}

/** One sentence for what the person who starts it can mend; everything else with its origin. */
const explain = (error: unknown): string => {
  if (error instanceof SettingsError) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const { PORT = '4000', HOST = '127.0.0.1' } = process.env
  if (code === 'EADDRINUSE')
    return `Port ${PORT} of ${HOST} is in use by another program; stop it or set PORT to another one.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${HOST} is no address of this machine.`
  if (code === 'EACCES' && error instanceof Error && 'syscall' in error && error.syscall === 'listen')
    return `Port ${PORT} may not be used by this user; set PORT to 1024 or above.`
  if (code === 'ENOSPC') return 'The disk is full; make room and start again.'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const failed = (error: unknown) => {
  if (shutdown.isEnding()) return
  console.error(explain(error))
  void shutdown.now(1)
}

process.on('uncaughtException', failed)
process.on('unhandledRejection', failed)
await serve().catch(failed)
