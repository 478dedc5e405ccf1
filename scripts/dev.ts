import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer, type Plugin, type ViteDevServer } from 'vite'
import { ensureDataDir } from '../server/core/data-dir.ts'
import { startEmbedded } from '../server/core/db/embedded.ts'
import { loadSettings, SettingsError } from '../server/core/env.ts'
import { loadKeys } from '../server/core/keys.ts'
import { startSandbox } from '../server/core/sandbox-process.ts'
import { terminal } from '../server/core/console.ts'
import { command } from './command.ts'

// npm run dev: the demo for whoever works on it. The web app is served from its sources and changes on the page, the
// server starts again when one of its files is saved, and the sample company stays from one day to the next.

/** What the server answers; everything else is the web app. */
const ofServer = /^\/(?:(?:api|health)(?:[/?]|$)|setup(?:\?|$))/
/** What the server is made of; its tests are not. */
const isSource = (path: string) => /^(?:server|contract)\//.test(path) && !path.endsWith('.test.ts')
/** What a server reads before it begins. */
const read = ['./server/core/follow-parent.ts', './server/app.ts']
/** A page that is saved half way through a request must not wait for a lasting connection to end. */
const patienceMs = 500

const settingsOf = () => {
  const { port, host } = loadSettings()
  const env = {
    NODE_COMPILE_CACHE: 'node_modules/.cache/node',
    ...process.env,
    MODE: 'demo',
    PORT: String(port + 2),
    PAYMENT_SANDBOX_PORT: String(port + 1),
    PUBLIC_URL: process.env.PUBLIC_URL ?? `http://${host}:${port}`,
    DATA_DIR: process.env.DATA_DIR ?? 'data/dev',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  }
  return { port, host, env, settings: loadSettings(env) }
}

/** The server as a process that is replaced when its files change. */
const makeServer = (env: Record<string, string | undefined>, address: string) => {
  let child: ChildProcess | null = null
  let isFirst = true
  const begun = Promise.withResolvers<void>()
  let ready = begun.promise

  const isAlive = (one: ChildProcess | null): one is ChildProcess =>
    one !== null && one.exitCode === null && one.signalCode === null
  const isRunning = () => isAlive(child)
  const answers = () =>
    fetch(`${address}/health/live`).then(
      (response) => response.ok,
      () => false,
    )
  const stop = async (one: ChildProcess | null, withinMs: number) => {
    if (!isAlive(one)) return
    const ended = once(one, 'exit')
    one.kill('SIGTERM')
    const hard = setTimeout(() => one.kill('SIGKILL'), withinMs)
    await ended
    clearTimeout(hard)
  }
  /**
   * The new one reads the application, which takes longest, while the old one ends; only then it looks for its place.
   */
  const start = async () => {
    const ended = stop(child, patienceMs)
    // Detached, as a Ctrl-C is for this process. What a later start says has been read
    // already; what goes wrong is told.
    child = spawn(process.execPath, [...read.flatMap((file) => ['--import', file]), 'server/main.ts'], {
      env,
      detached: true,
      stdio: ['pipe', isFirst ? 'inherit' : 'ignore', 'inherit'],
    })
    await ended
    while (isRunning() && !(await answers())) await sleep(20)
    if (isRunning()) isFirst = false
  }
  return {
    ready: () => ready,
    start: () => start().then(begun.resolve),
    restart: (changed: string) => {
      const startedAt = performance.now()
      ready = ready.then(start).then(() => {
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
        console.log(
          isRunning()
            ? `${changed}: the server runs again after ${seconds} s`
            : `${changed}: the server did not start; save again when it is mended`,
        )
      })
    },
    stop: () => stop(child, 15_000),
  }
}
type Server = ReturnType<typeof makeServer>

/** The page as the server would send it, and calls that wait for a server that is starting. */
const asServed = (settings: ReturnType<typeof loadSettings>, server: Server): Plugin => ({
  name: 'as-served',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html
        .replaceAll('__APP_TITLE__', settings.appTitle)
        .replace('__DEV_PAGES__', settings.hasDevPages ? 'on' : 'off')
        .replace('__DEFAULT_LANGUAGE__', settings.defaultLanguage),
  },
  configureServer: (vite) =>
    void vite.middlewares.use((request, _response, next) => {
      if (ofServer.test(request.url ?? '')) void server.ready().then(() => next())
      else next()
    }),
})

const watch = (vite: ViteDevServer, server: Server) => {
  let changed = ''
  vite.watcher.add(['server', 'contract'])
  vite.watcher.on('all', (event, file) => {
    const path = relative('.', file)
    if (!['add', 'change', 'unlink'].includes(event) || !isSource(path)) return
    // Several files saved at once make one start.
    if (!changed)
      setTimeout(() => {
        server.restart(changed)
        changed = ''
      }, 30)
    changed = path
  })
}

await command(async () => {
  const { port, host, env, settings } = settingsOf()
  ensureDataDir(settings.dataDir)
  const server = makeServer(
    { ...env, PAYMENT_SANDBOX_URL: settings.paymentSandboxUrl },
    `http://${host}:${settings.port}`,
  )
  const vite = await createServer({
    configFile: 'vite.config.ts',
    plugins: [asServed(settings, server)],
    server: {
      host,
      port,
      strictPort: true,
      proxy: { [ofServer.source]: { target: `http://${host}:${settings.port}`, ws: false } },
    },
    clearScreen: false,
  })
  await vite.listen().catch(async (error: Error) => {
    await vite.close()
    throw new SettingsError(error.message)
  })
  // Held here, so that database and sandbox outlive the server.
  const database = settings.databaseUrl ? null : await startEmbedded({ dataDir: settings.dataDir, log: terminal })
  const sandbox = settings.startsSandbox ? await startSandbox(settings, loadKeys(settings)) : null
  const end = async () => {
    await Promise.all([vite.close(), server.stop()])
    await sandbox?.stop()
    await database?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void end())
  watch(vite, server)
  await server.start()
})
