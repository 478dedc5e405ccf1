import { anIssuedInvoice, aSentQuote, firstOf } from './arrange.ts'
import { expectFlawless } from './looks.ts'
import { api, expect, heading, test } from './support.ts'

test.describe.configure({ mode: 'parallel' })

const linkOf = async (noun: 'Quotes' | 'Orders' | 'Invoices', query: string): Promise<string> => {
  const guid = await firstOf(`/${noun}?${query}&size=2`)
  if (!guid) throw new Error(`the sample company has no ${noun} with ${query}`)
  const name = noun.slice(0, -1).toLowerCase()
  const record = await api<Record<string, { serviceGuid: string | null }>>('admin', 'GET', `/${noun}/${guid}`)
  return `/service/${name[0]}/${record[name]?.serviceGuid ?? ''}`
}

test('no state of a quote has an accessibility problem on the customer’s page', async ({ windows }) => {
  test.setTimeout(180_000)
  const page = await windows.guest()
  for (const status of ['sent', 'changes_requested', 'converted', 'declined', 'expired']) {
    await page.goto(await linkOf('Quotes', `status=${status}`))
    await expect(heading(page)).toContainText('Q-')
    await expectFlawless(page, `a quote that is ${status}`)
  }
  const line = { quantity: '1', unitPriceCents: 10_000 }
  const open = await aSentQuote({ lines: [{ ...line, name: 'Panels' }, { ...line, name: 'Lights', isOptional: true }, { ...line, name: 'Glass', alternativeGroup: 'A' }, { ...line, name: 'Steel', alternativeGroup: 'A' }] })
  await page.goto(`/service/q/${open.serviceGuid}`)
  await page.getByText('Draw', { exact: true }).click()
  await page.getByRole('button', { name: /^Accept for/ }).click()
  await expect(page.getByText('Enter your full name')).toBeVisible()
  await expectFlawless(page, 'a quote with choices, signed wrongly')
  await page.getByRole('button', { name: 'Ask or request changes' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectFlawless(page, 'the question')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Decline this quote' }).click()
  await expectFlawless(page, 'the refusal')
})

test('no state of an order has one', async ({ windows }) => {
  test.setTimeout(120_000)
  const page = await windows.guest()
  for (const status of ['confirmed', 'in_progress', 'on_hold', 'completed', 'cancelled']) {
    await page.goto(await linkOf('Orders', `status=${status}`))
    await expect(heading(page)).toContainText('O-')
    await expectFlawless(page, `an order that is ${status}`)
  }
})

test('no state of an invoice has one', async ({ windows }) => {
  test.setTimeout(180_000)
  const page = await windows.guest()
  for (const query of ['status=overdue', 'status=partially_paid', 'status=paid', 'status=void', 'kind=adjustment_note']) {
    await page.goto(await linkOf('Invoices', query))
    await expect(heading(page)).toContainText(/INV-|ADJ-/)
    await expectFlawless(page, `an invoice with ${query}`)
  }
  const due = await anIssuedInvoice()
  await page.goto(`/service/i/${due.serviceGuid}`)
  await expect(page.locator('iframe[title="Card details"]')).toBeVisible()
  await page.getByRole('button', { name: 'Pay a part of it' }).click()
  await page.getByLabel('Amount to pay').fill('9999')
  await expectFlawless(page, 'an invoice to pay, with a wrong amount')
  await page.goto('/service/i/01890000-0000-7000-8000-000000000000')
  await expect(heading(page)).toHaveText('This link leads nowhere any more')
  await expectFlawless(page, 'a link that leads nowhere')
})
