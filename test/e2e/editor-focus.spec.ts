import type { Locator, Page } from '@playwright/test'
import { aCustomer, anIssuedInvoice } from './arrange.ts'
import { field, guidOf, marked, name } from './editor.ts'
import { api, expect, heading, test, unique } from './support.ts'
import { variants } from './variants.ts'

test('a new document begins at its customer, and dialogs give the focus back to where it was @prove', async ({
  windows,
}) => {
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
    await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(who).toBeFocused()
    await expect(who).toHaveValue(customer)
    await page.keyboard.press('ArrowDown')
    await expect(marked(page)).toHaveText(`New customer “${customer}”`)
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
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
    for (const size of [
      { width: 375, height: 667 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(size)
      await page.getByRole('button', { name: 'Send quote' }).press('Enter')
      await expect(send.getByLabel('To')).toBeFocused()
      await expect(send.getByRole('button', { name: 'Send quote' })).toBeInViewport({ ratio: 1 })
      await page.keyboard.press('Escape')
      await expect(send).toBeHidden()
      await expect(page.getByRole('button', { name: 'Send quote' })).toBeFocused()
    }
  })
  await test.step('after sending the focus is at the heading of what was sent, the button being gone', async () => {
    await page.keyboard.press('Enter')
    await expect(send.getByLabel('To')).toBeFocused()
    await expect(send.getByText('office@focus.example')).toBeVisible()
    await send.getByRole('button', { name: 'Send quote' }).press('Enter')
    await expect(heading(page)).toHaveText(/^Q-/)
    await expect(send).toBeHidden()
    await expect(heading(page)).toBeFocused()
  })
  await test.step('a copy and a revision are valid from today', async () => {
    const { business } = await api<{ business: { today: string; defaultValidityDays: number } }>(
      'office',
      'GET',
      '/Businesses/Current',
    )
    const until = new Date(Date.parse(business.today) + business.defaultValidityDays * 86_400_000)
      .toISOString()
      .slice(0, 10)
    for (const action of ['Duplicate', 'Revise']) {
      const from = page.url()
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('button', { name: action, exact: true }).click()
      await expect(page).toHaveURL(/\/edit\//)
      const said = page
        .locator('.Toastify__toast')
        .filter({ hasText: action === 'Revise' ? 'Revision of' : 'duplicated' })
        .first()
      await expect(said.locator('.nowrap'), 'a number stays in its sentence, with its blanks').toHaveCSS(
        'display',
        'inline',
      )
      const { quote } = await api<{ quote: { validUntil: string } }>('office', 'GET', `/Quotes/${guidOf(page)}`)
      expect(quote.validUntil).toBe(until)
      await expect(page.getByRole('textbox', { name: 'Valid until' })).not.toHaveValue('')
      if (action === 'Duplicate') await expect(page.getByRole('combobox', { name: 'Customer' })).toBeFocused()
      await page.goto(from)
    }
  })
  await test.step('a revision stands beside the quote with what it comes to, and takes its place', async () => {
    const related = page.getByRole('region', { name: 'Related' })
    await expect(related.getByRole('listitem').filter({ hasText: 'Next revision' })).toContainText('Draft')
    await related.getByRole('link', { name: / R1$/ }).click()
    await expect(heading(page)).toHaveText(/ R1$/)
    await page.getByRole('button', { name: 'Send quote' }).click()
    await expect(send.getByText('office@focus.example')).toBeVisible()
    await send.getByRole('button', { name: 'Send quote' }).click()
    await expect(page.getByText(/^Quote Q-\d+ R1 sent$/)).toBeVisible()
    await related
      .getByRole('listitem')
      .filter({ hasText: 'Previous revision' })
      .filter({ hasText: 'Superseded' })
      .filter({ hasText: '$' })
      .getByRole('link')
      .click()
    await expect(page.getByText(/^Quote Q-\d+ replaced by a revision$/)).toBeVisible()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await expect(page.getByText('A newer revision has replaced this quote.').first()).toBeVisible()
    await expect(page.getByText('became an order')).toHaveCount(0)
  })
})

test('Escape in a list or a calendar leaves the dialog around it open @prove', async ({ windows }) => {
  const { guid } = await anIssuedInvoice()
  const page = await windows.staff('office')
  await page.goto(`/apps/invoices/preview/${guid}`)
  await page.getByRole('button', { name: 'Record payment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record payment' })
  await dialog.getByRole('combobox', { name: 'Method' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  const chooser = dialog.getByRole('button', { name: 'Choose a date' }).first()
  const calendar = page.getByRole('dialog', { name: 'Choose a date' })
  await chooser.click()
  await expect(calendar).toBeVisible()
  await test.step('also where the key comes before the focus is within', async () => {
    await chooser.evaluate((button) => button.focus())
    await chooser.press('Escape')
    await expect(calendar).toBeHidden()
    await expect(dialog).toBeVisible()
  })
  await chooser.click()
  await expect(calendar.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Record payment' })).toBeFocused()
})

/** The parts of the editor from top to bottom. */
const orderOf = (page: Page) =>
  page.locator('.document-form > .card, .totals, .document-texts').evaluateAll((all) => {
    const nameOf = (part: Element) =>
      part.matches('.totals')
        ? 'totals'
        : part.matches('.document-lines-card')
          ? 'lines'
          : part.matches('.card')
            ? 'details'
            : 'texts'
    return all.toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map(nameOf)
  })

test('on a phone come details, lines, totals, with the total and Save in a bar that covers nothing @prove', async ({
  windows,
}) => {
  const customer = unique('Pocket Fencing')
  await aCustomer(customer)
  for (const language of variants(['en', 'ar'] as const, ['ar'])) {
    const page = await windows.staff('office', {
      viewport: { width: 375, height: 667 },
      language,
      colorScheme: language === 'ar' ? 'dark' : 'light',
    })
    await page.goto('/apps/quotes/add')
    await expect(page.locator('.line-row')).toHaveCount(1)
    await expect.poll(() => orderOf(page)).toEqual(['details', 'lines', 'totals', 'texts'])
    const bar = page.locator('.rail-main')
    await expect(bar).toBeInViewport({ ratio: 1 })
    await expect(bar.getByRole('button')).toBeInViewport({ ratio: 1 })
    // Every field says what it is in words that can be seen.
    const unnamed = await page
      .locator('.document-form :is(input, textarea):visible')
      .evaluateAll((all) =>
        all
          .filter(
            (field) =>
              !(
                field.closest('label, [role=radiogroup], .line-badges, .deposit-field') ??
                field.closest('.mantine-InputWrapper-root')?.querySelector('label')
              )?.checkVisibility(),
          )
          .map((field) => field.outerHTML),
      )
    expect(unnamed).toEqual([])
    // Whatever takes the focus is not under the bar.
    for (const field of await page.locator('.document-form :is(input, textarea):visible').all()) {
      await field.focus()
      const isFree = await field.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        // Of a long text its beginning is enough.
        const above = document.elementFromPoint(left + width / 2, top + Math.min(height - 2, 60))
        return (
          above === element ||
          element.contains(above) ||
          above?.closest('.mantine-InputWrapper-root, label, [role=radiogroup]')?.contains(element) === true
        )
      })
      expect(isFree, await field.evaluate((element) => element.outerHTML)).toBe(true)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    )
    // Where there is room, the total stands beside the details.
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.evaluate(() => window.scrollTo(0, 0))
    await expect.poll(() => orderOf(page)).toEqual(['details', 'lines', 'totals', 'texts'])
    const places = async (other: Locator) => {
      const [rail, place] = await Promise.all([bar.boundingBox(), other.boundingBox()])
      if (!rail || !place) throw new Error('it is not shown')
      return { rail, place }
    }
    await expect(async () => {
      const { rail, place } = await places(page.locator('.document-form > .card').first())
      expect(Math.abs(rail.y - place.y)).toBeLessThan(60)
    }).toPass()
    // It goes with them, and does not lie over the lines.
    await page.evaluate(() => window.scrollTo(0, 500))
    await expect(async () => {
      const { rail, place } = await places(page.locator('.document-lines-card'))
      expect(rail.y + rail.height).toBeLessThan(place.y)
    }).toPass()
    // A keyboard leaves little of the window: the bar goes with the page then.
    await page.setViewportSize({ width: 375, height: 330 })
    await expect(bar).toHaveCSS('position', 'static')
    await page.context().close()
  }
})

test('a number is selected whole when the focus comes to it, and a second click places the caret @prove', async ({
  windows,
}) => {
  const page = await windows.staff('office')
  await page.goto('/apps/quotes/add')
  const price = field(page, 'Price', 1)
  const selected = () =>
    price.evaluate((input: HTMLInputElement) => input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0))
  await expect(price).toHaveValue('0.00')
  await price.click()
  expect(await selected()).toBe('0.00')
  await page.keyboard.type('7')
  await page.keyboard.press('Tab')
  await expect(price).toHaveValue('7.00')
  await page.keyboard.press('Shift+Tab')
  expect(await selected()).toBe('7.00')
  await page.keyboard.type('8')
  await page.keyboard.press('Tab')
  await price.click()
  expect(await selected()).toBe('8.00')
  await price.click()
  expect(await selected()).toBe('')
  await page.keyboard.press('End')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('5')
  await page.keyboard.press('Tab')
  await expect(price).toHaveValue('8.05')
})

test('the only contact and the only site of a customer are chosen with the customer @prove', async ({ windows }) => {
  const displayName = unique('Harbour Hoardings')
  const site = { name: 'Wharf 7', address: { line1: '7 Wharf Rd', suburb: 'Sydney', state: 'NSW', postcode: '2000' } }
  const { customer } = await api<{ customer: { guid: string } }>('office', 'POST', '/Customers', {
    displayName,
    contacts: [{ name: 'Zelda Quince', email: 'zelda@quince.example' }],
    sites: [site],
  })
  const page = await windows.staff('office')
  const contact = page.getByRole('combobox', { name: 'Contact', exact: true })
  const place = page.getByRole('combobox', { name: 'Site', exact: true })
  await page.goto('/apps/quotes/add')
  await page.getByRole('combobox', { name: 'Customer' }).fill(displayName)
  await expect(page.getByRole('option', { name: displayName, exact: false }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(contact).toHaveValue(/Zelda Quince/)
  await expect(place).toHaveValue(/Wharf 7/)
  await test.step('also of a customer whom the address names, and nothing is lost by leaving', async () => {
    await page.goto(`/apps/customers/preview/${customer.guid}`)
    for (const action of ['New quote', 'New order', 'New invoice']) {
      const button = page.getByRole('button', { name: action, exact: true })
      if (!(await button.isVisible())) await page.getByRole('button', { name: 'More', exact: true }).click()
      await button.click()
      await expect(contact, action).toHaveValue(/Zelda Quince/)
      await expect(place, action).toHaveValue(/Wharf 7/)
      await page.goBack()
      await expect(heading(page)).toHaveText(displayName)
    }
  })
  await test.step('of several contacts it is the primary one who gets such documents', async () => {
    const { customer: other } = await api<{ customer: { guid: string } }>('office', 'POST', '/Customers', {
      displayName: unique('Many Hands'),
      contacts: [
        { name: 'Primary Pat', isPrimary: true, receivesInvoices: false },
        { name: 'Accounts Ada', email: 'ada@hands.example' },
      ],
      sites: [site, { ...site, name: 'Wharf 8' }],
    })
    await page.goto(`/apps/quotes/add?customerGuid=${other.guid}`)
    await expect(contact).toHaveValue(/Primary Pat/)
    await expect(place).toHaveValue('')
    await page.goto(`/apps/invoices/add?customerGuid=${other.guid}`)
    await expect(contact).toHaveValue(/Accounts Ada/)
  })
})

test('a product that asks questions leaves the focus on its quantity, a range where it ends @prove', async ({
  windows,
}) => {
  const code = unique('artwork')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  const { bookingOption } = await api<{ bookingOption: { guid: string } }>(
    'office',
    'POST',
    '/Products/BookingOptions',
    { code, label: { en: 'Artwork' }, input: 'text' },
  )
  const product = unique('Printed graphics')
  await api('office', 'POST', '/Products', {
    name: product,
    priceCents: 8000,
    costCents: 4000,
    optionGuids: [bookingOption.guid],
  })
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/add?customerGuid=${await aCustomer()}`)
  await name(page, 1).fill(product)
  await page.getByRole('option', { name: product }).waitFor()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Options, line 1', exact: true })).toBeVisible()
  await expect(field(page, 'Qty', 1)).toBeFocused()
  await page.keyboard.type('3')
  await expect(page.getByText('50.0% margin')).toBeVisible()
  await page.getByRole('button', { name: 'More for line 1' }).click()
  await page.getByRole('menuitem', { name: 'Let customer change the quantity' }).click()
  await expect(field(page, 'To', 1)).toBeFocused()
  // While the end is still to be typed, prices and margin follow what is.
  await field(page, 'Price', 1).fill('60')
  await page.keyboard.press('Tab')
  await expect(page.getByText('33.3% margin')).toBeVisible()
})
