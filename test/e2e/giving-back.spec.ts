import type { Page } from '@playwright/test'
import { anIssuedInvoice, type Document } from './arrange.ts'
import { api, expect, fillCard, heading, test, violations } from './support.ts'

interface Read {
  invoice: {
    balanceCents: number
    related: { adjustmentNotes: { guid: string; label: string }[]; payments: { guid: string }[] }
  }
}
const read = async (guid: string) => (await api<Read>('accountant', 'GET', `/Invoices/${guid}`)).invoice
const dialog = (page: Page) => page.getByRole('dialog')

/** $1,100.00 that a customer paid by card. */
async function paidByCard(guest: Page): Promise<Document & { paymentGuid: string }> {
  const lines = [{ name: 'Hoarding', quantity: '1', unitPriceCents: 110_000 }]
  const invoice = await anIssuedInvoice({ lines, priceMode: 'inclusive' })
  await guest.goto(`/service/i/${invoice.serviceGuid}`)
  await fillCard(guest, '4242424242424242')
  await guest.getByRole('button', { name: 'Pay $1,100.00', exact: true }).click()
  await expect(guest.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  return { ...invoice, paymentGuid: (await read(invoice.guid)).related.payments[0]?.guid ?? '' }
}

test('$200 of a card payment goes back because a price was lowered, then because it was paid twice', async ({
  windows,
}) => {
  const invoice = await paidByCard(await windows.guest())
  const page = await windows.staff('accountant')
  const reduced = dialog(page).getByRole('radio', { name: /^Price reduced/ })
  const mistaken = dialog(page).getByRole('radio', { name: /^Paid by mistake/ })
  const refund = async () => {
    await page.goto(`/apps/payments/preview/${invoice.paymentGuid}`)
    await page.getByRole('button', { name: 'Refund payment' }).click()
    await dialog(page).getByLabel('Amount').fill('200')
  }
  await refund()
  await expect(reduced).toBeChecked()
  await expect(dialog(page)).toContainText(
    'Price reduced: creates an adjustment note. Your GST falls by $18.18; nothing more is owing.',
  )
  await expect(dialog(page)).toContainText(
    `Paid by mistake: no adjustment note. Your GST stays; ${invoice.number} is owing $200.00 again.`,
  )
  await expect(dialog(page)).toContainText('Goes back to the card.')
  expect(await violations(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Refund $200.00' }).click()
  await expect(dialog(page)).toHaveCount(0)
  expect(await read(invoice.guid)).toMatchObject({ balanceCents: 0, related: { adjustmentNotes: [{}] } })

  await refund()
  await mistaken.check()
  await dialog(page).getByRole('button', { name: 'Refund $200.00' }).click()
  await expect(page.getByText(`${invoice.number} has $200.00 owing again.`)).toBeVisible()
  expect(await read(invoice.guid)).toMatchObject({ balanceCents: 20_000, related: { adjustmentNotes: [{}] } })
  const refunds = page.getByRole('table').nth(1)
  await expect(refunds.getByRole('row', { name: /ADJ-\d+/ })).toHaveCount(1)
  await expect(refunds.getByRole('row', { name: 'Paid by mistake' })).toContainText(invoice.number)
  const paidFor = page.getByRole('table').first()
  await expect(paidFor.getByRole('row', { name: invoice.number })).toContainText('$900.00')

  // What is left of it can be taken off, and a note of what was paid becomes credit.
  await page.getByRole('button', { name: `Take off ${invoice.number}` }).click()
  await expect(dialog(page)).toContainText('Up to $700.00')
  await page.keyboard.press('Escape')
  await page.goto(`/apps/invoices/preview/${invoice.guid}`)
  await expect(heading(page)).toContainText(invoice.number)
  await page.getByRole('button', { name: 'More' }).first().click()
  const label = 'Create adjustment note'
  await page
    .getByRole('menuitem', { name: label })
    .or(page.getByRole('button', { name: label }))
    .first()
    .click()
  await dialog(page).getByLabel('Reason').fill('Half of the site stayed open')
  await dialog(page).getByLabel('Amount including GST').fill('500')
  await expect(dialog(page)).toContainText(
    'Decreases your GST by $45.46. $300.00 becomes customer credit. No money is refunded.',
  )
  await dialog(page).getByRole('button', { name: label }).click()
  await expect(dialog(page)).toHaveCount(0)
  expect(await read(invoice.guid)).toMatchObject({ balanceCents: 0, related: { adjustmentNotes: [{}, {}] } })
  await page.goto(`/apps/payments/preview/${invoice.paymentGuid}`)
  await expect(page.getByRole('table').first().getByRole('row', { name: 'Customer credit' })).toContainText('$300.00')
})
