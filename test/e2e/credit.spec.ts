import { aCustomer, anIssuedInvoice } from './arrange.ts'
import { api, expect, heading, test, unique } from './support.ts'

test('credit pays an invoice later, is taken off again, and a payment that bounced is reversed @prove', async ({
  windows,
}) => {
  const name = unique('Advance & Co')
  const customerGuid = await aCustomer(name)
  const { payment } = await api<{ payment: { guid: string; number: string } }>('accountant', 'POST', '/Payments', {
    customerGuid,
    method: 'bank_transfer',
    receivedOn: new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10),
    amountCents: 30_000,
    allocations: [],
  })
  const invoice = await anIssuedInvoice({ customerGuid })
  const page = await windows.staff('accountant')
  const dialog = page.getByRole('dialog')
  const more = async (label: string) => {
    await page.getByRole('button', { name: 'More' }).first().click()
    await page
      .getByRole('menuitem', { name: label })
      .or(page.getByRole('button', { name: label }))
      .first()
      .click()
  }
  await page.goto(`/apps/customers/preview/${customerGuid}`)
  await expect(heading(page)).toHaveText(name)
  await more('Apply credit')
  await expect(dialog).toContainText(`${payment.number}: $275.00 to ${invoice.number}`)
  // What is typed beside an invoice counts; money that is left out pays nothing.
  await dialog.getByLabel(`Pay ${invoice.number}`).fill('100')
  await expect(dialog.getByRole('button', { name: 'Apply $100.00' })).toBeEnabled()
  await dialog.getByLabel(`Use ${payment.number}`).uncheck()
  await expect(dialog).toContainText('$100.00 more than the selected credit.')
  await dialog.getByLabel(`Use ${payment.number}`).check()
  await dialog.getByLabel(`Pay ${invoice.number}`).fill('275')
  await expect(dialog).toContainText('$25.00 of credit is left.')
  await dialog.getByRole('button', { name: 'Apply $275.00' }).click()
  await expect(page.getByText('$275.00 of credit applied.')).toBeVisible()

  await page.goto(`/apps/payments/preview/${payment.guid}`)
  const paidFor = page.getByRole('table').first()
  await expect(paidFor.getByRole('row', { name: invoice.number ?? '' })).toContainText('$275.00')
  await page.getByRole('button', { name: `Take off ${invoice.number}` }).click()
  await expect(dialog).toContainText('$275.00 becomes customer credit')
  await dialog.getByRole('button', { name: 'Take off' }).click()
  await expect(paidFor.getByRole('row', { name: 'Customer credit' })).toContainText('$300.00')

  await more('Allocate credit')
  await dialog.getByLabel(`Pay ${invoice.number}`).fill('100')
  await dialog.getByRole('button', { name: 'Allocate $100.00' }).click()
  await expect(paidFor.getByRole('row', { name: invoice.number ?? '' })).toContainText('$100.00')

  await more('Reverse payment')
  await expect(dialog).toContainText('To lower a price, refund the payment.')
  await dialog.getByRole('button', { name: 'Reverse payment' }).click()
  await expect(page.getByText('Reversed', { exact: true }).first()).toBeVisible()
  const read = await api<{ invoice: { balanceCents: number } }>('office', 'GET', `/Invoices/${invoice.guid}`)
  expect(read.invoice.balanceCents).toBe(27_500)
})
