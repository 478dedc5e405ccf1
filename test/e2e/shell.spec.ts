import type { Locator, Page } from '@playwright/test'
import { expect, heading, test, violations } from './support.ts'
import { variants } from './variants.ts'

const examples = '/pages/dialog-examples'
const prefix = 'brolga.'
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const say = (page: Page, kind = 'Success') => page.getByRole('button', { name: kind, exact: true }).click()
const remember = (page: Page, theme: Record<string, string>) =>
  page.addInitScript(
    ([name, value]) => localStorage.setItem(name ?? '', value ?? ''),
    [`${prefix}themeSettings`, JSON.stringify({ value: theme, at: Date.now() })],
  )

/** Elements that are painted outside the window sideways. */
const isTooWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)

test.describe('toasts', () => {
  test('are of five kinds @prove', async ({ windows }) => {
    const page = await windows.staff('admin')
    await page.goto(examples)
    for (const kind of ['Success', 'Error', 'Warning', 'Info', 'Default']) {
      await say(page, kind)
      await expect(page.locator(`.Toastify__toast--${kind.toLowerCase()}`)).toHaveCount(1)
    }
    expect(await violations(page)).toEqual([])
  })
})

test.describe('navigation', () => {
  test('shows a group only when one of its pages is permitted @prove', async ({ windows }) => {
    const field = await windows.staff('field')
    await field.goto('/access-control')
    await expect(navigation(field).getByText('Apps', { exact: true })).toBeVisible()
    await expect(navigation(field).getByText('Setup', { exact: true })).toHaveCount(0)
    for (const group of ['Development', 'Pages', 'System pages'])
      await expect(navigation(field).getByText(group, { exact: true })).toHaveCount(0)
    await field.keyboard.press('Control+k')
    await field.keyboard.type('icons')
    await expect(field.getByText('No results for “icons”')).toBeVisible()
    await field.goto('/pages/icons')
    await expect(heading(field)).toHaveText('Insufficient permissions')
    const admin = await windows.staff('admin')
    await admin.goto('/access-control')
    await expect(navigation(admin).getByText('Setup', { exact: true })).toBeVisible()
  })

  for (const dir of variants(['ltr', 'rtl'] as const, ['rtl']))
    test(`above the page it goes by keyboard, ${dir} @prove`, async ({ windows }) => {
      const page = await windows.staff('admin')
      await remember(page, { layoutNav: 'horizontal' })
      await page.goto('/apps/quotes/list')
      await expect(navigation(page)).toBeVisible()
      await page.evaluate((value) => (document.documentElement.dir = value), dir)
      const [forward, back] = dir === 'ltr' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']
      const button = (name: string) => navigation(page).getByRole('button', { name })
      await navigation(page).getByRole('link', { name: 'Dashboard' }).focus()
      await page.keyboard.press(forward)
      await expect(button('Apps')).toBeFocused()
      await expect(button('Apps')).toHaveAttribute('aria-expanded', 'false')
      await page.keyboard.press('ArrowDown')
      await expect(button('Apps')).toHaveAttribute('aria-expanded', 'true')
      await expect(navigation(page).getByRole('link', { name: 'Quotes', exact: true })).toBeFocused()
      await page.keyboard.press('ArrowDown')
      await expect(navigation(page).getByRole('link', { name: 'Quote series' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(button('Apps')).toBeFocused()
      await expect(button('Apps')).toHaveAttribute('aria-expanded', 'false')
      await page.keyboard.press('Enter')
      await expect(button('Apps')).toHaveAttribute('aria-expanded', 'true')
      await page.keyboard.press('Tab')
      await expect(navigation(page).getByRole('link', { name: 'Quotes' })).toBeFocused()
      await page.keyboard.press(forward)
      await expect(button('Accounting')).toBeFocused()
      await page.keyboard.press(back)
      await page.keyboard.press(back)
      await page.keyboard.press(back)
      await expect(button('System pages')).toBeFocused()
      await page.keyboard.press('Home')
      await page.keyboard.press('End')
      await expect(button('System pages')).toBeFocused()
      await page.keyboard.press('Enter')
      expect(await isTooWide(page)).toBe(false)
      expect(await violations(page)).toEqual([])
      await heading(page).click()
      await expect(button('System pages')).toHaveAttribute('aria-expanded', 'false')
    })

  test('tells a screen reader and a keyboard where the page begins', async ({ windows }) => {
    const page = await windows.staff('office')
    await page.goto('/apps/quotes/list')
    await expect(heading(page)).toHaveText('Quotes')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.locator('main')).toBeFocused()
    await navigation(page).getByRole('link', { name: 'Orders' }).click()
    await expect(heading(page)).toHaveText('Orders')
    await expect(page.locator('main')).toBeFocused()
    await expect(page).toHaveTitle('Orders · Brolga')
  })
})

test.describe('the look', () => {
  const customise = async (page: Page): Promise<Locator> => {
    await page.getByRole('button', { name: 'Customise appearance' }).click()
    const drawer = dialog(page, 'Customise appearance')
    await expect(drawer).toBeVisible()
    return drawer
  }

  test('is kept: navigation, blur and width in cookies of one week, the theme for good @prove', async ({ windows }) => {
    const page = await windows.staff('admin')
    await page.goto('/pages/typography')
    const drawer = await customise(page)
    expect(await violations(page)).toEqual([])
    await drawer.getByText('Collapsed', { exact: true }).click()
    await drawer.getByText('Boxed').click()
    await drawer.getByRole('switch', { name: 'Blur behind top bar' }).click()
    await drawer.getByText('Bordered').click()
    await drawer.getByText('Dark', { exact: true }).click()
    const cookies = await page.context().cookies()
    const kept = Object.fromEntries(
      cookies.map(({ name, value, expires }) => [
        name,
        { value, days: Math.round((expires - Date.now() / 1000) / 86_400) },
      ]),
    )
    expect(kept).toEqual({
      [`${prefix}navbarBlur`]: { value: 'false', days: 7 },
      [`${prefix}verticalNavCollapsed`]: { value: 'true', days: 7 },
      [`${prefix}contentWidth`]: { value: 'boxed', days: 7 },
    })
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await expect(page.locator('html')).toHaveAttribute('data-skin', 'bordered')
    await expect(page.locator('.shell')).toHaveAttribute('data-collapsed', 'true')
    await expect(page.locator('.shell')).toHaveAttribute('data-width', 'boxed')
    const again = await customise(page)
    await again.getByRole('button', { name: 'Reset everything' }).click()
    await expect(page.locator('.shell')).toHaveAttribute('data-collapsed', 'false')
    await expect(page.locator('html')).toHaveAttribute('data-skin', 'default')
  })

  test('takes a darker shade where white text could not be read @prove', async ({ windows }) => {
    const page = await windows.staff('admin')
    await page.goto(examples)
    const drawer = await customise(page)
    const field = drawer.getByLabel('Light theme')
    await field.fill('#FFEB3B')
    await expect(drawer.getByText(/White text would only have 1\.2 : 1 contrast/)).toBeVisible()
    await field.fill('#1565C0')
    await expect(drawer.getByText('Contrast with white text: 5.7 : 1')).toBeVisible()
    expect(
      await page.evaluate<{ value: { primaryLight: string; primaryDark: string } }, string>(
        (name) => JSON.parse(localStorage.getItem(name) ?? ''),
        `${prefix}themeSettings`,
      ),
    ).toMatchObject({ value: { primaryLight: '#1565C0', primaryDark: '#7367F0' } })
    await field.fill('#FFEB3B')
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    expect(await violations(page)).toEqual([])
  })

  test('stops sixty pixels above what the address names @prove', async ({ windows }) => {
    const page = await windows.staff('admin', { viewport: { width: 1024, height: 400 } })
    await page.goto('/pages/icons#all')
    await expect
      .poll(() => page.locator('#all').evaluate((element) => Math.round(element.getBoundingClientRect().top)))
      .toBe(60)
  })
})

test('a list asks for little, and the bell and the banners for nothing of their own', async ({ windows }) => {
  const page = await windows.staff('admin')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const greeted = page.waitForRequest(/\/api\/v2\/Live/)
  await page.goto('/apps/quotes/list')
  await expect(page.locator('tbody a[href*="/preview/"]').first()).toBeVisible()
  await greeted
  const bell = page.locator('.bell')
  await expect(bell.locator('.bell-count')).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  expect(asked.filter((path) => /Notifications|Maintenance/.test(path))).toEqual([])
  // The rights are asked for once in a session, the rest each time: with the business that the window works for.
  // What another journey changes meanwhile is read again, and counts once.
  const different = new Set(asked.filter((path) => !path.includes('/Permissions')))
  expect(different.size, asked.join(' ')).toBeLessThanOrEqual(13)
  await bell.click()
  await expect(page.locator('.notification').first()).toBeVisible()
})
