import type { Quote } from '../../contract/quotes.ts'
import { aCustomer, aDraftQuote } from './arrange.ts'
import { field } from './editor.ts'
import { api, expect, heading, test, unique } from './support.ts'

test('An entry is added by keyboard, and the quote becomes a template that another is made of @prove', async ({
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
  // While what was picked is still asked for, there is nothing to add yet.
  await expect(dialog.getByRole('button', { name: 'Add entry' })).toBeEnabled()
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

test('An entry asks the days and the options of what is hired, and takes them into the quote @prove', async ({
  windows,
}) => {
  const word = unique('ground')
  const { bookingOption } = await api<{ bookingOption: { guid: string } }>(
    'office',
    'POST',
    '/Products/BookingOptions',
    {
      code: word.toLowerCase().replaceAll(/[^a-z0-9]/g, ''),
      label: { en: word },
      input: 'single',
      required: true,
      choices: [
        { code: 'grass', label: { en: 'Grass' } },
        { code: 'paving', label: { en: 'Paving' }, cents: 6500, per: 'once' },
      ],
    },
  )
  const product = unique('Marquee')
  await api('office', 'POST', '/Products', {
    name: product,
    kind: 'hire',
    priceCents: 45_000,
    hire: { dayCents: 10_000, weekCents: 45_000 },
    optionGuids: [bookingOption.guid],
  })
  const quote = await aDraftQuote({ title: unique('Garden party') })
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/preview/${quote.guid}`)
  await page.getByRole('button', { name: 'More' }).first().click()
  await page.getByRole('button', { name: 'Add entry' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add entry' })
  await dialog.getByRole('combobox', { name: 'Product' }).fill(product)
  await page.getByRole('option', { name: product }).click()
  await dialog.getByLabel('First day').fill('2 March 2027')
  await dialog.getByLabel('Last day').fill('1 March 2027')
  await dialog.getByRole('radio', { name: /^Paving/ }).check()
  await expect(dialog.getByText('The last day can’t be before the first.')).toBeVisible()
  await dialog.getByLabel('Last day').fill('4 March 2027')
  await dialog.getByRole('button', { name: 'Add entry' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(`${word}: Paving`)).toBeVisible()
  const { quote: saved } = await api<{ quote: Quote }>('office', 'GET', `/Quotes/${quote.guid}`)
  expect(saved.lines.slice(1)).toMatchObject([
    { name: product, hireFrom: '2027-03-02', hireTo: '2027-03-04', unitPriceCents: 30_000 },
    { name: 'Paving', kind: 'fee', unitPriceCents: 6500 },
  ])
})
