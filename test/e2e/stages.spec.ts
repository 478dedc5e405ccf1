import { aDraftQuote } from './arrange.ts'
import { api, expect, settled, test, violations } from './support.ts'

test('three stages: agreed on the quote, the first paid on signing, the next invoiced when work starts @prove', async ({
  windows,
}) => {
  const draft = await aDraftQuote({ lines: [{ name: 'Fence', quantity: '1', unitPriceCents: 909_092 }] })
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/edit/${draft.guid}`)
  await page.getByRole('switch', { name: 'Paid in stages' }).click({ force: true })
  const stages = page.getByRole('list', { name: 'Payment stages' })
  await expect(stages.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'Add a stage' }).click()
  const second = stages.getByRole('listitem').nth(1)
  await second.getByRole('textbox', { name: 'Stage' }).fill('Frame up')
  await second.getByRole('textbox', { name: 'Percentage' }).fill('40')
  // 30 % of $10,000.01 is $3,000.00, 40 % $4,000.00, and the rest $3,000.01.
  await expect(page.locator('.document-rail, .rail').first()).toContainText('$3,000.01')
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Save quote' }).first().click()
  await expect(page).toHaveURL(/\/preview\//)
  const { quote } = await api<{ quote: { version: number; stages: { cents: number }[] } }>(
    'office',
    'GET',
    `/Quotes/${draft.guid}`,
  )
  expect(quote.stages.map(({ cents }) => cents)).toEqual([300_000, 400_000, 300_001])
  const { quote: sent } = await api<{ quote: { serviceGuid: string } }>(
    'office',
    'POST',
    `/Quotes/Send/${draft.guid}`,
    {
      version: quote.version,
    },
  )

  const phone = await windows.guest({ viewport: { width: 375, height: 812 } })
  await phone.goto(`/service/q/${sent.serviceGuid}`)
  await expect(phone.getByText('Frame up, when work starts')).toBeVisible()
  await phone.locator('#accept').getByRole('textbox').first().fill('Mia Harbour')
  await phone.getByRole('button', { name: 'Accept for $10,000.01' }).click()
  await expect(phone.getByRole('heading', { name: "Thank you. You've accepted this quote." })).toBeVisible()

  const { quote: accepted } = await api<{ quote: { orderGuid: string } }>('office', 'GET', `/Quotes/${draft.guid}`)
  await page.goto(`/apps/orders/preview/${accepted.orderGuid}`)
  const card = page.locator('.card').filter({ has: page.getByRole('heading', { name: 'Payment stages' }) })
  await expect(card.getByRole('listitem').first()).toContainText('Issued')
  await expect(card.getByRole('listitem').nth(1)).toContainText('Upcoming')
  await settled(page)
  expect(await violations(page)).toEqual([])
  await page
    .getByRole('button', { name: /^Start/ })
    .first()
    .click()
  await expect(card.getByRole('listitem').nth(1)).toContainText('Ready to invoice')
  await card.getByRole('button', { name: 'Invoice stage 2' }).click()
  await expect(page).toHaveURL(/\/apps\/invoices\//)
  await expect(page.getByText('$4,000.00').first()).toBeVisible()

  const { order } = await api<{ order: { serviceGuid: string } }>('office', 'GET', `/Orders/${accepted.orderGuid}`)
  await phone.goto(`/service/o/${order.serviceGuid}`)
  const payments = phone
    .locator('section, .card')
    .filter({ has: phone.getByRole('heading', { name: 'Payments' }) })
    .last()
  await expect(payments.getByRole('listitem').first()).toContainText('Due now')
  await expect(payments.getByRole('listitem').nth(1)).toContainText('Next')
  await expect(payments.getByRole('listitem').nth(2)).toContainText('Later')
  expect(await violations(phone)).toEqual([])
})
