import { anIssuedInvoice, aSentQuote, firstOf } from './arrange.ts'
import { expectAllFlawless, expectFlawless, oneOfEachKind, saidOfKinds, sweptLanguages } from './looks.ts'
import { api, expect, heading, test } from './support.ts'
import { said } from './words.ts'

const linkOf = async (noun: 'Quotes' | 'Orders' | 'Invoices', query: string): Promise<string> => {
  const guid = await firstOf(`/${noun}?${query}&size=2`)
  if (!guid) throw new Error(`the sample company has no ${noun} with ${query}`)
  const name = noun.slice(0, -1).toLowerCase()
  const record = await api<Record<string, { serviceGuid: string | null }>>('admin', 'GET', `/${noun}/${guid}`)
  return `/service/${name[0]}/${record[name]?.serviceGuid ?? ''}`
}

for (const [noun, queries] of [
  ['Quotes', ['status=sent', 'status=changes_requested', 'status=converted', 'status=declined', 'status=expired']],
  ['Orders', ['status=confirmed', 'status=in_progress', 'status=on_hold', 'status=completed', 'status=cancelled']],
  ['Invoices', ['status=overdue', 'status=partially_paid', 'status=paid', 'status=void', 'kind=adjustment_note']],
] as const)
  test(`no state${saidOfKinds} of one of the ${noun.toLowerCase()} has an accessibility problem`, async ({
    windows,
  }) => {
    test.setTimeout(600_000)
    const addresses: string[] = []
    // A customer either has something to do on the page or only reads it.
    const opening: readonly string[] = queries.slice(0, 2)
    for (const query of oneOfEachKind<string>(queries, (one) => (opening.includes(one) ? 'open' : 'ended')))
      addresses.push(await linkOf(noun, query))
    await expectAllFlawless(addresses, (language) => windows.guest({ language }))
  })

for (const language of sweptLanguages) {
  const phrase = (english: string) => said(english, language)

  test(`nor has a quote with choices, signed wrongly, asked about or declined (${language})`, async ({ windows }) => {
    const page = await windows.guest({ language })
    const line = { quantity: '1', unitPriceCents: 10_000 }
    const open = await aSentQuote({
      lines: [
        { ...line, name: 'Panels' },
        { ...line, name: 'Lights', isOptional: true },
        { ...line, name: 'Glass', alternativeGroup: 'A' },
        { ...line, name: 'Steel', alternativeGroup: 'A' },
      ],
    })
    await page.goto(`/service/q/${open.serviceGuid}`)
    await page.getByText(phrase('Draw')).click()
    await page.getByRole('button', { name: phrase('Accept for {{total}}') }).click()
    await expect(page.getByText(phrase('Enter your full name.'))).toBeVisible()
    await expectFlawless(page, 'a quote with choices, signed wrongly', language)
    await page.getByRole('button', { name: phrase('Ask a question or request changes') }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectFlawless(page, 'the question', language)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: phrase('Decline this quote') }).click()
    await expectFlawless(page, 'the refusal', language)
  })

  test(`nor has an invoice to pay, nor a link that leads nowhere (${language})`, async ({ windows }) => {
    const page = await windows.guest({ language })
    const due = await anIssuedInvoice()
    await page.goto(`/service/i/${due.serviceGuid}`)
    await expect(page.getByTitle(phrase('Card details'))).toBeVisible()
    await page.getByRole('button', { name: phrase('Pay a different amount') }).click()
    await page.getByLabel(phrase('Amount to pay')).fill('9999')
    await expectFlawless(page, 'an invoice to pay, with a wrong amount', language)
    await page.goto('/service/i/01890000-0000-7000-8000-000000000000')
    await expect(heading(page)).toHaveText(phrase('This link no longer works'))
    await expectFlawless(page, 'a link that leads nowhere', language)
  })
}
