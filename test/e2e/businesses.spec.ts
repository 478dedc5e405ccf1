import type { Page } from '@playwright/test'
import { aDraftQuote, anIssuedInvoice, workingIn } from './arrange.ts'
import { field, guidOf, name as item } from './editor.ts'
import { api, expect, heading, storedAs, test, unique, violations } from './support.ts'

const menu = (page: Page) => page.getByRole('button', { name: /^Business: / })
const rows = (page: Page) => page.locator('tbody tr')

/** By name. */
async function own(): Promise<Record<string, string>> {
  const { businesses } = await api<{ businesses: { guid: string; name: string }[] }>(
    'admin',
    'GET',
    '/Businesses/Current',
  )
  return Object.fromEntries(businesses.map(({ guid, name }) => [name, guid]))
}

/** Whoever chooses a business gets a new page; what is done before it is there is done on the old one. */
async function begunAnew(page: Page, choose: () => Promise<void>) {
  const begun = page.waitForEvent('domcontentloaded')
  await choose()
  await begun
}

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
  await begunAnew(other, () => other.getByRole('button', { name: /Kookaburra Site Services/, pressed: false }).click())
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

test('a document shows whose it is, also in a window of another business @prove', async ({ windows }) => {
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
  const looked = page.waitForRequest(
    (request) => request.url().includes('/Customers?') && request.headers()['x-business-guid'] === currawong,
  )
  await page.getByRole('combobox', { name: 'Customer' }).click()
  await looked
  await page.goto(`/apps/invoices/preview/${invoice.guid}`)
  const paid = page.waitForRequest(
    (request) => request.url().endsWith('/Businesses/Current') && request.headers()['x-business-guid'] === currawong,
  )
  await page.getByRole('button', { name: 'Record payment' }).click()
  await paid
  await expect(page.getByRole('dialog').getByLabel('Received on')).not.toHaveValue('')
})

test('a record of another business says so, and one click works there @prove', async ({ windows }) => {
  const { 'Lantern Marquees': lantern, 'Kookaburra Site Services': kookaburra } = await own()
  const quote = await aDraftQuote()
  const page = await windows.staff('admin')
  await workingIn(page, kookaburra)
  for (const path of [`/apps/quotes/preview/${quote.guid}`, `/apps/quotes/edit/${quote.guid}`]) {
    await page.goto(path)
    await expect(page.getByRole('note')).toContainText('This quote is Currawong Hire’s.')
  }
  expect(await violations(page)).toEqual([])
  await page.goto(`/apps/quotes/preview/${quote.guid}`)
  await begunAnew(page, () => page.getByRole('button', { name: 'Switch to Currawong Hire' }).click())
  await expect(menu(page)).toHaveAccessibleName('Business: Currawong Hire')
  await expect(page.locator('.letter')).toContainText(quote.title)
  await expect(page.getByRole('note')).toHaveCount(0)
  // A brand works with the customers of its company: they are its own.
  const other = await windows.staff('admin')
  await workingIn(other, lantern)
  await other.goto('/apps/customers/list')
  await rows(other).first().getByRole('link').first().click()
  await expect(other.getByRole('tab', { name: 'Overview' }).or(other.locator('.page-title')).first()).toBeVisible()
  await expect(other.getByRole('note')).toHaveCount(0)
})

test('all businesses stand in one list, and what is made there says whose it is @prove', async ({ windows }) => {
  const { 'Currawong Hire': currawong } = await own()
  const page = await windows.staff('admin')
  await workingIn(page, currawong)
  await page.goto('/apps/customers/list')
  await expect(menu(page)).toHaveAccessibleName('Business: Currawong Hire')
  await page.keyboard.press('Alt+b')
  await begunAnew(page, () => page.getByRole('button', { name: 'All businesses', exact: true }).click())
  await expect(menu(page)).toHaveAccessibleName('Business: All businesses')
  await expect(page.getByRole('columnheader', { name: 'Business' })).toBeVisible()
  await page.getByRole('searchbox').or(page.getByPlaceholder('Name, email, phone or ABN')).first().fill('Wattle Civil')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('Kookaburra Site Services')
  expect(await violations(page)).toEqual([])
  // It stays so in this window, on every page, and is found by the search of everything.
  await page.goto('/dashboards/ecommerce')
  await expect(menu(page)).toHaveAccessibleName('Business: All businesses')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('wattle civil')
  await expect(page.getByRole('option', { name: /Wattle Civil.*Kookaburra Site Services/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto('/apps/quotes/add')
  const whose = page.getByRole('region', { name: 'Business' })
  await expect(whose).toContainText('What you add here belongs to Currawong Hire.')
  await whose.getByRole('combobox').click()
  await begunAnew(page, () => page.getByRole('option', { name: 'Kookaburra Site Services' }).click())
  await expect(whose).toContainText('What you add here belongs to Kookaburra Site Services.')
  await expect(menu(page)).toHaveAccessibleName('Business: All businesses')
  expect(await violations(page)).toEqual([])
  await page.getByRole('combobox', { name: 'Customer' }).fill('Wattle')
  await page.getByRole('option', { name: /^Wattle Civil/ }).click()
  const title = unique('Tents')
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill(title)
  await item(page, 1).fill('Tent')
  await field(page, 'Price', 1).fill('100')
  await page.getByRole('button', { name: 'Save draft' }).first().click()
  await expect(page.locator('.letter')).toContainText(title)
  await expect(page.locator('.letter-head')).toContainText('ABN 88 666 333 000')
})

test('two companies are worked for in two tabs, each with its own numbers and ABN @prove', async ({ windows }) => {
  const guids = await own()
  const first = await windows.staff('admin')
  const companies = [
    { name: 'Currawong Hire', abn: 'ABN 91 888 222 000', customer: 'Amelia Tran', page: first },
    {
      name: 'Kookaburra Site Services',
      abn: 'ABN 88 666 333 000',
      customer: 'Wattle Civil',
      page: await first.context().newPage(),
    },
  ]
  for (const { name, page } of companies) await workingIn(page, guids[name])
  const title = unique('Two tabs')
  // Turn by turn: what one tab does is never for the other one's business.
  for (const kind of ['quotes', 'invoices'] as const) {
    for (const { page, customer, name } of companies) {
      await page.goto(`/apps/${kind}/add`)
      await expect(menu(page)).toHaveAccessibleName(`Business: ${name}`)
      await page.getByRole('combobox', { name: 'Customer' }).fill(customer)
      await page.getByRole('option', { name: new RegExp(`^${customer}`) }).click()
      await page.getByRole('textbox', { name: 'Title', exact: true }).fill(title)
      await item(page, 1).fill('Tent')
      await field(page, 'Price', 1).fill('100')
    }
    for (const { page, abn } of companies) {
      await page.getByRole('button', { name: 'Save draft' }).first().click()
      await expect(page.locator('.letter')).toContainText(title)
      await expect(page.locator('.letter-head')).toContainText(abn)
    }
  }
  type Issued = { invoice: { number: string; version: number } }
  const numbers: number[] = []
  for (const { page, name } of companies) {
    const guid = guidOf(page)
    await page.getByRole('button', { name: 'Issue invoice' }).click()
    await page.getByRole('dialog').getByRole('button', { name: /Issue/ }).click()
    await expect(heading(page)).toContainText('INV-')
    const { invoice } = await api<Issued & { invoice: { businessGuid: string } }>('admin', 'GET', `/Invoices/${guid}`)
    expect(invoice.businessGuid).toBe(guids[name])
    numbers.push(Number(invoice.number.replace(/\D/g, '')))
  }
  // Each company counts for itself.
  const [ours = 0, theirs = 0] = numbers
  expect(Math.abs(ours - theirs)).toBeGreaterThan(1)
})

test('whoever works in one business is offered no other', async ({ windows }) => {
  const page = await windows.staff('sales')
  await page.goto('/apps/customers/list')
  await expect(heading(page)).toHaveText('Customers')
  await expect(rows(page).first()).toBeVisible()
  await expect(menu(page)).toHaveCount(0)
})

test('the list of businesses says what each is, and a brand is added @prove', async ({ windows }) => {
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
