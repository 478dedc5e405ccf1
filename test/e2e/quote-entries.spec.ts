import { aCustomer, aDraftQuote } from './arrange.ts'
import { field } from './editor.ts'
import { api, expect, heading, test, unique } from './support.ts'

test('An entry is added to a draft by keyboard, and the quote becomes a template that another is made of', async ({
  windows,
}) => {
  const product = unique('Gate motor')
  await api('office', 'POST', '/Products', { name: product, priceCents: 64_000 })
  const customer = unique('Template customer')
  await aCustomer(customer)
  const quote = await aDraftQuote({ title: unique('Driveway gate') })
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/preview/${quote.guid}`)

  // The palette offers what can be done with what is open.
  await expect(page.getByRole('button', { name: 'More' }).first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('add entry')
  await expect(page.getByRole('option', { name: 'Add entry' })).toBeVisible()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add entry' })
  await expect(dialog.getByLabel('Type')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type(product)
  await page.getByRole('option', { name: product }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('$1,280.00').first()).toBeVisible()

  await page.getByRole('button', { name: 'More' }).first().click()
  await page.getByRole('button', { name: 'Save as template' }).click()
  const name = unique('Gates')
  await page.getByLabel('Template name').fill(name)
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText(name)

  // What it has is changed where its quotes are written: the product's price stays the catalogue's.
  await page.getByRole('button', { name: 'Edit template' }).first().click()
  await expect(heading(page)).toHaveText(`Edit ${name}`)
  await expect(field(page, 'Price', 2)).toHaveJSProperty('readOnly', true)
  await field(page, 'Qty', 2).fill('3')
  await page.keyboard.press('Control+s')
  await expect(heading(page)).toHaveText(name)
  await expect(page.getByText('$1,920.00').first()).toBeVisible()

  await page.getByRole('button', { name: 'Create quote' }).first().click()
  const use = page.getByRole('dialog', { name: 'Quote from template' })
  await use.getByRole('combobox', { name: 'Customer' }).fill(customer)
  await page.getByRole('option', { name: customer }).click()
  await use.getByRole('button', { name: 'Create quote' }).click()
  await expect(page).toHaveURL(/\/apps\/quotes\/edit\//)
  await expect(page.getByText('$1,920.00').first()).toBeVisible()
})
