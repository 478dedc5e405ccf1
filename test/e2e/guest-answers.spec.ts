import { readFileSync } from 'node:fs'
import { aSentQuote, type Document } from './arrange.ts'
import { api, expect, fillCard, heading, test, unique, violations } from './support.ts'

const choice = (code: string, en: string, more: object = {}) => ({ code, label: { en }, ...more })

/** A marquee whose size, lights, day and place its customer says. */
async function aMarquee(): Promise<string> {
  const own = unique('q')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  const option = async (code: string, facts: object) =>
    (
      await api<{ bookingOption: { guid: string } }>('office', 'POST', '/Products/BookingOptions', {
        code: `${own}-${code}`,
        answeredBy: 'guest',
        ...facts,
      })
    ).bookingOption.guid
  const sizes = [choice('ten', '10 m'), choice('twelve', '12 m', { cents: 20_000 })]
  const optionGuids = [
    await option('size', { label: { en: 'Size' }, input: 'single', required: true, choices: sizes }),
    await option('lights', {
      label: { en: 'Lights' },
      input: 'boolean',
      choices: [choice('yes', 'Yes', { bp: 1_000 })],
    }),
    await option('night', {
      label: { en: 'Set up at night' },
      input: 'boolean',
      choices: [choice('yes', 'Yes', { cents: 25_000, per: 'once' })],
      visibleWhen: { match: 'all', rules: [{ option: `${own}-lights`, op: 'is', value: 'yes' }] },
    }),
    await option('day', { label: { en: 'Date of the event' }, input: 'date' }),
    await option('place', { label: { en: 'Photo of the place' }, input: 'file' }),
    await option('ready', { label: { en: 'Ready by' }, input: 'time' }),
    await option('to', { label: { en: 'Delivery address' }, input: 'address' }),
    await option('heaters', {
      label: { en: 'Heaters' },
      input: 'quantity',
      choices: [choice('each', 'Heater', { cents: 1_000 })],
    }),
  ]
  const product = { name: unique('Marquee'), priceCents: 100_000, optionGuids }
  return (await api<{ product: { guid: string } }>('office', 'POST', '/Products', product)).product.guid
}

test('a customer answers on a phone, sees the price change, signs and pays the deposit @prove', async ({ windows }) => {
  const productGuid = await aMarquee()
  const quote = await aSentQuote({
    depositRule: { type: 'percent', value: 3_000 },
    lines: [{ name: 'Marquee', quantity: '1', productGuid }],
  })
  const page = await windows.guest({ viewport: { width: 375, height: 812 } })
  await page.goto(`/service/q/${quote.serviceGuid}`)
  await expect(heading(page)).toHaveText(`Quote ${quote.number}`)
  const questions = page.getByRole('region', { name: 'Your answers' })
  const total = page.locator('#accept .service-amount')
  await expect(total).toHaveText('$1,100.00')
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)

  await test.step('what is missing is said at the question, and nothing typed is lost', async () => {
    await page.getByRole('textbox', { name: 'Your full name', exact: true }).fill('Mia Harbour')
    await page.getByRole('button', { name: 'Accept for $1,100.00' }).click()
    await expect(questions.getByText('Answer this question.')).toHaveCount(1)
    await expect(questions.getByRole('radio', { name: '10 m' })).toBeFocused()
    expect(await violations(page)).toEqual([])
    await expect(page.getByRole('textbox', { name: 'Your full name', exact: true })).toHaveValue('Mia Harbour')
  })

  await test.step('the total follows each answer, and questions come with others', async () => {
    await questions.getByRole('radio', { name: /12 m/ }).check()
    await expect(total).toHaveText('$1,320.00')
    await expect(questions.getByText('Answer this question.')).toHaveCount(0)
    const night = questions.getByRole('radiogroup', { name: 'Set up at night' })
    await expect(night).toBeHidden()
    await questions.getByRole('radiogroup', { name: 'Lights' }).getByRole('radio', { name: /Yes/ }).check()
    await expect(total).toHaveText('$1,430.00')
    await night.getByRole('radio', { name: /Yes/ }).check()
    await expect(total).toHaveText('$1,705.00')
    await expect(page.getByRole('cell', { name: 'Set up at night', exact: true })).toBeVisible()
    await questions.getByRole('textbox', { name: 'Date of the event' }).fill('14/02/2027')
    await page.keyboard.press('Tab')
    await expect(page.getByText(/Date of the event: 14 February 2027|Date of the event: 14\/02\/2027/)).toBeVisible()
  })

  await test.step('a photo is drawn smaller and sent', async () => {
    await questions.locator('input[type=file]').setInputFiles({
      name: 'garden.png',
      mimeType: 'image/png',
      buffer: readFileSync('docs/images/quotes.png'),
    })
    await expect(questions.getByRole('img', { name: /^garden\./ })).toBeVisible()
    await expect(page.getByText(/Photo of the place: garden\./)).toBeVisible()
  })

  await test.step('the customer signs for that, and pays the deposit', async () => {
    await page.getByRole('button', { name: 'Accept for $1,705.00' }).click()
    await expect(page.getByRole('heading', { name: "Thank you. You've accepted this quote." })).toBeVisible()
    await page.getByRole('link', { name: 'Pay deposit $511.50' }).click()
    await fillCard(page, '4242424242424242')
    await page.getByRole('button', { name: 'Pay $511.50' }).click()
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  })

  await test.step('staff see what the customer answered, and the photo', async () => {
    const staff = await windows.staff('office')
    await staff.goto(`/apps/quotes/preview/${quote.guid}`)
    await expect(staff.getByText('Size: 12 m')).toBeVisible()
    await expect(staff.getByText('Answered by customer').first()).toBeVisible()
    await expect(staff.getByRole('button', { name: /Photo of the place/ })).toBeVisible()
  })
})

test('a wrong answer is said at its field, and the price of the others stays @prove', async ({ windows }) => {
  const productGuid = await aMarquee()
  const quote = await aSentQuote({
    lines: [
      { name: 'Marquee', quantity: '1', productGuid },
      { name: 'Second marquee', quantity: '1', productGuid, isOptional: true },
    ],
  })
  const page = await windows.guest({ viewport: { width: 375, height: 812 } })
  await page.goto(`/service/q/${quote.serviceGuid}`)
  const questions = page.getByRole('region', { name: 'Your answers' })
  const field = (name: string) => questions.getByRole('textbox', { name, exact: true })
  const total = page.locator('#accept .service-amount')
  const accept = page.getByRole('button', { name: /^Accept for/ })
  await expect(questions.getByRole('radiogroup', { name: 'Size' })).toHaveCount(1)
  await questions.getByRole('radio', { name: /12 m/ }).check()
  await expect(total).toHaveText('$1,320.00')
  await page.getByRole('textbox', { name: 'Your full name', exact: true }).fill('Mia Harbour')

  await test.step('each wrong part of an address says so, and the first is gone to', async () => {
    await field('Postcode').fill('ABCD')
    await field('Ready by').focus()
    await expect(field('Street address')).toHaveAccessibleDescription('This field is required.')
    await expect(field('Postcode')).toHaveAccessibleDescription('Enter four digits.')
    await expect(accept).toHaveText('Accept for $1,320.00')
    await accept.click()
    await expect(field('Street address')).toBeFocused()
    await expect(page.getByText('Answer the highlighted questions first.')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await field('Postcode').fill('')
    await expect(field('Street address')).not.toHaveAttribute('aria-invalid', 'true')
  })

  await test.step('a day and a time that are none hold the acceptance back at their fields', async () => {
    await field('Date of the event').fill('31/02/2027')
    await field('Ready by').fill('25:99')
    await accept.click()
    await expect(field('Date of the event')).toBeFocused()
    await field('Date of the event').fill('28/02/2027')
    await expect(total).toHaveText('$1,320.00')
    await accept.click()
    await expect(field('Ready by')).toBeFocused()
    await field('Ready by').fill('14:30')
  })

  await test.step('things are counted whole', async () => {
    await field('Heaters').fill('2.5')
    await expect(field('Heaters')).toHaveAccessibleDescription(/^Enter a whole number from 1 to 9,999\./)
    await expect(total).toHaveText('$1,320.00')
    await field('Heaters').fill('2')
    await expect(total).toHaveText('$1,342.00')
  })

  await test.step('a reload loses no answer', async () => {
    await page.reload()
    await expect(total).toHaveText('$1,342.00')
    await expect(field('Heaters')).toHaveValue('2')
    await expect(questions.getByRole('radio', { name: /12 m/ })).toBeChecked()
    await page.getByRole('textbox', { name: 'Your full name', exact: true }).fill('Mia Harbour')
  })

  await test.step('a newer version is read at once, and keeps what was answered', async () => {
    const { quote: draft } = await api<{ quote: Document }>('office', 'POST', `/Quotes/Revise/${quote.guid}`, {
      version: quote.version,
    })
    await api('office', 'POST', `/Quotes/Send/${draft.guid}`, { version: draft.version })
    await field('Heaters').fill('3')
    await expect(page.getByRole('region', { name: 'This quote was updated.' })).toBeVisible()
    await expect(total).toHaveText('$1,353.00')
    await expect(questions.getByRole('radio', { name: /12 m/ })).toBeChecked()
    await expect(field('Date of the event')).toHaveValue('28 February 2027')
    await page.reload()
    await expect(total).toHaveText('$1,353.00')
    await field('Heaters').fill('2')
    await expect(total).toHaveText('$1,342.00')
    await page.getByRole('textbox', { name: 'Your full name', exact: true }).fill('Mia Harbour')
  })

  await test.step('a price that is not known is not signed', async () => {
    await page.route('**/Service/Quotes/Price/**', (route) => route.fulfill({ status: 422, json: {} }))
    await questions.getByRole('radio', { name: '10 m' }).check()
    const sign = page.locator('#accept').getByRole('button', { name: 'Accept quote', exact: true })
    await expect(sign).toHaveAttribute('aria-disabled', 'true')
    await expect(total).toHaveText('$1,342.00')
    await page.unroute('**/Service/Quotes/Price/**')
    await page.locator('#accept').getByRole('button', { name: 'Try again.' }).click()
    await expect(total).toHaveText('$1,122.00')
  })

  await test.step('of what is not bought nothing is asked', async () => {
    // Its cell is what is pressed.
    const second = page.locator('.line-choice')
    await second.click()
    await expect(questions.getByRole('radiogroup', { name: 'Size' })).toHaveCount(2)
    await second.click()
    await expect(questions.getByRole('radiogroup', { name: 'Size' })).toHaveCount(1)
    await accept.click()
    await expect(page.getByRole('heading', { name: "Thank you. You've accepted this quote." })).toBeVisible()
  })
})

test('two lines that ask the same keep their own answers, and prices say what they are of @prove', async ({
  windows,
}) => {
  const productGuid = await aMarquee()
  const quote = await aSentQuote({
    lines: [
      { name: 'Marquee', quantity: '1', productGuid },
      { name: 'Marquee', quantity: '2', productGuid },
    ],
  })
  const page = await windows.guest()
  await page.goto(`/service/q/${quote.serviceGuid}`)
  const group = (line: number) => page.getByRole('group', { name: `Marquee (${line + 1} of 2)`, exact: true })
  const size = (line: number) => group(line).getByRole('radiogroup', { name: 'Size' })
  await expect(size(0).getByText(/\+\$200\.00\W?, excl\. GST/)).toBeVisible()
  await expect(size(1).getByText(/\+\$200\.00\W? each, excl\. GST/)).toBeVisible()
  await expect(page.getByText(/\+10%\W? of the price$/)).toHaveCount(2)
  await size(0).getByRole('radio', { name: /12 m/ }).check()
  await size(1).getByRole('radio', { name: '10 m' }).check()
  await expect(size(0).getByRole('radio', { name: /12 m/ })).toBeChecked()
  await expect(size(1).getByRole('radio', { name: '10 m' })).toBeChecked()
  await expect(page.locator('#accept .service-amount')).toHaveText('$3,520.00')
})
