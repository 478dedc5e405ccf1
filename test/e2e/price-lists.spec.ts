import type { Page } from '@playwright/test'
import { aCustomer } from './arrange.ts'
import { guidOf, name, total } from './editor.ts'
import { api, expect, heading, money, test, unique } from './support.ts'

interface Product {
  guid: string
  name: string
  sku: string
}
interface List {
  guid: string
  version: number
  items: { productGuid: string; from: string; priceCents: number }[]
}

let codes = 0
const aProduct = async (facts: Record<string, unknown> = {}): Promise<Product> =>
  (
    await api<{ product: Product }>('office', 'POST', '/Products', {
      name: unique('Marquee'),
      sku: `PL-${process.pid}-${++codes}`,
      priceCents: 78_000,
      ...facts,
    })
  ).product
const aList = async (items: List['items'] = []): Promise<List> =>
  (await api<{ priceList: List }>('office', 'POST', '/PriceLists', { name: unique('List'), items })).priceList
const saved = async (guid: string) =>
  (await api<{ priceList: List }>('office', 'GET', `/PriceLists/${guid}`)).priceList.items

const cell = (page: Page, column: 'Product' | 'From quantity' | 'Price', row: number) =>
  page.getByLabel(`${column}, row ${row.toLocaleString('en')}`, { exact: true })
/** As a spreadsheet leaves it on the clipboard. */
const paste = (page: Page, text: string) =>
  page.evaluate((copied) => {
    const data = new DataTransfer()
    data.setData('text/plain', copied)
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
    document.activeElement?.dispatchEvent(event)
  }, text)
const save = (page: Page) => page.getByRole('button', { name: 'Save price list' })

test('a customer’s list: made, pasted, given to the customer, and the price of the quote @prove', async ({
  windows,
}) => {
  const marquee = await aProduct({ tiers: [{ from: '3', priceCents: 74_000 }] })
  // Behind the other by name, as the list is answered, whatever their numbers.
  const lights = await aProduct({ name: unique('String lights') })
  const customerName = unique('School')
  const customerGuid = await aCustomer(customerName)
  const listName = unique('Schools')
  const page = await windows.staff('office', { viewport: { width: 1440, height: 900 } })
  await page.goto('/apps/price-lists/list')
  await page.getByRole('button', { name: 'New price list' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill(listName)
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText(listName)
  const listGuid = guidOf(page)

  await test.step('three columns from a spreadsheet, with a heading and a product nobody has', async () => {
    await cell(page, 'Product', 1).focus()
    const rows = [
      ['Product', 'From', 'Price'],
      [marquee.sku, '', '$700.00'],
      ['NO-SUCH-1', '2', '10.00'],
      [lights.name.toUpperCase(), '5', '1,650.5'],
    ]
    await paste(page, rows.map((row) => row.join('\t')).join('\r\n'))
    await expect(page.getByText('2 of 3 rows matched a product.')).toBeVisible()
    await expect(cell(page, 'Product', 1)).toHaveValue(marquee.name)
    await expect(cell(page, 'Product', 2)).toHaveValue('NO-SUCH-1')
    await expect(cell(page, 'Product', 3)).toHaveValue(lights.name)
    await expect(cell(page, 'Price', 3)).toHaveValue('1650.50')
    const first = page.getByRole('row').filter({ has: cell(page, 'Product', 1) })
    await expect(first).toContainText('$780.00')
    await expect(first).toContainText('−$80.00')
  })

  await test.step('what did not match is said at its row, and nothing is lost when it is saved', async () => {
    await save(page).click()
    await expect(page.getByText('Please fix 1 row. Nothing has been saved yet.')).toBeVisible()
    await expect(cell(page, 'Product', 2)).toBeFocused()
    await expect(page.getByText('No product has the code or name “NO-SUCH-1”.').first()).toBeVisible()
    await page.keyboard.press('Control+Delete')
    await page.keyboard.press('Control+s')
    await expect(page.getByText(`Price list “${listName}” saved.`)).toBeVisible()
    const prices = [
      { productGuid: marquee.guid, from: '1', priceCents: 70_000 },
      { productGuid: lights.guid, from: '5', priceCents: 165_050 },
    ]
    expect(await saved(listGuid)).toEqual(prices)
  })

  await test.step('the customer’s terms name it, and the customer shows it', async () => {
    await page.goto(`/apps/customers/edit/${customerGuid}`)
    await page.getByRole('combobox', { name: 'Price list' }).click()
    await page.getByRole('option', { name: listName }).click()
    await page.getByRole('button', { name: 'Save customer' }).click()
    await expect(heading(page)).toHaveText(customerName)
    await expect(page.getByText(`Price list ${listName}`)).toBeVisible()
  })

  await test.step('four of them cost the list’s price, and the quote says why', async () => {
    await page.goto(`/apps/quotes/add?customerGuid=${customerGuid}`)
    await name(page, 1).fill(marquee.name)
    await page.getByRole('option', { name: marquee.name }).click()
    await page.keyboard.type('4')
    await expect(total(page)).toHaveText(money(Math.round(4 * 70_000 * 1.1)))
    await expect(page.getByText(listName).first()).toBeVisible()
  })

  await test.step('whoever archives it is told whose prices change', async () => {
    await page.goto(`/apps/price-lists/edit/${listGuid}`)
    await expect(page.getByRole('link', { name: customerName })).toBeVisible()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('1 customer uses this list.')
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await expect(page.getByText(`Price list “${listName}” archived.`)).toBeVisible()
  })
})

test('the keys of a sheet, and 5,000 rows of which the seen ones are drawn @prove', async ({ windows }) => {
  const product = await aProduct()
  const items = Array.from({ length: 4998 }, (_, i) => ({
    productGuid: product.guid,
    from: String(i + 1),
    priceCents: 100_000 - i,
  }))
  const list = await aList(items)
  const page = await windows.staff('office', { viewport: { width: 1440, height: 900 } })
  await page.goto(`/apps/price-lists/edit/${list.guid}`)
  await cell(page, 'Price', 1).focus()
  const drawn = () => page.getByRole('row').count()

  await test.step('arrows, Enter, Page down and the ends', async () => {
    await page.keyboard.press('ArrowDown')
    await expect(cell(page, 'Price', 2)).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await expect(cell(page, 'From quantity', 2)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(cell(page, 'From quantity', 3)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(cell(page, 'Price', 3)).toBeFocused()
    await page.keyboard.press('Control+End')
    await expect(cell(page, 'Price', 4999)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(cell(page, 'Price', 4998)).toHaveValue('950.03')
    expect(await drawn()).toBeLessThan(60)
    await page.keyboard.press('Control+Home')
    await expect(cell(page, 'Price', 1)).toBeFocused()
  })

  await test.step('what is typed can be taken back, and two of one kind are told at the later row', async () => {
    await page.keyboard.type('12')
    await page.keyboard.press('Escape')
    await expect(cell(page, 'Price', 1)).toHaveValue('1000.00')
    await cell(page, 'From quantity', 2).fill('1')
    await expect(page.getByText('Row 1 has the same product and quantity.')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('Row 1 has the same product and quantity.')).toBeHidden()
  })

  await test.step('pasted over, undone, and more than fit are refused', async () => {
    await page.keyboard.press('Control+End')
    await cell(page, 'Price', 4998).focus()
    await paste(page, '1\n2\n3\n4')
    await expect(page.getByText('4 rows won’t fit: a price list can have up to 5,000 prices.')).toBeVisible()
    await paste(page, '5\n6')
    await expect(cell(page, 'Price', 4998)).toHaveValue('5.00')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(cell(page, 'Price', 4998)).toHaveValue('950.03')
  })

  await test.step('a price in the middle of them is found, changed and saved', async () => {
    await page.keyboard.press('Control+Home')
    await cell(page, 'Price', 1).fill('999.5')
    await page.keyboard.press('Control+s')
    await expect(page.getByText('saved.')).toBeVisible()
    expect((await saved(list.guid))[0]).toEqual({ productGuid: product.guid, from: '1', priceCents: 99_950 })
  })
})
