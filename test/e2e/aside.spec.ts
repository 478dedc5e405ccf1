import { randomUUID } from 'node:crypto'
import { loadKeys } from '../../server/core/keys.ts'
import { sandboxPayments } from '../../server/core/adapters/payments-sandbox.ts'
import { anIssuedInvoice } from './arrange.ts'
import { api, expect, heading, test } from './support.ts'

interface Token {
  clientToken: string
  scriptUrl: string
}

/** The payment sandbox of the demo, as a provider is spoken to: to take money the product knows nothing of. */
async function sandbox() {
  const { clientToken, scriptUrl } = await api<Token>('admin', 'GET', '/Payments/Token')
  const url = new URL(scriptUrl).origin
  const post = async (path: string, body: object) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${clientToken}` },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Record<string, unknown>
  }
  const provider = sandboxPayments({
    url,
    webhookSecret: loadKeys({ appKey: undefined, cronKey: undefined, dataDir: '.tmp/e2e' }).webhook,
  })
  const charge = async (amountCents: number, reference: string) => {
    const { token } = await post('/v1/tokens', { number: '4242424242424242', expMonth: 12, expYear: 2031, cvc: '123' })
    return provider.charge({
      amountCents,
      token: String(token),
      reference,
      idempotencyKey: randomUUID(),
      returnUrl: 'http://127.0.0.1',
    })
  }
  return { charge, dispute: (chargeId: string) => post('/v1/test/disputes', { chargeId }) }
}

test('money that fits nothing is recorded on its invoice; a disputed payment says so @prove', async ({ windows }) => {
  const invoice = await anIssuedInvoice()
  const { charge, dispute } = await sandbox()
  const { providerPaymentId } = await charge(20_000, invoice.number)
  const page = await windows.staff('accountant')
  await page.goto('/apps/payments/list')
  await page.getByRole('button', { name: /notification/i }).click()
  const told = page.locator('.notification').filter({ hasText: invoice.number })
  await expect(told).toContainText("A card payment doesn't match your records. Please check it.")
  await expect(page.getByRole('link', { name: /to check$/ })).toBeVisible()
  await told.click()
  await expect(heading(page)).toHaveText('To check')
  const row = page.getByRole('row').filter({ hasText: invoice.number })
  await expect(row).toContainText('Not linked to any invoice')
  await expect(row).toContainText('$200.00')
  await row.getByRole('button', { name: 'Review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Review card payment' })
  // The invoice that the provider's reference names is there already.
  await expect(dialog.getByText('Reference')).toBeVisible()
  await expect(dialog.getByLabel('Invoice')).toHaveValue(new RegExp(invoice.number))
  await dialog.getByRole('button', { name: 'Record payment' }).click()
  await expect(page.getByText('Payment recorded.')).toBeVisible()
  await expect(row).toHaveCount(0)
  expect(await api('accountant', 'GET', `/Invoices/${invoice.guid}`)).toMatchObject({
    invoice: { balanceCents: 7_500 },
  })

  await dispute(providerPaymentId ?? '')
  const { items } = await api<{ items: { guid: string; invoices: string }[] }>('accountant', 'GET', '/Payments?size=10')
  const payment = items.find((p) => p.invoices === invoice.number)
  await page.goto(`/apps/payments/preview/${payment?.guid}`)
  await expect(page.getByRole('main').getByText('Disputed', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Refund payment' })).toBeDisabled()
  await page.goto('/apps/payments/list')
  await expect(page.getByRole('row').filter({ hasText: invoice.number })).toContainText('Disputed')
  await page.goto(`/apps/invoices/preview/${invoice.guid}`)
  await expect(page.getByRole('listitem').filter({ hasText: 'Payment · Card' })).toContainText('Disputed')
})
