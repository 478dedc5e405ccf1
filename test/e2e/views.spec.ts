import type { Page } from '@playwright/test'
import { expect, heading, test, unique, violations } from './support.ts'

const openViews = async (page: Page) => {
  await page.getByRole('button', { name: 'Saved views' }).click()
  await expect(page.getByRole('button', { name: 'Default view' })).toBeVisible()
}

test('what a list shows is kept under a name, found again, shared, taken back and removed', async ({ windows }) => {
  const name = unique('Waiting for an answer')
  const row = (page: Page) => page.getByRole('listitem').filter({ hasText: name })
  const page = await windows.staff('office')
  await page.goto('/apps/quotes/list')
  await openViews(page)
  await expect(page.getByText('Search, filter, sort or choose columns')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Save current view as' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.goto('/apps/quotes/list?status=sent,viewed&sort=-totalCents&size=25')
  await openViews(page)
  await page.getByRole('textbox', { name: 'Save current view as' }).fill(name)
  await page.getByRole('button', { name: 'Save view', exact: true }).click()
  await expect(page.getByRole('button', { name, exact: true })).toHaveAttribute('aria-current', 'true')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: `Share “${name}” with everyone` }).click()
  await expect(row(page).getByText('Shared by you')).toBeVisible()

  const reader = await windows.staff('readonly')
  await reader.goto('/apps/quotes/list')
  await openViews(reader)
  await expect(reader.getByRole('button', { name: `Remove view “${name}”` })).toHaveCount(0)
  await reader.getByRole('button', { name: new RegExp(`^${name}.*Shared by Ollie Marsh`) }).click()
  await expect(reader).toHaveURL(/sort=-totalCents&status=sent(,|%2C)viewed/)
  await expect(heading(reader)).toHaveText('Quotes')

  await page.keyboard.press('Escape')
  await page.goto('/apps/quotes/list?status=draft')
  await openViews(page)
  await page.getByRole('button', { name: `Update view “${name}”` }).click()
  await expect(page.getByRole('button', { name: new RegExp(`^${name}`) })).toHaveAttribute('aria-current', 'true')
  await page.getByRole('button', { name: `Stop sharing “${name}”` }).click()
  await expect(row(page).getByText('Shared by you')).toHaveCount(0)
  await page.getByRole('button', { name: `Remove view “${name}”` }).click()
  await expect(page.getByRole('button', { name: new RegExp(`^${name}`) })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await openViews(page)
  await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
})
