import { aCustomer } from './arrange.ts'
import { api, expect, heading, test, unique } from './support.ts'

test('a stranger’s email is filed by keyboard under a new customer, and words on an order are answered', async ({
  windows,
}) => {
  const page = await windows.staff('office')
  await page.goto('/apps/messages/list?isUnmatched=true')
  await page.getByRole('link', { name: 'Do you hire fencing for a weekend?' }).first().click()
  await expect(heading(page)).toHaveText('Do you hire fencing for a weekend?')

  await test.step('nothing fits, and the new customer begins with what the email says', async () => {
    await page.getByRole('button', { name: 'File under…' }).first().focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'File this email' })
    await expect(dialog.getByRole('combobox')).toBeFocused()
    await expect(dialog.getByRole('button', { name: 'File', exact: true })).toBeDisabled()
    const name = unique('Raman Terraces')
    await page.keyboard.type(name)
    await expect(page.getByRole('option')).toHaveText([`New customer “${name}”`])
    await page.keyboard.press('Enter')
    const made = page.getByRole('dialog', { name: 'New customer' })
    await expect(made.getByLabel(/^Name/).first()).toHaveValue(name)
    await expect(made.getByLabel(/^Email/).first()).toHaveValue('priya@newdoor.example')
    await made.getByRole('button', { name: 'Create' }).click()
    await expect(dialog.getByRole('combobox')).toHaveValue(name)
    await dialog.getByRole('button', { name: 'File', exact: true }).click()
    await expect(page.getByText(`Filed under ${name}.`)).toBeVisible()
    await expect(page.getByRole('link', { name }).first()).toBeVisible()
  })

  await test.step('the next is filed by arrows', async () => {
    await page.goto('/apps/messages/list?isUnmatched=true')
    await page.getByRole('link', { name: 'Remittance advice' }).first().click()
    await page.getByRole('button', { name: 'File under…' }).first().click()
    const name = unique('Cormorant House')
    await aCustomer(name)
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
    await page.keyboard.type(name)
    await expect(page.getByRole('option', { name }).first()).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue(name)
    await page.getByRole('dialog').getByRole('button', { name: 'File', exact: true }).click()
    await expect(page.getByText(`Filed under ${name}.`)).toBeVisible()
  })

  await test.step('a customer writes on the page of his order, and reads the answer there', async () => {
    const customerGuid = await aCustomer(unique('Wattle Theatre'))
    const { order } = await api<{ order: { guid: string; serviceUrl: string } }>('office', 'POST', '/Orders', {
      customerGuid,
      title: 'Stage fence',
      lines: [{ name: 'Panel', quantity: '2', unitPriceCents: 12_500 }],
    })
    const guest = await windows.guest()
    await guest.goto(new URL(order.serviceUrl).pathname)
    const talk = guest.getByRole('form', { name: 'Messages' })
    await talk.getByRole('textbox').fill('Can you come before nine?')
    await talk.getByRole('button').click()
    await expect(guest.locator('.order-talk')).toContainText('Can you come before nine?')

    await page.goto(`/apps/orders/preview/${order.guid}?tab=messages`)
    await page.getByRole('link', { name: 'Reply' }).click()
    await expect(heading(page)).toHaveText('Reply')
    await expect(page.getByRole('textbox', { name: 'Message', exact: true })).toBeFocused()
    await expect(page.getByText('someone@customers.example').first()).toBeVisible()
    await page.getByRole('textbox', { name: 'Message', exact: true }).fill('At eight, yes.')
    await page.getByRole('textbox', { name: 'Message', exact: true }).press('ControlOrMeta+Enter')
    await expect(page.getByText(/queued\./)).toBeVisible()
    // The way back leads to the order, not into an answer that is ready to go once more.
    await expect(page).toHaveURL(/apps\/orders\/preview/)
    await page.goBack()
    await expect(page).toHaveURL(/apps\/orders\/preview/)
    await expect(heading(page)).not.toHaveText('Reply')
    await expect
      .poll(async () => {
        await guest.reload()
        return guest.locator('.order-talk').textContent()
      })
      .toContain('At eight, yes.')
  })
})

test('an email in quarantine shows its sender and subject, and leads to its message once it is read @prove', async ({
  windows,
}) => {
  const page = await windows.staff('admin')
  await page.goto('/setup/email-accounts/list?tab=quarantine')
  const row = page.getByRole('row').filter({ hasText: 'Too many levels of attachments' })
  await expect(row).toContainText('billing@parcel-notices.example')
  await expect(row).toContainText('Invoice')
  await row.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Email read. It is among the unmatched emails.')).toBeVisible()
  await page.getByRole('button', { name: 'Go to the message' }).click()
  await expect(heading(page)).toHaveText('Invoice')
  await expect(page.getByText('Not filed yet')).toBeVisible()
})
