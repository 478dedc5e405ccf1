import { aSentQuote, type Document } from './arrange.ts'
import { api, expect, test } from './support.ts'

test('a customer who signs a quote that was revised meanwhile accepts nothing, and reads the newer one', async ({ windows }) => {
  const line = { name: 'Fence panels', quantity: '1' }
  const quote = await aSentQuote({ lines: [{ ...line, unitPriceCents: 10_000 }] })
  const page = await windows.guest()
  await page.goto(`/service/q/${quote.serviceGuid}`)
  await page.locator('#accept').getByRole('textbox').first().fill('Mia Harbour')
  await expect(page.locator('#accept .service-amount')).toHaveText('$110.00')
  const draft = (await api<{ quote: Document }>('office', 'POST', `/Quotes/Revise/${quote.guid}`, { version: quote.version })).quote
  const dearer = (await api<{ quote: Document }>('office', 'PATCH', `/Quotes/${draft.guid}`, { version: draft.version, lines: [{ ...line, unitPriceCents: 25_000 }] })).quote
  const held = Promise.withResolvers<void>()
  await page.route(`**/Service/Quotes/Accept/**`, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Accept for $110.00' }).click()
  await api('office', 'POST', `/Quotes/Send/${draft.guid}`, { version: dearer.version })
  held.resolve()
  const notice = page.getByRole('region', { name: 'This quote has changed' })
  await expect(notice).toContainText('nothing has been accepted')
  await expect(notice).toContainText('$275.00')
  await expect(notice.getByRole('heading')).toBeFocused()
  await expect(page.locator('#accept .service-amount')).toHaveText('$275.00')
  // The signature was for the other one.
  await expect(page.locator('#accept').getByRole('textbox').first()).toHaveValue('')
  const { quote: after } = await api<{ quote: { status: string } }>('office', 'GET', `/Quotes/${draft.guid}`)
  expect(after.status).toBe('sent')
  await page.locator('#accept').getByRole('textbox').first().fill('Mia Harbour')
  await page.getByRole('button', { name: 'Accept for $275.00' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you. You\'ve accepted this quote.' })).toBeVisible()
})
