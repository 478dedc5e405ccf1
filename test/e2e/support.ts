import { setTimeout as sleep } from 'node:timers/promises'
import { AxeBuilder } from '@axe-core/playwright'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Frame,
  type Locator,
  type Page,
  test as base,
} from '@playwright/test'
import axe, { type Result, type RunOptions } from 'axe-core'
import { giveBack, type Stored, takeContext } from './contexts.ts'
import type { Language } from './words.ts'

export const password = process.env['DEMO_PASSWORD'] ?? ''
const prefix = 'brolga'

export type Role = 'admin' | 'office' | 'sales' | 'field' | 'accountant' | 'readonly'
interface Headers {
  [name: string]: string
}

const address = () => test.info().project.use.baseURL ?? ''
const sessions = new Map<Role, { made: Promise<Headers>; at: number }>()
/** A third of what a token lasts, so that a test begins with most of it. */
const keptMs = 5 * 60_000

/** The session of a sample person: the tests of a worker share it for a while. */
const sessionOf = (role: Role): Promise<Headers> => {
  const known = sessions.get(role)
  if (known && Date.now() - known.at < keptMs) return known.made
  const made = ask<{ headers: Headers }>('POST', '/Kernal/Users/Auth/Login', {
    authID: `${role}@demo.example`,
    authPassword: password,
  }).then(({ headers }) => headers)
  sessions.set(role, { made, at: Date.now() })
  return made
}

/** A server that is busy says when to come back, and whoever asks does so. */
async function ask<D>(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<D> {
  const request = {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  for (let tries = 0; ; tries++) {
    const response = await fetch(`${address()}/api/v2${path}`, request)
    const text = await response.text()
    if (response.ok) return (JSON.parse(text) as { serviceData: D }).serviceData
    const comeBackAfter = Number(response.headers.get('retry-after') ?? 0)
    if (response.status !== 503 || !comeBackAfter || tries === 5)
      throw new Error(`${method} ${path}: ${response.status} ${text}`)
    await sleep(comeBackAfter * 1000)
  }
}

/** One call of the API as a sample person: to arrange what a test is not about, and to hold screens against. */
export const api = async <D>(
  role: Role,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  /** The business it is done in, where that is not the one the person works in. */
  businessGuid?: string,
): Promise<D> =>
  ask<D>(method, path, body, {
    ...(await sessionOf(role)),
    ...(businessGuid ? { 'x-business-guid': businessGuid } : {}),
  })

/** As the browser keeps it. */
export const storedAs = (key: string, value: unknown, at = Date.now()): Stored => ({
  name: `${prefix}.${key}`,
  value: JSON.stringify({ value, at }),
})

interface Opening extends BrowserContextOptions {
  /** As if it had been chosen in this browser before. */
  language?: Language
}
/** Opens pages in windows of their own; whatever goes wrong in one of them fails the test. */
export interface Windows {
  /** A staff member's window, logged in. */
  staff(role: Role, options?: Opening): Promise<Page>
  /** The window of somebody nobody knows. */
  guest(options?: Opening): Promise<Page>
}

/**
 * What a browser says of an answer that the product itself has shown to the person, and of the recorder that looks into
 * frames where nothing may run.
 */
const isExpected = (text: string) =>
  text.startsWith("Blocked script execution in 'about:srcdoc'") ||
  /Failed to load resource: the server responded with a status of (401|402|403|404|409|410|422)/.test(text)

const openWindows = (browser: Browser) => {
  const contexts: BrowserContext[] = []
  const troubles: string[] = []
  const open = async ({ language, ...options }: Opening, values: Stored[]): Promise<Page> => {
    const stored = [...values, ...(language ? [storedAs('language', language)] : [])]
    const { context, page } = await takeContext(browser, stored, options)
    contexts.push(context)
    page.on('pageerror', (error) => troubles.push(`${page.url()}: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error' && !isExpected(message.text())) troubles.push(`${page.url()}: ${message.text()}`)
    })
    return page
  }
  const windows: Windows = {
    staff: async (role, options = {}) => {
      const headers = await sessionOf(role)
      return open(options, [storedAs('headers', headers), storedAs('apiGuid', headers['X-Api-Guid'])])
    },
    guest: (options = {}) => open(options, []),
  }
  return { windows, troubles, close: () => giveBack(contexts) }
}

export const test = base.extend<{ windows: Windows }>({
  windows: async ({ browser }, provide) => {
    const { windows, troubles, close } = openWindows(browser)
    await provide(windows)
    await close()
    expect(troubles).toEqual([])
  },
})
export { expect }

declare global {
  interface Window {
    /** Where the checker stands in a page that was looked at. */
    axe: typeof axe
  }
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 })

/**
 * Skeletons are gone, and what follows the width has followed it. Waited for in the page: each look of `expect` that
 * finds something else describes the whole page, which takes longer than the look.
 */
export const settled = async (page: Page) => {
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"], .mantine-Skeleton-root'))
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Every violation of the accessibility rules on what is shown now, one line each. */
export async function violations(page: Page): Promise<string[]> {
  await settled(page)
  // As it is heard: a page that is just being replaced has none for a moment.
  await expect(heading(page).first()).toBeAttached()
  // Colours fade in; half-way through they are none of either theme. What inherits them fades after them.
  await page.evaluate(async () => {
    // The bar of a toast tells how long it stays: seconds, in which no colour changes.
    const isCountdown = (a: Animation) => a instanceof CSSAnimation && a.animationName === 'Toastify__trackProgress'
    const running = () =>
      document
        .getAnimations()
        .filter((a) => a.playState === 'running' && a.effect?.getComputedTiming().iterations !== Infinity)
        .filter((a) => !isCountdown(a))
    // One that is held meanwhile, as that of a toast under the mouse, never ends: looked at anew a few times a second.
    const aMoment = () => new Promise((go) => setTimeout(go, 250))
    for (let left = running(), round = 0; left.length > 0 && round < 80; left = running(), round++)
      await Promise.race([Promise.all(left.map((a) => a.finished.catch(() => undefined))), aMoment()])
  })
  return (await foundOn(page)).flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary?.split('\n')[1]?.trim() ?? ''}`,
    ),
  )
}

/** What passes is not told apart in detail: that took half of the time. */
const checkOptions: RunOptions = { runOnly: rules, resultTypes: ['violations'] }
/** In the frame of a mail nothing may run, the checker included. */
const uncheckedFrames = 'iframe[sandbox]'
const checkedFrames = 'iframe:not([sandbox])'

async function foundOn(page: Page): Promise<Result[]> {
  // Looking into frames takes a second window, which is slow; few pages have one.
  if ((await page.locator(checkedFrames).count()) > 0)
    return (await new AxeBuilder({ page }).options(checkOptions).exclude(uncheckedFrames).analyze()).violations
  // The checker stays in the page for the next look at it: to read it anew each time took as long as the look.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ([options, exclude]) => (await window.axe.run({ exclude }, { ...options, iframes: false })).violations,
    [checkOptions, uncheckedFrames] as const,
  )
}

/** The frame the payment provider shows its card form in. */
async function cardFrame(page: Page): Promise<Frame> {
  const frame = await (await page.locator('iframe[title="Card details"]').elementHandle())?.contentFrame()
  if (!frame) throw new Error('there is no card form')
  return frame
}

export async function fillCard(page: Page, number: string) {
  const frame = await cardFrame(page)
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel(/expiry/i).fill('12/30')
  await frame.getByLabel(/security code/i).fill('123')
}

/** Cents as the screens write them. */
export const money = (cents: number): string => {
  const most = Math.abs(cents)
  const dollars = Math.trunc(most / 100).toLocaleString('en')
  return `${cents < 0 ? '−' : ''}$${dollars}.${String(most % 100).padStart(2, '0')}`
}

let made = 0
/** A name nobody else in this run has. */
export const unique = (name: string): string => `${name} ${process.pid}-${++made}`

/** While `work` runs, what the page would change does not reach the server. */
export async function whileAway(page: Page, work: () => Promise<void>) {
  await page.evaluate(() => {
    const fetch = window.fetch.bind(window)
    const away: typeof fetch = (url, more) =>
      (more?.method ?? 'GET') !== 'GET' ? Promise.reject(new TypeError('Failed to fetch')) : fetch(url, more)
    window.fetch = away
    window.addEventListener('back', () => (window.fetch = fetch), { once: true })
  })
  await work()
  await page.evaluate(() => window.dispatchEvent(new Event('back')))
}
