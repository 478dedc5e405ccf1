import type { Page } from '@playwright/test'
import { anIssuedInvoice } from './arrange.ts'
import { expect, heading, test } from './support.ts'

const week = 7 * 24 * 60 * 60

test('toasts last five seconds, without motion too, wait while one looks, and go when pushed far @prove', async ({
  windows,
}) => {
  const page = await windows.staff('admin', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/dev/test-data-cards')
  const copy = page.getByRole('button', { name: /^Copy 4242/ })
  await copy.click()
  const toast = page.getByRole('alert').filter({ hasText: 'Number copied.' }).first()
  await expect(toast).toBeVisible()
  // Its seconds do not run while somebody is on it.
  const item = page.locator('.Toastify__toast').first()
  await item.hover()
  const box = await item.boundingBox()
  const width = box?.width ?? 0
  expect((box?.x ?? 0) + width).toBeGreaterThan(1440 - 60)
  expect(box?.y).toBeLessThan(120)
  const bar = page.locator('.Toastify__progress-bar').first()
  const styleOf = (name: 'animationDuration' | 'animationPlayState') =>
    bar.evaluate((element, property) => getComputedStyle(element)[property as 'animationDuration'], name)
  expect(['5s', '5000ms']).toContain(await styleOf('animationDuration'))

  await expect.poll(() => styleOf('animationPlayState')).toBe('paused')
  await page.mouse.move(200, 500)
  await expect.poll(() => styleOf('animationPlayState')).toBe('running')
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await expect.poll(() => styleOf('animationPlayState')).toBe('paused')

  const push = async (share: number) => {
    const at = await item.boundingBox()
    if (!at) throw new Error('there is no toast')
    const [x, y] = [at.x + at.width * 0.2, at.y + at.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + at.width * share, y, { steps: 12 })
    await page.mouse.up()
  }
  await push(0.5)
  await expect(toast).toBeVisible()
  await push(0.65)
  await expect(page.locator('.Toastify__toast')).toHaveCount(0)
})

test('there are never more than twenty toasts at once @prove', async ({ windows }) => {
  const page = await windows.staff('admin', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/dev/test-data-cards')
  const copy = page.getByRole('button', { name: /^Copy 4242/ })
  await copy.click()
  await page.locator('.Toastify__toast').first().hover()
  await page.evaluate(() => window.dispatchEvent(new Event('blur')))
  await copy.evaluate((button: HTMLElement) => {
    for (let i = 0; i < 25; i++) button.click()
  })
  await expect(page.locator('.Toastify__toast')).toHaveCount(20)
})

test('the layout is kept in cookies of one week @prove', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto('/apps/quotes/list')
  await page.getByRole('button', { name: 'Collapse navigation' }).click()
  await expect(page.getByRole('button', { name: 'Expand navigation' })).toBeVisible()
  const cookies = (await page.context().cookies()).filter((cookie) => cookie.name.startsWith('brolga.'))
  expect(cookies.map((cookie) => cookie.name).toSorted()).toEqual([
    'brolga.contentWidth',
    'brolga.navbarBlur',
    'brolga.verticalNavCollapsed',
  ])
  for (const cookie of cookies) expect(Math.abs(cookie.expires - Date.now() / 1000 - week)).toBeLessThan(120)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Expand navigation' })).toBeVisible()
})

test('the theme follows the system until one is chosen, and the choice is remembered @prove', async ({ windows }) => {
  const page = await windows.staff('office', { colorScheme: 'dark' })
  await page.goto('/apps/quotes/list')
  const scheme = () => page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])
  await expect.poll(scheme).toBe('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(scheme).toBe('light')
  await page.getByRole('button', { name: /^Theme:/ }).click()
  await page.getByRole('button', { name: 'Dark', exact: true }).click()
  await expect.poll(scheme).toBe('dark')
  await page.reload()
  await expect.poll(scheme).toBe('dark')
})

/** Until the page knows where it stands now. */
const goTo = (page: Page, top: number) =>
  page.evaluate(async (to) => {
    window.scrollTo({ top: to, behavior: 'instant' })
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  }, top)
/** What still comes into a page that was only just opened may move it down again. */
const goUp = (page: Page) =>
  expect(async () => {
    await goTo(page, 400)
    await goTo(page, 260)
    await expect(page.getByRole('button', { name: 'Scroll to top' })).toBeVisible({ timeout: 1000 })
  }).toPass()

test('a long page offers the way back to its top to whoever goes up, after two hundred pixels @prove', async ({
  windows,
}) => {
  const page = await windows.staff('office', { viewport: { width: 1440, height: 500 } })
  await page.goto('/apps/quotes/list?size=50')
  await expect(page.getByRole('table')).toBeVisible()
  const button = page.getByRole('button', { name: 'Scroll to top' })
  await goTo(page, 400)
  await expect(button).toBeHidden()
  await goTo(page, 200)
  await expect(button).toBeHidden()
  await goUp(page)
  await page.emulateMedia({ media: 'print' })
  await expect(button).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await button.click()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)

  const { serviceGuid } = await anIssuedInvoice()
  const guest = await windows.guest({ viewport: { width: 375, height: 500 } })
  for (const address of [`/service/i/${serviceGuid}`, '/pages/authentication/register-v1']) {
    await guest.goto(address)
    await expect(heading(guest)).toBeVisible()
    await guest.evaluate(() => (document.body.style.minHeight = '3000px'))
    await goUp(guest)
  }
})

test('paper is white and shows the document alone, from the dark theme as well', async ({ windows }) => {
  const page = await windows.staff('office', { colorScheme: 'dark' })
  await page.goto('/apps/quotes/list')
  await page.getByRole('link', { name: /^Q-/ }).first().click()
  await expect(heading(page)).toHaveText(/^Q-/)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main navigation' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'PDF' })).toBeHidden()
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await expect.poll(ground).toBe('rgb(255, 255, 255)')
})

test('the navigation lies over the page on a narrow screen and closes by itself @prove', async ({ windows }) => {
  const page = await windows.staff('office', { viewport: { width: 975, height: 800 } })
  await page.goto('/apps/quotes/list')
  await page.getByRole('button', { name: 'Open navigation' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('link', { name: 'Orders' }).click()
  await expect(heading(page)).toHaveText('Orders')
  await expect(drawer).toBeHidden()
  await page.setViewportSize({ width: 976, height: 800 })
  await expect(page.getByRole('button', { name: 'Open navigation' })).toBeHidden()
})

test('toasts wait for a person who was elsewhere before they came @prove', async ({ windows }) => {
  const page = await windows.staff('admin', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto('/dev/test-data-cards')
  const copy = page.getByRole('button', { name: /^Copy 4242/ })
  await copy.click()
  const bars = page.locator('.Toastify__progress-bar')
  const states = () => bars.evaluateAll((found) => found.map((bar) => getComputedStyle(bar).animationPlayState))
  await expect.poll(states).toEqual(['running'])
  // What a browser says of a window in the background.
  await page.evaluate(() => {
    document.hasFocus = () => false
    window.dispatchEvent(new Event('blur'))
  })
  await copy.evaluate((button: HTMLElement) => button.click())
  await expect(bars).toHaveCount(2)
  // The second has entered, which is when its time would begin to run.
  await expect
    .poll(() =>
      page
        .locator('.Toastify__toast')
        .evaluateAll((found) => found.every((toast) => !toast.className.includes('enter'))),
    )
    .toBe(true)
  expect(await states()).toEqual(['paused', 'paused'])
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect.poll(states).toEqual(['running', 'running'])
})
