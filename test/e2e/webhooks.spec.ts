import { expect, heading, test, unique, violations } from './support.ts'

test('An office adds a webhook, copies its secret, sends a test, pauses, resumes and archives it', async ({
  windows,
}) => {
  const page = await windows.staff('admin')
  await page.goto('/setup/events/webhooks/list')
  await expect(heading(page)).toHaveText('Webhooks')
  await expect(page.getByRole('row').filter({ hasText: 'Site board' })).toContainText('Paused')

  const name = unique('Stock')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Address').fill('https://10.0.0.1/hook')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await expect(dialog.getByText('This address cannot be used.')).toBeVisible()
  await dialog.getByLabel('Address').fill('https://nowhere.example/hook')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await expect(dialog.getByText(/^whsec_[\w-]{43}$/)).toBeVisible()
  expect(await violations(page)).toEqual([])
  // Shown this once: it does not go by a key that was pressed too often.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await dialog.getByRole('button', { name: 'I’ve copied it' }).click()
  await expect(dialog).toHaveCount(0)

  await page.getByRole('button', { name, exact: true }).click()
  const sheet = page.getByRole('dialog', { name, exact: true })
  await expect(sheet).toContainText('Nothing sent yet')
  await sheet.getByRole('button', { name: 'Send test' }).click()
  await expect(page.getByText('The test didn’t arrive.')).toBeVisible()
  await expect(sheet).toContainText('No server is called nowhere.example.')
  expect(await violations(page)).toEqual([])
  await sheet.getByRole('button', { name: 'Pause' }).click()
  await expect(sheet).toContainText('This webhook is paused. Events wait until you resume it.')
  await sheet.getByRole('button', { name: 'Resume' }).click()
  await expect(sheet.getByRole('button', { name: 'Pause' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Archive' }).click()
  await page
    .getByRole('dialog', { name: `Archive “${name}”?` })
    .getByRole('button', { name: 'Archive' })
    .click()
  await expect(sheet).toContainText('This webhook is archived.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(0)
})
