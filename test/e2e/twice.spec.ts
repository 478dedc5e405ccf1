import type { Locator, Page } from '@playwright/test'
import { aDraftQuote, aSentQuote } from './arrange.ts'
import { api, expect, heading, test, unique } from './support.ts'

/** What is sent by whoever clicks twice before anything can be drawn. */
async function sentByTwoClicks(page: Page, button: Locator, path: RegExp): Promise<number> {
  let count = 0
  const note = (request: { method: () => string; url: () => string }) => {
    if (request.method() !== 'GET' && path.test(new URL(request.url()).pathname)) count += 1
  }
  page.on('request', note)
  await Promise.all([
    page.waitForResponse((answer) => answer.request().method() !== 'GET' && path.test(new URL(answer.url()).pathname)),
    button.evaluate((element: HTMLElement) => {
      element.click()
      element.click()
    }),
  ])
  // Whatever a second click would have sent was on its way before this.
  await page.evaluate(() => fetch('/health/live'))
  page.off('request', note)
  return count
}
const toasts = (page: Page) => page.locator('.Toastify__toast')

test('two fast clicks are one: in a form, and in many at once', async ({ windows }) => {
  const page = await windows.staff('office')
  const name = unique('Twice & Sons')
  await test.step('a form', async () => {
    await page.goto('/apps/customers/add')
    await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill(name)
    const create = page.getByRole('button', { name: 'Create customer' }).first()
    expect(await sentByTwoClicks(page, create, /\/Customers$/)).toBe(1)
    await expect(heading(page)).toHaveText(name)
    await expect(toasts(page)).toHaveCount(1)
    await expect(page.locator('.avatar').last()).toHaveAttribute('data-initials', /^[\p{L}\p{N}]{1,2}$/u)
  })
  await test.step('a bulk action, which says what has happened', async () => {
    await page.goto(`/apps/customers/list?search=${encodeURIComponent(name)}`)
    await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check()
    const archive = page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Archive' })
    expect(await sentByTwoClicks(page, archive, /\/Customers\/Bulk$/)).toBe(1)
    await expect(page.getByText('1 customer archived.')).toHaveCount(1)
  })
})

test('nor are they two in dialogs and on the pages of customers @prove', async ({ windows }) => {
  const page = await windows.staff('office')
  await test.step('a dialog that asks', async () => {
    const quote = await aSentQuote()
    await page.goto(`/apps/quotes/preview/${quote.guid}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel quote' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel quote' })
    await dialog.getByLabel('Why are you cancelling it?').fill('Asked for twice')
    const cancel = dialog.getByRole('button', { name: 'Cancel quote' })
    expect(await sentByTwoClicks(page, cancel, /\/Quotes\/Cancel\//)).toBe(1)
    await expect(dialog).toBeHidden()
  })
  await test.step('a dialog that sends, and the time since then goes on', async () => {
    const quote = await aDraftQuote()
    await page.clock.install()
    await page.goto(`/apps/quotes/preview/${quote.guid}`)
    await page.getByRole('button', { name: 'Send quote' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send quote' })
    await dialog.getByLabel('To').fill('customer@twice.example')
    await page.keyboard.press('Enter')
    const send = dialog.getByRole('button', { name: 'Send quote' })
    expect(await sentByTwoClicks(page, send, /\/Quotes\/Send\//)).toBe(1)
    await expect(heading(page)).toHaveText(/^Q-/)
    const sent = page.getByRole('listitem').filter({ hasText: /^Quote Q-\S+ sent/ })
    await expect(sent.locator('time')).toHaveText(/second|now/)
    await page.clock.fastForward('05:00')
    await expect(sent.locator('time')).toHaveText('5 minutes ago')
  })
  await test.step('the page of a customer', async () => {
    const quote = await aSentQuote()
    const guest = await windows.guest({ language: 'en' })
    await guest.goto(`/service/q/${quote.serviceGuid}`)
    await guest.getByRole('button', { name: 'Decline', exact: false }).first().click()
    const dialog = guest.getByRole('dialog')
    await dialog.getByRole('radio').first().check()
    const decline = dialog.getByRole('button', { name: /Decline/ })
    expect(await sentByTwoClicks(guest, decline, /\/Decline/)).toBe(1)
  })
  const notes = await api<{ items: { guid: string; number: string }[] }>(
    'office',
    'GET',
    '/Invoices?kind=adjustment_note&size=2',
  )
  await page.goto(`/apps/invoices/preview/${notes.items[0]?.guid}`)
  await expect(page.getByText(`Adjustment note ${notes.items[0]?.number} issued`).first()).toBeVisible()
})
