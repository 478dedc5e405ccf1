import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Settings, SettingsError, urlHost } from './env.ts'
import type { Keys } from './keys.ts'

const server = join(import.meta.dirname, '..')
const patienceMs = 10_000

const accepts = (port: number, host: string) =>
  new Promise<boolean>((done) => {
    const socket = connect({ port, host })
    socket
      .once('connect', () => done(true))
      .once('error', () => done(false))
      .once('close', () => socket.destroy())
    socket.once('connect', () => socket.destroy())
  })

/** The sandbox of a product that was killed a moment ago is about to end. */
const isFreeSoon = async (port: number, host: string) => {
  for (let attempt = 0; attempt < 20; attempt++) {
    if (!(await accepts(port, host))) return true
    await sleep(100)
  }
  return false
}

const launch = (settings: Settings, keys: Pick<Keys, 'webhook'>): ChildProcess => {
  const log = openSync(join(settings.dataDir, 'sandbox.log'), 'a', 0o600)
  const env = {
    ...process.env,
    PORT: String(settings.paymentSandboxPort),
    HOST: settings.host,
    DATA_DIR: settings.dataDir,
    WEBHOOK_URL: `http://${urlHost(settings.host)}:${settings.port}/api/v2/Payments/Webhooks/sandbox`,
    WEBHOOK_SECRET: keys.webhook,
  }
  const args = ['--import', join(server, 'core', 'follow-parent.ts'), join(server, 'sandbox', 'main.ts')]
  // Detached, as a Ctrl-C is for the product, which ends the sandbox after its own work.
  const child = spawn(process.execPath, args, { env, detached: true, stdio: ['pipe', log, log] })
  closeSync(log)
  return child
}

/** Starts the payment sandbox as a process of its own and starts it again should it end. */
export const startSandbox = async (settings: Settings, keys: Pick<Keys, 'webhook'>) => {
  const { paymentSandboxPort: port, host } = settings
  if (!(await isFreeSoon(port, host)))
    throw new SettingsError(
      `Port ${port}, meant for the payment sandbox, is in use by another program; ` +
        'stop it or set PAYMENT_SANDBOX_PORT to another one.',
    )
  let child = launch(settings, keys)
  let stopping = false
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const keepRunning = () =>
    child.once('exit', () => {
      if (stopping) return
      setTimeout(() => {
        if (stopping) return
        child = launch(settings, keys)
        keepRunning()
      }, 1000)
    })
  const deadline = performance.now() + patienceMs
  while (!(await accepts(port, host))) {
    if (!isRunning() || performance.now() > deadline)
      throw new SettingsError(`The payment sandbox did not start; ${join(settings.dataDir, 'sandbox.log')} says why.`)
    await sleep(20)
  }
  keepRunning()
  const stop = async () => {
    stopping = true
    if (!isRunning()) return
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    const hard = setTimeout(() => child.kill('SIGKILL'), 3000)
    await ended
    clearTimeout(hard)
  }
  return { stop }
}
