import { aCustomer } from './arrange.ts'
import { api, expect, heading, money, test, unique, violations } from './support.ts'

interface Order {
  guid: string
  number: string
  version: number
}

test('an order has a word of our own, crew, checklist, profit, and an end that keeps what was billed @prove', async ({
  windows,
}) => {
  const customerGuid = await aCustomer(unique('Fence & Co'))
  const { jobType } = await api<{ jobType: { guid: string } }>('office', 'POST', '/JobTypes', {
    name: unique('Pool fence'),
    checklist: [
      { code: 'gas', label: 'Gas turned off', required: true },
      { code: 'photo', label: 'Photo of the gate' },
    ],
  })
  const { product } = await api<{ product: { guid: string } }>('office', 'POST', '/Products', {
    name: unique('Panel'),
    kind: 'goods',
    unit: 'each',
    priceCents: 12_500,
    costCents: 8_033,
  })
  const people = await api<{ items: { guid: string; authID: string }[] }>('admin', 'GET', '/Users?search=field')
  const lead = people.items.find(({ authID }) => authID.startsWith('field'))
  const { order } = await api<{ order: Order }>('office', 'POST', '/Orders', {
    customerGuid,
    title: 'Pool fence',
    jobTypeGuid: jobType.guid,
    assignedGuid: lead?.guid,
    lines: [{ name: 'Panel', productGuid: product.guid, quantity: '4', unitPriceCents: 12_500 }],
  })
  const word = unique('Waiting for parts')

  // The office makes a word of its own and sets it.
  const office = await windows.staff('office')
  await office.goto('/setup/order-substatuses/list')
  await office.getByRole('button', { name: 'New sub-status' }).first().click()
  const dialog = office.getByRole('dialog')
  await dialog.getByLabel('Name').fill(word)
  await dialog.getByLabel('Order status').click()
  await office.getByRole('option', { name: 'Confirmed', exact: true }).click()
  await dialog.getByLabel('Colour').click()
  await office.getByRole('option', { name: 'Orange' }).click()
  await dialog.getByRole('button', { name: 'Create sub-status' }).click()
  await expect(office.getByText(`Sub-status ${word} created.`)).toBeVisible()
  expect(await violations(office)).toEqual([])
  await office.goto(`/apps/orders/preview/${order.guid}`)
  await office.getByRole('button', { name: 'More', exact: true }).click()
  await office.getByRole('button', { name: 'Set sub-status' }).click()
  await office.getByRole('radio', { name: word }).check()
  await office.getByRole('button', { name: 'Save sub-status' }).click()
  await expect(office.getByText('Sub-status saved.')).toBeVisible()
  await expect(office.locator('.substatus', { hasText: word })).toBeVisible()

  // Its crew ticks the checklist on a phone.
  const crew = await windows.staff('field', { viewport: { width: 375, height: 760 } })
  await crew.goto(`/apps/orders/preview/${order.guid}?tab=checklist`)
  const gas = crew.getByRole('checkbox', { name: /Gas turned off/ })
  const row = await crew.locator('.check-label', { hasText: 'Gas turned off' }).boundingBox()
  expect(row?.height).toBeGreaterThanOrEqual(44)
  await crew.getByText('Gas turned off').click()
  await expect(crew.getByRole('tab', { name: 'Checklist (1/2)' })).toBeVisible()
  await expect(gas).toBeChecked()
  expect(await violations(crew)).toEqual([])
  await expect(crew.getByRole('tab', { name: 'Costs' })).toHaveCount(0)

  // The office sees it at once, adds a cost and reads what is left: 4 × (125.00 − 80.33) − 50.00.
  await expect(office.getByRole('tab', { name: 'Checklist (1/2)' })).toBeVisible()
  await office.getByRole('tab', { name: 'Costs' }).click()
  await office.getByRole('button', { name: 'Add cost' }).click()
  await office.getByLabel('Description').fill('Skip hire')
  await office.getByLabel('Amount').fill('50')
  await office.getByRole('textbox', { name: 'Date' }).fill('1-6-2026')
  await office.getByRole('dialog').getByRole('button', { name: 'Add cost' }).click()
  await expect(office.getByText('Cost added.')).toBeVisible()
  await expect(office.getByRole('region', { name: 'Profit' })).toContainText(money(4 * (12_500 - 8_033) - 5_000))

  // Half of it is billed; then it is cancelled, and what was billed stays.
  const now = await api<{ order: Order }>('office', 'GET', `/Orders/${order.guid}`)
  const { invoice } = await api<{ invoice: { guid: string; version: number } }>(
    'office',
    'POST',
    `/Orders/Invoice/${order.guid}`,
    { version: now.order.version, kind: 'progress', shareBp: 5000 },
  )
  await api('office', 'POST', `/Invoices/Issue/${invoice.guid}`, { version: invoice.version })
  await office.goto(`/apps/orders/preview/${order.guid}`)
  await expect(heading(office)).toHaveText(order.number)
  await office.getByRole('button', { name: 'More', exact: true }).click()
  await office.getByRole('button', { name: 'Cancel order' }).click()
  const asked = office.getByRole('dialog')
  await expect(asked).toContainText(`${money(27_500)} of this order is already invoiced.`)
  await asked.getByLabel('Why are you cancelling it?').fill('The pool is not built')
  await asked.getByRole('button', { name: 'Cancel order' }).click()
  await expect(office.getByRole('dialog')).toContainText(`${money(27_500)} stays invoiced`)
  await office.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await expect(office.locator('.chip', { hasText: 'Cancelled' }).first()).toBeVisible()
  await expect(office.locator('.substatus')).toHaveCount(0)
})
