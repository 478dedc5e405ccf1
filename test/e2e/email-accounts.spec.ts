import type { Page } from '@playwright/test'
import { expect, settled, test, unique, whileAway } from './support.ts'

const list = '/setup/email-accounts/list'
const cardOf = (page: Page, address: string) => page.getByRole('region', { name: address })

/** Goes on with the keyboard until a field has the focus, and types into it. */
async function typed(page: Page, name: string, text: string) {
  const field = page
    .getByRole('dialog')
    .getByLabel(new RegExp(`^${name}`))
    .first()
  for (let tabs = 0; tabs < 12; tabs++) {
    await page.keyboard.press('Tab')
    if (await field.evaluate((element) => element === document.activeElement)) break
  }
  await expect(field).toBeFocused()
  await page.keyboard.type(text)
}

test('an office adds an email account by keyboard, tests, changes, pauses and archives it', async ({ windows }) => {
  const page = await windows.staff('admin')
  await page.goto(list)
  // Of the sample nobody was ever asked, and nothing is said of its health.
  const sample = page.getByRole('region', { name: /^accounts@/ })
  await expect(sample).toContainText('Example server')
  await expect(page.getByText('Healthy')).toHaveCount(0)
  await sample.getByRole('button', { name: 'Test' }).click()
  await expect(page.getByRole('dialog')).toContainText('are reserved for examples')
  await expect(page.getByRole('button', { name: 'Run test' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  const address = `${unique('desk').replace(' ', '')}@customers.example`
  await page.getByRole('button', { name: 'Add account' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Add account' })).toBeVisible()
  await typed(page, 'Sender name', 'The front desk')
  await typed(page, 'Sender address', address)
  await typed(page, 'Password', 'correct horse')
  await typed(page, 'Server', 'localhost')
  await typed(page, 'Username', 'desk')
  await page.keyboard.press('Enter')
  // What is wrong is said at its field, and nothing is lost.
  await expect(page.getByText('This address cannot be used.')).toBeVisible()
  await page
    .getByRole('dialog')
    .getByLabel(/^Server/)
    .first()
    .fill('smtp.nowhere.invalid')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${address} created.`)).toBeVisible()
  const card = cardOf(page, address)
  await expect(card).toContainText('Not tested yet')

  await card.getByRole('button', { name: 'Test' }).click()
  await page.getByRole('button', { name: 'Run test' }).click()
  const dialog = page.getByRole('dialog', { name: `Test ${address}` })
  await expect(dialog.getByRole('listitem')).toHaveText([
    /Failed.*Find the server.*No server is called smtp\.nowhere\.invalid\./,
  ])
  await expect(dialog.getByRole('button', { name: 'Test again' })).toBeEnabled()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(card).toContainText('Last attempt failed')

  await card.getByRole('button', { name: 'Edit' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/^Sender name/)
    .fill('The back desk')
  // While the server is away the dialog says so at its button, and keeps what was written.
  await whileAway(page, async () => {
    await page.getByRole('button', { name: 'Save account' }).click()
    await expect(page.getByRole('dialog').getByText(/^Not saved: the server can’t be reached\./)).toBeInViewport()
    await expect(page.getByRole('dialog').getByLabel(/^Sender name/)).toHaveValue('The back desk')
  })
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${address} saved.`)).toBeVisible()
  await expect(card).toContainText('The back desk')

  await card.getByRole('button', { name: 'Pause' }).click()
  await expect(card).toContainText('Paused')
  await card.getByRole('button', { name: 'Activate' }).click()
  await expect(card).toContainText('Last attempt failed')

  await card.getByRole('button', { name: 'Archive' }).click()
  const question = page.getByRole('dialog', { name: `Archive ${address}?` })
  await expect(question).toContainText('Emails that no other account sends will ')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(card).toContainText('Last attempt failed')
  await card.getByRole('button', { name: 'Archive' }).click()
  await question.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByText(`${address} archived.`)).toBeVisible()
  await expect(card).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('switch', { name: 'Show archived' }).click()
  await expect(card.getByRole('button', { name: 'Restore' })).toBeVisible()
  await expect(card).toContainText('Archived')
  await expect(card).not.toContainText('Last attempt failed')
  // Those in use stay beside it.
  await expect(sample.getByRole('button', { name: 'Pause' })).toBeVisible()
  // What the only account of a purpose sends goes another way.
  await sample.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByRole('dialog')).toContainText(/Billing emails will /)
  await page.keyboard.press('Escape')
  await expect(sample.getByRole('button', { name: 'Archive' })).toBeFocused()
})

test('an office clears an address that is well again, and says why', async ({ windows }) => {
  const page = await windows.staff('admin')
  await page.goto(list)
  await page.getByRole('tab', { name: 'Suppressed addresses' }).click()
  await settled(page)
  const row = page.getByRole('row').filter({ hasText: 'Bounced' }).first()
  await expect(row).toContainText('The address does not exist.')
  const clear = row.getByRole('button', { name: /^Clear / })
  const name = await clear.getAttribute('aria-label')
  await clear.click()
  const dialog = page.getByRole('dialog', { name: 'Clear this address?' })
  await dialog.getByRole('button', { name: 'Clear address' }).click()
  await expect(dialog.getByText('This field is required.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Confirmed by phone')
  await dialog.getByRole('button', { name: 'Clear address' }).click()
  await expect(page.getByText('Address cleared.')).toBeVisible()
  await expect(page.getByRole('button', { name: name ?? '', exact: true })).toHaveCount(0)
})
