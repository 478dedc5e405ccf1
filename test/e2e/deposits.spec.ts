import { aCustomer } from './arrange.ts'
import { api, expect, heading, test, unique } from './support.ts'

test('a security deposit is asked for, paid, kept in part and given back @prove', async ({ windows }) => {
  const customerGuid = await aCustomer(unique('Bond & Sons'))
  const { order } = await api<{ order: { guid: string } }>('office', 'POST', '/Orders', {
    customerGuid,
    title: 'Scaffold',
    priceMode: 'inclusive',
    lines: [{ name: 'Scaffold', quantity: '1', unitPriceCents: 600_000 }],
  })
  const page = await windows.staff('admin')
  const dialog = page.getByRole('dialog')
  const more = async (label: string) => {
    await page.getByRole('button', { name: 'More' }).first().click()
    await page
      .getByRole('menuitem', { name: label })
      .or(page.getByRole('button', { name: label }))
      .first()
      .click()
  }
  await page.goto(`/apps/orders/preview/${order.guid}`)
  await page.getByRole('button', { name: 'Create invoice' }).first().click()
  await dialog.getByRole('radio', { name: 'Deposit' }).check()
  await dialog.getByLabel('Deposit amount').fill('700')
  await dialog.getByRole('radio', { name: 'Security deposit' }).check()
  await expect(dialog.getByLabel('When you keep it')).not.toHaveValue('')
  await expect(dialog).toContainText('More than 10% of the order')
  await dialog.getByLabel('Deposit amount').fill('550')
  await expect(dialog).not.toContainText('More than 10% of the order')
  await dialog.getByRole('button', { name: 'Create draft' }).click()

  await expect(page.getByText('Deposit request').first()).toBeVisible()
  await expect(page.getByText('When we keep the deposit')).toBeVisible()
  await page.getByRole('button', { name: 'Issue invoice' }).click()
  await dialog.getByRole('button', { name: 'Issue invoice' }).click()
  await expect(heading(page)).toHaveText(/^INV-/)
  const guid = page.url().split('/').at(-1) ?? ''
  await api('accountant', 'POST', '/Payments', {
    method: 'bank_transfer',
    receivedOn: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    amountCents: 55_000,
    allocations: [{ invoiceGuid: guid, cents: 55_000 }],
  })
  await page.reload()
  await more('Forfeit deposit')
  await dialog.getByLabel('Amount').fill('110')
  await dialog.getByLabel('Reason').fill('A plank is missing')
  await expect(dialog).toContainText('$10.00 of GST is due now.')
  await dialog.getByRole('button', { name: 'Forfeit deposit' }).click()
  await expect(page.getByText('$110.00 of the deposit kept.')).toBeVisible()
  await more('Return deposit')
  await expect(dialog).toContainText('Up to $440.00')
  await dialog.getByLabel('Amount').fill('400')
  await dialog.getByRole('button', { name: 'Return deposit' }).click()
  await expect(page.getByText('$400.00 of the deposit returned.')).toBeVisible()
  const { invoice } = await api<{ invoice: { number: string; balanceCents: number; serviceUrl: string } }>(
    'office',
    'GET',
    `/Invoices/${guid}`,
  )
  expect(invoice.balanceCents).toBe(0)

  await page.goto('/apps/accounting/deposits')
  const row = page.getByRole('row', { name: invoice.number })
  await expect(row).toContainText('Security deposit')
  await expect(row).toContainText('$40.00')
  await expect(page.getByText('Agrees with the ledger:')).toBeVisible()
  await row.getByRole('link', { name: invoice.number }).click()
  await expect(heading(page)).toHaveText(invoice.number)

  const guest = await windows.guest()
  await guest.goto(new URL(invoice.serviceUrl).pathname)
  await expect(guest.getByText('Deposit request').first()).toBeVisible()
  await expect(guest.getByText('When we keep the deposit')).toBeVisible()
})
