import { resolve } from 'node:path'
import { startSandbox } from './sandbox.ts'

const list = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const originOf = (address: string | undefined) => (address ? [URL.parse(address)?.origin ?? ''].filter(Boolean) : [])

// PUBLIC_URL is the product's address, as everywhere; PAYMENT_SANDBOX_URL is the sandbox's own,
// when a proxy gives it another.
const { PORT, HOST, DATA_DIR, WEBHOOK_URL, WEBHOOK_SECRET, PUBLIC_ORIGINS, PUBLIC_URL, PAYMENT_SANDBOX_URL } =
  process.env
if (!WEBHOOK_SECRET || WEBHOOK_SECRET.length < 32) {
  console.error('WEBHOOK_SECRET must be set and have at least 32 characters.')
  process.exit(1)
}

const sandbox = await startSandbox({
  port: Number(PORT ?? 4001),
  host: HOST ?? '127.0.0.1',
  dataDir: resolve(DATA_DIR ?? './data/payment-sandbox'),
  webhookUrl: WEBHOOK_URL || null,
  webhookSecret: WEBHOOK_SECRET,
  // The product that takes the webhooks is the shop whose pages show the frames.
  publicOrigins: [...list(PUBLIC_ORIGINS), ...originOf(PUBLIC_URL), ...originOf(WEBHOOK_URL)],
  ...(PAYMENT_SANDBOX_URL ? { publicUrl: PAYMENT_SANDBOX_URL } : {}),
  log: (error) =>
    console.error(
      JSON.stringify({
        level: 'error',
        time: new Date().toISOString(),
        message: error instanceof Error ? error.message : String(error),
      }),
    ),
})
console.log(
  JSON.stringify({
    level: 'info',
    time: new Date().toISOString(),
    message: 'The payment sandbox is ready.',
    url: sandbox.url,
  }),
)

let isClosing = false
const close = () => {
  if (isClosing) return
  isClosing = true
  void sandbox.close().then(() => process.exit(0))
}
process.on('SIGTERM', close)
process.on('SIGINT', close)
// Started by the product, the sandbox ends with it, also when the product is killed.
process.on('disconnect', close)
