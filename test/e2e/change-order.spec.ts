import { aCustomer } from './arrange.ts'
import { api, expect, test, unique, violations } from './support.ts'

test('a change order on site: drafted with its price, sent, signed on the phone, and the contract follows', async ({
  windows,
}) => {
  const customerGuid = await aCustomer(unique('Harbour'))
  const { order } = await api<{ order: { guid: string; serviceGuid: string } }>('office', 'POST', '/Orders', {
    customerGuid,
    title: 'Fence',
    lines: [{ name: 'Fence panels', quantity: '10', unitPriceCents: 100_000 }],
  })

  const office = await windows.staff('office')
  await office.goto(`/apps/orders/preview/${order.guid}?tab=changes`)
  await office.getByRole('button', { name: 'Add change' }).first().click()
  const dialog = office.getByRole('dialog')
  await dialog.getByLabel('Title of the change').fill('Two more panels and a gate')
  await dialog.getByLabel('Quantity of Fence panels').fill('12')
  await dialog.getByRole('button', { name: 'Add line' }).click()
  await dialog.getByRole('combobox', { name: 'Item, line 1' }).fill('Gate')
  await dialog.getByRole('textbox', { name: 'Price, line 1' }).fill('500')
  // Two panels and a gate are $2,500.00, with GST $2,750.00.
  await expect(dialog.locator('.changed-sum')).toContainText('$13,750.00')
  await dialog.getByRole('button', { name: 'Create draft' }).click()
  await expect(office.getByText('Change order created.')).toBeVisible()
  await office.getByRole('button', { name: 'Send CO-1' }).click()
  await office.getByLabel('Email').fill('mia@harbour.example')
  await office.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
  await expect(office.getByText('CO-1 sent.')).toBeVisible()
  await expect(office.getByText('Waiting for the customer')).toBeVisible()

  const phone = await windows.guest({ viewport: { width: 375, height: 812 } })
  await phone.goto(`/service/o/${order.serviceGuid}`)
  const panel = phone.locator('#change')
  await expect(panel).toContainText('$11,000.00')
  await expect(panel).toContainText('$13,750.00')
  await panel.getByRole('textbox').first().fill('Mia Harbour')
  expect(await violations(phone)).toEqual([])
  await panel.getByRole('button', { name: 'Accept change' }).click()
  await expect(phone.getByRole('heading', { name: "Thank you. You've accepted this change." })).toBeVisible()
  await expect(phone.getByText('Contract value now')).toBeVisible()
  await expect(phone.locator('.invoice-list').filter({ hasText: 'Contract value now' })).toContainText(
    'Signed by Mia Harbour, ',
  )

  // The office sees it without reading the page again.
  await expect(office.getByText('Mia Harbour, signed online,')).toBeVisible()
  // In the tab and beside the order.
  await expect(office.getByText('Original contract')).toHaveCount(2)
})
