import { api, expect, heading, test, unique } from './support.ts'

test('offers go to whoever agreed, and end with one press from the mail', async ({ windows }) => {
  const name = unique('Wattle Books')
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}@customers.example`
  const { customer } = await api<{ customer: { guid: string } }>('office', 'POST', '/Customers', {
    displayName: name,
    email,
  })
  const page = await windows.staff('office')
  const writeOffer = async (subject: string) => {
    await page.goto(`/apps/messages/add?customerGuid=${customer.guid}`)
    await page.getByRole('button', { name: 'More options' }).click()
    const isOffer = page.getByRole('checkbox', { name: 'This is an offer' })
    await isOffer.check()
    const body = page.getByRole('textbox', { name: 'Message', exact: true })
    for (const [language, greeting] of [
      ['Français', 'Bonjour'],
      ['English', 'Hello'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Language' }).click()
      await page.getByRole('option', { name: language }).click()
      await expect(body).toContainText(greeting)
    }
    // Other words make no other thing of it.
    await expect(isOffer).toBeChecked()
    await page.getByRole('textbox', { name: 'Subject' }).fill(subject)
    await body.fill('Ten per cent off all hire in June.')
  }
  const send = () => page.getByRole('button', { name: 'Send', exact: true }).click()
  const recordConsent = async (proof: string) => {
    await page.getByRole('button', { name: 'Record consent' }).click()
    const dialog = page.getByRole('dialog', { name: 'Record consent' })
    await expect(dialog.getByRole('combobox', { name: 'Consent' })).toBeFocused()
    await dialog.getByRole('combobox', { name: 'Consent' }).click()
    await page.getByRole('option', { name: 'Agreed' }).click()
    await dialog.getByLabel('How they told you').fill(proof)
    await dialog.getByRole('button', { name: 'Record consent' }).click()
  }
  const refusal = page.getByText('This customer has not agreed to receive offers.')

  await test.step('nobody is written offers to who was not asked', async () => {
    await writeOffer('June hire')
    // It is said when it is called an offer, with the way to write down that they agreed; then at the field alone.
    const missing = page.getByText(`${email} has not agreed to receive offers.`)
    await expect(missing).toBeVisible()
    await send()
    await expect(refusal).toBeVisible()
    await expect(missing).toBeHidden()
    await recordConsent('Ticked on the quote form')
    await expect(page.getByText(`Consent of ${email} recorded.`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Record consent' })).toBeHidden()
  })

  const link = await test.step('an offer has a last line that ends offers', async () => {
    // What was refused is still there.
    await page.goto(`/apps/messages/add?customerGuid=${customer.guid}`)
    await expect(page.getByText('Draft restored.')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'This is an offer' })).toBeChecked()
    const shown = page.getByRole('region', { name: 'Preview' }).frameLocator('iframe')
    await expect(shown.getByRole('link', { name: 'Unsubscribe' })).toBeVisible()
    // It is read by night, too: in the colour of the other links at the foot, not in that of a browser.
    const link = shown.getByRole('link', { name: 'Unsubscribe' })
    const colour = () => link.evaluate((it) => getComputedStyle(it).color)
    const byDay = await colour()
    await page.getByRole('region', { name: 'Preview' }).getByText('Dark', { exact: true }).click()
    await expect(page.locator('.mail-view[data-dark]')).toBeVisible()
    await expect.poll(colour).not.toBe(byDay)
    expect([byDay, await colour()]).not.toContain('rgb(0, 0, 238)')
    await send()
    await expect(page.getByText(`Message to ${name} queued.`)).toBeVisible()
    await expect(page.getByText('Only its reader can use the unsubscribe link.')).toBeVisible()
    const sent = page.frameLocator('.mail-view').getByRole('link', { name: 'Unsubscribe' })
    await expect(sent).not.toHaveAttribute('href')
    const admin = await windows.staff('admin')
    await admin.goto('/dev/email-accounts')
    await admin
      .getByRole('button', { name: new RegExp(`${email}[^]*June hire`) })
      .first()
      .click()
    const href = await admin.frameLocator('.mail-view').getByRole('link', { name: 'Unsubscribe' }).getAttribute('href')
    await admin.context().close()
    return href ?? ''
  })

  await test.step('its reader ends them by one key, and they stay ended', async () => {
    const guest = await windows.guest({ viewport: { width: 375, height: 700 } })
    await guest.goto(new URL(link).pathname)
    await expect(heading(guest)).toHaveText('Unsubscribe')
    await expect(guest.getByText(email)).toBeVisible()
    await guest.getByRole('button', { name: 'Unsubscribe' }).focus()
    await guest.keyboard.press('Enter')
    await expect(guest.getByText('You’re unsubscribed')).toBeVisible()
    await guest.reload()
    await expect(guest.getByText('You’re unsubscribed')).toBeVisible()
    await expect(guest.getByRole('button', { name: 'Unsubscribe' })).toHaveCount(0)
  })

  await test.step('the office sees it, and no offer leaves', async () => {
    await page.goto(`/apps/customers/preview/${customer.guid}`)
    await expect(page.getByText('Unsubscribe link in “June hire”')).toBeVisible()
    await writeOffer('July hire')
    await send()
    await expect(page.getByText(`${email} withdrew consent on `)).toBeVisible()
    await expect(page.getByText('These addresses are suppressed.')).toBeVisible()
  })

  await test.step('who agrees again gets offers again', async () => {
    await recordConsent('Asked for offers again by phone')
    await expect(page.getByText(`Consent of ${email} recorded. Offers can be sent there again.`)).toBeVisible()
    await expect(page.getByText(`${email} withdrew consent on `)).toBeHidden()
    await send()
    await expect(page.getByText(`Message to ${name} queued.`)).toBeVisible()
  })
})
