import { openRoutes, staffRoutes } from '../../scripts/routes.ts'
import { expectFlawless, settled } from './looks.ts'
import { addressesOf } from './routes.ts'
import { api, expect, heading, test } from './support.ts'

test.describe.configure({ mode: 'parallel' })

const half = Math.ceil(staffRoutes.length / 2)
for (const [name, routes] of [['first', staffRoutes.slice(0, half)], ['second', staffRoutes.slice(half)]] as const)
  test(`no page of the ${name} half has an accessibility problem, in light and dark, on a desk and on a phone`, async ({ windows }) => {
    test.setTimeout(600_000)
    const page = await windows.staff('admin')
    for (const route of routes)
      for (const address of await addressesOf(route)) {
        await page.goto(address)
        await expect(heading(page)).toBeVisible()
        await expectFlawless(page, address)
      }
  })

test('nor has a page one sees without logging in, or one that is not there', async ({ windows }) => {
  const page = await windows.guest()
  for (const route of [...openRoutes, '/nowhere'])
    for (const address of await addressesOf(route)) {
      await page.goto(address)
      await expect(heading(page)).toBeVisible()
      await expectFlawless(page, address)
    }
})

test('nor has a dialog', async ({ windows }) => {
  test.setTimeout(180_000)
  const page = await windows.staff('admin')
  const one = async (path: string) => (await api<{ items: { guid: string }[] }>('admin', 'GET', path)).items[0]?.guid ?? ''
  const look = async (address: string, button: string, isInMenu = false) => {
    await page.goto(address)
    if (isInMenu) await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: button }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await settled(page)
    await expectFlawless(page, `${button} on ${address}`)
  }
  const [draftQuote, sentQuote] = [await one('/Quotes?status=draft&size=2'), await one('/Quotes?status=sent,viewed&size=2')]
  const [draftInvoice, owing, paid] = [await one('/Invoices?status=draft&size=2'), await one('/Invoices?status=sent,viewed,overdue&size=2'), await one('/Invoices?status=paid&kind=standard,final,progress,deposit&size=2')]
  await look(`/apps/quotes/preview/${draftQuote}`, 'Send quote')
  await look(`/apps/quotes/preview/${sentQuote}`, 'Accept on behalf')
  await look(`/apps/quotes/preview/${sentQuote}`, 'Decline on behalf', true)
  await look(`/apps/invoices/preview/${draftInvoice}`, 'Issue and send')
  await look(`/apps/invoices/preview/${owing}`, 'Record a payment')
  await look(`/apps/invoices/preview/${owing}`, 'Void', true)
  await look(`/apps/invoices/preview/${paid}`, 'Refund', true)
  await look(`/apps/orders/preview/${await one('/Orders?invoiceStatus=to_invoice,partially_invoiced&size=2')}`, 'Invoice it')
  await look('/apps/quotes/list', 'Customise the look')
})

test('nor has what opens on a page: a peek, a menu, filters, the empty and the refused', async ({ windows }) => {
  const page = await windows.staff('admin')
  await page.goto('/apps/quotes/list')
  await page.getByRole('button', { name: /^Peek at/ }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await settled(page)
  await expectFlawless(page, 'a peek')
  await page.goto('/apps/quotes/list?search=nothing%20is%20called%20like%20this')
  await settled(page)
  await expectFlawless(page, 'a list without matches')
  await page.goto('/apps/quotes/preview/01890000-0000-7000-8000-000000000000')
  await expect(page.getByText('There is no such record').first()).toBeVisible()
  await expectFlawless(page, 'a record that is not there')
  const reader = await windows.staff('readonly')
  await reader.goto('/apps/quotes/add')
  await expect(heading(reader)).toHaveText('Insufficient permissions')
  await expectFlawless(reader, 'a page one may not see')
})
