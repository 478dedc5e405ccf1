import { aCustomer, aDraftQuote, aSentQuote, firstOf } from './arrange.ts'
import { api, expect, heading, test, unique } from './support.ts'
import type { Language } from './words.ts'

test('an ABN with wrong check digits is told while it is typed and not saved', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto('/apps/customers/add')
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill(unique('Wrong digits'))
  await page.getByLabel('ABN').fill('53 004 085 617')
  await expect(page.getByText("This isn't a valid ABN. Check the digits.")).toBeVisible()
  await page.getByRole('button', { name: 'Create customer' }).first().click()
  await expect(heading(page)).toHaveText('New customer')
  await page.getByLabel('ABN').fill('53 004 085 616')
  // A letter chooses the state, also in the open list, where Enter keeps what it chose.
  await page.getByRole('textbox', { name: 'Street address' }).fill('12 Wharf Road')
  await page.getByRole('textbox', { name: 'Suburb' }).fill('Birchgrove')
  await page.keyboard.press('Tab')
  const state = page.getByRole('combobox', { name: 'State' })
  await page.keyboard.type('n')
  await expect(state).toHaveValue('NSW')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('listbox')).toBeVisible()
  await page.keyboard.type('v')
  await expect(state).toHaveValue('VIC')
  await page.keyboard.press('Enter')
  await expect(state).toHaveValue('VIC')
  await expect(page.getByRole('listbox')).toBeHidden()
  await page.keyboard.press('Tab')
  await page.keyboard.type('3000')
  await page.getByRole('button', { name: 'Create customer' }).first().click()
  await expect(heading(page)).toHaveText(/Wrong digits/)
  await expect(page.getByText('12 Wharf Road, Birchgrove VIC 3000')).toBeVisible()
})

test('a quote without lines cannot be sent, and the button says why @prove', async ({ windows }) => {
  const { guid } = await aDraftQuote({ lines: [] })
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/preview/${guid}`)
  const send = page.getByRole('button', { name: 'Send quote' })
  await expect(send).toHaveAttribute('aria-disabled', 'true')
  await expect(send).toHaveAccessibleDescription('Add a line first.')
  await send.hover()
  await expect(page.getByRole('tooltip', { name: 'Add a line first.' })).toBeVisible()
  await send.click({ force: true })
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('Enter in an address sends nothing, and what keeps an email back is said in its window @prove', async ({
  windows,
}) => {
  const { guid } = await aDraftQuote()
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/preview/${guid}`)
  await page.getByRole('button', { name: 'Send quote' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send quote' })
  await expect(dialog.locator('iframe')).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.type('bob@x')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Subject').press('Enter')
  await expect(dialog.getByText('bob@x')).toBeVisible()
  expect((await api<{ quote: { status: string } }>('office', 'GET', `/Quotes/${guid}`)).quote.status).toBe('draft')
  await dialog.getByRole('button', { name: 'Send quote' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Enter a valid email address.')
})

test('a line that makes no sense is told on its own field, and nothing is lost', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/edit/${(await aDraftQuote()).guid}`)
  await page.getByLabel('Qty, line 1').fill('none')
  await expect(page.getByText('Enter a number above zero, with up to nine digits and four decimals.')).toBeVisible()
  await page.getByLabel('Qty, line 1').fill('0')
  await page.getByRole('button', { name: 'Save quote' }).first().click()
  await expect(page.getByText('Enter more than zero.').first()).toBeVisible()
  await page.getByLabel('Qty, line 1').fill('3')
  await page.getByRole('button', { name: 'Save quote' }).first().click()
  await expect(heading(page)).toHaveText('Draft quote')
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('$412.50')
})

test('an amount that could mean two things is not guessed, and a comma is what it is in each language @prove', async ({
  windows,
}) => {
  const quote = await aDraftQuote()
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/edit/${quote.guid}`)
  const price = page.getByLabel('Price, line 1')
  await price.fill('12,50')
  await expect(page.getByText('Enter an amount such as 1,250.00.')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+S')
  await expect(price).toBeFocused()
  await expect(heading(page)).toHaveText(/^Edit/)
  await price.fill('1,250.5')
  await page.keyboard.press('Tab')
  await expect(price).toHaveValue('1250.50')
  const discount = page.getByLabel('Discount, line 1')
  await discount.fill('120')
  await expect(page.getByText('A discount can be 100% at most.')).toBeVisible()
  await discount.fill('ten')
  await expect(page.getByText('Enter 10% or $50.')).toBeVisible()
  const readIn = async (language: Language) => {
    const kept = JSON.stringify({ value: language, at: Date.now() })
    await page.evaluate((value) => localStorage.setItem('brolga.language', value), kept)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
  }
  await readIn('ar')
  const arabic = page.locator('.line-discount input').first()
  await arabic.fill('25,50')
  await page.keyboard.press('Tab')
  await expect(arabic).toHaveValue('25.5%')
  await readIn('fr')
  const prix = page.getByLabel('Prix, ligne 1')
  await prix.fill('12,50')
  await page.getByLabel('Qté, ligne 1').fill('2,5')
  await page.keyboard.press('Tab')
  await expect(prix).toHaveValue('12,50')
  await page.keyboard.press('ControlOrMeta+S')
  await expect(heading(page)).toHaveText('Brouillon de devis')
  const saved = await api<{ quote: { totals: { subtotalCents: number } } }>('office', 'GET', `/Quotes/${quote.guid}`)
  expect(saved.quote.totals.subtotalCents).toBe(3125)
})

test('who saves second sees both versions and overwrites nothing unknowingly', async ({ windows }) => {
  const quote = await aDraftQuote()
  const [first, second] = [await windows.staff('office'), await windows.staff('admin')]
  for (const page of [first, second]) {
    await page.goto(`/apps/quotes/edit/${quote.guid}`)
    await expect(page.getByLabel('Title')).toHaveValue(quote.title)
  }
  await first.getByLabel('Title').fill('The first version')
  await first.getByRole('button', { name: 'Save quote' }).first().click()
  await expect(heading(first)).toHaveText('Draft quote')
  await second.getByLabel('Title').fill('The second version')
  await second.getByRole('button', { name: 'Save quote' }).first().click()
  const dialog = second.getByRole('dialog', { name: 'This record has been changed' })
  await expect(dialog.getByRole('row', { name: /The second version.*The first version/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Keep my changes' }).click()
  await expect(heading(second)).toHaveText('Draft quote')
  await expect(first.getByText('The second version').first()).toBeVisible()

  await second.goto(`/apps/quotes/edit/${quote.guid}`)
  await second.getByLabel('Title').fill('A third version')
  const { version } = (await api<{ quote: { version: number } }>('office', 'GET', `/Quotes/${quote.guid}`)).quote
  await api('office', 'PATCH', `/Quotes/${quote.guid}`, { version, title: 'Theirs' })
  await second.getByRole('button', { name: 'Save quote' }).first().click()
  await dialog.getByRole('button', { name: 'Use saved version' }).click()
  await expect(second.getByLabel('Title')).toHaveValue('Theirs')
})

test('two people change different fields of a customer and both hold; one field alone is asked about @prove', async ({
  windows,
}) => {
  const guid = await aCustomer()
  const page = await windows.staff('admin')
  const edited = async () => {
    await page.goto(`/apps/customers/edit/${guid}`)
    await expect(page.getByLabel('Payment terms (days)')).toBeVisible()
  }
  const read = async () =>
    (await api<{ customer: Record<string, unknown> & { version: number } }>('office', 'GET', `/Customers/${guid}`))
      .customer
  const elsewhere = async (changes: object) =>
    api('office', 'PATCH', `/Customers/${guid}`, { version: (await read()).version, ...changes })
  const save = page.getByRole('button', { name: 'Save customer' })

  await edited()
  await elsewhere({ phone: '02 9000 1111', kind: 'charity', language: 'fr' })
  await page.getByLabel('Payment terms (days)').fill('14')
  await save.click()
  await expect(page.getByText(/changed other fields meanwhile: Type, Phone, Language/)).toBeVisible()
  await expect(page).toHaveURL(/preview/)
  expect(await read()).toMatchObject({ phone: '02 9000 1111', kind: 'charity', language: 'fr', paymentTermsDays: 14 })

  await edited()
  await elsewhere({ paymentTermsDays: 30, email: 'theirs@customers.example' })
  await page.getByLabel('Payment terms (days)').fill('7')
  await page.getByRole('textbox', { name: 'Internal notes' }).fill('Mine')
  await save.click()
  const dialog = page.getByRole('dialog', { name: 'This record has been changed' })
  await expect(dialog.getByRole('row', { name: /Payment terms.*7 days.*30 days/ })).toBeVisible()
  await expect(dialog.getByRole('row', { name: /Internal notes Mine/ })).toBeVisible()
  await expect(dialog.getByRole('row', { name: /Email Not changed theirs@customers.example/ })).toBeVisible()
  await expect(dialog.getByRole('row')).toHaveCount(4)
  await dialog.getByRole('button', { name: 'Keep my changes' }).click()
  await expect(page).toHaveURL(/preview/)
  expect(await read()).toMatchObject({
    paymentTermsDays: 7,
    internalNotes: 'Mine',
    email: 'theirs@customers.example',
    phone: '02 9000 1111',
  })
})

test('changes that are not saved are not lost by a click', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/edit/${(await aDraftQuote()).guid}`)
  await page.getByLabel('Title').fill('Not saved yet')
  await page.getByRole('link', { name: 'Customers' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Leave this page?' })
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Not saved yet')
  await page.getByRole('link', { name: 'Customers' }).first().click()
  await dialog.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(heading(page)).toHaveText('Customers')
})

test('an expired quote, a withdrawn link and a link that never was say what to do next', async ({ windows }) => {
  // Some of the sample customers read other languages.
  const guest = await windows.guest({ language: 'en' })
  const expired = await firstOf('/Quotes?status=expired&size=2')
  const { quote } = await api<{ quote: { serviceGuid: string } }>('admin', 'GET', `/Quotes/${expired}`)
  await guest.goto(`/service/q/${quote.serviceGuid}`)
  await expect(guest.getByText(/This quote was valid until/)).toBeVisible()
  await expect(guest.getByRole('button', { name: /^Accept/ })).toBeHidden()

  const sent = await aSentQuote()
  await guest.goto(`/service/q/${sent.serviceGuid}`)
  await expect(heading(guest)).toHaveText(`Quote ${sent.number}`)
  await api('office', 'POST', `/Quotes/Link/${sent.guid}`, {
    version: (await api<{ quote: { version: number } }>('office', 'GET', `/Quotes/${sent.guid}`)).quote.version,
  })
  await guest.reload()
  await expect(heading(guest)).toHaveText('This link no longer works')
  await guest.goto('/service-q-01890000-0000-7000-8000-000000000000')
  await expect(heading(guest)).toHaveText('This link no longer works')
})

test('a wrong password is refused without telling which part was wrong @prove', async ({ windows }) => {
  const page = await windows.guest()
  for (const login of ['office@demo.example', 'nobody@demo.example']) {
    await page.goto('/login')
    await page.getByLabel('Email or login').fill(login)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('alert')).toContainText('Incorrect login or password.')
  }
})

test('a day is typed as one writes it or chosen from a calendar, and what is no day is not saved @prove', async ({
  windows,
}) => {
  const { guid } = await aDraftQuote()
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/edit/${guid}`)
  const until = page.getByLabel('Valid until')
  await until.fill('31-02-2027')
  await expect(page.getByText('Enter a date such as')).toBeVisible()
  await page.getByRole('button', { name: 'Save quote' }).first().click()
  await expect(until).toBeFocused()
  await until.fill('3 Apr 2099')
  await until.press('Tab')
  await expect(until).toHaveValue('03-04-2099')
  const choose = page.getByRole('button', { name: 'Choose a date' })
  await choose.press('Enter')
  const calendar = page.getByRole('dialog', { name: 'Choose a date' })
  const chosen = calendar.getByRole('button', { name: 'Friday 3 April 2099' })
  await expect(chosen).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
  await expect(choose).toBeFocused()
  await choose.press('Enter')
  await expect(chosen).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(calendar).toBeHidden()
  await expect(until).toHaveValue('04-04-2099')
  await page.getByRole('button', { name: 'Save quote' }).first().click()
  await expect(heading(page)).toHaveText('Draft quote')
  const { quote } = await api<{ quote: { validUntil: string } }>('office', 'GET', `/Quotes/${guid}`)
  expect(quote.validUntil).toBe('2099-04-04')
  await page.goto('/apps/quotes/list')
  await page.getByRole('button', { name: 'More filters' }).click()
  // With the mouse, too, the button that opened it closes it.
  await choose.first().click()
  await expect(calendar).toBeVisible()
  await choose.first().click()
  await expect(calendar).toBeHidden()
  await page.getByRole('textbox', { name: 'Created from' }).fill('1/7/2026')
  await expect(page).toHaveURL(/createdOn\.gte=2026-07-01/)
})
