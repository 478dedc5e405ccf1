import type { Page } from '@playwright/test'
import { aDraftQuote, anIssuedInvoice, firstOf } from './arrange.ts'
import { api, expect, heading, type Role, test } from './support.ts'
import { variants } from './variants.ts'

interface Rule {
  subject: string
  action: string
  enabled: boolean
  inverted: boolean
}
const rulesOf = async (role: Role) =>
  (await api<{ permissions: Rule[] }>(role, 'GET', '/Kernal/Auth/Roles/Permissions')).permissions.filter(
    (rule) => rule.enabled && !rule.inverted,
  )
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' })

/** The entries of the navigation with the subject that opens each. */
const entries = {
  Quotes: 'Quotes',
  Orders: 'Orders',
  Invoices: 'Invoices',
  Payments: 'Payments',
  Customers: 'Customers',
  Products: 'Products',
  Messages: 'Messages',
  Businesses: 'Businesses',
}

for (const role of variants(['readonly', 'field', 'sales', 'accountant'] as const, ['field']))
  test(`the navigation of ${role} has what the role may read, and nothing else`, async ({ windows }) => {
    const page = await windows.staff(role)
    await page.goto('/')
    await expect(heading(page)).toBeVisible()
    const rules = await rulesOf(role)
    for (const [label, noun] of Object.entries(entries)) {
      const may = rules.some(
        (rule) =>
          ['read', 'manage'].includes(rule.action) && [noun, `${noun}:Preview:All`, 'all'].includes(rule.subject),
      )
      await expect(
        navigation(page).getByRole('link', { name: label, exact: true }),
        `${label} for ${role}`,
      ).toHaveCount(may ? 1 : 0)
    }
    await expect(navigation(page).getByRole('link', { name: 'Roles', exact: true })).toHaveCount(0)
  })

test('who may only look finds nothing to change, on lists and on records', async ({ windows }) => {
  const [quote, invoice] = [await aDraftQuote(), await anIssuedInvoice()]
  const page = await windows.staff('readonly')
  await page.goto('/apps/quotes/list')
  await expect(page.getByRole('table')).toBeVisible()
  await expect(page.getByRole('link', { name: 'New quote' })).toHaveCount(0)
  await page.goto(`/apps/quotes/preview/${quote.guid}`)
  await expect(heading(page)).toHaveText('Draft quote')
  for (const name of ['Send quote', 'Edit', 'More'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  await page.goto(`/apps/invoices/preview/${invoice.guid}`)
  await expect(heading(page)).toHaveText(invoice.number)
  for (const name of ['Record payment', 'More'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  await page.goto(`/apps/orders/preview/${await firstOf('/Orders?status=confirmed&size=2')}`)
  await expect(heading(page)).toHaveText(/^O-/)
  for (const name of ['Start work', 'Create invoice', 'Edit', 'More'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
})

test('people in the field begin with their orders, find the site and the phone there, and see no money', async ({
  windows,
}) => {
  const page = await windows.staff('field', { viewport: { width: 375, height: 812 } })
  await page.goto('/')
  await expect(heading(page)).toHaveText('Orders')
  await expect(page.locator('.status-tile').first()).toBeVisible()
  await expect(page.locator('.status-tile-amount')).toHaveCount(0)
  await expect(page.getByText('$')).toHaveCount(0)
  // Nothing can be done with many at once.
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  const { items } = await api<{ items: { guid: string; number: string }[] }>(
    'field',
    'GET',
    '/Orders?size=50&sort=nextScheduled',
  )
  const listed = page.locator('.row-card')
  await expect(listed.first(), 'what is to be done next comes first').toContainText(items[0]?.number ?? 'an order')
  const all = await Promise.all(
    items.map(
      async ({ guid }) =>
        (
          await api<{
            order: { guid: string; number: string; site: { label: string } | null; customer: { phone: string | null } }
          }>('field', 'GET', `/Orders/${guid}`)
        ).order,
    ),
  )
  const order = all.find(({ site, customer }) => site && customer.phone)
  if (!order) throw new Error('the sample company has an order with a site and a phone')
  await page.goto(`/apps/orders/preview/${order.guid}`)
  const onSite = page.getByRole('region', { name: 'On site' })
  await expect(onSite.getByRole('link', { name: order.site?.label ?? '' })).toHaveAttribute('href', /maps.*query=/)
  await expect(onSite.locator('a[href^="tel:"]')).toHaveAttribute('href', /^tel:\+?\d+$/)
  await expect(page.getByRole('heading', { name: 'Summary' })).toHaveCount(0)
  // The menu hangs from a button near the start of the row and stays in the window.
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const entry = page.getByRole('button', { name: 'Reopen order' })
  await expect(entry).toBeInViewport({ ratio: 1 })
  await expect(entry).toContainText(/Not available while the order is [a-z]/)
  await page.keyboard.press('Escape')
  await page.goto('/apps/customers/list')
  await expect(page.getByText('Who you work for and how to reach them')).toBeVisible()
  await page.goto(`/apps/orders/preview/${order.guid}`)
  // Whatever leads back leads to what they may see.
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').first().click()
  await expect(heading(page)).toHaveText('Orders')
  await page.goto('/apps/invoices/list')
  await expect(heading(page)).toHaveText('Insufficient permissions')
  await page.getByRole('link', { name: 'Back to home' }).click()
  await expect(heading(page)).toHaveText('Orders')
  await page.goto('/setup/roles/list')
  await expect(heading(page)).toHaveText('Insufficient permissions')
})

test('an address one may not open says which right is missing, and leads back', async ({ windows }) => {
  const page = await windows.staff('readonly')
  await page.goto('/apps/quotes/add')
  await expect(heading(page)).toHaveText('Insufficient permissions')
  await expect(page.getByText(/Quotes:Create/)).toBeVisible()
  await page.getByRole('link', { name: 'Back to home' }).click()
  await expect(page).toHaveURL(/\/dashboards\/ecommerce/)
})

test('who is not logged in comes to the login, and from there to where he wanted @prove', async ({ windows }) => {
  const page = await windows.guest()
  await page.goto('/apps/customers/list?search=harbour')
  await expect(page).toHaveURL(/\/login\?to=/)
  await page.getByLabel('Email or login').fill('office@demo.example')
  await page.getByLabel('Password', { exact: true }).fill(process.env['DEMO_PASSWORD'] ?? '')
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/\/apps\/customers\/list\?search=harbour/)
  await expect(heading(page)).toHaveText('Customers')
})

test('developers see the rules of a role as they are stored, and have them read anew @prove', async ({ windows }) => {
  const page = await windows.staff('admin')
  await page.goto('/dev/role-permissions')
  const table = page.getByRole('region', { name: 'Role permissions' })
  await expect(table.getByRole('row').filter({ hasText: /^allmanage/ })).toHaveCount(1)
  await page.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Field', exact: true }).click()
  await expect(table.getByRole('row').filter({ hasText: 'Orders:Status:Guid' })).toContainText('{"scope":"assigned"}')
  await page.getByRole('button', { name: 'Reload permissions' }).click()
  await expect(page.getByText('Permissions reloaded.')).toBeVisible()
})
