import { aCustomer } from './arrange.ts'
import { api, expect, test, unique, violations } from './support.ts'

test('money comes for an order, all its GST counts with it, and it is in the statement @prove', async ({ windows }) => {
  const customerGuid = await aCustomer(unique('Fete'))
  const { order } = await api<{ order: { guid: string; number: string } }>('office', 'POST', '/Orders', {
    customerGuid,
    title: 'Fencing for the fete',
    lines: [{ name: 'Fence panels', quantity: '10', unitPriceCents: 100_000 }],
  })
  const office = await windows.staff('office')
  const dialog = office.getByRole('dialog')
  const more = async (label: string) => {
    await office.getByRole('button', { name: 'More' }).first().click()
    await office
      .getByRole('menuitem', { name: label })
      .or(office.getByRole('button', { name: label }))
      .first()
      .click()
  }
  await office.goto(`/apps/orders/preview/${order.guid}`)
  await more('Record prepayment')
  await expect(dialog.getByLabel('Prepayment of an order')).toHaveValue(`${order.number} Fencing for the fete`)
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('2500')
  expect(await violations(office)).toEqual([])
  await dialog.getByRole('button', { name: 'Record payment' }).click()
  await expect(office.getByText(`$2,500.00 kept as prepayment of ${order.number}.`)).toBeVisible()
  await expect(office.getByText('Prepaid')).toBeVisible()
  await expect(office.getByText('GST brought forward').locator('..')).toContainText('$1,000.00')

  // Decided while nothing is invoiced, by keyboard alone.
  await more('When GST counts')
  await dialog.getByRole('radio', { name: 'All with the first invoice or payment' }).focus()
  await office.keyboard.press('ArrowDown')
  await office.keyboard.press('Enter')
  await expect(office.getByText('Saved when the GST of this order counts.')).toBeVisible()
  await expect(office.getByText('GST brought forward')).toBeHidden()
  await more('When GST counts')
  await dialog.getByRole('radio', { name: 'All with the first invoice or payment' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(office.getByText('GST brought forward')).toBeVisible()

  const accountant = await windows.staff('accountant')
  await accountant.goto('/apps/accounting/bas')
  await accountant.getByRole('button', { name: 'This period' }).press('Enter')
  await expect(accountant.getByText(/^1A (includes|is) \$/)).toContainText(`${order.number} $1,000.00`)
  await accountant.getByRole('button', { name: 'Show the documents of 1A' }).press('Enter')
  const lines = accountant.getByRole('region', { name: 'Documents of 1A' })
  await lines.getByRole('link', { name: order.number }).press('Enter')
  await expect(accountant).toHaveURL(new RegExp(order.guid))
  // The statement names receipts, too, until the order is there.
  await expect(accountant.getByRole('heading', { level: 1 })).toContainText(order.number)
  await accountant.getByRole('link', { name: /^R-\d/ }).first().click()
  await expect(accountant.getByText('Prepayment of order')).toBeVisible()
  await expect(accountant.getByRole('link', { name: order.number })).toBeVisible()
})
