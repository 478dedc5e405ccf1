import type { Page } from '@playwright/test'
import { aCustomer } from './arrange.ts'
import { field, guidOf, name, total } from './editor.ts'
import { api, expect, money, test, unique, violations } from './support.ts'

interface Quote {
  quote: {
    lines: { name: string; quantity: string; unitPriceCents: number; answers: { option: string; value: object }[] }[]
    totals: { totalCents: number }
  }
}

/** A marquee that asks one question of each kind, and the panels that one of them brings. */
async function aMarquee() {
  const word = unique('q')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
  const panel = await api<{ product: { guid: string; name: string } }>('office', 'POST', '/Products', {
    name: `Floor panel ${word}`,
    priceCents: 900,
  })
  const option = async (code: string, input: string, more: object = {}) =>
    (
      await api<{ bookingOption: { guid: string } }>('office', 'POST', '/Products/BookingOptions', {
        code: `${code}-${word}`,
        label: { en: `${code} ${word}` },
        input,
        ...more,
      })
    ).bookingOption.guid
  const choice = (code: string, more: object = {}) => ({ code, label: { en: code }, ...more })
  const optionGuids = [
    await option('size', 'single', { required: true, choices: [choice('six'), choice('ten', { cents: 12_000 })] }),
    await option('walls', 'multi', { choices: [choice('clear', { cents: 5000 }), choice('door')] }),
    await option('lights', 'boolean', { choices: [choice('yes', { bp: 1000 })] }),
    await option('night', 'boolean', {
      choices: [choice('yes', { cents: 25_000, per: 'once', durationMin: 90 })],
      visibleWhen: { match: 'all', rules: [{ option: `lights-${word}`, op: 'is', value: 'yes' }] },
    }),
    await option('panels', 'quantity', { choices: [choice('each', { addProductGuid: panel.product.guid })] }),
    await option('notes', 'text'),
    await option('day', 'date'),
    await option('hour', 'time'),
    await option('place', 'address'),
    await option('plan', 'file'),
  ]
  const { product } = await api<{ product: { guid: string; name: string } }>('office', 'POST', '/Products', {
    name: `Marquee ${word}`,
    priceCents: 78_000,
    optionGuids,
  })
  return { word, product, panel: panel.product }
}

const questions = (page: Page) => page.getByRole('button', { name: 'Options, line 1', exact: true })

test('choosing a product asks its questions below the line, priced as they are answered', async ({ windows }) => {
  const { word, product, panel } = await aMarquee()
  await aCustomer(unique('Asks'))
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/add?customerGuid=${await aCustomer()}`)
  await page.getByLabel('Title').fill('Marquee with everything')
  await name(page, 1).fill(product.name)
  await page.getByRole('option', { name: product.name }).click()
  await expect(questions(page)).toHaveAttribute('aria-expanded', 'true')
  // What is asked of it comes with phrases of its own, and takes the keyboard from nobody.
  await expect(field(page, 'Qty', 1)).toBeFocused()
  const group = page.locator('.line-questions')
  await expect(group.getByText('1 to answer')).toBeVisible()
  await group.getByRole('radio', { name: /^ten/ }).check()
  await expect(field(page, 'Price', 1)).toHaveValue('900.00')
  await group.getByRole('checkbox', { name: /^clear/ }).check()
  // A question that depends on another appears with its answer.
  await expect(group.getByText(`night ${word}`)).toHaveCount(0)
  const yes = (text: string) => group.getByRole('radiogroup', { name: text }).getByRole('radio', { name: /^Yes/ })
  await yes(`lights ${word}`).check()
  await yes(`night ${word}`).check()
  await group.getByLabel(`panels ${word}`).fill('3')
  await group.getByLabel(`notes ${word}`).fill('Low branches')
  await group.getByLabel('Street address').fill('14 Foreshore Drive')
  await group.getByLabel('Suburb').fill('Manly')
  await group.getByLabel('Postcode').fill('2095')
  await page.locator('.line-questions input[type=file]').setInputFiles({
    name: 'plan.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('the plan'),
  })
  await expect(group.getByText('plan.txt')).toBeVisible()
  await expect(field(page, 'Price', 1)).toHaveValue('1028.00')
  await expect(group.getByText('90 minutes')).toBeVisible()
  const below = page.getByRole('list', { name: 'Parts, line 1' })
  await expect(below.getByRole('listitem')).toHaveText([/night.*250\.00/, /Floor panel.*3.*27\.00/])
  await expect(total(page)).toHaveText(money(143_550))
  expect(await violations(page)).toEqual([])

  // The letter closes them where nobody is writing, and says what was answered.
  await questions(page).focus()
  await page.keyboard.press('o')
  await expect(questions(page)).toHaveAttribute('aria-expanded', 'false')
  await expect(page.locator('.line-questions-said')).toContainText(`size ${word}: ten`)
  await page.keyboard.press('o')
  await group.getByLabel(`notes ${word}`).press('End')
  await page.keyboard.press('o')
  await expect(group.getByLabel(`notes ${word}`)).toHaveValue('Low brancheso')

  await page.getByRole('button', { name: 'Save draft' }).first().click()
  await expect(page).toHaveURL(/quotes\/preview/)
  const { quote } = await api<Quote>('office', 'GET', `/Quotes/${guidOf(page)}`)
  expect(quote.lines.map(({ name: said, quantity }) => [said, quantity])).toEqual([
    [product.name, '1'],
    [`night ${word}`, '1'],
    [panel.name, '3'],
  ])
  expect(quote.totals.totalCents).toBe(143_550)
  expect(quote.lines[0]?.answers.map(({ option }) => option.split('-')[0])).toEqual([
    'size',
    'walls',
    'lights',
    'night',
    'panels',
    'notes',
    'place',
    'plan',
  ])
})

test('a quote goes out once its questions are answered, and the list adds up what was chosen @prove', async ({
  windows,
}) => {
  const { word, product } = await aMarquee()
  const customerGuid = await aCustomer()
  const make = (answers: object[]) =>
    api<{ quote: { guid: string; version: number } }>('office', 'POST', '/Quotes', {
      customerGuid,
      title: unique('Marquee'),
      lines: [{ name: product.name, productGuid: product.guid, answers }],
    })
  const { quote } = await make([])
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/preview/${quote.guid}`)
  await page.getByRole('button', { name: 'Send quote' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send quote' }).click()
  await expect(page.getByText(`Answer “size ${word}” for “${product.name}” first.`)).toBeVisible()

  await make([{ option: `size-${word}`, value: { code: 'ten' } }])
  await make([{ option: `size-${word}`, value: { code: 'six' } }])
  await page.goto('/apps/booking-option-selections/list')
  await expect(page.getByRole('heading', { name: 'Option answers', exact: true })).toBeVisible()
  const ofSize = page.getByRole('group', { name: `size ${word}` })
  await expect(ofSize.getByRole('listitem')).toHaveText([/six\s*1/, /ten\s*1.*120\.00/])
  await expect(page.getByRole('row').filter({ hasText: `size ${word}` })).toHaveCount(2)
  expect(await violations(page)).toEqual([])
})
