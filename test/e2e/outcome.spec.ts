import { expect, heading, test } from './support.ts'

/** `$1,234.50` in cents. */
const centsOf = (text: string) => Number(text.replace(/[^\d]/g, ''))

test('Why quotes were lost this quarter: three clicks lead to the quotes, which add up @prove', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto('/dashboards/ecommerce')
  await page
    .getByRole('navigation', { name: 'Main navigation' })
    .getByRole('link', { name: 'Quotes', exact: true })
    .click()
  await page.getByRole('link', { name: 'Won and lost' }).click()
  await expect(heading(page)).toHaveText('Won and lost')
  await expect(page.getByLabel('Period')).toHaveValue('This quarter')
  const first = page.getByRole('table', { name: 'Won and lost' }).getByRole('row').nth(1)
  const [count = '', amount = ''] = (await first.getByRole('cell').first().innerText()).match(/[\d$,.]+/g) ?? []
  expect(Number(count)).toBeGreaterThan(0)
  await first.getByRole('rowheader').getByRole('link').click()
  await expect(heading(page)).toHaveText('Quotes')
  await expect(page).toHaveURL(/lostReason=.*answeredOn/)
  const list = page.getByRole('table')
  await expect(list.getByRole('row')).toHaveCount(Number(count) + 1)
  const totals = await list
    .locator('[data-column="totalCents"]')
    .getByText(/^\$[\d,]+\.\d\d$/)
    .allInnerTexts()
  expect(totals.reduce((sum, text) => sum + centsOf(text), 0)).toBe(centsOf(amount))
})

test('What was won and lost is grouped anew without leaving the page @prove', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto('/apps/quotes/outcome')
  const table = page.getByRole('table', { name: 'Won and lost' })
  await expect(table.getByRole('columnheader', { name: 'Reason' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Group by' }).click()
  await page.getByRole('option', { name: 'Month' }).click()
  await expect(table.getByRole('columnheader', { name: 'Month' })).toBeVisible()
  await expect(table.getByRole('rowheader').first()).toHaveText(/^[A-Z][a-z]+ 20\d\d$/)
  await expect(heading(page)).toHaveText('Won and lost')
})
