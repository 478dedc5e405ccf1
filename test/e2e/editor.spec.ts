import type { Locator, Page } from '@playwright/test'
import { aCustomer, anIssuedInvoice } from './arrange.ts'
import { api, expect, heading, money, test, unique } from './support.ts'

interface Line {
  kind: string
  name: string
  productGuid: string | null
  quantity: string
  unit: string
  unitPriceCents: number
  gstCode: string
  isOptional: boolean
  alternativeGroup: string | null
  description: string | null
}
interface Saved {
  lines: Line[]
  totals: { totalCents: number }
}

/** One product of every kind, with a word that only they share. */
async function aCatalogue() {
  const word = unique('zq').replaceAll(/\W/g, '')
  const make = async (facts: Record<string, unknown>) => (await api<{ product: { guid: string; name: string; priceCents: number; unit: string; gstCode: string } }>('office', 'POST', '/Products', { unit: 'each', ...facts, name: `${String(facts['name'])} ${word}` })).product
  return {
    word,
    goods: await make({ name: 'Panel', kind: 'goods', unit: 'm', priceCents: 12_345, description: 'Galvanised' }),
    hire: await make({ name: 'Marquee', kind: 'hire', unit: 'week', priceCents: 45_600 }),
    labour: await make({ name: 'Fitter', kind: 'labour', unit: 'hour', priceCents: 9_507 }),
    fee: await make({ name: 'Permit', kind: 'fee', priceCents: 27_550, gstCode: 'FREE' }),
    service: await make({ name: 'Survey', kind: 'service', priceCents: 33_003 }),
  }
}

const name = (page: Page, line: number) => page.getByRole('combobox', { name: `Item, line ${line}`, exact: true })
const field = (page: Page, label: string, line: number) => page.getByLabel(`${label}, line ${line}`, { exact: true })
const total = (page: Page) => page.locator('.rail-total')
const marked = (page: Page) => page.getByRole('option').and(page.locator('[data-marked]'))

/** The first words of its name, and Enter: the first match is taken. */
async function pickByKey(page: Page, product: { name: string }) {
  await page.keyboard.type(product.name)
  await page.keyboard.press('Enter')
}
async function pickByMouse(page: Page, line: number, product: { name: string }) {
  await name(page, line).fill(product.name.slice(0, -1))
  await page.getByRole('option', { name: product.name }).click()
}
async function addOther(page: Page, kind: string) {
  await page.getByRole('button', { name: 'More', exact: true }).last().click()
  await page.getByRole('menuitem', { name: kind }).click()
}
/** What stands in the fields of a line is what the product is sold for. */
async function expectLine(page: Page, line: number, product: { name: string; priceCents: number }, unit: string, gst: string) {
  await expect(name(page, line)).toHaveValue(product.name)
  await expect(field(page, 'Price', line)).toHaveValue((product.priceCents / 100).toFixed(2))
  await expect(page.getByRole('combobox', { name: `Unit, line ${line}`, exact: true })).toHaveValue(unit)
  await expect(page.getByRole('combobox', { name: `GST, line ${line}`, exact: true })).toHaveValue(gst)
}

async function startDocument(page: Page, noun: string, customer: string, title: string) {
  await page.goto(`/apps/${noun}/add`)
  await expect(page.getByRole('group', { name: 'Line 1', exact: true })).toBeVisible()
  const who: Locator = page.getByRole('combobox', { name: 'Customer' })
  await who.fill(customer)
  // Whoever goes on before the answer is there has chosen all the same.
  await who.press('Enter')
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await expect(page.getByRole('listbox')).toHaveCount(0)
}
const guidOf = (page: Page) => page.url().split('/').at(-1)?.replace(/\?.*/, '') ?? ''

test('every kind of line comes from the catalogue with its price, unit, GST and text, in quotes, orders and invoices', async ({ windows }) => {
  test.setTimeout(150_000)
  const shop = await aCatalogue()
  const customer = unique('Catalogue Cafe')
  await aCustomer(customer)
  const page = await windows.staff('office')
  const nouns = [
    ['quotes', 'Quotes', 'quote', 'Draft quote'],
    ['orders', 'Orders', 'order', /^O-/],
    ['invoices', 'Invoices', 'invoice', 'Draft invoice'],
  ] as const
  for (const [noun, path, key, title] of nouns)
    await test.step(noun, async () => {
      await startDocument(page, noun, customer, unique('From the catalogue'))
      await test.step('a line of each kind by keyboard: the first match by Enter, the next line by Enter', async () => {
        await name(page, 1).focus()
        await pickByKey(page, shop.goods)
        await expectLine(page, 1, shop.goods, 'm', 'GST 10%')
        await expect(page.getByLabel('Description, line 1')).toHaveValue('Galvanised')
        await page.keyboard.press('Enter')
        await pickByKey(page, shop.hire)
        await expectLine(page, 2, shop.hire, 'week', 'GST 10%')
        await page.keyboard.press('Tab')
        await page.keyboard.type('3')
        await page.keyboard.press('Enter')
        // Two Enters at once: what matches is picked as soon as it is known, and the next line begins.
        await page.keyboard.type(shop.labour.name)
        await page.keyboard.press('Enter')
        await page.keyboard.press('Enter')
        await expectLine(page, 3, shop.labour, 'hour', 'GST 10%')
        await expect(name(page, 4)).toBeFocused()
      })
      await test.step('by mouse', async () => {
        await pickByMouse(page, 4, shop.fee)
        await expectLine(page, 4, shop.fee, 'each', 'GST-free')
        await page.getByRole('button', { name: 'Add line' }).click()
        await pickByMouse(page, 5, shop.service)
        await expectLine(page, 5, shop.service, 'each', 'GST 10%')
        // Another product takes the whole line over, its text with it.
        await pickByMouse(page, 1, shop.service)
        await expect(page.getByLabel('Description, line 1')).toHaveCount(0)
        await pickByMouse(page, 1, shop.goods)
        await expectLine(page, 1, shop.goods, 'm', 'GST 10%')
      })
      const fixed = 12_345 + 3 * 45_600 + 9_507 + 33_003
      const sum = fixed + Math.round(fixed / 10) + 27_550
      await expect(total(page)).toHaveText(money(sum))
      let expected = sum
      if (noun === 'quotes')
        await test.step('an option and alternatives', async () => {
          await addOther(page, 'Optional line')
          await pickByMouse(page, 6, shop.hire)
          await addOther(page, 'Alternative line (customer picks one)')
          await pickByKey(page, shop.fee)
          await expectLine(page, 7, shop.fee, 'each', 'GST-free')
          await page.keyboard.press('Enter')
          await pickByKey(page, shop.labour)
          await expectLine(page, 8, shop.labour, 'hour', 'GST 10%')
          expected = sum + 27_550
          await expect(total(page)).toHaveText(money(expected))
        })
      await page.keyboard.press('ControlOrMeta+S')
      await expect(heading(page)).toHaveText(title)
      const { lines, totals } = (await api<Record<string, Saved>>('office', 'GET', `/${path}/${guidOf(page)}`))[key] as Saved
      expect(totals.totalCents).toBe(expected)
      const kept = [
        { kind: 'item', productGuid: shop.goods.guid, unit: 'm', unitPriceCents: 12_345, gstCode: 'GST', description: 'Galvanised' },
        { kind: 'hire', productGuid: shop.hire.guid, unit: 'week', unitPriceCents: 45_600, gstCode: 'GST', quantity: '3' },
        { kind: 'labour', productGuid: shop.labour.guid, unit: 'hour', unitPriceCents: 9_507, gstCode: 'GST' },
        { kind: 'fee', productGuid: shop.fee.guid, unit: 'each', unitPriceCents: 27_550, gstCode: 'FREE' },
        { kind: 'item', productGuid: shop.service.guid, unit: 'each', unitPriceCents: 33_003, gstCode: 'GST' },
        { kind: 'hire', productGuid: shop.hire.guid, unitPriceCents: 45_600, isOptional: true },
        { kind: 'fee', productGuid: shop.fee.guid, unitPriceCents: 27_550, gstCode: 'FREE', alternativeGroup: 'A' },
        { kind: 'labour', productGuid: shop.labour.guid, unitPriceCents: 9_507, alternativeGroup: 'A' },
      ]
      expect(lines).toMatchObject(noun === 'quotes' ? kept : kept.slice(0, 5))
    })

  await test.step('prices that include GST', async () => {
    await startDocument(page, 'quotes', customer, unique('With GST'))
    await page.getByRole('radiogroup', { name: 'Prices' }).getByText('GST inclusive').click()
    await name(page, 1).focus()
    await pickByKey(page, shop.goods)
    await expect(field(page, 'Price', 1)).toHaveValue('135.80')
    await page.keyboard.press('Enter')
    await pickByKey(page, shop.fee)
    await expect(field(page, 'Price', 2)).toHaveValue('275.50')
    await expect(total(page)).toHaveText(money(13_580 + 27_550))
  })

  await test.step('the product chosen last is offered first, also after a reload, and other words unlink it', async () => {
    await startDocument(page, 'orders', customer, unique('Once more'))
    await name(page, 1).press('ArrowDown')
    await expect(page.getByRole('option').first()).toContainText(shop.fee.name)
    await name(page, 1).press('Enter')
    await expectLine(page, 1, shop.fee, 'each', 'GST-free')
    await name(page, 1).press('End')
    await page.keyboard.type(', council')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+S')
    await expect(heading(page)).toHaveText(/^O-/)
    const { order } = await api<{ order: Saved }>('office', 'GET', `/Orders/${guidOf(page)}`)
    expect(order.lines).toMatchObject([{ name: `${shop.fee.name}, council`, productGuid: null, unitPriceCents: 27_550 }])
  })
})

test('in every list of matches Enter picks the first, sends nothing, and Escape closes the list alone', async ({ windows }) => {
  const customer = unique('Lookup Lane')
  await aCustomer(customer)
  const page = await windows.staff('office')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname.endsWith('/Quotes')) sent.push(request.url())
  })
  await page.goto('/apps/quotes/add')
  const who = page.getByRole('combobox', { name: 'Customer' })
  await who.fill('nobody is called this')
  await expect(marked(page)).toHaveText('New customer “nobody is called this”')
  await who.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await who.press('Enter')
  await who.press('Tab')
  // What was typed stands.
  await expect(who).toHaveValue('nobody is called this')
  await who.fill('')
  // Enter before there is an answer waits for it.
  await page.keyboard.type(customer)
  await page.keyboard.press('Enter')
  await expect(who).toHaveValue(customer)
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Title' }).fill('Half of a quote')
  await page.keyboard.press('Enter')
  await name(page, 1).fill('nothing in the catalogue is called this')
  await page.keyboard.press('Enter')
  await expect(name(page, 2)).toBeFocused()
  await expect(name(page, 1)).toHaveValue('nothing in the catalogue is called this')
  expect(sent).toEqual([])
  await expect(heading(page)).toHaveText('New quote')
})

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')

test('a new document begins at its customer, and dialogs give the focus back to where it was', async ({ windows }) => {
  test.setTimeout(120_000)
  const page = await windows.staff('office')
  for (const noun of ['quotes', 'orders', 'invoices']) {
    await page.goto(`/apps/${noun}/add`)
    await expect(page.getByRole('combobox', { name: 'Customer' })).toBeFocused()
  }
  const who = page.getByRole('combobox', { name: 'Customer' })
  await test.step('also when it is reached from within', async () => {
    await page.goto('/apps/quotes/list')
    await page.getByRole('link', { name: 'New quote' }).first().click()
    await expect(who).toBeFocused()
    await expect(page.getByRole('listbox')).toHaveCount(0)
  })
  await test.step('without a customer the field says what to do', async () => {
    await page.keyboard.press('ControlOrMeta+S')
    await expect(page.getByText('Choose a customer.')).toBeVisible()
    await expect(who).toBeFocused()
  })
  const customer = unique('Focus & Sons')
  await test.step('a new customer by keyboard alone', async () => {
    await page.keyboard.type(customer)
    await expect(marked(page)).toHaveText(`New customer “${customer}”`)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New customer' })
    await expect(dialog.getByLabel('Name')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(who).toBeFocused()
    await expect(who).toHaveValue(customer)
    await page.keyboard.press('ArrowDown')
    await expect(marked(page)).toHaveText(`New customer “${customer}”`)
    await page.keyboard.press('Enter')
    await expect(dialog.getByLabel('Name')).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.type('office@focus.example')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(who).toBeFocused()
    await expect(who).toHaveValue(customer)
  })
  await page.keyboard.press('Tab')
  await page.keyboard.type('Small gate')
  await name(page, 1).focus()
  await page.keyboard.type('Gate')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('250')
  await page.keyboard.press('ControlOrMeta+S')
  await expect(heading(page)).toHaveText('Draft quote')
  const send = page.getByRole('dialog', { name: 'Send quote' })
  await test.step('the send dialog opens on its first field with its button in view, on a phone, too', async () => {
    for (const size of [{ width: 375, height: 667 }, { width: 1440, height: 900 }]) {
      await page.setViewportSize(size)
      await page.getByRole('button', { name: 'Send quote' }).press('Enter')
      await expect(send.getByLabel('To')).toBeFocused()
      await expect(send.getByRole('button', { name: 'Send quote' })).toBeInViewport({ ratio: 1 })
      await page.keyboard.press('Escape')
      await expect(send).toBeHidden()
      await expect(page.getByRole('button', { name: 'Send quote' })).toBeFocused()
    }
  })
  await test.step('after sending the focus is where the button was', async () => {
    await page.keyboard.press('Enter')
    await expect(send.getByLabel('To')).toBeFocused()
    await expect(send.getByText('office@focus.example')).toBeVisible()
    await send.getByRole('button', { name: 'Send quote' }).press('Enter')
    await expect(heading(page)).toHaveText(/^Q-/)
    await expect(send).toBeHidden()
    await expect.poll(() => focused(page)).toContain('Mark as accepted')
  })
  await test.step('a copy and a revision are valid from today', async () => {
    const { business } = await api<{ business: { today: string; defaultValidityDays: number } }>('office', 'GET', '/Businesses/Current')
    const until = new Date(Date.parse(business.today) + business.defaultValidityDays * 86_400_000).toISOString().slice(0, 10)
    for (const action of ['Duplicate', 'Revise']) {
      const from = page.url()
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('button', { name: action, exact: true }).click()
      await expect(page).toHaveURL(/\/edit\//)
      const { quote } = await api<{ quote: { validUntil: string } }>('office', 'GET', `/Quotes/${guidOf(page)}`)
      expect(quote.validUntil).toBe(until)
      await expect(page.getByRole('textbox', { name: 'Valid until' })).not.toHaveValue('')
      await page.goto(from)
    }
  })
})

test('Escape in a list or a calendar leaves the dialog around it open', async ({ windows }) => {
  const { guid } = await anIssuedInvoice()
  const page = await windows.staff('office')
  await page.goto(`/apps/invoices/preview/${guid}`)
  await page.getByRole('button', { name: 'Record payment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record payment' })
  await dialog.getByRole('combobox', { name: 'Method' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Choose a date' }).first().click()
  const calendar = page.getByRole('dialog', { name: 'Choose a date' })
  await expect(calendar).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Record payment' })).toBeFocused()
})

test('on a phone the order is details, lines, totals, with the total and Save in a bar that covers nothing', async ({ windows }) => {
  const customer = unique('Pocket Fencing')
  await aCustomer(customer)
  for (const language of ['en', 'ar'] as const) {
    const page = await windows.staff('office', { viewport: { width: 375, height: 667 }, language, colorScheme: language === 'ar' ? 'dark' : 'light' })
    await page.goto('/apps/quotes/add')
    await expect(page.locator('.line-row')).toHaveCount(1)
    const order = await page.locator('.document-form > .card, .totals, .document-texts').evaluateAll((all) => all.toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((part) => (part.matches('.totals') ? 'totals' : part.matches('.document-lines-card') ? 'lines' : part.matches('.card') ? 'details' : 'texts')))
    expect(order).toEqual(['details', 'lines', 'totals', 'texts'])
    const bar = page.locator('.rail-main')
    await expect(bar).toBeInViewport({ ratio: 1 })
    await expect(bar.getByRole('button')).toBeInViewport({ ratio: 1 })
    // Every field says what it is in words that can be seen.
    const unnamed = await page.locator('.document-form :is(input, textarea):visible').evaluateAll((all) => all.filter((field) => !(field.closest('label, [role=radiogroup], .line-badges, .deposit-field') ?? field.closest('.mantine-InputWrapper-root')?.querySelector('label'))?.checkVisibility()).map((field) => field.outerHTML))
    expect(unnamed).toEqual([])
    // Whatever takes the focus is not under the bar.
    for (const field of await page.locator('.document-form :is(input, textarea):visible').all()) {
      await field.focus()
      const isFree = await field.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        // Of a long text its beginning is enough.
        const above = document.elementFromPoint(left + width / 2, top + Math.min(height - 2, 60))
        return above === element || element.contains(above) || above?.closest('.mantine-InputWrapper-root, label, [role=radiogroup]')?.contains(element) === true
      })
      expect(isFree, await field.evaluate((element) => element.outerHTML)).toBe(true)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
    // A keyboard leaves little of the window: the bar goes with the page then.
    await page.setViewportSize({ width: 375, height: 330 })
    await expect(bar).toHaveCSS('position', 'static')
    await page.context().close()
  }
})

test('of alternatives one is the default, and it is what the total counts', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto('/apps/quotes/add')
  await addOther(page, 'Alternative line (customer picks one)')
  await page.keyboard.type('Steel')
  await field(page, 'Price', 2).fill('300')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Timber')
  await field(page, 'Price', 3).fill('420')
  const first = page.getByRole('radio', { name: 'Default, line 2' })
  const second = page.getByRole('radio', { name: 'Default, line 3' })
  await expect(first).toBeChecked()
  await expect(total(page)).toHaveText('$330.00')
  await second.check()
  await expect(first).not.toBeChecked()
  await expect(total(page)).toHaveText('$462.00')
  // Without the default the first of the others is it.
  await page.getByRole('button', { name: 'More for line 3' }).click()
  await page.getByRole('menuitem', { name: 'Remove line' }).click()
  await expect(first).toBeChecked()
  await expect(total(page)).toHaveText('$330.00')
  await page.getByRole('textbox', { name: 'Discount', exact: true }).fill('10%')
  await expect(page.locator('.totals-row', { hasText: 'Discount' }).locator('dd')).toHaveText('−$30.00')
  await page.getByRole('textbox', { name: 'Title' }).press('Escape')
  await page.locator('body').click({ position: { x: 5, y: 5 } })
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Save the form')).toBeVisible()
})
