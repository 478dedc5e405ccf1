import type { Page } from '@playwright/test'
import { api, expect, fillCard, heading, money, test, unique } from './support.ts'

interface Totals {
  subtotalCents: number
  gstCents: number
  totalCents: number
}
interface Quote {
  guid: string
  status: string
  depositCents: number
  totals: Totals
  related: { order: { guid: string; label: string } | null; invoices: { guid: string; label: string }[] }
}
interface Invoice {
  guid: string
  number: string
  paymentStatus: string
  totals: Totals
  paidCents: number
  creditedCents: number
  refundedCents: number
  balanceCents: number
  depositAppliedCents: number
  related: { adjustmentNotes: { guid: string; label: string; totalCents: number }[] }
}

const guidOf = (page: Page) => page.url().split('/').at(-1)?.replace(/\?.*/, '') ?? ''
const inMoney = (page: Page, label: string) =>
  page
    .getByRole('region', { name: 'Summary' })
    .locator('dt')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd[1]')
const related = (page: Page) => page.getByRole('region', { name: 'Related' })
const timeline = (page: Page) => page.getByRole('region', { name: 'Activity' })

/** A line by keyboard alone, from its name on; Enter then opens the next one. */
async function typeLine(page: Page, name: string, quantity: string, price: string, isOptional = false) {
  await page.keyboard.type(name)
  // The list of products that match is left aside.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  // An option has a tick in between, whether it is proposed; so has the alternative that is the default.
  if (isOptional) await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(quantity)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(price)
}

test('a staff member and a customer do the whole main job, each in a window of their own', async ({ windows }) => {
  const staff = await windows.staff('office')
  const guest = await windows.guest()
  const customer = unique('Harbour Cafe')

  await test.step('staff writes a quote with option and alternative by keyboard and sees totals live', async () => {
    await staff.goto('/apps/quotes/add')
    await expect(heading(staff)).toHaveText('New quote')
    await staff.getByRole('combobox', { name: 'Customer' }).fill(customer)
    await staff.getByRole('option', { name: `New customer “${customer}”` }).click()
    const dialog = staff.getByRole('dialog', { name: 'New customer' })
    await dialog.getByLabel('Email', { exact: true }).fill('mia@harbour.example')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect(dialog).toBeHidden()
    await staff.getByRole('textbox', { name: 'Title' }).fill('Terrace fence')
    await staff.getByRole('radiogroup', { name: 'Deposit' }).getByText('Percentage').click()
    await staff.getByRole('textbox', { name: 'Percentage' }).fill('30')

    await staff.getByRole('combobox', { name: 'Item, line 1' }).focus()
    await typeLine(staff, 'Timber panels', '4', '250')
    await expect(staff.locator('.rail-total')).toHaveText('$1,100.00')
    await staff.keyboard.press('Enter')
    await typeLine(staff, 'Labour', '2', '95')
    await expect(staff.locator('.rail-total')).toHaveText('$1,309.00')

    const add = async (kind: string) => {
      await staff.getByRole('button', { name: 'More', exact: true }).last().press('Enter')
      await staff.getByRole('menuitem', { name: kind }).press('Enter')
    }
    await add('Optional line')
    await typeLine(staff, 'Oil finish', '1', '150', true)
    await add('Alternative line (customer picks one)')
    await typeLine(staff, 'Steel gate', '1', '300', true)
    // Enter in an alternative adds another choice to it.
    await staff.keyboard.press('Enter')
    await typeLine(staff, 'Timber gate', '1', '420')
    await expect(staff.locator('.rail-total')).toHaveText('$1,639.00')
    await staff.keyboard.press('ControlOrMeta+S')
    await expect(heading(staff)).toHaveText('Draft quote')
  })

  const quoteGuid = guidOf(staff)
  const quote = async () => (await api<{ quote: Quote }>('office', 'GET', `/Quotes/${quoteGuid}`)).quote
  expect((await quote()).totals).toMatchObject({ subtotalCents: 149_000, gstCents: 14_900, totalCents: 163_900 })

  await test.step('staff sends it and finds the link in the mail', async () => {
    await staff.getByRole('button', { name: 'Send quote' }).click()
    const dialog = staff.getByRole('dialog', { name: 'Send quote' })
    await expect(dialog.getByText('mia@harbour.example')).toBeVisible()
    await dialog.getByRole('button', { name: 'Send quote' }).click()
    await expect(staff.getByText(/^Quote Q-\d+ sent\.$/)).toBeVisible()
    await expect(heading(staff)).toHaveText(/^Q-\d+/)
  })
  const number = (await heading(staff).textContent()) ?? ''
  const link =
    await test.step('the mail stands in the local outbox with a button that leads to the quote', async () => {
      const admin = await windows.staff('admin')
      await admin.goto('/dev/email-accounts')
      await admin
        .getByRole('button', { name: new RegExp(`mia@harbour.example[^]*${number}`) })
        .first()
        .click()
      const mail = admin.frameLocator('.mail-view')
      const href = await mail.getByRole('link').first().getAttribute('href')
      await admin.context().close()
      expect(href).toMatch(/\/service\/q\/[0-9a-f-]{36}(\?m=[0-9a-f-]{36})?$/)
      return href ?? ''
    })

  await test.step('the customer opens it, chooses, signs and accepts; the staff window changes by itself', async () => {
    await guest.goto(new URL(link).pathname)
    await expect(heading(guest)).toHaveText(`Quote ${number}`)
    await guest.getByRole('cell', { name: /^Oil finish/ }).click()
    await expect(guest.getByRole('checkbox', { name: 'Oil finish' })).toBeChecked()
    await guest.getByRole('cell', { name: /^Timber gate/ }).click()
    const accept = guest.locator('#accept')
    await expect(accept.locator('.service-amount')).toHaveText('$1,936.00')
    await expect(accept).toContainText('Deposit due on acceptance: $580.80')
    await guest.getByRole('textbox', { name: 'Your full name', exact: true }).fill('Mia Harbour')
    await guest.getByText('Draw', { exact: true }).click()
    const canvas = guest.getByRole('img', { name: 'Signature area' })
    const box = await canvas.boundingBox()
    if (!box) throw new Error('there is nowhere to sign')
    await guest.mouse.move(box.x + 30, box.y + 60)
    await guest.mouse.down()
    await guest.mouse.move(box.x + 120, box.y + 30, { steps: 6 })
    await guest.mouse.move(box.x + 220, box.y + 80, { steps: 6 })
    await guest.mouse.up()
    await guest.getByRole('button', { name: 'Accept for $1,936.00' }).click()
    await expect(guest.getByRole('heading', { name: "Thank you. You've accepted this quote." })).toBeVisible()
    await expect(staff.getByText('Converted', { exact: true }).first()).toBeVisible()
    await expect(staff.getByRole('img', { name: 'Signature of Mia Harbour' })).toBeVisible()
    await expect(inMoney(staff, 'Total')).toHaveText('$1,936.00')
  })
  const accepted = await quote()
  expect(accepted).toMatchObject({ status: 'converted', totals: { totalCents: 193_600 }, depositCents: 58_080 })

  await test.step('the customer pays the deposit by card', async () => {
    await guest.getByRole('link', { name: 'Pay deposit $580.80' }).click()
    await expect(heading(guest)).toBeVisible()
    await fillCard(guest, '4242424242424242')
    await guest.getByRole('button', { name: 'Pay $580.80' }).click()
    await expect(guest.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    await expect(related(staff).getByText('Paid', { exact: true })).toBeVisible()
  })

  await test.step('staff completes the order and drafts the final invoice, with the deposit credited', async () => {
    await related(staff)
      .getByRole('link', { name: accepted.related.order?.label ?? '' })
      .click()
    await expect(heading(staff)).toHaveText(accepted.related.order?.label ?? '')
    await expect(inMoney(staff, 'Deposit paid')).toHaveText('$580.80')
    await staff.getByRole('button', { name: 'Start work', exact: true }).click()
    await staff.getByRole('button', { name: 'Complete order', exact: true }).click()
    await expect(staff.getByText(/^Order O-\d+ completed\.$/)).toBeVisible()
    await staff.getByRole('button', { name: 'Create invoice' }).click()
    await staff.getByRole('dialog', { name: 'Create invoice' }).getByRole('button', { name: 'Create draft' }).click()
    await expect(heading(staff)).toHaveText('Draft invoice')
    await expect(inMoney(staff, 'Deposit credited')).toHaveText('$580.80')
  })
  const invoiceGuid = guidOf(staff)
  const invoice = async () => (await api<{ invoice: Invoice }>('office', 'GET', `/Invoices/${invoiceGuid}`)).invoice
  const totalCents = (await invoice()).totals.totalCents
  expect(totalCents).toBe(193_600 - 58_080)

  await test.step('staff issues and sends it', async () => {
    await staff.getByRole('button', { name: 'Issue and send' }).click()
    await staff.getByRole('dialog', { name: 'Issue and send' }).getByRole('button', { name: 'Issue and send' }).click()
    await expect(staff.getByText(/^Invoice INV-\d+ sent\.$/)).toBeVisible()
    await expect(heading(staff)).toHaveText(/^INV-\d+/)
  })

  await test.step('the customer pays a part of it by a card whose bank asks for approval', async () => {
    const url = await staff.getByRole('link', { name: 'Open page', exact: true }).getAttribute('href')
    await guest.goto(new URL(url ?? '').pathname)
    await guest.getByRole('button', { name: 'Pay a different amount' }).click()
    await guest.getByLabel('Amount to pay').fill('500')
    await fillCard(guest, '4000000000003220')
    await guest.getByRole('button', { name: 'Pay $500.00' }).click()
    await guest
      .getByRole('dialog', { name: '3-D Secure' })
      .frameLocator('iframe')
      .getByRole('button', { name: /approve/i })
      .click()
    await expect(guest.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    await expect(guest.locator('.receipt')).toContainText(`${money(totalCents - 50_000)} left to pay.`)
    await expect(inMoney(staff, 'Balance')).toHaveText(money(totalCents - 50_000))
  })

  await test.step('staff records the rest by bank transfer, and the accountant refunds a part', async () => {
    await staff.getByRole('button', { name: 'Record payment' }).click()
    const record = staff.getByRole('dialog', { name: 'Record payment' })
    await expect(record.getByLabel('Amount')).toHaveValue(money(totalCents - 50_000).slice(1))
    await record.getByRole('button', { name: 'Record payment' }).click()
    await expect(inMoney(staff, 'Balance')).toHaveText('$0.00')
    const accountant = await windows.staff('accountant')
    await accountant.goto(`/apps/invoices/preview/${invoiceGuid}`)
    await accountant.getByRole('button', { name: 'More', exact: true }).click()
    await accountant.getByRole('button', { name: 'Refund payment', exact: true }).click()
    const refund = accountant.getByRole('dialog', { name: 'Refund payment' })
    await refund.getByLabel('Amount').fill('120')
    await refund.getByRole('button', { name: 'Refund $120.00' }).click()
    await expect(accountant.getByText(/Payment refunded\. Adjustment note/)).toBeVisible()
    await expect(inMoney(staff, 'Refunded')).toHaveText('$120.00')
  })

  await test.step('the adjustment note exists, the timeline tells all, screens and API agree to the cent', async () => {
    const after = await invoice()
    expect(after).toMatchObject({
      paymentStatus: 'partially_refunded',
      paidCents: totalCents,
      refundedCents: 12_000,
      creditedCents: 12_000,
      balanceCents: 0,
    })
    const [note] = after.related.adjustmentNotes
    expect(note).toMatchObject({ totalCents: 12_000 })
    for (const told of [
      'Draft invoice created',
      `Invoice ${after.number} issued`,
      `Invoice ${after.number} sent`,
      'Payment of $500.00 received',
      `Payment of ${money(totalCents - 50_000)} received`,
      '$120.00 refunded',
    ])
      await expect(timeline(staff).getByText(told).first()).toBeVisible()
    await expect(inMoney(staff, 'Total')).toHaveText(money(after.totals.totalCents))
    await expect(inMoney(staff, 'Paid')).toHaveText(money(after.paidCents))
    await related(staff)
      .getByRole('link', { name: note?.label ?? '' })
      .click()
    await expect(heading(staff)).toHaveText(note?.label ?? '')
    await staff.goto(`/apps/quotes/preview/${quoteGuid}`)
    for (const told of [
      `Quote ${number} sent`,
      `Quote ${number} accepted by Mia Harbour`,
      `Quote ${number} converted to an order`,
    ])
      await expect(timeline(staff).getByText(told).first()).toBeVisible()
  })
})
