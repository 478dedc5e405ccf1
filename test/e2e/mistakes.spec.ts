import { aDraftQuote, aSentQuote, firstOf } from './arrange.ts'
import { api, expect, heading, test, unique } from './support.ts'

test('an ABN with wrong check digits is told while it is typed and not saved', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto('/apps/customers/add')
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill(unique('Wrong digits'))
  await page.getByLabel('ABN').fill('53 004 085 617')
  await expect(page.getByText('This is not an ABN: the check digits are wrong')).toBeVisible()
  await page.getByRole('button', { name: 'Create customer' }).first().click()
  await expect(heading(page)).toHaveText('New customer')
  await page.getByLabel('ABN').fill('53 004 085 616')
  await page.getByRole('button', { name: 'Create customer' }).first().click()
  await expect(heading(page)).toHaveText(/Wrong digits/)
})

test('a quote without lines cannot be sent, and the button says why', async ({ windows }) => {
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

test('a line that makes no sense is told on its own field, and nothing is lost', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/edit/${(await aDraftQuote()).guid}`)
  await page.getByLabel('Qty, line 1').fill('none')
  await expect(page.getByText('Enter a number with up to four decimals')).toBeVisible()
  await page.getByLabel('Qty, line 1').fill('0')
  await page.getByRole('button', { name: 'Save quote' }).first().click()
  await expect(page.getByText('must be above zero').first()).toBeVisible()
  await page.getByLabel('Qty, line 1').fill('3')
  await page.getByRole('button', { name: 'Save quote' }).first().click()
  await expect(heading(page)).toHaveText('Draft quote')
  await expect(page.getByRole('region', { name: 'Money' })).toContainText('$412.50')
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
  const dialog = second.getByRole('dialog', { name: 'This record has changed' })
  await expect(dialog.getByRole('row', { name: /The second version.*The first version/ })).toBeVisible()
  await dialog.getByRole('button', { name: 'Keep my changes' }).click()
  await second.getByRole('button', { name: 'Save quote' }).first().click()
  await expect(heading(second)).toHaveText('Draft quote')
  await expect(first.getByText('The second version').first()).toBeVisible()

  await second.goto(`/apps/quotes/edit/${quote.guid}`)
  await second.getByLabel('Title').fill('A third version')
  const { version } = (await api<{ quote: { version: number } }>('office', 'GET', `/Quotes/${quote.guid}`)).quote
  await api('office', 'PATCH', `/Quotes/${quote.guid}`, { version, title: 'Theirs' })
  await second.getByRole('button', { name: 'Save quote' }).first().click()
  await dialog.getByRole('button', { name: 'Take theirs' }).click()
  await expect(second.getByLabel('Title')).toHaveValue('Theirs')
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
  const guest = await windows.guest()
  const expired = await firstOf('/Quotes?status=expired&size=2')
  const { quote } = await api<{ quote: { serviceGuid: string } }>('admin', 'GET', `/Quotes/${expired}`)
  await guest.goto(`/service/q/${quote.serviceGuid}`)
  await expect(guest.getByText(/This quote was valid until/)).toBeVisible()
  await expect(guest.getByRole('button', { name: /^Accept/ })).toBeHidden()

  const sent = await aSentQuote()
  await guest.goto(`/service/q/${sent.serviceGuid}`)
  await expect(heading(guest)).toHaveText(`Quote ${sent.number}`)
  await api('office', 'POST', `/Quotes/Link/${sent.guid}`, { version: (await api<{ quote: { version: number } }>('office', 'GET', `/Quotes/${sent.guid}`)).quote.version })
  await guest.reload()
  await expect(heading(guest)).toHaveText('This link leads nowhere any more')
  await guest.goto('/service-q-01890000-0000-7000-8000-000000000000')
  await expect(heading(guest)).toHaveText('This link leads nowhere any more')
})

test('a wrong password is refused without telling which part was wrong', async ({ windows }) => {
  const page = await windows.guest()
  for (const login of ['office@demo.example', 'nobody@demo.example']) {
    await page.goto('/login')
    await page.getByLabel('Email or login').fill(login)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('alert')).toContainText('The login or the password is not right.')
  }
})
