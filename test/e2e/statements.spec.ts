import { aCustomer, anIssuedInvoice } from './arrange.ts'
import { expectFlawless } from './looks.ts'
import { api, expect, fillCard, heading, money, test, unique } from './support.ts'

const line = (unitPriceCents: number) => ({ name: 'Hoarding', quantity: '1', unitPriceCents })
const owe = async (customerGuid: string, cents: readonly number[]) => {
  const made = []
  // Prices are entered without GST.
  for (const one of cents) made.push(await anIssuedInvoice({ customerGuid, lines: [line(one)], title: unique('Hire') }))
  return made
}

test('a statement to a slow payer, paid in one go on a phone, and the receipt found', async ({ windows }) => {
  const name = unique('Slow Payer')
  const customerGuid = await aCustomer(name)
  const invoices = await owe(customerGuid, [100_000, 70_000, 40_000])
  const office = await windows.staff('office')

  await test.step('the office sees the address, sends the statement and reads that it went', async () => {
    await office.goto(`/apps/accounting/statements?customer=${customerGuid}`)
    await expect(office.getByLabel('Customer')).toHaveValue(name)
    await expect(office.getByRole('row', { name: invoices[2]?.number ?? '' })).toContainText('$2,310.00')
    await expect(office.getByRole('row', { name: /^Total owing/ })).toContainText('$2,310.00')
    await office.getByRole('button', { name: 'Send', exact: true }).click()
    const dialog = office.getByRole('dialog')
    await expect(dialog).toContainText('To: someone@customers.example')
    await dialog.getByRole('button', { name: 'Send statement' }).click()
    await expect(dialog).toContainText('1 statement sent.')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await office.goto(`/apps/customers/preview/${customerGuid}`)
    await office.getByRole('tab', { name: 'Activity' }).click()
    await expect(office.getByText('Statement emailed to someone@customers.example')).toBeVisible()
  })

  const { statement } = await api<{ statement: { serviceUrl: string } }>('office', 'GET', `/Statements/${customerGuid}`)
  const phone = await windows.guest({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true })

  await test.step('the customer pays three invoices with one card payment', async () => {
    await phone.goto(new URL(statement.serviceUrl).pathname)
    await expect(heading(phone)).toHaveText('Statement')
    for (const { number } of invoices) await expect(phone.getByLabel(`Pay ${number}`, { exact: true })).toBeChecked()
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
    // More than is owing is refused where it is typed, and taken back.
    const amount = phone.getByLabel(`Amount to pay of ${invoices[0]?.number}`)
    await amount.fill('9999')
    await expect(phone.getByText('Enter an amount from $0.01 to $1,100.00.')).toBeVisible()
    await amount.fill('1100')
    await expect(phone.getByText('3 invoices selected, $2,310.00 to pay')).toBeVisible()
    await fillCard(phone, '4242424242424242')
    await phone.getByRole('button', { name: 'Pay $2,310.00', exact: true }).click()
    await expect(phone.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    await expect(phone.getByText('Nothing to pay. Thank you.')).toBeVisible()
  })

  await test.step('and finds the receipt whenever they come back', async () => {
    await phone.reload()
    await expect(phone.getByRole('heading', { name: 'Nothing to pay. Thank you.' })).toBeVisible()
    const receipts = phone.getByRole('region', { name: 'Receipts' })
    await expect(receipts).toContainText('$2,310.00')
    for (const { number } of invoices) await expect(receipts).toContainText(number)
    await expectFlawless(phone, 'a statement that is paid')
  })

  const { items } = await api<{ items: { amountCents: number; invoices: string }[] }>(
    'accountant',
    'GET',
    `/Payments?customerGuid=${customerGuid}`,
  )
  expect(items.map(({ amountCents }) => amountCents)).toEqual([231_000])
})

test('a part of one invoice is paid, another one not, and what was paid meanwhile is not charged again @prove', async ({
  windows,
}) => {
  const name = unique('Careful Payer')
  const customerGuid = await aCustomer(name)
  const [first, second] = await owe(customerGuid, [10_000, 20_000])
  const { serviceUrl } = await api<{ serviceUrl: string }>('office', 'POST', `/Statements/Link/${customerGuid}`, {})
  const guest = await windows.guest({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true })
  await guest.goto(new URL(serviceUrl).pathname)
  await guest.getByLabel(`Pay ${second?.number}`, { exact: true }).uncheck()
  await guest.getByLabel(`Amount to pay of ${first?.number}`).fill('60')
  await fillCard(guest, '4000000000000002')
  await guest.getByRole('button', { name: 'Pay $60.00', exact: true }).click()
  const declined = guest.getByRole('alert')
  await expect(declined).toContainText("You haven't been charged")
  await expect(declined).toBeInViewport({ ratio: 1 })
  await expect(declined).toBeFocused()
  await expectFlawless(guest, 'a statement to pay, with a card that was declined')

  await api('accountant', 'POST', '/Payments', {
    method: 'cash',
    receivedOn: first?.issueOn,
    amountCents: 11_000,
    allocations: [{ invoiceGuid: first?.guid, cents: 11_000 }],
  })
  await fillCard(guest, '4242424242424242')
  const button = guest.getByRole('button', { name: /^Pay \$/ })
  if (await button.isVisible()) await button.click()
  // Whether the page has read it anew before the card was sent or is told by the refusal, the invoice is gone.
  await expect(guest.getByText('Select an invoice to pay it.')).toBeVisible()
  await expect(guest.getByLabel(`Pay ${first?.number}`, { exact: true })).toHaveCount(0)
  const left = await api<{ statement: { closingCents: number } }>('office', 'GET', `/Statements/${customerGuid}`)
  expect(money(left.statement.closingCents)).toBe('$220.00')
  const { items } = await api<{ items: { method: string }[] }>(
    'accountant',
    'GET',
    `/Payments?customerGuid=${customerGuid}`,
  )
  expect(items.map(({ method }) => method)).toEqual(['cash'])
})

test('an amount that is more than owing by now is set to what is left, and said', async ({ windows }) => {
  const customerGuid = await aCustomer(unique('Late Payer'))
  const [first] = await owe(customerGuid, [50_000, 20_000])
  const { serviceUrl } = await api<{ serviceUrl: string }>('office', 'POST', `/Statements/Link/${customerGuid}`, {})
  const guest = await windows.guest({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true })
  await guest.goto(new URL(serviceUrl).pathname)
  const amount = guest.getByLabel(`Amount to pay of ${first?.number}`)
  await amount.fill('999')
  await expect(guest.getByText(`Correct the amount of ${first?.number} to pay.`)).toBeVisible()
  await amount.fill('550')
  await fillCard(guest, '4242424242424242')
  await api('accountant', 'POST', '/Payments', {
    method: 'cash',
    receivedOn: first?.issueOn,
    amountCents: 5000,
    allocations: [{ invoiceGuid: first?.guid, cents: 5000 }],
  })
  await guest.getByRole('button', { name: 'Pay $770.00', exact: true }).click()
  await expect(guest.getByRole('alert')).toBeInViewport({ ratio: 1 })
  await expect(guest.getByText('Now $500.00, all that is owing.')).toBeVisible()
  await expect(amount).toHaveValue('500.00')
  await fillCard(guest, '4242424242424242')
  await guest.getByRole('button', { name: 'Pay $720.00', exact: true }).click()
  await expect(guest.getByRole('heading', { name: 'Thank you' })).toBeInViewport({ ratio: 1 })
})

test('statements go to several customers at once, and each is told of @prove', async ({ windows }) => {
  const [withEmail, without] = [unique('Has email'), unique('No email')]
  const reached = await aCustomer(withEmail)
  const { customer } = await api<{ customer: { guid: string } }>('office', 'POST', '/Customers', {
    displayName: without,
  })
  await owe(reached, [5000])
  await owe(customer.guid, [5000])
  const square = unique('All square')
  const paidUp = await aCustomer(square)
  await owe(paidUp, [5000])
  const tooMuch = { method: 'cash', receivedOn: '2026-07-01', amountCents: 9000, allocations: [], customerGuid: paidUp }
  await api('accountant', 'POST', '/Payments', tooMuch)
  const accountant = await windows.staff('accountant')
  await accountant.goto('/apps/accounting/aged')
  await accountant.getByLabel(`Select ${withEmail}`).first().check()
  await accountant.getByLabel(`Select ${without}`).first().check()
  await accountant.getByLabel(`Select ${square}`).first().check()
  await accountant.getByRole('button', { name: 'Send 3 statements' }).click()
  await expect(accountant.getByRole('dialog')).toContainText(`These owe nothing: ${square}.`)
  await accountant.getByRole('button', { name: 'Cancel' }).click()
  await accountant.getByLabel(`Select ${withEmail}`).first().check()
  await accountant.getByLabel(`Select ${without}`).first().check()
  await accountant.getByRole('button', { name: 'Send 2 statements' }).click()
  const dialog = accountant.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send 2 statements' }).click()
  await expect(dialog).toContainText('1 sent, 1 not sent.')
  // What did not go comes first.
  await expect(dialog.getByRole('listitem').first()).toContainText(without)
  await expect(dialog.getByRole('listitem').filter({ hasText: without })).toContainText('no email address')
  await expectFlawless(accountant, 'what became of each statement')
})
