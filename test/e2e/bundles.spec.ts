import type { Page } from '@playwright/test'
import { aCustomer } from './arrange.ts'
import { field, guidOf, name, total } from './editor.ts'
import { api, expect, heading, test, unique, violations } from './support.ts'

interface Line {
  name: string
  kind: string
  parentLineGuid: string | null
}
interface Quote {
  quote: { guid: string; version: number; serviceGuid: string; lines: Line[]; totals: { totalCents: number } }
}

/** A set of which customers see the parts, one of which they do not, and a discount; a word is all that they share. */
async function aCatalogue() {
  const word = unique('Party').replaceAll(/\W/g, '')
  const make = async (facts: Record<string, unknown>) =>
    (await api<{ product: { guid: string; name: string } }>('office', 'POST', '/Products', facts)).product
  const parts = [
    await make({ name: 'Marquee', priceCents: 78_000, costCents: 30_000 }),
    await make({ name: 'Trestle table', priceCents: 1950, costCents: 700 }),
    await make({ name: 'Delivery', priceCents: 7680, costCents: 5000 }),
  ]
  const items = ['1', '8', '1'].map((quantity, i) => ({ productGuid: parts[i]?.guid, quantity }))
  const set = { kind: 'bundle', priceCents: 100_000 }
  return {
    open: await make({ ...set, name: `${word} open set`, bundle: { mode: 'fixed', showParts: true, items } }),
    closed: await make({ ...set, name: `${word} closed set`, bundle: { mode: 'sum', showParts: false, items } }),
    discount: await make({ name: `${word} discount`, kind: 'discount', priceCents: 5000 }),
  }
}
const pick = async (page: Page, product: { name: string }) => {
  await page.keyboard.type(product.name)
  await page.keyboard.press('Enter')
}
const partsOf = (page: Page, line: number) => page.getByRole('list', { name: `Parts, line ${line}`, exact: true })

test('a quote of bundles: made by keyboard, sent, and read by its customer @prove', async ({ windows }) => {
  const { open, closed, discount } = await aCatalogue()
  const customer = unique('Garden club')
  const customerGuid = await aCustomer(customer)
  const page = await windows.staff('office', { viewport: { width: 1440, height: 1000 } })
  await page.goto(`/apps/quotes/add?customerGuid=${customerGuid}`)
  await name(page, 1).focus()

  await test.step('the parts of a bundle stand below it, with their shares of its price', async () => {
    await pick(page, open)
    await expect(field(page, 'Qty', 1)).toBeFocused()
    await expect(field(page, 'Price', 1)).toHaveValue('1000.00')
    await expect(partsOf(page, 1).getByRole('listitem')).toHaveText([
      '1 × Marquee$770.14',
      '8 × Trestle table$154.03',
      '1 × Delivery$75.83',
    ])
    await expect(total(page)).toHaveText('$1,100.00')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('2')
    await expect(partsOf(page, 1).getByRole('listitem').first()).toHaveText('1 × Marquee × 2$1,540.28')
    await expect(total(page)).toHaveText('$2,200.00')
  })

  await test.step('a price entered by hand is shared again, and given back to the catalogue', async () => {
    await field(page, 'Price', 1).fill('900')
    await field(page, 'Price', 1).blur()
    await expect(partsOf(page, 1).getByRole('listitem').first()).toHaveText('1 × Marquee × 2$1,386.26')
    await expect(total(page)).toHaveText('$1,980.00')
    await page.getByRole('button', { name: 'Use catalogue price' }).click()
    await expect(partsOf(page, 1).getByRole('listitem').first()).toHaveText('1 × Marquee × 2$1,540.28')
  })

  await test.step('it moves with its parts, and goes with them', async () => {
    await field(page, 'Qty', 1).press('Enter')
    await pick(page, closed)
    await expect(partsOf(page, 2)).toBeVisible()
    await expect(page.getByText('Customers see one line')).toHaveCount(1)
    await field(page, 'Qty', 2).press('Alt+ArrowUp')
    await expect(name(page, 1)).toHaveValue(closed.name)
    await expect(partsOf(page, 2).getByRole('listitem').first()).toHaveText('1 × Marquee × 2$1,540.28')
    await page.getByRole('button', { name: 'More for line 2' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate line' }).click()
    await expect(partsOf(page, 3)).toBeVisible()
    await page.getByRole('button', { name: 'More for line 3' }).click()
    await page.getByRole('menuitem', { name: 'Remove line' }).click()
    await expect(page.getByRole('list', { name: /^Parts, line/ })).toHaveCount(2)
  })

  await test.step('a discount is taken off', async () => {
    await field(page, 'Qty', 2).press('Enter')
    await pick(page, discount)
    await expect(page.getByRole('group', { name: 'Line 3' })).toContainText('−$50.00')
    await expect(total(page)).toHaveText('$3,259.08')
    await expect(page.getByText(/^\d+\.\d% margin$/)).toBeVisible()
    expect(await violations(page)).toEqual([])
  })

  await page.getByLabel('Title').fill('Summer party')
  await page.getByRole('button', { name: 'Save draft' }).first().click()
  await expect(heading(page)).toContainText('Draft quote')
  const guid = guidOf(page)
  const { quote } = await api<Quote>('office', 'GET', `/Quotes/${guid}`)

  await test.step('who wrote it sees all parts, and whose sees them as one', async () => {
    const preview = page.getByRole('region', { name: 'Lines' })
    await expect(preview.getByText('8 × Trestle table')).toHaveCount(2)
    await expect(preview.getByText('Customers see one line')).toBeVisible()
    await expect(preview).toContainText('−$50.00')
  })

  await test.step('opened again it is as it was', async () => {
    await page.goto(`/apps/quotes/edit/${guid}`)
    await expect(page.getByRole('list', { name: /^Parts, line/ })).toHaveCount(2)
    await expect(total(page)).toHaveText('$3,259.08')
  })

  await test.step('its customer reads the parts of one, and the other as one line', async () => {
    const { version } = quote
    const sent = (await api<Quote>('office', 'POST', `/Quotes/Send/${guid}`, { version })).quote
    for (const width of [1280, 375]) {
      const guest = await windows.guest({ viewport: { width, height: 900 } })
      await guest.goto(`/service/q/${sent.serviceGuid}`)
      const lines = guest.getByRole('region', { name: 'Lines' })
      await expect(lines.getByText('8 × Trestle table')).toHaveCount(1)
      await expect(lines.getByText('Customers see one line')).toHaveCount(0)
      // Below each stands what can be asked about it.
      const rows = lines.getByRole('row').filter({ hasNotText: 'Ask about this' })
      const openRow = rows.filter({ hasText: open.name })
      await expect(openRow.getByRole('cell')).toHaveText([open.name, '2', '$1,000.00', '$2,000.00'])
      const part = lines.getByRole('row').filter({ hasText: '8 × Trestle table' })
      await expect(part).toHaveText('8 × Trestle table$154.03')
      const [mine, its] = await Promise.all([openRow.boundingBox(), openRow.getByText('$2,000.00').boundingBox()])
      expect(Math.abs((its?.y ?? 0) - (mine?.y ?? 0))).toBeLessThan(24)
      const row = rows.filter({ hasText: closed.name })
      await expect(row).toContainText('$1,012.80')
      expect(await violations(guest)).toEqual([])
      expect(await guest.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    }
  })
})

test('on a phone the parts of a bundle stand below it and nothing runs over the edge @prove', async ({ windows }) => {
  const { open } = await aCatalogue()
  const page = await windows.staff('sales', { viewport: { width: 375, height: 800 } })
  await page.goto('/apps/quotes/add')
  await name(page, 1).fill(open.name)
  await page.getByRole('option', { name: open.name }).click()
  await expect(partsOf(page, 1).getByRole('listitem')).toHaveCount(3)
  await expect(field(page, 'Price', 1)).toBeEditable({ editable: false })
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  expect(await violations(page)).toEqual([])
})
