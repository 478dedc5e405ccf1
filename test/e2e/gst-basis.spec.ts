import { workingIn } from './arrange.ts'
import { api, expect, heading, test, unique, violations } from './support.ts'

/** A company of its own with an unpaid invoice of $1,100 and $2,200 that came for an order, for nobody else to see. */
async function aCompany() {
  const tradingName = unique('Quoll Fencing')
  const { business } = await api<{ business: { guid: string } }>('admin', 'POST', '/Businesses', {
    ...{ tradingName, legalName: `${tradingName} Pty Ltd`, abn: '53004085616', gstRegistered: true },
  })
  const call = <D>(path: string, body: object) => api<D>('admin', 'POST', path, body, business.guid)
  const { business: here } = await api<{ business: { today: string } }>(
    'admin',
    'GET',
    '/Businesses/Current',
    undefined,
    business.guid,
  )
  const { customer } = await call<{ customer: { guid: string } }>('/Customers', { displayName: 'Wombat Farm' })
  const work = (unitPriceCents: number) => ({
    ...{ customerGuid: customer.guid, title: 'Fence', priceMode: 'inclusive' },
    lines: [{ name: 'Fence', unitPriceCents }],
  })
  const { invoice } = await call<{ invoice: { guid: string; version: number } }>('/Invoices', work(110_000))
  const issued = await call<{ invoice: { number: string } }>(`/Invoices/Issue/${invoice.guid}`, {
    version: invoice.version,
  })
  const { order } = await call<{ order: { guid: string; number: string } }>('/Orders', work(880_000))
  const { payment } = await call<{ payment: { guid: string; number: string } }>('/Payments', {
    ...{ method: 'bank_transfer', customerGuid: customer.guid, orderGuid: order.guid },
    ...{ amountCents: 220_000, receivedOn: here.today, allocations: [] },
  })
  return { guid: business.guid, invoice: issued.invoice, order, payment }
}

test('the owner changes the basis after a look at what moves, and reads the statement on both @prove', async ({
  windows,
}) => {
  const { guid, invoice, order, payment } = await aCompany()
  const page = await windows.staff('admin')
  await workingIn(page, guid)
  await page.goto(`/setup/businesses/view/${guid}`)
  const card = page.getByRole('region', { name: 'GST basis' })
  await expect(card).toContainText('Accrual: GST is due when you issue an invoice.')
  await card.getByRole('button', { name: 'Change GST basis' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change to the cash basis' })
  await dialog.getByRole('button', { name: 'Preview' }).click()
  const moves = dialog.getByRole('status')
  await expect(moves).toContainText('$100.00 of GST on invoices issued since')
  await expect(moves).toContainText(invoice.number)
  // $800.00 of the order were brought forward; of what came for it $200.00 are GST.
  await expect(moves).toContainText('$600.00 less GST is due on')
  await expect(moves).toContainText(order.number)
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Change GST basis' }).click()
  await expect(dialog).toBeHidden()
  await expect(card).toContainText('Cash: GST is due when you’re paid.')

  await page.goto('/apps/accounting/bas')
  await expect(heading(page)).toHaveText('Activity statement')
  await page.getByRole('button', { name: 'This period' }).press('Enter')
  const sheet = page.getByRole('region', { name: 'Activity statement' })
  await expect(sheet.getByRole('row', { name: /^1A/ })).toContainText('$200.00')
  await expect(sheet.getByRole('row', { name: /^G1/ })).toContainText('$2,200.00')
  await expect(page.getByText('The ledger’s account of GST collected agrees:')).toBeVisible()
  await page.getByLabel('Basis').click()
  await page.getByRole('option', { name: 'Accrual' }).click()
  await expect(page.getByText('this one isn’t compared with it')).toBeVisible()
  await expect(sheet.getByRole('row', { name: /^G1/ })).toContainText('$1,100.00')
  await page.getByLabel('Basis').click()
  await page.getByRole('option', { name: 'Cash' }).click()
  await page.getByRole('button', { name: 'Show the documents of 1A' }).press('Enter')
  const lines = page.getByRole('region', { name: 'Documents of 1A' })
  await lines.getByRole('link', { name: payment.number }).press('Enter')
  await expect(page).toHaveURL(new RegExp(payment.guid))
  await expect(page.getByRole('link', { name: order.number })).toBeVisible()
})
