import type { Locator, Page } from '@playwright/test'
import { anIssuedInvoice, aSentQuote, type Document } from './arrange.ts'
import { api, expect, test, unique, violations } from './support.ts'
import { variants } from './variants.ts'
import { said } from './words.ts'

test('a customer who signs a quote that was revised meanwhile accepts nothing, and reads the newer one', async ({
  windows,
}) => {
  const line = { name: 'Fence panels', quantity: '1' }
  const quote = await aSentQuote({ lines: [{ ...line, unitPriceCents: 10_000 }] })
  const page = await windows.guest()
  await page.goto(`/service/q/${quote.serviceGuid}`)
  await page.locator('#accept').getByRole('textbox').first().fill('Mia Harbour')
  await expect(page.locator('#accept .service-amount')).toHaveText('$110.00')
  const draft = (
    await api<{ quote: Document }>('office', 'POST', `/Quotes/Revise/${quote.guid}`, { version: quote.version })
  ).quote
  const dearer = (
    await api<{ quote: Document }>('office', 'PATCH', `/Quotes/${draft.guid}`, {
      version: draft.version,
      lines: [{ ...line, unitPriceCents: 25_000 }],
    })
  ).quote
  const held = Promise.withResolvers<void>()
  await page.route(`**/Service/Quotes/Accept/**`, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Accept for $110.00' }).click()
  await api('office', 'POST', `/Quotes/Send/${draft.guid}`, { version: dearer.version })
  held.resolve()
  const notice = page.getByRole('region', {
    name: 'This quote has changed since you opened it. Read it again.',
  })
  await expect(notice).toContainText('nothing has been accepted')
  await expect(notice).toContainText('$275.00')
  await expect(notice.getByRole('heading')).toBeFocused()
  await expect(page.locator('#accept .service-amount')).toHaveText('$275.00')
  // The signature was for the other one.
  await expect(page.locator('#accept').getByRole('textbox').first()).toHaveValue('')
  const { quote: after } = await api<{ quote: { status: string } }>('office', 'GET', `/Quotes/${draft.guid}`)
  expect(after.status).toBe('sent')
  await page.locator('#accept').getByRole('textbox').first().fill('Mia Harbour')
  await page.getByRole('button', { name: 'Accept for $275.00' }).click()
  await expect(page.getByRole('heading', { name: "Thank you. You've accepted this quote." })).toBeVisible()
})

test('who accepted by phone stands on the letter as having accepted, not as having signed @prove', async ({
  windows,
}) => {
  const { guid, version, serviceGuid } = await aSentQuote()
  await api('office', 'POST', `/Quotes/Accept/${guid}`, { version, name: 'Mia Harbour', method: 'phone' })
  const page = await windows.guest()
  await page.goto(`/service/q/${serviceGuid}`)
  await expect(page.locator('.letter-signed')).toContainText('Accepted by Mia Harbour')
  await expect(page.locator('.letter-signature')).toHaveCount(0)
})

for (const language of variants(['en', 'ar'] as const, ['ar']))
  test(`a customer on a phone opens, chooses, signs, pays and finds the receipt in twelve taps (${language})`, async ({
    windows,
  }) => {
    const phrase = (english: string) => said(english, language)
    const customerGuid = (
      await api<{ customer: { guid: string } }>('office', 'POST', '/Customers', {
        displayName: unique('Customer'),
        email: 'someone@customers.example',
        language,
      })
    ).customer.guid
    const line = { quantity: '1', unitPriceCents: 100_000 }
    const lines = [
      { ...line, name: 'Panels' },
      { ...line, name: 'Lights', isOptional: true, isSelected: false, unitPriceCents: 20_000 },
      { ...line, name: 'Glass', alternativeGroup: 'Gate', isSelected: true, unitPriceCents: 30_000 },
      { ...line, name: 'Steel', alternativeGroup: 'Gate', unitPriceCents: 10_000 },
    ]
    const quote = await aSentQuote({ customerGuid, lines, depositRule: { type: 'percent', value: 3000 } })
    const page = await windows.guest({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true })
    let taps = 0
    const tap = async (what: Locator) => {
      taps += 1
      await what.tap()
    }
    const fits = async () =>
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
    await page.goto(`/service/q/${quote.serviceGuid}`)
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await expect(row('Glass').getByText(phrase('Default'))).toBeVisible()
    await expect(row('Steel').getByText(phrase('Default'))).toHaveCount(0)
    await tap(row('Lights').locator('.line-choice'))
    await tap(row('Steel').locator('.line-choice'))
    await fits()
    const edges = await page.locator('.letter .totals-row:not(.totals-strong) dd').evaluateAll((amounts) =>
      amounts.map((amount) => {
        const text = document.createRange()
        text.selectNodeContents(amount)
        return Math.round(text.getBoundingClientRect().right)
      }),
    )
    expect([edges.length > 1, new Set(edges).size]).toEqual([true, 1])
    expect(await violations(page)).toEqual([])
    // The way back to the top covers nothing of what is read and tapped: it is the end of the page, off the bar.
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
    await expect(page.locator('.scroll-top')).toBeHidden()
    await page.evaluate(() => window.scrollTo({ top: 400, behavior: 'instant' }))
    await expect(page.locator('.scroll-top')).toBeVisible()
    await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
    const gaps = await page.evaluate(() => {
      const place = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
      const [up, service, bar] = [place('.scroll-top'), place('.service'), place('.action-bar[data-away]')]
      return [(up?.top ?? 0) - (service?.bottom ?? Infinity), (bar?.top ?? innerHeight) - (up?.bottom ?? Infinity)]
    })
    expect(gaps.map((gap) => gap >= 0)).toEqual([true, true])
    await page.evaluate(() => window.scrollTo({ top: 300, behavior: 'instant' }))
    await tap(page.locator('.action-bar button'))
    const name = page.locator('#accept [name="name"]')
    await expect(name).toBeFocused()
    await page.keyboard.type('Mia Harbour')
    await tap(page.getByText(phrase('Draw'), { exact: true }))
    taps += 1
    const box = await page.locator('.signature-canvas').boundingBox()
    if (!box) throw new Error('there is nowhere to sign')
    await page.mouse.move(box.x + 20, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + 150, box.y + 60, { steps: 5 })
    await page.mouse.up()
    // 1,000 + 200 + 100 and GST
    await expect(page.locator('#accept .service-amount')).toContainText('$1,430.00')
    await tap(page.locator('#accept button[type="submit"]'))
    await expect(page.locator('.letter-drawn')).toBeVisible()
    await expect(page.locator('.document-open')).toHaveCount(1)
    await fits()
    await tap(page.locator('.service-banner .button-link').first())
    await expect(page.locator('.letter')).toBeVisible()
    if (language !== 'en') await expect(page.locator('.letter')).not.toContainText('Deposit')
    await tap(page.locator('.action-bar button'))
    const fields = page.getByTitle(phrase('Card details')).contentFrame().getByRole('textbox')
    for (const [index, text] of ['4242424242424242', '1230', '123'].entries()) {
      await tap(fields.nth(index))
      await fields.nth(index).pressSequentially(text)
    }
    await tap(page.locator('.card-form > button'))
    await expect(page.locator('.receipt')).toContainText('$429.00')
    await expect(page.locator('.receipt-title')).toBeInViewport()
    await fits()
    expect(taps).toBeLessThanOrEqual(12)
    expect(await violations(page)).toEqual([])
  })

test('an invoice of which money was given back adds up on its page, and is not called paid in full @prove', async ({
  windows,
}) => {
  const invoice = await anIssuedInvoice()
  const { payment } = await api<{ payment: { guid: string } }>('accountant', 'POST', '/Payments', {
    method: 'cash',
    receivedOn: new Date().toISOString().slice(0, 10),
    amountCents: 27_500,
    allocations: [{ invoiceGuid: invoice.guid, cents: 27_500 }],
  })
  await api('accountant', 'POST', '/Payments/Refunds', {
    paymentGuid: payment.guid,
    invoiceGuid: invoice.guid,
    amountCents: 12_345,
    reasonCode: 'price_adjustment',
  })
  const page = await windows.guest()
  await page.goto(`/service/i/${invoice.serviceGuid}`)
  await expect(page.locator('.receipt')).toContainText('Partially refunded')
  const totals = await page
    .locator('.letter .totals-row')
    .evaluateAll((rows) =>
      rows.map((row) => [row.querySelector('dt')?.textContent, row.querySelector('dd')?.textContent]),
    )
  expect(totals.slice(-5)).toEqual([
    ['Total', '$275.00'],
    ['Paid', '−$275.00'],
    ['Refunded', '$123.45'],
    [expect.stringMatching(/^Credited by ADJ-\d+$/), '−$123.45'],
    ['Balance due', '$0.00'],
  ])
  await expect(page.getByText('Paid in full')).toHaveCount(0)
  // What is owing again is what its price is now, less what stays paid.
  await api('accountant', 'POST', '/Payments/Refunds', {
    paymentGuid: payment.guid,
    invoiceGuid: invoice.guid,
    amountCents: 10_000,
    reasonCode: 'duplicate',
  })
  await page.reload()
  await expect(page.locator('.amount-panel')).toContainText('$100.00')
  await expect(page.locator('.amount-panel')).toContainText('$51.55 of $151.55 paid')
  // Whoever is logged in reads dates in his own formats, also there.
  const staff = await windows.staff('office')
  await staff.goto(`/service/i/${invoice.serviceGuid}`)
  await expect(staff.locator('.letter-facts')).toContainText(/\d\d-\d\d-\d{4}/)
  await expect(page.locator('.letter-facts')).toContainText(/\d{1,2} [A-Z][a-z]+ \d{4}/)
})

test('staff preview a document as its customer gets it, and print it alone', async ({ windows }) => {
  const invoice = await anIssuedInvoice()
  const staff = await windows.staff('office')
  const guest = await windows.guest()
  await guest.goto(`/service/i/${invoice.serviceGuid}`)
  await staff.goto(`/apps/invoices/preview/${invoice.guid}`)
  const textOf = async (page: Page, part: string) => (await page.locator(`.letter ${part}`).allTextContents()).join(' ')
  for (const part of [
    '.letter-from',
    '.letter-kind',
    '.letter-number',
    '.letter-title',
    'tbody',
    '.totals',
    '.letter-bank',
    '.letter-foot',
  ]) {
    for (const page of [staff, guest]) await expect(page.locator(`.letter ${part}`)).toHaveCount(1)
    expect(await textOf(staff, part)).toBe(await textOf(guest, part))
  }
  // The page says the number above; paper has nothing but the letter.
  await expect(staff.locator('.letter-number')).toBeHidden()
  await expect(staff.locator('.letter-bank')).toBeVisible()
  expect(await violations(staff)).toEqual([])
  await staff.emulateMedia({ media: 'print' })
  await expect(staff.locator('.letter-number')).toBeVisible()
  for (const part of ['.page-header', '.with-rail .no-print']) await expect(staff.locator(part).first()).toBeHidden()
})
