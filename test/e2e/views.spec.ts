import type { Page } from '@playwright/test'
import { expect, heading, test, unique, violations } from './support.ts'

const openViews = async (page: Page) => {
  await page.getByRole('button', { name: 'Saved views' }).click()
  await expect(page.getByRole('button', { name: 'Default view', exact: true })).toBeVisible()
}

test('what a list shows is kept under a name, found again, shared, taken back and removed @prove', async ({
  windows,
}) => {
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

test('columns and rows per page that were chosen are there on another device, until they are reset @prove', async ({
  windows,
}) => {
  const columnsOf = (page: Page) => page.getByRole('columnheader').allTextContents()
  const open = async () => {
    const page = await windows.staff('readonly')
    await page.goto('/apps/messages/list')
    await expect(page.getByRole('columnheader').first()).toBeVisible()
    return page
  }
  const page = await open()
  const usual = await columnsOf(page)
  await page.getByRole('button', { name: 'Columns' }).click()
  // The last head is that of the peeks.
  const left = usual.at(-2) ?? ''
  await page.getByRole('checkbox', { name: left, exact: true }).uncheck()
  await expect(page.getByRole('columnheader')).toHaveCount(usual.length - 1)
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('3')
  await expect(page.getByText(/^1–3 of/)).toBeVisible()

  const elsewhere = await open()
  await expect(elsewhere).toHaveURL(/\/apps\/messages\/list$/)
  await expect(elsewhere.getByText(/^1–3 of/)).toBeVisible()
  expect(await columnsOf(elsewhere)).not.toContain(left)
  await openViews(elsewhere)
  await elsewhere.getByRole('button', { name: 'Reset default view' }).click()
  await expect(elsewhere.getByText('Default view reset.')).toBeVisible()
  await elsewhere.keyboard.press('Escape')
  await expect(elsewhere.getByText(/^1–10 of/)).toBeVisible()
  await expect(elsewhere.getByRole('columnheader')).toHaveText(usual)
})
