import { aSentQuote } from './arrange.ts'
import { api, expect, fillCard, heading, test, unique, violations } from './support.ts'

interface Asked {
  quote: { version: number; status: string; asks: { guid: string; kind: string; answer: object | null }[] }
}

interface Moments {
  items: { reason: string; revision: number }[]
}

/** What is dearer the less of it is taken. */
const aFence = async (): Promise<string> =>
  (
    await api<{ product: { guid: string } }>('office', 'POST', '/Products', {
      name: unique('Hoarding type A'),
      priceCents: 14_800,
      unit: 'm',
      tiers: [{ from: '12', priceCents: 14_000 }],
    })
  ).product.guid

test('a customer moves, asks and withdraws; a revision comes live, is compared, signed and paid @prove', async ({
  windows,
}) => {
  test.setTimeout(120_000)
  const fence = {
    name: 'Hoarding',
    quantity: '10',
    unit: 'm',
    productGuid: await aFence(),
    quantityMin: '10',
    quantityMax: '14',
    quantityStep: '0.5',
  }
  const quote = await aSentQuote({
    depositRule: { type: 'percent', value: 5_000 },
    lines: [fence, { name: 'Gate', quantity: '1', unitPriceCents: 28_000 }],
  })
  const staffs = () => api<Asked>('office', 'GET', `/Quotes/${quote.guid}`)
  const page = await windows.guest({ viewport: { width: 375, height: 812 } })
  await page.goto(`/service/q/${quote.serviceGuid}`)
  await expect(heading(page)).toHaveText(`Quote ${quote.number}`)
  const total = page.locator('#accept .service-amount')
  const quantity = page.getByRole('textbox', { name: 'Quantity of Hoarding', exact: true })
  const asksOf = (line: string) => page.getByRole('list', { name: `Requests: ${line}` })

  await test.step('10 m become 12 at the price of twelve, and a reload keeps them', async () => {
    await expect(total).toHaveText('$1,936.00')
    await expect(quantity).toHaveAccessibleDescription('10 to 14 m, in steps of 0.5')
    for (let i = 0; i < 4; i++) await page.getByRole('button', { name: 'More: Hoarding' }).click()
    await expect(quantity).toHaveValue('12')
    await expect(total).toHaveText('$2,156.00')
    await quantity.fill('14.25')
    await expect(quantity).toHaveAccessibleDescription(/Choose between 10 and 14 m, in steps of 0\.5\./)
    await page.getByRole('textbox', { name: 'Your full name', exact: true }).fill('Mia Harbour')
    await page.getByRole('button', { name: /^Accept for/ }).click()
    await expect(quantity).toBeFocused()
    await quantity.fill('12')
    await expect(total).toHaveText('$2,156.00')
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
    await page.reload()
    await expect(quantity).toHaveValue('12')
    await expect(total).toHaveText('$2,156.00')
  })

  await test.step('a price that is not known is not signed', async () => {
    await page.route('**/Service/Quotes/Price/**', (route) => route.fulfill({ status: 422, json: {} }))
    await page.getByRole('button', { name: 'More: Hoarding' }).click()
    await expect(page.locator('#accept').getByRole('alert')).toHaveText("We couldn't update the price. Try again.")
    await expect(page.locator('#accept').getByRole('button', { name: 'Accept quote' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await page.unroute('**/Service/Quotes/Price/**')
    await page.getByRole('button', { name: 'Try again.' }).click()
    await expect(total).toHaveText('$2,233.00')
    await page.getByRole('button', { name: 'Less: Hoarding' }).click()
    await expect(total).toHaveText('$2,156.00')
  })

  await test.step('requests gather, outlast a reload, can be removed, and go out at once', async () => {
    const ask = async (line: string, kind: string, more?: string) => {
      await page.getByRole('button', { name: `Ask about this (${line})` }).click()
      const dialog = page.getByRole('dialog', { name: `Ask about ${line}` })
      await dialog.getByRole('radio', { name: kind }).check()
      if (more) await dialog.getByLabel('New quantity').fill(more)
      await dialog.getByRole('button', { name: 'Add request' }).click()
      return dialog
    }
    const own = await ask('Hoarding', 'Change quantity', '13')
    await expect(own.getByText('You can choose this quantity on the quote yourself.')).toBeVisible()
    await own.getByLabel('New quantity').fill('20')
    await own.getByRole('button', { name: 'Add request' }).click()
    await expect(own).toBeHidden()
    await ask('Gate', 'Leave it out')
    const words = await ask('Gate', 'Comment')
    await expect(words.getByText('Enter your comment.')).toBeVisible()
    await words.getByLabel('Your comment').fill('Does it lock?')
    expect(await violations(page)).toEqual([])
    await words.getByRole('button', { name: 'Add request' }).click()
    await page.reload()
    const bar = page.getByRole('region', { name: 'Requests not sent yet' })
    await expect(bar.getByRole('button', { name: 'Send 3 requests' })).toBeVisible()
    await asksOf('Gate').getByRole('listitem').filter({ hasText: 'Does it lock?' }).getByRole('button').click()
    expect(await violations(page)).toEqual([])
    await bar.getByRole('button', { name: 'Send 2 requests' }).click()
    await expect(page.getByRole('heading', { name: 'Requests sent' })).toBeFocused()
    await expect(asksOf('Hoarding')).toContainText('Change to 20 m')
    await expect(asksOf('Hoarding')).toContainText('+$1,452.00\u2069 including GST')
    await expect(asksOf('Gate')).toContainText('−$308.00\u2069 including GST')
    await expect(page.getByText("We're looking at your requests. You can accept once we've replied.")).toBeVisible()
    await expect(page.getByRole('button', { name: /^Accept/ })).toHaveCount(0)
    expect((await staffs()).quote.status).toBe('changes_requested')
    expect(await violations(page)).toEqual([])
  })

  await test.step('one is withdrawn', async () => {
    await page.getByRole('button', { name: 'Withdraw: Gate' }).click()
    await expect(asksOf('Gate')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Withdraw: Hoarding' })).toBeVisible()
  })

  await test.step('the office offers something else, and its revision comes by itself', async () => {
    const { version, asks } = (await staffs()).quote
    const open = asks.find(({ answer }) => answer === null)
    const { revision } = await api<{ revision: { guid: string } }>('office', 'POST', `/Quotes/Answer/${quote.guid}`, {
      version,
      answers: [{ askGuid: open?.guid, outcome: 'countered', quantity: '18', unitPriceCents: 13_500, text: 'For 18.' }],
      // oxlint-disable-next-line unicorn/no-thenable -- the specification names it; it is a word, never a function
      then: 'send',
    })
    const notice = page.getByRole('region', { name: 'This quote was updated.' })
    await expect(notice).toBeVisible({ timeout: 30_000 })
    await expect(notice).toContainText('replied to your request')
    // The open page has shown it: what is signed on it was seen.
    const seen = async () =>
      (await api<Moments>('office', 'GET', `/Quotes/Frames/${revision.guid}`)).items.map(
        (moment) => `${moment.reason} ${moment.revision}`,
      )
    await expect.poll(seen).toContain('viewed 1')
    await expect(asksOf('Hoarding')).toContainText('Offered instead: 18 m at $135.00')
    await expect(asksOf('Hoarding')).toContainText('For 18.')
    await expect(total).toHaveText('$2,981.00')
    await expect(quantity).toHaveCount(0)
    expect(await violations(page)).toEqual([])
    await notice.getByRole('button', { name: 'See what changed' }).click()
  })

  await test.step('both revisions stand beside each other', async () => {
    const dialog = page.getByRole('dialog', { name: 'What changed' })
    await expect(dialog).toContainText('$1,936.00')
    await expect(dialog).toContainText('$2,981.00')
    await expect(dialog).toContainText('+$1,045.00')
    const lines = dialog.getByRole('list').getByRole('listitem')
    await expect(lines).toHaveCount(1)
    await expect(lines.first()).toContainText('+$950.00')
    await expect(lines.first()).toContainText('$148.00')
    await expect(lines.first()).toContainText('$135.00')
    await dialog.getByRole('button', { name: 'Show all lines' }).click()
    await expect(lines).toHaveCount(2)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: 'Got it' }).click()
    await page.getByRole('button', { name: 'R0 (See what changed)' }).click()
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('the customer signs that, and pays the deposit', async () => {
    await page.getByRole('textbox', { name: 'Your full name', exact: true }).fill('Mia Harbour')
    await page.getByRole('button', { name: 'Accept for $2,981.00' }).click()
    await expect(page.getByRole('heading', { name: "Thank you. You've accepted this quote." })).toBeVisible()
    await page.getByRole('link', { name: 'Pay deposit $1,490.50' }).click()
    await fillCard(page, '4242424242424242')
    await page.getByRole('button', { name: 'Pay $1,490.50' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  })
})

test('twelve instead of ten, a lamp more, and no gate: what was chosen goes along with what is asked', async ({
  windows,
}) => {
  const quote = await aSentQuote({
    lines: [
      {
        ...{ name: 'Hoarding', quantity: '10', unit: 'm', productGuid: await aFence() },
        ...{ quantityMin: '10', quantityMax: '14', quantityStep: '0.5' },
      },
      { name: 'Gate', quantity: '1', unitPriceCents: 28_000 },
      { name: 'Lamp', quantity: '1', unitPriceCents: 5_000, isOptional: true },
    ],
  })
  const page = await windows.guest({ viewport: { width: 375, height: 812 } })
  await page.goto(`/service/q/${quote.serviceGuid}`)
  for (let i = 0; i < 4; i++) await page.getByRole('button', { name: 'More: Hoarding' }).click()
  await page.locator('.line-choice').click()
  await page.getByRole('button', { name: 'Ask about this (Gate)' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask about Gate' })
  await dialog.getByRole('radio', { name: 'Leave it out' }).check()
  await dialog.getByRole('button', { name: 'Add request' }).click()
  const bar = page.getByRole('region', { name: 'Requests not sent yet' })
  await expect(bar.getByText('What you chose is sent along.')).toBeVisible()
  await bar.getByRole('button', { name: 'Send 1 request' }).click()
  await expect(page.getByRole('list', { name: 'Requests: Hoarding' })).toContainText('Change to 12 m')
  const asked = await api<{
    quote: { asks: { kind: string; lineName: string | null; quantity: string | null; text: string | null }[] }
  }>('office', 'GET', `/Quotes/${quote.guid}`)
  expect(asked.quote.asks.map(({ kind, lineName, text }) => [kind, lineName, text])).toEqual(
    expect.arrayContaining([
      ['quantity', 'Hoarding', null],
      ['drop', 'Gate', null],
      ['comment', null, 'My choices:\n+ Lamp'],
    ]),
  )
})
