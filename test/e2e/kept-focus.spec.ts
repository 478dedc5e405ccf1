import type { Page } from '@playwright/test'
import { aCustomer, anIssuedInvoice } from './arrange.ts'
import { api, expect, heading, test, unique } from './support.ts'

const press = async (page: Page, name: string | RegExp) => {
  const button = page.getByRole('button', { name }).first()
  await button.focus()
  await page.keyboard.press('Enter')
  return button
}

test('whoever works by keyboard still has the place of the button that was pressed', async ({ windows }) => {
  const page = await windows.staff('admin')

  await test.step('a button that works keeps the focus, and what is pressed meanwhile does nothing', async () => {
    const name = unique('Reminder')
    const { template } = await api<{ template: { guid: string } }>('admin', 'POST', '/Messages/Templates', {
      name,
      kind: 'general',
    })
    await page.goto(`/setup/email-templates/preview/${template.guid}`)
    await page.getByRole('textbox', { name: 'Body' }).click()
    await page.keyboard.type('Hello. ')
    let goOn = () => undefined as void
    const held = new Promise<void>((resolve) => (goOn = resolve))
    let saves = 0
    await page.route(/\/Messages\/Templates\/[0-9a-f-]{36}$/, async (route) => {
      if (route.request().method() === 'PATCH') {
        saves++
        await held
      }
      await route.continue()
    })
    const save = await press(page, 'Save version')
    await expect(save).toBeDisabled()
    await expect(save).toBeFocused()
    await page.keyboard.press('Enter')
    goOn()
    await expect(page.getByText('Version 2 saved.')).toBeVisible()
    expect(saves).toBe(1)
    // There is nothing to save now; it is the same button that says so.
    await expect(save).toHaveAccessibleDescription(/./)
    await expect(save).toBeFocused()
    const check = await press(page, 'Check all records')
    await expect(page.getByText(/No problems found/)).toBeVisible()
    await expect(check).toBeFocused()
  })

  await test.step('where the button goes with what it did, its card has the focus', async () => {
    await press(page, 'Activate')
    await expect(page.getByText('Version 2 activated.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Version 2' })).toBeFocused()
  })

  await test.step('a message that is begun and left for the first time gives it back, from its text, too', async () => {
    const { guid } = await anIssuedInvoice()
    await page.goto(`/apps/invoices/preview/${guid}`)
    const begin = await press(page, 'New message')
    const to = page.getByRole('dialog').getByRole('combobox', { name: 'To' })
    await expect(to).toBeFocused()
    await page.keyboard.type('nobody,')
    await expect(page.getByText('“nobody” isn’t an email address.')).toBeVisible()
    await page.keyboard.press('Backspace')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Message', exact: true }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(begin).toBeFocused()
  })
})

test('so it is after what was confirmed, chosen, paused and paged @prove', async ({ windows }) => {
  const page = await windows.staff('admin')

  await test.step('so has the page, where a confirmed action leaves the head', async () => {
    const { message } = await api<{ message: { guid: string } }>('admin', 'POST', '/Messages', {
      customerGuid: await aCustomer(),
      intent: 'schedule',
      to: ['someone@customers.example'],
      subject: 'Your hire',
      bodyHtml: '<p>We come on Tuesday.</p>',
      scheduledFor: `${new Date().getFullYear() + 1}-01-04T09:00`,
      timeZone: 'Australia/Sydney',
    })
    await page.goto(`/apps/messages/preview/${message.guid}`)
    const cancel = await press(page, 'Cancel message')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel message' }).focus()
    await page.keyboard.press('Enter')
    await expect(cancel).toHaveCount(0)
    await expect(heading(page)).toBeFocused()
  })

  await test.step('invoices that were chosen are checked and sent from there', async () => {
    await page.goto('/apps/invoices/message')
    await page.getByRole('checkbox', { name: /^INV-/ }).first().focus()
    await page.keyboard.press('Space')
    await press(page, 'Check 1 message')
    // None where it was emailed today.
    await expect(page.getByRole('button', { name: /^Send [01] messages?$/ })).toBeVisible()
    await expect(heading(page)).toBeFocused()
    await press(page, 'Cancel')
    await expect(page.getByRole('button', { name: 'Check 0 messages' })).toBeVisible()
    await expect(heading(page)).toBeFocused()
    const { guid } = await anIssuedInvoice()
    await page.goto(`/apps/invoices/message?guids=${guid}`)
    await press(page, 'Send 1 message')
    await page.getByRole('dialog').getByRole('button', { name: 'Send messages' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Sent: 1 · Failed: 0 · Skipped: 0')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Email more invoices' })).toBeFocused()
  })

  await test.step('an email account is paused and activated by one button', async () => {
    await page.goto('/setup/email-accounts/list')
    const card = page.getByRole('region', { name: /^accounts@/ })
    await card.getByRole('button', { name: 'Pause' }).focus()
    await page.keyboard.press('Enter')
    await expect(card.getByRole('button', { name: 'Activate' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(card.getByRole('button', { name: 'Pause' })).toBeFocused()
  })

  await test.step('whoever is back on the first page of a list still stands on the button', async () => {
    await page.goto('/apps/invoices/list?size=2')
    await press(page, 'Next page')
    await expect(page.getByRole('button', { name: 'Page 2', exact: true })).toHaveAttribute('aria-current', 'page')
    const previous = await press(page, 'Previous page')
    await expect(page.getByRole('button', { name: 'Page 1', exact: true })).toHaveAttribute('aria-current', 'page')
    await expect(previous).toBeDisabled()
    await expect(previous).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(previous).toBeFocused()
  })
})
