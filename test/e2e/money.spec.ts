import type { Page } from '@playwright/test'
import { aCustomer, anIssuedInvoice } from './arrange.ts'
import { api, expect, heading, test, unique, violations } from './support.ts'

const small = { viewport: { width: 375, height: 812 } }
const dialog = (page: Page) => page.getByRole('dialog')

test('one transfer pays three invoices of a customer, and what is too much stays as credit', async ({ windows }) => {
  const name = unique('Ledger & Sons')
  const customerGuid = await aCustomer(name)
  const invoices = []
  for (const termsDays of [30, 7, 14]) invoices.push(await anIssuedInvoice({ customerGuid, termsDays }))
  const numbers = invoices.map((invoice) => invoice.number)
  const page = await windows.staff('office', small)
  await page.goto('/apps/payments/list')
  await page.getByRole('button', { name: 'Record payment' }).click()
  await expect(dialog(page).getByLabel('Customer')).toBeFocused()
  await page.keyboard.type(name)
  await expect(page.getByRole('option', { name })).toBeVisible()
  await page.keyboard.press('Enter')
  await dialog(page).getByLabel('Amount').fill('560.00')
  // The one that is due first is paid first.
  const paid = (number: string | undefined) => dialog(page).getByLabel(`Pay ${number}`)
  await expect(paid(numbers[1])).toHaveValue('275.00')
  await expect(paid(numbers[2])).toHaveValue('275.00')
  await expect(paid(numbers[0])).toHaveValue('10.00')
  await dialog(page).getByLabel('Amount').fill('837.40')
  await expect(dialog(page)).toContainText(/Kept as customer credit\s*\$12\.40/)
  await paid(numbers[0]).fill('300')
  await expect(dialog(page)).toContainText('Up to $275.00')
  await expect(dialog(page).getByRole('button', { name: 'Record payment' })).toBeDisabled()
  await dialog(page).getByRole('button', { name: 'Suggest again' }).click()
  await expect(paid(numbers[0])).toHaveValue('275.00')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await dialog(page).getByRole('button', { name: 'Record payment' }).dblclick()
  await expect(page.getByText('$12.40 kept as customer credit.')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.locator('.Toastify__toast')).toHaveCount(1)
  // On a wide screen the list says itself which order it is in.
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByRole('columnheader', { name: 'Received on' })).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'View payment' }).click()
  await expect(page.getByRole('table').first()).toContainText('$12.40')
  for (const { guid } of invoices)
    expect(
      (await api<{ invoice: { paymentStatus: string } }>('office', 'GET', `/Invoices/${guid}`)).invoice.paymentStatus,
    ).toBe('paid')

  await page.goto(`/apps/customers/preview/${customerGuid}`)
  await expect(heading(page)).toHaveText(name)
  await expect(page.getByText('$12.40').first()).toBeVisible()
  await page.getByRole('button', { name: 'More' }).first().click()
  await page.getByRole('button', { name: 'Record payment' }).click()
  await expect(dialog(page)).toContainText('No open invoices')
})

test('three of four invoices are paid by a click each, and what is too much goes back as credit @prove', async ({
  windows,
}) => {
  const name = unique('Cormorant')
  const customerGuid = await aCustomer(name)
  const invoices: Awaited<ReturnType<typeof anIssuedInvoice>>[] = []
  for (const termsDays of [7, 14, 21, 30]) invoices.push(await anIssuedInvoice({ customerGuid, termsDays }))
  const page = await windows.staff('accountant')
  await page.goto(`/apps/customers/preview/${customerGuid}`)
  await page.getByRole('button', { name: 'More' }).first().click()
  await page.getByRole('button', { name: 'Record payment' }).click()
  await dialog(page).getByLabel('Amount').fill('837.40')
  const paid = (i: number) => dialog(page).getByLabel(`Pay ${invoices[i]?.number}`, { exact: true })
  await expect(paid(2)).toHaveValue('275.00')
  // The last is paid, and the one that is first stays out of it.
  await dialog(page)
    .getByRole('button', { name: `In full: ${invoices[3]?.number}` })
    .click()
  await expect(paid(0)).toHaveValue('')
  for (const i of [1, 2])
    await dialog(page)
      .getByRole('button', { name: `In full: ${invoices[i]?.number}` })
      .press('Enter')
  for (const i of [1, 2, 3]) await expect(paid(i)).toHaveValue('275.00')
  // An amount that somebody types moves nothing beside the others.
  await paid(1).fill('270')
  await expect(paid(0)).toHaveValue('')
  await expect(dialog(page)).toContainText(/Kept as customer credit\s*\$17\.40/)
  await paid(1).fill('275')
  await expect(dialog(page)).toContainText(/Kept as customer credit\s*\$12\.40/)
  expect(await violations(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Record payment' }).click()
  await page.getByRole('button', { name: 'View payment' }).click()

  // The credit goes back first; a reason changes neither source nor amount.
  await page.getByRole('button', { name: 'Refund payment' }).click()
  await expect(dialog(page).getByLabel('Amount')).toHaveValue('12.40')
  await expect(dialog(page).getByLabel('Reason')).toHaveValue('Paid twice or too much')
  await dialog(page).getByRole('combobox', { name: 'Refund from' }).click()
  await page.getByRole('option', { name: invoices[1]?.number }).click()
  await dialog(page).getByLabel('Amount').fill('100')
  await dialog(page).getByRole('combobox', { name: 'Reason' }).click()
  await page.getByRole('option', { name: 'Paid twice or too much' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Refund $100.00' })).toBeEnabled()
  await dialog(page).getByRole('combobox', { name: 'Refund from' }).click()
  await page.getByRole('option', { name: 'Customer credit' }).click()
  await dialog(page).getByRole('button', { name: 'Refund $12.40' }).click()
  await expect(page.getByText('Customer credit refunded.')).toBeVisible()
})

test('a debt that was given up is paid after all on a locked day: it is paid itself, and counts later @prove', async ({
  windows,
}) => {
  const customerGuid = await aCustomer(unique('Sandpiper'))
  await anIssuedInvoice({ customerGuid, termsDays: 7 })
  const { guid, number } = await anIssuedInvoice({ customerGuid })
  const show = async () =>
    (
      await api<{ invoice: { version: number; writtenOffCents: number; paidCents: number } }>(
        'accountant',
        'GET',
        `/Invoices/${guid}`,
      )
    ).invoice
  await api('accountant', 'POST', `/Invoices/WriteOff/${guid}`, {
    version: (await show()).version,
    reasonCode: 'bad_debt',
  })
  const { standingThrough } = await api<{ standingThrough: string }>('accountant', 'GET', '/Tax/Lock')
  const spoken = (day: string) => day.split('-').toReversed().join('-')
  const opens = new Date(`${standingThrough}T00:00:00Z`)
  opens.setUTCDate(opens.getUTCDate() + 1)
  const from = spoken(opens.toISOString().slice(0, 10))
  const page = await windows.staff('office', small)
  await page.goto(`/apps/invoices/preview/${guid}`)
  await page.getByRole('button', { name: 'Record payment' }).first().click()
  await expect(dialog(page)).toContainText('$275.00 written off')
  await dialog(page).getByLabel('Amount').fill('100')
  await expect(dialog(page).getByLabel(`Pay ${number}`, { exact: true })).toHaveValue('100.00')
  await expect(dialog(page)).toContainText('Recovers $100.00 of the write-off.')
  await dialog(page).getByLabel('Received on').fill(spoken(standingThrough))
  await expect(dialog(page)).toContainText(`Locked up to ${spoken(standingThrough)}. This counts from ${from}.`)
  expect(await violations(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByText(`recorded. It counts from ${from}.`)).toBeVisible()
  expect(await show()).toMatchObject({ paidCents: 10_000, writtenOffCents: 17_500 })
})

test('a refund says what it gives back: a lower price, chosen lines, or money that came twice @prove', async ({
  windows,
}) => {
  const lines = [
    { name: 'Panels', quantity: '1', unitPriceCents: 110_000 },
    { name: 'Council permit', quantity: '1', unitPriceCents: 50_000, gstCode: 'FREE' },
  ]
  const invoice = await anIssuedInvoice({ lines, priceMode: 'inclusive' })
  const { payment } = await api<{ payment: { guid: string } }>('accountant', 'POST', '/Payments', {
    method: 'bank_transfer',
    receivedOn: '2026-07-01',
    amountCents: 160_000,
    allocations: [{ invoiceGuid: invoice.guid, cents: 160_000 }],
  })
  const page = await windows.staff('accountant')
  const refund = async () => {
    await page.goto(`/apps/payments/preview/${payment.guid}`)
    await page.getByRole('button', { name: 'Refund payment' }).click()
  }
  const choose = async (field: string, value: string) => {
    await dialog(page).getByRole('combobox', { name: field }).or(dialog(page).getByLabel(field)).first().click()
    await page.getByRole('option', { name: value }).click()
  }
  await refund()
  await dialog(page).getByLabel('Choose lines').check()
  await dialog(page).getByLabel('Refund of Council permit').fill('200')
  await dialog(page).getByRole('button', { name: 'Refund $200.00' }).click()
  // As it is read: the words around the number stay one sentence.
  await expect
    .poll(() => page.getByRole('alert').first().innerText())
    .toMatch(/^Payment refunded\. Adjustment note ADJ-\d+ created\.$/)
  const note = await api<{ invoice: { related: { adjustmentNotes: { guid: string }[] } } }>(
    'office',
    'GET',
    `/Invoices/${invoice.guid}`,
  )
  expect(
    (
      await api<{ invoice: { totals: object } }>(
        'office',
        'GET',
        `/Invoices/${note.invoice.related.adjustmentNotes[0]?.guid}`,
      )
    ).invoice.totals,
  ).toMatchObject({ totalCents: 20_000, gstCents: 0 })

  await refund()
  await expect(dialog(page).getByLabel('Amount')).toBeFocused()
  await page.keyboard.type('200')
  await expect(dialog(page).getByLabel('Amount')).toHaveValue('200')
  await choose('Reason', 'Paid twice or too much')
  await expect(dialog(page).getByRole('radio', { name: 'Paid by mistake' })).toBeChecked()
  await expect(dialog(page)).toContainText(
    `Paid by mistake: no adjustment note. Your GST stays; ${invoice.number} is owing $200.00 again.`,
  )
  await dialog(page).getByRole('button', { name: 'Refund $200.00' }).click()
  await expect(page.getByText(`${invoice.number} has $200.00 owing again.`)).toBeVisible()
  expect(
    (
      await api<{ invoice: { balanceCents: number; related: { adjustmentNotes: unknown[] } } }>(
        'office',
        'GET',
        `/Invoices/${invoice.guid}`,
      )
    ).invoice,
  ).toMatchObject({ balanceCents: 20_000, related: { adjustmentNotes: [{}] } })
})
