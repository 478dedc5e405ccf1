import { aDraftQuote, anIssuedInvoice } from './arrange.ts'
import { api, expect, fillCard, heading, test } from './support.ts'

interface Standing {
  invoice: { paymentStatus: string; balanceCents: number; payments: { method: string; cents: number }[] }
}
const standing = async (guid: string) => {
  const { invoice } = await api<{
    invoice: { paymentStatus: string; balanceCents: number; related: { payments: { method: string; cents: number }[] } }
  }>('office', 'GET', `/Invoices/${guid}`)
  return { invoice: { ...invoice, payments: invoice.related.payments } } satisfies Standing
}

test('a declined card charges nothing and says why; a wallet pays right after', async ({ windows }) => {
  const invoice = await anIssuedInvoice()
  const guest = await windows.guest()
  await guest.goto(`/service/i/${invoice.serviceGuid}`)
  await fillCard(guest, '4000000000000002')
  await guest.getByRole('button', { name: 'Pay $275.00', exact: true }).click()
  await expect(
    guest.getByRole('alert').filter({ hasText: "The card was declined. You haven't been charged" }),
  ).toBeVisible()
  expect((await standing(invoice.guid)).invoice).toMatchObject({ paymentStatus: 'unpaid', balanceCents: 27_500 })

  await guest.getByRole('button', { name: 'Pay with Apple Pay' }).click()
  await guest.getByRole('dialog', { name: 'Apple Pay' }).frameLocator('iframe').locator('#pay').click()
  await expect(guest.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  expect((await standing(invoice.guid)).invoice).toMatchObject({
    paymentStatus: 'paid',
    balanceCents: 0,
    payments: [{ method: 'apple_pay', cents: 27_500 }],
  })
})

test('a payment the provider takes without a word is being processed, and received once it is found @prove', async ({
  windows,
}) => {
  const invoice = await anIssuedInvoice()
  const guest = await windows.guest()
  await guest.goto(`/service/i/${invoice.serviceGuid}`)
  await fillCard(guest, '4000000000000077')
  await guest.getByRole('button', { name: 'Pay $275.00', exact: true }).click()
  await expect(guest.getByText('Your payment is processing')).toBeVisible()
  await expect(guest.getByRole('heading', { name: /Thank you|Paid in full/ })).toBeVisible()
  await expect
    .poll(async () => (await standing(invoice.guid)).invoice)
    .toMatchObject({ paymentStatus: 'paid', balanceCents: 0 })

  const silent = await anIssuedInvoice()
  await guest.goto(`/service/i/${silent.serviceGuid}`)
  await fillCard(guest, '4000000000000341')
  await guest.getByRole('button', { name: 'Pay $275.00', exact: true }).click()
  await expect(guest.getByRole('heading', { name: /Thank you|Paid in full/ })).toBeVisible()
  expect((await standing(silent.guid)).invoice).toMatchObject({
    balanceCents: 0,
    payments: [{ method: 'card', cents: 27_500 }],
  })
})

test('who refuses at the bank is charged nothing, and wrong card details stay in the card form @prove', async ({
  windows,
}) => {
  const invoice = await anIssuedInvoice()
  const guest = await windows.guest()
  await guest.goto(`/service/i/${invoice.serviceGuid}`)
  await fillCard(guest, '4000000000003220')
  await guest.getByRole('button', { name: 'Pay $275.00', exact: true }).click()
  await guest.getByRole('dialog', { name: '3-D Secure' }).frameLocator('iframe').locator('#decline').click()
  await expect(guest.getByText(/Your payment didn't go through/)).toBeVisible()
  await fillCard(guest, '4242424242424241')
  await guest.getByRole('button', { name: 'Pay $275.00', exact: true }).click()
  await expect(guest.frameLocator('iframe[title="Card details"]').locator('#number-error')).not.toBeEmpty()
  expect((await standing(invoice.guid)).invoice).toMatchObject({ paymentStatus: 'unpaid', payments: [] })
})

test('nobody can pay more than is owing, and staff look at a customer’s page without being counted', async ({
  windows,
}) => {
  const invoice = await anIssuedInvoice()
  const guest = await windows.guest()
  await guest.goto(`/service/i/${invoice.serviceGuid}`)
  await guest.getByRole('button', { name: 'Pay a different amount' }).click()
  await guest.getByLabel('Amount to pay').fill('275.01')
  await expect(guest.getByText('Enter an amount from $0.01 to $275.00.')).toBeVisible()
  await fillCard(guest, '4242424242424242')
  await guest.locator('.card-form').getByRole('button', { name: 'Pay by card' }).click()
  await expect(guest.getByLabel('Amount to pay')).toBeFocused()
  await expect(guest.getByRole('heading', { name: 'Thank you' })).toBeHidden()
  expect((await standing(invoice.guid)).invoice.balanceCents).toBe(27_500)

  const staff = await windows.staff('office')
  await staff.goto(`/apps/invoices/preview/${invoice.guid}`)
  await staff.getByRole('button', { name: 'Record payment' }).click()
  await staff.getByRole('dialog').getByLabel('Amount').fill('300')
  await expect(staff.getByRole('dialog')).toContainText(/Kept as customer credit\s*\$25\.00/)
  await staff.goto(`/service/i/${invoice.serviceGuid}`)
  await expect(staff.getByText(/This is the page your customer sees/)).toBeVisible()
})

test('a draft has no page for customers', async ({ windows }) => {
  const draft = await aDraftQuote()
  const guest = await windows.guest()
  await guest.goto(`/service/q/${draft.guid}`)
  await expect(heading(guest)).toHaveText('This link no longer works')
})
