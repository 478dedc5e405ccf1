import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import { ensureBrowser, ownBrowser } from '../scripts/browser.ts'
import { password } from './reference.ts'

export interface RouteSize {
  route: string
  /** KiB gzipped of all scripts and styles a fresh visitor fetches. */
  js: number
  css: number
  /** KiB of what the list route had not fetched yet. */
  more: number
  requests: number
  /** Milliseconds from the start of the navigation to the first row of a list; null without one. */
  firstRowMs: number | null
}

const listRoute = '/apps/quotes/list'
const staffRoutes = [
  listRoute,
  '/dashboards/ecommerce',
  '/apps/quotes/add',
  '/apps/orders/list',
  '/apps/orders/add',
  '/apps/invoices/list',
  '/apps/invoices/add',
  '/apps/payments/list',
  '/apps/customers/list',
  '/apps/customers/add',
  '/apps/products/list',
  '/apps/products/add',
  '/apps/messages/list',
  '/setup/businesses/list',
  '/setup/users/list',
  '/setup/roles/list',
  '/dev/banking-journals',
]

const quietMs = 1500

const sizes = new Map<string, number>()
const sizeOf = (file: string) => {
  const known = sizes.get(file)
  if (known !== undefined) return known
  const size = gzipSync(readFileSync(join('dist/web', file)), { level: 9 }).length / 1024
  sizes.set(file, size)
  return size
}

/** Runs in the page: notes when the first link to a record stands in a table. */
const noteFirstRow = `(function look() {
  if (document.querySelector('tbody a[href*="/preview/"]'))
    document.documentElement.dataset.firstRow = String(performance.now())
  else requestAnimationFrame(look)
})()`

interface Visit {
  files: Set<string>
  requests: number
  firstRowMs: number | null
}

/** Opens a route with an empty cache and notes what it fetches. */
async function visit(context: BrowserContext, url: string, route: string): Promise<Visit> {
  const page = await context.newPage()
  const files = new Set<string>()
  let requests = 0
  page.on('request', (request) => {
    requests++
    const { pathname } = new URL(request.url())
    if (/^\/assets\/.*\.(js|css)$/.test(pathname)) files.add(pathname)
  })
  await page.addInitScript(noteFirstRow)
  await page.goto(url + route, { waitUntil: 'load' })
  // The live connection never ends, so quiet means that no file was asked for lately.
  for (let before = -1; before !== files.size; await page.waitForTimeout(quietMs)) before = files.size
  const firstRow = await page.evaluate<string | null>('document.documentElement.dataset.firstRow ?? null')
  await page.close()
  return { files, requests, firstRowMs: firstRow === null ? null : Number(firstRow) }
}

export async function fresh<T>(
  browser: Browser,
  state: Awaited<ReturnType<BrowserContext['storageState']>> | undefined,
  work: (context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ...(state ? { storageState: state } : {}),
  })
  try {
    return await work(context)
  } finally {
    await context.close()
  }
}

export async function loggedIn(browser: Browser, url: string) {
  return fresh(browser, undefined, async (context) => {
    const page = await context.newPage()
    await page.goto(`${url}/login`)
    await page.locator('input[type="password"]').waitFor()
    await page.locator('input:not([type="password"]):not([type="checkbox"])').first().fill('admin@demo.example')
    await page.locator('input[type="password"]').fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL((address) => !address.pathname.startsWith('/login'))
    return context.storageState()
  })
}

/** Null where there is none. */
export async function openBrowser(): Promise<Browser | null> {
  if (!(await ensureBrowser())) return null
  const executablePath = ownBrowser()
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

/** What each route costs a browser that has never been here; null without a browser. */
export async function routeSizes(url: string, guestLink: string): Promise<RouteSize[] | null> {
  const browser = await openBrowser()
  if (!browser) return null
  try {
    const state = await loggedIn(browser, url)
    const visits: [string, Visit][] = []
    for (const route of ['/login', `/service/i/${guestLink}`])
      visits.push([route, await fresh(browser, undefined, (context) => visit(context, url, route))])
    for (const route of staffRoutes)
      visits.push([route, await fresh(browser, state, (context) => visit(context, url, route))])
    const list = visits.find(([route]) => route === listRoute)?.[1].files ?? new Set<string>()
    return visits.map(([route, { files, requests, firstRowMs }]) => sizesOf(route, files, list, requests, firstRowMs))
  } finally {
    await browser.close()
  }
}

function sizesOf(
  route: string,
  files: Set<string>,
  list: Set<string>,
  requests: number,
  firstRowMs: number | null,
): RouteSize {
  const sum = (wanted: (file: string) => boolean) =>
    [...files].filter(wanted).reduce((total, file) => total + sizeOf(file), 0)
  return {
    route: route.replace(/^(\/service\/.).*$/, '$1'),
    js: sum((f) => f.endsWith('.js')),
    css: sum((f) => f.endsWith('.css')),
    more: sum((f) => !list.has(f)),
    requests,
    firstRowMs,
  }
}
