import type { Page } from '@playwright/test'
import { expect, heading, test, violations } from './support.ts'

const menu = (page: Page) => page.getByRole('button', { name: /^Business: / })
const rows = (page: Page) => page.locator('tbody tr')

test('two windows of one person work in two businesses, each with its own customers', async ({ windows }) => {
  const page = await windows.staff('admin')
  await page.goto('/apps/customers/list')
  await expect(menu(page)).toHaveAccessibleName('Business: Currawong Hire')
  await expect(page.getByText('Wattle Civil')).toHaveCount(0)
  const other = await page.context().newPage()
  await other.goto('/apps/customers/list')
  await expect(menu(other)).toBeVisible()
  await other.keyboard.press('Alt+b')
  await other.getByRole('button', { name: /Kookaburra Site Services/, pressed: false }).click()
  await expect(menu(other)).toHaveAccessibleName('Business: Kookaburra Site Services')
  await expect(rows(other)).toHaveCount(6)
  await expect(other.getByText('Wattle Civil').first()).toBeVisible()
  // The first window stays where it was, also when it is loaded again.
  await page.reload()
  await expect(menu(page)).toHaveAccessibleName('Business: Currawong Hire')
  await expect(heading(page)).toHaveText('Customers')
  await expect(page.getByText('Wattle Civil')).toHaveCount(0)
  expect(await violations(other)).toEqual([])
})

test('whoever works in one business is offered no other', async ({ windows }) => {
  const page = await windows.staff('sales')
  await page.goto('/apps/customers/list')
  await expect(heading(page)).toHaveText('Customers')
  await expect(rows(page).first()).toBeVisible()
  await expect(menu(page)).toHaveCount(0)
})

test('the list of businesses says what each is, and a brand is added', async ({ windows }) => {
  const page = await windows.staff('admin')
  await page.goto('/setup/businesses/list')
  await expect(page.getByText('Brand of Currawong Hire & Install Pty Ltd')).toBeVisible()
  await page.getByRole('button', { name: 'Add brand' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add brand' })
  await dialog.getByRole('textbox', { name: 'Brand name' }).fill('Paper Lantern')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(heading(page)).toHaveText('Paper Lantern')
  await expect(page.getByText('Brand of Currawong Hire & Install Pty Ltd')).toBeVisible()
  expect(await violations(page)).toEqual([])
})
