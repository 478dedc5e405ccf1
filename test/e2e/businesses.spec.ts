import type { Page } from '@playwright/test'
import { aDraftQuote, anIssuedInvoice } from './arrange.ts'
import { api, expect, heading, storedAs, test, violations } from './support.ts'

const menu = (page: Page) => page.getByRole('button', { name: /^Business: / })
const rows = (page: Page) => page.locator('tbody tr')

test('two windows of one person work in two businesses, each with its own customers', async ({ windows }) => {
  const { businesses } = await api<{ businesses: { guid: string; name: string }[] }>(
    'admin',
    'GET',
    '/Businesses/Current',
  )
  await api('admin', 'POST', `/Businesses/Choose/${businesses.find(({ name }) => name === 'Currawong Hire')?.guid}`, {})
  const page = await windows.staff('admin')
  await page.goto('/apps/customers/list')
  await expect(menu(page)).toHaveAccessibleName('Business: Currawong Hire')
  await expect(page.getByText('Wattle Civil')).toHaveCount(0)
  const other = await page.context().newPage()
  // What is chosen is remembered for windows to come, and other journeys begin theirs meanwhile.
  await other.route('**/Businesses/Choose/*', (route) =>
    route.fulfill({ json: { message: 'OK', serviceData: { business: { guid: '', name: '' } } } }),
  )
  await other.goto('/apps/customers/list')
  await expect(menu(other)).toBeVisible()
  await other.keyboard.press('Alt+b')
  await other.getByRole('button', { name: /Kookaburra Site Services/, pressed: false }).click()
  await expect(menu(other)).toHaveAccessibleName('Business: Kookaburra Site Services')
  await expect(rows(other)).toHaveCount(6)
  await expect(other.getByText('Wattle Civil').first()).toBeVisible()
  // The first window stays where it was, also when it is loaded again.
  await page.reload()
  await expect(menu(page)).toHaveAccessibleName('Business: Currawong Hire')
  await expect(heading(page)).toHaveText('Customers')
  await expect(page.getByText('Wattle Civil')).toHaveCount(0)
  expect(await violations(other)).toEqual([])
})

test('a document shows whose it is, also in a window of another business', async ({ windows }) => {
  const { businesses } = await api<{ businesses: { guid: string; name: string }[] }>(
    'admin',
    'GET',
    '/Businesses/Current',
  )
  const kookaburra = businesses.find(({ name }) => name === 'Kookaburra Site Services')?.guid
  const currawong = businesses.find(({ name }) => name === 'Currawong Hire')?.guid
  const invoice = await anIssuedInvoice()
  const quote = await aDraftQuote()
  const page = await windows.staff('admin')
  const { name, value } = storedAs('business', kookaburra)
  await page.addInitScript(([key, here]) => sessionStorage.setItem(key, here), [name, value] as const)
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (/Businesses\/(Letterhead|Current)$/.test(pathname)) asked.push(pathname.split('/').at(-1) + search)
  })
  const letter = page.locator('.letter')
  for (const path of [`/apps/invoices/preview/${invoice.guid}`, `/apps/quotes/preview/${quote.guid}`]) {
    await page.goto(path)
    await expect(menu(page)).toHaveAccessibleName('Business: Kookaburra Site Services')
    await expect(page.locator('.letter-head')).toContainText('ABN 91 888 222 000')
    await expect(letter).toContainText('Currawong Hire')
    await expect(page.locator('.letter-foot')).toContainText('Currawong Hire & Install Pty Ltd')
    await expect(letter).not.toContainText('Kookaburra')
  }
  expect(asked).toContain(`Letterhead?businessGuid=${currawong}`)
  expect(await violations(page)).toEqual([])
  // What is taken from the business while one writes is the document's, too.
  await page.goto(`/apps/quotes/edit/${quote.guid}`)
  await expect(page.getByRole('textbox', { name: 'Title', exact: true })).toHaveValue(quote.title)
  expect(asked).toContain(`Current?businessGuid=${currawong}`)
  asked.length = 0
  await page.goto(`/apps/invoices/preview/${invoice.guid}`)
  await page.getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByRole('dialog').getByLabel('Received on')).not.toHaveValue('')
  expect(asked).toContain(`Current?businessGuid=${currawong}`)
})

test('whoever works in one business is offered no other', async ({ windows }) => {
  const page = await windows.staff('sales')
  await page.goto('/apps/customers/list')
  await expect(heading(page)).toHaveText('Customers')
  await expect(rows(page).first()).toBeVisible()
  await expect(menu(page)).toHaveCount(0)
})

test('the list of businesses says what each is, and a brand is added', async ({ windows }) => {
  const page = await windows.staff('admin')
  await page.goto('/setup/businesses/list')
  await expect(page.getByText('Brand of Currawong Hire & Install Pty Ltd').first()).toBeVisible()
  await page.getByRole('button', { name: 'Add brand' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add brand' })
  await dialog.getByRole('textbox', { name: 'Brand name' }).fill('Paper Lantern')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(heading(page)).toHaveText('Paper Lantern')
  await expect(page.getByText('Brand of Currawong Hire & Install Pty Ltd')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await api('admin', 'DELETE', `/Businesses/${new URL(page.url()).pathname.split('/').at(-1)}`)
})
