import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { testCards, testWallets } from '../../contract/payments-test-cards.ts'
import { sandboxKeys } from '../core/adapters/payments-sandbox.ts'
import { makeTokens, Refusal } from './cards.ts'
import { makeCharges, type Charges, type Outcome } from './charges.ts'
import { makeHandler, sendFile, sendPage, type Request, type Route } from './http.ts'
import { actionPage, cardPage, readView, walletPage } from './pages.ts'
import { openStore } from './store.ts'
import { makeWebhooks, webhookModes, type WebhookMode, type Webhooks } from './webhooks.ts'

export interface SandboxOptions {
  port?: number
  host?: string
  dataDir: string
  /** Where events are sent; null keeps them until there is a receiver. */
  webhookUrl?: string | null
  /** Signs webhooks; the API keys are derived from it, see `sandboxKeys`. */
  webhookSecret: string
  /** The origins whose pages may show the provider's frames. */
  publicOrigins?: readonly string[]
  /** The address browsers reach the sandbox under, when it is not the one it listens on. */
  publicUrl?: string
  now?: () => Date
  /** How long the card that settles later takes. */
  settleAfterMs?: number
  log?: (error: unknown) => void
}

export interface Sandbox {
  url: string
  publicKey: string
  secretKey: string
  setWebhookUrl(url: string | null): void
  setPublicOrigins(origins: readonly string[]): void
  /** Events not taken by the receiver yet. */
  undelivered(): number
  close(): Promise<void>
}

const answersLateMs = 3000
const longestDelayMs = 120_000

const browserFile = (name: string) => readFileSync(fileURLToPath(new URL(`./browser/${name}`, import.meta.url)))
const fontFile = (weight: number) =>
  readFileSync(
    fileURLToPath(import.meta.resolve(`@fontsource/public-sans/files/public-sans-latin-${weight}-normal.woff2`)),
  )

/** `localhost` and `127.0.0.1` are two origins and one machine: whichever people type, the frames show. */
function withTwins(origins: readonly string[]): string[] {
  const all = origins.flatMap((origin) => [
    origin,
    origin.replace('//localhost', '//127.0.0.1'),
    origin.replace('//127.0.0.1', '//localhost'),
  ])
  return [...new Set(all.map((o) => o.replace(/\/+$/, '')))]
}

function fileRoutes(): Route[] {
  const script = 'text/javascript; charset=utf-8'
  const files: [string, string, Buffer][] = [
    ...['sandbox.js', 'talk.js', 'card.js', 'action.js', 'wallet.js'].map((name): [string, string, Buffer] => [
      name,
      script,
      browserFile(name),
    ]),
    ['page.css', 'text/css; charset=utf-8', browserFile('page.css')],
    ...[400, 600].map((weight): [string, string, Buffer] => [`font-${weight}.woff2`, 'font/woff2', fontFile(weight)]),
  ]
  return files.map(([name, type, bytes]) => ({
    method: 'GET',
    path: new RegExp(`^/v1/${name.replace('.', '\\.')}$`),
    access: 'open',
    run: async ({ res }) => void sendFile(res, type, bytes),
  }))
}

function pageRoutes(charges: Charges, origins: () => readonly string[]): Route[] {
  const show = (res: Request['res'], html: string) => void sendPage(res, html, origins())
  return [
    {
      method: 'GET',
      path: /^\/v1\/frame$/,
      access: 'open',
      run: async ({ query, res }) => show(res, cardPage(readView(query, origins()))),
    },
    {
      method: 'GET',
      path: /^\/v1\/wallet$/,
      access: 'open',
      run: async ({ query, res }) => {
        const wallet = testWallets.find((w) => w === query.get('wallet'))
        if (!wallet) throw new Refusal(404, 'unknown_wallet', `The wallet must be one of ${testWallets.join(', ')}.`)
        show(res, walletPage(readView(query, origins()), wallet, (query.get('amount') ?? '').slice(0, 40)))
      },
    },
    {
      method: 'GET',
      path: /^\/v1\/3ds\/([\w.-]{1,120})$/,
      access: 'open',
      run: async ({ params, query, res }) =>
        show(res, actionPage(readView(query, origins()), params[0] ?? '', charges.byAction(params[0] ?? ''))),
    },
    {
      method: 'POST',
      path: /^\/v1\/3ds\/([\w.-]{1,120})$/,
      access: 'open',
      run: async ({ params, body }) => {
        if (typeof body.isApproved !== 'boolean')
          throw new Refusal(422, 'invalid_answer', 'Please say whether the payment is approved.', 'isApproved')
        const charge = await charges.answerAction(params[0] ?? '', body.isApproved)
        return { status: 200, body: { id: charge.id, status: charge.status } }
      },
    },
  ]
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

/** What the card makes of the answer, after the money has been taken. */
async function answerCharge(
  { charge, behaviour, isReplay }: Outcome,
  res: Request['res'],
): Promise<{ status: number; body: unknown } | undefined> {
  if (isReplay) return { status: 200, body: charge }
  if (behaviour === 'captures_and_never_answers') return undefined
  if (behaviour === 'captures_and_hangs_up') return void res.socket?.destroy()
  if (behaviour === 'captures_and_answers_nothing') return void res.writeHead(200, { 'content-length': 0 }).end()
  if (behaviour === 'captures_and_fails')
    return { status: 500, body: { error: 'internal', message: 'Something went wrong in the sandbox.', field: null } }
  if (behaviour === 'answers_late') await pause(answersLateMs)
  return { status: charge.status === 'failed' ? 402 : 201, body: charge }
}

function apiRoutes(
  charges: Charges,
  store: ReturnType<typeof openStore>,
  tokens: ReturnType<typeof makeTokens>,
): Route[] {
  const key = (request: Request) => request.headers['idempotency-key']
  const limitOf = (query: URLSearchParams) => {
    const limit = query.get('limit') ?? '100'
    if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > 100)
      throw new Refusal(400, 'invalid_limit', 'The parameter limit must be from 1 to 100.', 'limit')
    return Number(limit)
  }
  return [
    {
      method: 'POST',
      path: /^\/v1\/tokens$/,
      access: 'open',
      run: async ({ body }) => ({ status: 201, body: tokens.make(body) }),
    },
    {
      method: 'POST',
      path: /^\/v1\/charges$/,
      access: 'secret',
      run: async (request) => answerCharge(await charges.create(request.body, key(request)), request.res),
    },
    {
      method: 'GET',
      path: /^\/v1\/charges$/,
      access: 'secret',
      run: async ({ query }) => {
        const asked = query.get('idempotencyKey')
        const found = asked === null ? null : store.chargeByKey.get(asked)?.charge
        if (asked !== null) return { status: 200, body: { items: found ? [found] : [], next: null } }
        return { status: 200, body: charges.list(query.get('from'), query.get('after'), limitOf(query)) }
      },
    },
    {
      method: 'GET',
      path: /^\/v1\/charges\/(ch_[\w-]+)$/,
      access: 'secret',
      run: async ({ params }) => ({ status: 200, body: charges.existing(params[0] ?? '') }),
    },
    // Approval on the 3-D Secure page takes the money at once, so that a closed browser loses nothing:
    // confirming tells where it stands.
    {
      method: 'POST',
      path: /^\/v1\/charges\/(ch_[\w-]+)\/confirm$/,
      access: 'secret',
      run: async ({ params }) => ({ status: 200, body: charges.existing(params[0] ?? '') }),
    },
    {
      method: 'POST',
      path: /^\/v1\/refunds$/,
      access: 'secret',
      run: async (request) => ({ status: 201, body: await charges.refund(request.body, key(request)) }),
    },
    {
      method: 'GET',
      path: /^\/v1\/refunds$/,
      access: 'secret',
      run: async ({ query }) => {
        const asked = query.get('idempotencyKey')
        if (asked === null)
          throw new Refusal(400, 'idempotency_key_missing', 'The parameter idempotencyKey is needed.', 'idempotencyKey')
        const found = store.refundByKey.get(asked)?.refund
        return { status: 200, body: { items: found ? [found] : [], next: null } }
      },
    },
  ]
}

interface Trouble {
  delayMs: number
  isFailing: boolean
}

function millisOf(value: unknown, fallback: number): number {
  const ms = value ?? fallback
  if (typeof ms !== 'number' || !Number.isInteger(ms) || ms < 0 || ms > longestDelayMs)
    throw new Refusal(422, 'invalid_delay', `The delay must be from 0 to ${longestDelayMs} ms.`)
  return ms
}

/** Switches for tests: what the network and the provider do to us. */
function testRoutes(charges: Charges, webhooks: Webhooks, trouble: Trouble): Route[] {
  return [
    {
      method: 'POST',
      path: /^\/v1\/test\/webhooks$/,
      access: 'local',
      run: async ({ body }) => {
        if (!webhookModes.includes(body.mode as WebhookMode))
          throw new Refusal(422, 'invalid_mode', `The mode must be one of ${webhookModes.join(', ')}.`, 'mode')
        webhooks.setMode(body.mode as WebhookMode, millisOf(body.delayMs, answersLateMs))
        return { status: 200, body: { mode: body.mode, undelivered: webhooks.undelivered() } }
      },
    },
    {
      method: 'POST',
      path: /^\/v1\/test\/flush$/,
      access: 'local',
      run: async () => ({ status: 200, body: { delivered: await webhooks.flush() } }),
    },
    {
      method: 'POST',
      path: /^\/v1\/test\/latency$/,
      access: 'local',
      run: async ({ body }) => {
        trouble.delayMs = millisOf(body.ms, 0)
        trouble.isFailing = body.isFailing === true
        return { status: 200, body: trouble }
      },
    },
    {
      method: 'POST',
      path: /^\/v1\/test\/disputes$/,
      access: 'local',
      run: async ({ body }) => ({
        status: 201,
        body: await charges.dispute(
          typeof body.chargeId === 'string' ? body.chargeId : '',
          body.isWon === true,
          typeof body.reason === 'string' ? body.reason : undefined,
        ),
      }),
    },
  ]
}

/** Makes every call with the secret key as slow or as broken as the switches say. */
const troubled = (route: Route, trouble: Trouble): Route =>
  route.access !== 'secret'
    ? route
    : {
        ...route,
        run: async (request) => {
          if (trouble.delayMs > 0) await pause(trouble.delayMs)
          if (trouble.isFailing)
            return {
              status: 500,
              body: { error: 'internal', message: 'The sandbox has been told to fail.', field: null },
            }
          return route.run(request)
        },
      }

const listen = (server: Server, port: number, host: string) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })

const hostInUrl = (host: string) =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host

/** Starts a payment provider of our own: no money, no network, and the habits of a real one. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const now = options.now ?? (() => new Date())
  const { publicKey, secretKey } = sandboxKeys(options.webhookSecret)
  let webhookUrl = options.webhookUrl ?? null
  let origins = withTwins(options.publicOrigins ?? [])
  let url = ''
  const trouble: Trouble = { delayMs: 0, isFailing: false }
  const store = openStore(options.dataDir)
  const tokens = makeTokens(secretKey, now)
  const webhooks = makeWebhooks(store, { url: () => webhookUrl, secret: options.webhookSecret, now })
  const charges = makeCharges(store, tokens, {
    baseUrl: () => url,
    now,
    announce: webhooks.announce,
    settleAfterMs: options.settleAfterMs ?? 5000,
  })
  const about: Route = {
    method: 'GET',
    path: /^\/(?:v1\/?)?$/,
    access: 'open',
    run: async () => ({ status: 200, body: { name: 'Payment sandbox', testCards, testWallets } }),
  }
  const routes = [
    about,
    ...fileRoutes(),
    ...pageRoutes(charges, () => origins),
    ...apiRoutes(charges, store, tokens).map((r) => troubled(r, trouble)),
    ...testRoutes(charges, webhooks, trouble),
  ]
  const handle = makeHandler(routes, secretKey, options.log ?? (() => {}))
  // A client that keeps its connection longer than we do would meet a reset now and then.
  const server = createServer(
    { requestTimeout: 15_000, headersTimeout: 10_000, keepAliveTimeout: 65_000, maxHeaderSize: 16 * 1024 },
    (req, res) => void handle(req, res),
  )
  const host = options.host ?? '127.0.0.1'
  const port = await listen(server, options.port ?? 0, host)
  url = (options.publicUrl ?? `http://${hostInUrl(host)}:${port}`).replace(/\/+$/, '')
  webhooks.resume()
  return {
    url,
    publicKey,
    secretKey,
    setWebhookUrl: (next) => {
      const isFirst = webhookUrl === null
      webhookUrl = next
      if (isFirst) webhooks.resume()
    },
    setPublicOrigins: (next) => {
      origins = withTwins(next)
    },
    undelivered: webhooks.undelivered,
    close: async () => {
      charges.stop()
      webhooks.stop()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await store.close()
    },
  }
}
