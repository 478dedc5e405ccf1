import { expect, heading, test } from './support.ts'

test('the accountant explains each figure of the activity statement, and locks the quarter', async ({ windows }) => {
  const page = await windows.staff('accountant')
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Activity statement' }).first()).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('x')
  await expect(heading(page)).toHaveText('Activity statement')
  const sheet = page.getByRole('region', { name: 'Activity statement' })
  await expect(sheet.getByRole('row', { name: /^1A/ })).toContainText('$')
  await expect(page.getByText('The ledger’s account of GST collected agrees:')).toBeVisible()
  await page.getByRole('button', { name: 'Show the documents of 1A' }).press('Enter')
  const lines = page.getByRole('region', { name: 'Documents of 1A' })
  await expect(lines.getByRole('link').first()).toBeVisible()
  // By keyboard one is where the documents are, and they are added up.
  await expect(page.getByRole('heading', { name: 'Documents of 1A' })).toBeFocused()
  const total = (await sheet.getByRole('row', { name: /^1A/ }).getByRole('cell').first().innerText()).trim()
  await expect(lines.getByRole('row').last()).toContainText(total)
  await page.getByRole('button', { name: 'This period' }).press('Enter')
  await expect(lines).toBeHidden()
  await expect(page.getByRole('button', { name: 'Lock period' })).toBeHidden()
  await page.getByLabel('Basis').click()
  await page.getByRole('option', { name: 'Cash' }).click()
  await expect(page.getByText('this one isn’t compared with it')).toBeVisible()
  await page.getByRole('button', { name: 'Last period' }).click()
  await expect(page.getByRole('button', { name: 'Lock period' })).toBeVisible()

  await page.goto('/apps/accounting/bas?from=2026-12-31&to=2026-09-30')
  await expect(page.getByLabel('To', { exact: true })).toHaveAccessibleDescription(
    'Choose a day that isn’t before From.',
  )
  await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden()
})
