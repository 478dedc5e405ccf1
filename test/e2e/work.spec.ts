import type { Page } from '@playwright/test'
import { api, expect, heading, test, violations } from './support.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

test.describe('search and commands', () => {
  test('open at once, find a record by its number, and open it by keyboard alone', async ({ windows }) => {
    const { items } = await api<{ items: { guid: string; number: string; totalCents: number }[] }>(
      'office',
      'GET',
      '/Invoices?status=sent,overdue,paid&size=10',
    )
    const invoice = items.find(({ number }) => number)
    const page = await windows.staff('office')
    await page.goto('/dashboards/ecommerce')
    await expect(heading(page)).toHaveText('Dashboard')
    // Its code comes with the first of the keys that open it, so that opening asks for nothing more.
    await page.keyboard.press('Control')
    const scripts = () =>
      page.evaluate(() => performance.getEntriesByType('resource').flatMap(({ name }) => /\/palette-/.exec(name) ?? []))
    await expect.poll(scripts).toHaveLength(1)
    for (let i = 0; i < 2; i++) {
      await page.keyboard.press('Control+k')
      await expect(page.locator('dialog[open] input')).toBeVisible()
      await page.keyboard.press('Escape')
      // Closed at once, and gone a moment later.
      await expect(page.locator('dialog')).toHaveCount(0)
    }
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Find a record, a page or an action' })).toBeFocused()
    await page.keyboard.type(invoice?.number ?? '')
    const option = page.getByRole('option', { name: new RegExp(`^${invoice?.number}`) }).first()
    await expect(option).toBeVisible()
    for (let i = 0; i < 30 && (await option.getAttribute('aria-selected')) !== 'true'; i++)
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/apps/invoices/preview/${invoice?.guid}`))
    await expect(heading(page)).toContainText(invoice?.number ?? '')
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option').first()).toContainText(
      invoice?.number ?? '',
    )
    expect(await violations(page)).toEqual([])
  })

  test('wait with Enter for what answers the words typed last @prove', async ({ windows }) => {
    const { items } = await api<{ items: { guid: string; number: string }[] }>(
      'office',
      'GET',
      '/Invoices?status=paid&size=2',
    )
    const page = await windows.staff('office')
    await page.goto('/access-control')
    await expect(heading(page)).toBeVisible()
    const opens = (wanted: { guid: string } | undefined) =>
      expect(page).toHaveURL(new RegExp(`/apps/invoices/preview/${wanted?.guid}`))
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Find a record, a page or an action' })
    await field.fill(items[0]?.number ?? '')
    await field.press('Enter')
    await opens(items[0])
    await page.keyboard.press('Control+k')
    await field.fill(items[0]?.number ?? '')
    await expect(page.getByRole('option').first()).toContainText(items[0]?.number ?? '')
    await field.fill(items[1]?.number ?? '')
    await field.press('Enter')
    await opens(items[1])
    await expect(page.locator('dialog[open]')).toHaveCount(0)
  })

  test('offer what the role may do and nothing else @prove', async ({ windows }) => {
    const office = await windows.staff('office')
    await office.goto('/access-control')
    await expect(heading(office)).toBeVisible()
    await office.keyboard.press('Control+k')
    await office.keyboard.type('new')
    await expect(office.getByRole('option', { name: /^New quote/ })).toBeVisible()
    await office.keyboard.press('Enter')
    await expect(office).toHaveURL(/\/apps\/quotes\/add$/)
    const reader = await windows.staff('readonly')
    await reader.goto('/access-control')
    await expect(heading(reader)).toBeVisible()
    await reader.keyboard.press('Control+k')
    await reader.keyboard.type('new quote')
    await expect(reader.getByText('No results for “new quote”')).toBeVisible()
    await reader.keyboard.press('Escape')
    await reader.keyboard.press('n')
    await reader.keyboard.press('q')
    // What the keys had led to would be on the screen before what is opened now.
    await reader.keyboard.press('Control+k')
    await expect(dialog(reader, 'Search and commands')).toBeVisible()
    await expect(reader).toHaveURL(/\/access-control$/)
  })

  test('stand in the bar as well: what the role may make, and the keys @prove', async ({ windows }) => {
    const sales = await windows.staff('sales')
    await sales.goto('/access-control')
    await sales.getByRole('button', { name: 'Shortcuts', exact: true }).click()
    await expect(sales.getByRole('link', { name: 'New customer' })).toBeVisible()
    await expect(sales.getByRole('link', { name: 'New invoice' })).toHaveCount(0)
    expect(await violations(sales)).toEqual([])
    await sales.getByRole('link', { name: 'New quote' }).click()
    await expect(heading(sales)).toHaveText('New quote')
    const reader = await windows.staff('readonly')
    await reader.goto('/access-control')
    await reader.getByRole('button', { name: 'Shortcuts', exact: true }).click()
    await expect(reader.getByRole('link', { name: /^New / })).toHaveCount(0)
    await reader.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await expect(dialog(reader, 'Keyboard shortcuts')).toBeVisible()
  })

  test('two letters lead to a page, a question mark shows them all, and they can be turned off @prove', async ({
    windows,
  }) => {
    const page = await windows.staff('office')
    await page.goto('/access-control')
    await expect(heading(page)).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('q')
    await expect(heading(page)).toHaveText('Quotes')
    await page.keyboard.press('n')
    await page.keyboard.press('i')
    await expect(heading(page)).toHaveText('New invoice')
    await expect(page).toHaveURL(/\/apps\/invoices\/add$/)
    await page.locator('main').getByRole('textbox').first().focus()
    await page.keyboard.type('gq')
    await expect(page).toHaveURL(/\/apps\/invoices\/add$/)
    await page.goto('/access-control')
    await expect(heading(page)).toBeVisible()
    await page.keyboard.press('?')
    const sheet = dialog(page, 'Keyboard shortcuts')
    await expect(sheet.getByText('New invoice')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await sheet.getByRole('switch', { name: 'Single-key shortcuts' }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('q')
    await page.keyboard.press('Control+k')
    await expect(dialog(page, 'Search and commands')).toBeVisible()
    await expect(page).toHaveURL(/\/access-control$/)
  })
})

test.describe('while people work', () => {
  test('a customer’s question is announced at once, and leads to the quote', async ({ windows, baseURL }) => {
    const page = await windows.staff('office')
    await page.goto('/access-control')
    await expect(page.getByRole('button', { name: /^(\d+ new )?[Nn]otifications?$/ })).toBeVisible()
    const { items } = await api<{ items: { guid: string }[] }>('admin', 'GET', '/Quotes?status=sent,viewed&size=10')
    const { quote } = await api<{ quote: { number: string; serviceGuid: string } }>(
      'admin',
      'GET',
      `/Quotes/${items[0]?.guid}`,
    )
    const asGuest = async <D>(method: string, path: string, headers: Record<string, string>, body?: unknown) => {
      const answer = await fetch(`${baseURL}/api/v2${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body ? { body: JSON.stringify(body) } : method === 'POST' ? { body: '{}' } : {}),
      })
      return {
        apiGuid: answer.headers.get('X-Api-Guid') ?? '',
        data: ((await answer.json()) as { serviceData: D }).serviceData,
      }
    }
    const { apiGuid } = await asGuest('GET', '/Kernal/Auth/Roles/Permissions', {})
    const { headers } = (
      await asGuest<{ headers: Record<string, string> }>('POST', '/Kernal/Guests/Auth', { 'X-Api-Guid': apiGuid })
    ).data
    const seen = (
      await asGuest<{ quote: { documentSha256: string } }>('GET', `/Service/Quotes/${quote.serviceGuid}`, headers)
    ).data.quote
    await asGuest('POST', `/Service/Quotes/Question/${quote.serviceGuid}`, headers, {
      documentSha256: seen.documentSha256,
      note: 'Could the crew come on a Tuesday?',
    })
    const bell = page.getByRole('button', { name: /new notification/ })
    await expect(bell).toBeVisible()
    await bell.click()
    const entry = page.getByRole('link', { name: new RegExp(`wrote about quote ${quote.number}`) })
    await expect(entry).toContainText('Could the crew come on a Tuesday?')
    expect(await violations(page)).toEqual([])
    await entry.click()
    await expect(page).toHaveURL(new RegExp(`/apps/quotes/preview/${items[0]?.guid}`))
  })

  test('maintenance shows its message to everybody, keeps what is open, and ends by itself @prove', async ({
    windows,
    browser,
  }) => {
    // Answered here as the server would: in earnest it would keep the other journeys out.
    const message = 'We are moving to a faster server, back by noon.'
    let isOn = true
    const keepOut = (page: Page) =>
      page.route('**/api/v2/**', (route) => {
        if (!isOn) return route.continue()
        const state = { isOn, message, since: null, until: null }
        if (route.request().url().endsWith('/Maintenance'))
          return route.fulfill({ json: { message: 'OK', serviceData: { maintenance: state } } })
        return route.fulfill({
          status: 503,
          headers: { 'Retry-After': '60' },
          json: { message, error: 'MAINTENANCE', errors: [], responseCode: 503, serviceData: { maintenance: state } },
        })
      })
    // Windows of its own, whose consoles may speak of refused calls; the second has no rights
    // in store and has to ask first.
    const storageState = await (await windows.staff('office')).context().storageState()
    const contexts = [await browser.newContext({ storageState }), await browser.newContext({ storageState })] as const
    const [office, other] = [await contexts[0].newPage(), await contexts[1].newPage()]
    await office.goto('/apps/customers/add')
    const name = office.getByRole('textbox', { name: 'Name' }).first()
    await name.fill('Kookaburra Events')
    await Promise.all([keepOut(office), keepOut(other)])
    await other.goto('/apps/quotes/list')
    await expect(heading(other)).toHaveText('Under maintenance')
    await expect(other.getByText(message).first()).toBeVisible()
    expect(await violations(other)).toEqual([])
    await office.getByRole('button', { name: 'Create customer' }).click()
    await expect(office.getByRole('status').filter({ hasText: message })).toBeVisible()
    await expect(name).toHaveValue('Kookaburra Events')
    isOn = false
    await expect(heading(other)).toHaveText('Quotes')
    await expect(office.getByRole('status').filter({ hasText: message })).toHaveCount(0)
    await expect(name).toHaveValue('Kookaburra Events')
    for (const context of contexts) await context.close()
  })
})
