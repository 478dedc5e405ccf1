import { mkdirSync, rmSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test'
import { SettingsError } from '../server/core/env.ts'
import { ensureBrowser } from './browser.ts'
import { command } from './command.ts'
import { addressesOf, openRoutes, serviceRoutes, staffRoutes } from './routes.ts'

// npm run screenshots -- [part of an address]: every page, as it looks now, into screenshots/.
// npm run screenshots -- readme: those that the README shows, into docs/images.
const password = 'password of the pictures'
const folder = 'screenshots'
const sizes = [
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
]
const themes = ['light', 'dark'] as const
const languages = ['en', 'ar'] as const

type Headers = Record<string, string>

async function ask<D>(url: string, method: string, path: string, headers: Headers, body?: unknown): Promise<D> {
  const response = await fetch(`${url}/api/v2${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { serviceData: D }).serviceData
}

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

/** A demo of its own, with the sample company. */
async function startDemo() {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['scripts/run.mjs', 'demo'], {
    env: {
      ...process.env,
      PORT: String(port),
      PAYMENT_SANDBOX_PORT: String(await freePort()),
      DATA_DIR: '.tmp/screenshots',
      DEMO_PASSWORD: password,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const isUp = () =>
    fetch(`${url}/health/ready`).then(
      (r) => r.ok,
      () => false,
    )
  for (let i = 0; !(await isUp()); i++) {
    if (child.exitCode !== null || i > 600) throw new SettingsError('The demo for the pictures did not start.')
    await sleep(500)
  }
  const stop = async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
  return { url, stop }
}

interface View {
  /** Whose page it is: a person who is logged in, or a stranger. */
  headers: Headers | null
  address: string
}

/** Every address with a record of the sample company. */
async function allViews(url: string, headers: Headers): Promise<View[]> {
  const list = (path: string) => ask<{ items: { guid: string }[] }>(url, 'GET', path, headers)
  const links: string[] = []
  for (const route of serviceRoutes) {
    const [noun, name] = ({ q: ['Quotes', 'quote'], o: ['Orders', 'order'], i: ['Invoices', 'invoice'] } as const)[
      route.split('/')[2] as 'q' | 'o' | 'i'
    ]
    const { items } = await list(`/${noun}?size=10&sort=-createdAt${noun === 'Orders' ? '' : '&status=sent,viewed'}`)
    const record = await ask<Record<string, { serviceGuid: string }>>(
      url,
      'GET',
      `/${noun}/${items[0]?.guid ?? ''}`,
      headers,
    )
    links.push(route.replace('$guid', record[name]?.serviceGuid ?? ''))
  }
  const staff: string[] = []
  for (const route of staffRoutes) staff.push(...(await addressesOf(route, list)))
  return [
    ...staff.map((address) => ({ headers, address })),
    ...[...openRoutes, ...links, '/nowhere'].map((address) => ({ headers: null, address })),
  ]
}

const nameOf = (address: string) =>
  address
    .replace(/^\//, '')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'record')
    .replaceAll(/[^\w-]+/g, '-') || 'start'

const waiting =
  '[aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root, .wait-page, [role="status"][aria-label]'

async function shoot(page: Page, { address }: View, file: string, fullPage = true) {
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: 15_000 })
  // What is asked for begins a moment after the page is there, and what follows from it a moment later.
  for (let look = 0; look < 3; look++) {
    await sleep(400)
    await page.locator(waiting).first().waitFor({ state: 'detached', timeout: 15_000 })
  }
  await page.evaluate('document.fonts.ready.then(() => true)')
  await page.screenshot({ path: file, fullPage, animations: 'disabled' })
}

const stored = (key: string, value: unknown) => ({
  name: `brolga.${key}`,
  value: JSON.stringify({ value, at: Date.now() }),
})
const optionsFor = (
  url: string,
  headers: Headers | null,
  look: BrowserContextOptions,
  language: string,
): BrowserContextOptions => ({
  ...look,
  baseURL: url,
  locale: 'en-AU',
  timezoneId: 'Australia/Sydney',
  reducedMotion: 'reduce',
  storageState: {
    cookies: [],
    origins: [
      {
        origin: url,
        localStorage: [
          stored('language', language),
          ...(headers ? [stored('headers', headers), stored('apiGuid', headers['X-Api-Guid'])] : []),
        ],
      },
    ],
  },
})

async function shootAll(browser: Browser, url: string, views: readonly View[]): Promise<number> {
  let failures = 0
  for (const language of languages)
    for (const colorScheme of themes)
      for (const viewport of sizes) {
        const place = join(folder, language, `${colorScheme}-${viewport.width}`)
        mkdirSync(place, { recursive: true })
        for (const view of views) {
          const context = await browser.newContext(optionsFor(url, view.headers, { viewport, colorScheme }, language))
          await shoot(await context.newPage(), view, join(place, `${nameOf(view.address)}.png`)).catch(
            (error: unknown) => {
              failures++
              console.error(
                `${view.address} (${language}, ${colorScheme}, ${viewport.width} px): ` +
                  `${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
              )
            },
          )
          await context.close()
        }
        console.log(`${place}: ${views.length} pages`)
      }
  return failures
}

interface ReadmePicture extends View {
  name: string
  look?: BrowserContextOptions
  language?: string
}

async function readmePictures(url: string, headers: Headers): Promise<ReadmePicture[]> {
  const first = async (path: string, isIt: (item: { name?: string }) => boolean = () => true) =>
    (await ask<{ items: { guid: string; name?: string }[] }>(url, 'GET', path, headers)).items.find(isIt)?.guid ?? ''
  const invoice = `/apps/invoices/preview/${await first('/Invoices?status=partially_paid&size=2')}`
  const role = await first('/Roles?size=50', ({ name }) => name === 'Office')
  const { quote } = await ask<{ quote: { serviceGuid: string } }>(
    url,
    'GET',
    `/Quotes/${await first('/Quotes?status=sent,viewed&sort=-totalCents&size=2')}`,
    headers,
  )
  return [
    { name: 'dashboard', address: '/dashboards/ecommerce', headers },
    { name: 'quotes', address: '/apps/quotes/list', headers },
    { name: 'invoice', address: invoice, headers },
    { name: 'role', address: `/setup/roles/edit/${role}`, headers },
    { name: 'arabic', address: invoice, headers, language: 'ar' },
    {
      name: 'phone-dark',
      address: '/apps/invoices/list',
      headers,
      look: { viewport: { width: 375, height: 812 }, colorScheme: 'dark' },
    },
    {
      name: 'service-quote',
      address: `/service/q/${quote.serviceGuid}`,
      headers: null,
      look: { viewport: { width: 1440, height: 1100 } },
    },
  ]
}

async function shootForReadme(browser: Browser, url: string, headers: Headers) {
  for (const { name, look, language = 'en', ...view } of await readmePictures(url, headers)) {
    const options = optionsFor(url, view.headers, { viewport: { width: 1440, height: 900 }, ...look }, language)
    const context = await browser.newContext(options)
    await shoot(await context.newPage(), view, `docs/images/${name}.png`, false)
    await context.close()
  }
}

await command(async () => {
  if (!(await ensureBrowser())) throw new SettingsError('Without a browser there are no pictures.')
  const part = process.argv.slice(2).find((argument) => argument !== '--') ?? ''
  const demo = await startDemo()
  const executablePath = process.env.CHROMIUM_PATH
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const { headers } = await ask<{ headers: Headers }>(
      demo.url,
      'POST',
      '/Kernal/Users/Auth/Login',
      {},
      { authID: 'admin@demo.example', authPassword: password },
    )
    if (part === 'readme') return await shootForReadme(browser, demo.url, headers)
    const views = (await allViews(demo.url, headers)).filter(({ address }) => address.includes(part))
    if (!part) rmSync(folder, { recursive: true, force: true })
    if ((await shootAll(browser, demo.url, views)) > 0) process.exitCode = 1
  } finally {
    await browser.close()
    await demo.stop()
  }
})
