import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, test } from '@playwright/test'

export interface Stored {
  name: string
  value: string
}
export interface Taken {
  context: BrowserContext
  /** A page of its own, as it is seen first. */
  page: Page
}

/**
 * The first page of a context costs a browser twice as much as the second: scripts are compiled, a process begins. So
 * contexts are kept, each with an empty page that holds its process, and a test gets one in which nothing is stored.
 */
interface Kept {
  context: BrowserContext
  holder: Page
  /** Contexts that were opened in the same way can stand in for each other. */
  key: string
}
const free: Kept[] = []
const inUse = new Map<BrowserContext, Kept>()

const address = () => test.info().project.use.baseURL ?? ''

async function openContext(browser: Browser, options: BrowserContextOptions, key: string): Promise<Kept> {
  const context = await browser.newContext(options)
  const holder = await context.newPage()
  await holder.goto(`${address()}/health/live`)
  return { context, holder, key }
}

/** A window with nothing but this in its local storage. */
export async function takeContext(
  browser: Browser,
  stored: readonly Stored[] = [],
  { viewport, colorScheme, ...options }: BrowserContextOptions = {},
): Promise<Taken> {
  const key = JSON.stringify(options)
  const at = free.findIndex((one) => one.key === key)
  const kept = free.splice(at, at < 0 ? 0 : 1)[0] ?? (await openContext(browser, options, key))
  const { context, holder } = kept
  inUse.set(context, kept)
  await holder.evaluate((entries) => {
    for (const { name, value } of entries) localStorage.setItem(name, value)
  }, stored)
  const page = await context.newPage()
  if (viewport) await page.setViewportSize(viewport)
  if (colorScheme) await page.emulateMedia({ colorScheme })
  return { context, page }
}

/** Empties it; false when something stays in it that cannot be taken back, such as a clock that a test has set. */
async function empty({ context, holder }: Kept): Promise<boolean> {
  const pages = context.pages().filter((page) => page !== holder)
  await Promise.all(pages.map((page) => page.close()))
  context.removeAllListeners('request')
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.clearCookies()
  return holder.evaluate(() => {
    localStorage.clear()
    return Function.prototype.toString.call(Date).includes('[native code]')
  })
}

/**
 * At the end of a test; what a failed one leaves is not used again, and its windows are pictured as they are closed.
 */
export async function giveBack(contexts: readonly BrowserContext[]) {
  const isTrusted = test.info().status === test.info().expectedStatus
  await Promise.all(
    contexts.map(async (context) => {
      const kept = inUse.get(context)
      inUse.delete(context)
      // A test may have closed it itself.
      const isEmpty = isTrusted && kept && !kept.holder.isClosed() && (await empty(kept))
      if (isEmpty) free.push(kept)
      else await context.close()
    }),
  )
}
