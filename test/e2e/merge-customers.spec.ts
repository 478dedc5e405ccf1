import { expect, heading, test } from './support.ts'

test('two spellings of one customer merged, undone', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto('/apps/customers/duplicates')
  const pair = page.getByRole('group', { name: /Redgum Roofing/ })
  await test.step('side by side, with what speaks for it', async () => {
    await expect(pair.getByText('Same email · Same name')).toBeVisible()
    await pair.getByRole('link', { name: 'Redgum Roofing', exact: true }).focus()
    await page.keyboard.press('m')
  })
  const dialog = page.getByRole('dialog', { name: 'Merge customers' })
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(page.getByText('Redgum Roofing P/L merged into Redgum Roofing.')).toBeVisible()
  await expect(pair).toBeHidden()
  await page.goto('/apps/customers/list?search=redgum')
  await page.getByRole('link', { name: 'Redgum Roofing' }).first().click()
  await expect(heading(page)).toHaveText('Redgum Roofing')
  const merged = page.getByRole('region', { name: 'Merged customers' })
  await merged.getByRole('button', { name: 'Undo merge with Redgum Roofing P/L' }).click()
  await expect(page.getByText('Merge undone.')).toBeVisible()
  await expect(merged).toBeHidden()
})
