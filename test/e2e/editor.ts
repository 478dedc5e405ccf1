import type { Page } from '@playwright/test'

export const name = (page: Page, line: number) =>
  page.getByRole('combobox', { name: `Item, line ${line}`, exact: true })
export const field = (page: Page, label: string, line: number) =>
  page.getByLabel(`${label}, line ${line}`, { exact: true })
export const total = (page: Page) => page.locator('.rail-total')
export const marked = (page: Page) => page.getByRole('option').and(page.locator('[data-marked]'))

export async function addOther(page: Page, kind: string) {
  await page.getByRole('button', { name: 'More', exact: true }).last().click()
  await page.getByRole('menuitem', { name: kind }).click()
}

export const guidOf = (page: Page) => page.url().split('/').at(-1)?.replace(/\?.*/, '') ?? ''
