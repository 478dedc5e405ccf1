import type { Page } from '@playwright/test'
import { aCustomer, anIssuedInvoice } from './arrange.ts'
import { api, expect, settled, test, unique } from './support.ts'

const dialog = (page: Page) => page.getByRole('dialog')

test('a refund beyond the limit is asked for by one person and approved by another', async ({ windows }) => {
  const name = unique('Two People')
  const customerGuid = await aCustomer(name)
  const lines = [{ name: 'Panels', quantity: '1', unitPriceCents: 200_000 }]
  const invoice = await anIssuedInvoice({ customerGuid, lines })
  const { payment } = await api<{ payment: { guid: string } }>('office', 'POST', '/Payments', {
    method: 'bank_transfer',
    receivedOn: invoice.issueOn,
    amountCents: 220_000,
    allocations: [{ invoiceGuid: invoice.guid, cents: 220_000 }],
  })
  const office = await windows.staff('office')
  await office.goto(`/apps/payments/preview/${payment.guid}`)
  await office.getByRole('button', { name: 'Refund payment' }).click()
  await dialog(office).getByLabel('Amount').fill('999.99')
  await expect(dialog(office).getByRole('button', { name: 'Refund $999.99' })).toBeEnabled()
  await dialog(office).getByLabel('Amount').fill('1800.00')
  // Nobody pays it at the bank before it is approved.
  await expect(dialog(office)).toContainText('You can refund up to $1,000.00 to this customer yourself.')
  await expect(dialog(office)).toContainText('Pay it back once it’s approved.')
  await dialog(office).getByRole('button', { name: 'Ask for approval' }).click()
  await expect(
    office.getByText('Refund requested. It’s over your limit, so somebody else has been asked to approve it.'),
  ).toBeVisible()
  await office.getByRole('link', { name: 'Waiting for approval' }).click()
  const asked = office.getByRole('row', { name })
  await expect(asked).toContainText('Waiting')
  await expect(asked.getByRole('button', { name: 'Approve refund' })).toHaveCount(0)

  const admin = await windows.staff('admin')
  await admin.goto('/apps/accounting/refunds')
  await admin.getByRole('row', { name }).getByRole('button', { name: 'Approve refund' }).click()
  await expect(dialog(admin)).toContainText(`Refund $1,800.00 to ${name}?`)
  await dialog(admin).getByRole('button', { name: 'Approve refund' }).click()
  await expect(admin.getByText('Refund of $1,800.00 approved.')).toBeVisible()
  await expect(admin.getByRole('row', { name })).toContainText('Refunded')
})

test('an invoice that nobody will pay is written off, and its customer is told whom to call @prove', async ({
  windows,
}) => {
  const customerGuid = await aCustomer(unique('Gone'))
  const invoice = await anIssuedInvoice({ customerGuid })
  const page = await windows.staff('accountant')
  await page.goto(`/apps/invoices/preview/${invoice.guid}`)
  await settled(page)
  await page.getByRole('button', { name: 'More' }).first().click()
  await page.getByRole('button', { name: 'Write off' }).click()
  await expect(dialog(page)).toContainText('Records a bad debt of $250.00 and takes back $25.00 of GST.')
  await dialog(page).getByRole('button', { name: 'Write off' }).click()
  await expect(page.getByText(`$275.00 of invoice ${invoice.number} written off.`)).toBeVisible()
  await expect(page.getByText('Written off').first()).toBeVisible()
  const guest = await windows.guest()
  await guest.goto(`/service/i/${invoice.serviceGuid}`)
  await expect(guest.getByText('Call us if you would like to pay it.')).toBeVisible()
})
