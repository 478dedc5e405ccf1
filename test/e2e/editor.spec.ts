import type { Locator, Page } from '@playwright/test'
import { aCustomer } from './arrange.ts'
import { addOther, field, guidOf, marked, name, total } from './editor.ts'
import { api, expect, heading, money, test, unique } from './support.ts'
import { variants } from './variants.ts'

interface Line {
  kind: string
  name: string
  productGuid: string | null
  quantity: string
  unit: string
  unitPriceCents: number
  gstCode: string
  isOptional: boolean
  alternativeGroup: string | null
  description: string | null
}
interface Saved {
  lines: Line[]
  totals: { totalCents: number }
}

/** One product of every kind, with a word that only they share. */
async function aCatalogue() {
  const word = unique('zq').replaceAll(/\W/g, '')
  const make = async (facts: Record<string, unknown>) =>
    (
      await api<{ product: { guid: string; name: string; priceCents: number; unit: string; gstCode: string } }>(
        'office',
        'POST',
        '/Products',
        { unit: 'each', ...facts, name: `${String(facts['name'])} ${word}` },
      )
    ).product
  return {
    word,
    goods: await make({ name: 'Panel', kind: 'goods', unit: 'm', priceCents: 12_345, description: 'Galvanised' }),
    hire: await make({ name: 'Marquee', kind: 'hire', unit: 'week', priceCents: 45_600 }),
    labour: await make({ name: 'Fitter', kind: 'labour', unit: 'hour', priceCents: 9_507 }),
    fee: await make({ name: 'Permit', kind: 'fee', priceCents: 27_550, gstCode: 'FREE' }),
    service: await make({ name: 'Survey', kind: 'service', priceCents: 33_003 }),
  }
}

/** The first words of its name, and Enter: the first match is taken. */
async function pickByKey(page: Page, product: { name: string }) {
  await page.keyboard.type(product.name)
  await page.keyboard.press('Enter')
}
async function pickByMouse(page: Page, line: number, product: { name: string }) {
  await name(page, line).fill(product.name.slice(0, -1))
  await page.getByRole('option', { name: product.name }).click()
}
/** What stands in the fields of a line is what the product is sold for. */
async function expectLine(
  page: Page,
  line: number,
  product: { name: string; priceCents: number },
  unit: string,
  gst: string,
) {
  await expect(name(page, line)).toHaveValue(product.name)
  await expect(field(page, 'Price', line)).toHaveValue((product.priceCents / 100).toFixed(2))
  await expect(page.getByRole('combobox', { name: `Unit, line ${line}`, exact: true })).toHaveValue(unit)
  await expect(page.getByRole('combobox', { name: `GST, line ${line}`, exact: true })).toHaveValue(gst)
}

async function startDocument(page: Page, noun: string, customer: string, title: string) {
  await page.goto(`/apps/${noun}/add`)
  await expect(page.getByRole('group', { name: 'Line 1', exact: true })).toBeVisible()
  const who: Locator = page.getByRole('combobox', { name: 'Customer' })
  await who.fill(customer)
  // Whoever goes on before the answer is there has chosen all the same.
  await who.press('Enter')
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await expect(page.getByRole('listbox')).toHaveCount(0)
}
test('every kind of line comes from the catalogue with price, unit, GST and text, in every document @prove', async ({
  windows,
}) => {
  const shop = await aCatalogue()
  const customer = unique('Catalogue Cafe')
  await aCustomer(customer)
  const page = await windows.staff('office')
  const nouns = [
    ['quotes', 'Quotes', 'quote', 'Draft quote'],
    ['orders', 'Orders', 'order', /^O-/],
    ['invoices', 'Invoices', 'invoice', 'Draft invoice'],
  ] as const
  for (const [noun, path, key, title] of variants(nouns, nouns.slice(0, 1)))
    await test.step(noun, async () => {
      await startDocument(page, noun, customer, unique('From the catalogue'))
      await test.step('a line of each kind by keyboard: the first match by Enter, the next line by Enter', async () => {
        await name(page, 1).focus()
        await pickByKey(page, shop.goods)
        await expectLine(page, 1, shop.goods, 'm', 'GST 10%')
        await expect(page.getByLabel('Description, line 1')).toHaveValue('Galvanised')
        await page.keyboard.press('Enter')
        await pickByKey(page, shop.hire)
        await expectLine(page, 2, shop.hire, 'week', 'GST 10%')
        // What is typed next is how many, and never part of the name.
        await expect(field(page, 'Qty', 2)).toBeFocused()
        await page.keyboard.type('3')
        await expect(field(page, 'Unit', 2)).toHaveValue('weeks')
        await page.keyboard.press('Enter')
        // Two Enters at once: what matches is picked as soon as it is known, and the next line begins.
        await page.keyboard.type(shop.labour.name)
        await page.keyboard.press('Enter')
        await page.keyboard.press('Enter')
        await expectLine(page, 3, shop.labour, 'hour', 'GST 10%')
        await expect(name(page, 4)).toBeFocused()
      })
      await test.step('by mouse', async () => {
        await pickByMouse(page, 4, shop.fee)
        await expectLine(page, 4, shop.fee, 'each', 'GST-free')
        await page.getByRole('button', { name: 'Add line' }).click()
        await pickByMouse(page, 5, shop.service)
        await expectLine(page, 5, shop.service, 'each', 'GST 10%')
        // Another product takes the whole line over, its text with it.
        await pickByMouse(page, 1, shop.service)
        await expect(page.getByLabel('Description, line 1')).toHaveCount(0)
        await pickByMouse(page, 1, shop.goods)
        await expectLine(page, 1, shop.goods, 'm', 'GST 10%')
      })
      const fixed = 12_345 + 3 * 45_600 + 9_507 + 33_003
      const sum = fixed + Math.round(fixed / 10) + 27_550
      await expect(total(page)).toHaveText(money(sum))
      let expected = sum
      if (noun === 'quotes')
        await test.step('an option and alternatives', async () => {
          await addOther(page, 'Optional line')
          await pickByMouse(page, 6, shop.hire)
          await addOther(page, 'Alternative line (customer picks one)')
          await pickByKey(page, shop.fee)
          await expectLine(page, 7, shop.fee, 'each', 'GST-free')
          await page.keyboard.press('Enter')
          await pickByKey(page, shop.labour)
          await expectLine(page, 8, shop.labour, 'hour', 'GST 10%')
          expected = sum + 27_550
          await expect(total(page)).toHaveText(money(expected))
        })
      await page.keyboard.press('ControlOrMeta+S')
      await expect(heading(page)).toHaveText(title)
      const { lines, totals } = (await api<Record<string, Saved>>('office', 'GET', `/${path}/${guidOf(page)}`))[
        key
      ] as Saved
      expect(totals.totalCents).toBe(expected)
      const kept = [
        {
          kind: 'item',
          productGuid: shop.goods.guid,
          unit: 'm',
          unitPriceCents: 12_345,
          gstCode: 'GST',
          description: 'Galvanised',
        },
        {
          kind: 'hire',
          productGuid: shop.hire.guid,
          unit: 'week',
          unitPriceCents: 45_600,
          gstCode: 'GST',
          quantity: '3',
        },
        { kind: 'labour', productGuid: shop.labour.guid, unit: 'hour', unitPriceCents: 9_507, gstCode: 'GST' },
        { kind: 'fee', productGuid: shop.fee.guid, unit: 'each', unitPriceCents: 27_550, gstCode: 'FREE' },
        { kind: 'item', productGuid: shop.service.guid, unit: 'each', unitPriceCents: 33_003, gstCode: 'GST' },
        { kind: 'hire', productGuid: shop.hire.guid, unitPriceCents: 45_600, isOptional: true },
        { kind: 'fee', productGuid: shop.fee.guid, unitPriceCents: 27_550, gstCode: 'FREE', alternativeGroup: 'A' },
        { kind: 'labour', productGuid: shop.labour.guid, unitPriceCents: 9_507, alternativeGroup: 'A' },
      ]
      expect(lines).toMatchObject(noun === 'quotes' ? kept : kept.slice(0, 5))
    })

  await test.step('prices that include GST', async () => {
    await startDocument(page, 'quotes', customer, unique('With GST'))
    await page.getByRole('radiogroup', { name: 'Prices' }).getByText('GST inclusive').click()
    await name(page, 1).focus()
    await pickByKey(page, shop.goods)
    await expect(field(page, 'Price', 1)).toHaveValue('135.80')
    await page.keyboard.press('Enter')
    await pickByKey(page, shop.fee)
    await expect(field(page, 'Price', 2)).toHaveValue('275.50')
    await expect(total(page)).toHaveText(money(13_580 + 27_550))
  })

  await test.step('the product chosen last is offered first, reloaded too, and other words unlink it', async () => {
    await startDocument(page, 'orders', customer, unique('Once more'))
    await name(page, 1).press('ArrowDown')
    await expect(page.getByRole('option').first()).toContainText(shop.fee.name)
    await name(page, 1).press('Enter')
    await expectLine(page, 1, shop.fee, 'each', 'GST-free')
    await name(page, 1).press('End')
    await page.keyboard.type(', council')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+S')
    await expect(heading(page)).toHaveText(/^O-/)
    const { order } = await api<{ order: Saved }>('office', 'GET', `/Orders/${guidOf(page)}`)
    expect(order.lines).toMatchObject([
      { name: `${shop.fee.name}, council`, productGuid: null, unitPriceCents: 27_550 },
    ])
  })
})

test('in every list of matches Enter picks the first, sends nothing, and Escape closes the list alone @prove', async ({
  windows,
}) => {
  const customer = unique('Lookup Lane')
  await aCustomer(customer)
  const page = await windows.staff('office')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname.endsWith('/Quotes')) sent.push(request.url())
  })
  await page.goto('/apps/quotes/add')
  const who = page.getByRole('combobox', { name: 'Customer' })
  await who.fill('nobody is called this')
  await expect(marked(page)).toHaveText('New customer “nobody is called this”')
  await who.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await who.press('Enter')
  await who.press('Tab')
  // What was typed stands.
  await expect(who).toHaveValue('nobody is called this')
  await who.fill('')
  // Enter before there is an answer waits for it.
  await page.keyboard.type(customer)
  await page.keyboard.press('Enter')
  await expect(who).toHaveValue(customer)
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Title' }).fill('Half of a quote')
  await page.keyboard.press('Enter')
  await name(page, 1).fill('nothing in the catalogue is called this')
  await page.keyboard.press('Enter')
  await expect(field(page, 'Qty', 1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(name(page, 2)).toBeFocused()
  await expect(name(page, 1)).toHaveValue('nothing in the catalogue is called this')
  expect(sent).toEqual([])
  await expect(heading(page)).toHaveText('New quote')
})

test('of alternatives one is the default, and it is what the total counts @prove', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto('/apps/quotes/add')
  await addOther(page, 'Alternative line (customer picks one)')
  await page.keyboard.type('Steel')
  await field(page, 'Price', 2).fill('300')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Timber')
  await field(page, 'Price', 3).fill('420')
  const first = page.getByRole('radio', { name: 'Default, line 2' })
  const second = page.getByRole('radio', { name: 'Default, line 3' })
  await expect(first).toBeChecked()
  await expect(total(page)).toHaveText('$330.00')
  await second.check()
  await expect(first).not.toBeChecked()
  await expect(total(page)).toHaveText('$462.00')
  // Without the default the first of the others is it.
  await page.getByRole('button', { name: 'More for line 3' }).click()
  await page.getByRole('menuitem', { name: 'Remove line' }).click()
  await expect(first).toBeChecked()
  await expect(total(page)).toHaveText('$330.00')
  await page.getByRole('textbox', { name: 'Discount', exact: true }).fill('10%')
  await expect(page.locator('.totals-row', { hasText: 'Discount' }).locator('dd')).toHaveText('−$30.00')
  // What is taken off a line stands beside its amount: the amounts add up to the subtotal.
  await field(page, 'Discount', 2).fill('$50')
  await expect(page.locator('.line-amount bdi')).toHaveText(['$0.00', '$300.00', '−$50.00'])
  await expect(page.locator('.totals-row', { hasText: 'Subtotal' }).locator('dd')).toHaveText('$300.00')
  await page.getByRole('textbox', { name: 'Title' }).press('Escape')
  await page.locator('body').click({ position: { x: 5, y: 5 } })
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Save the form')).toBeVisible()
})

/**
 * Notes of which lines React draws anything again, by the same hook as its developer tools: what a key costs is how
 * much of the page it draws, and that does not depend on the machine.
 */
const noteDrawnLines = `(() => {
  const drawn = new Set()
  const look = (fiber, line) => {
    for (let child = fiber.child; child; child = child.sibling) {
      const before = child.alternate
      const own = child.memoizedProps?.lineKey ?? line
      const isComponent = child.type !== null && typeof child.type !== 'string'
      if (own && isComponent && (before === null || (child.flags & 1) !== 0)) drawn.add(own)
      if (before === null || child.child !== before.child) look(child, own)
    }
  }
  window.drawnLines = drawn
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    renderers: new Map(),
    inject: () => 1,
    onCommitFiberRoot: (_id, root) => look(root.current, null),
    onCommitFiberUnmount: () => undefined,
  }
})()`

test('a key draws the line it is typed into and no other @prove', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.addInitScript(noteDrawnLines)
  await page.goto('/apps/quotes/add')
  await name(page, 1).focus()
  for (let line = 1; line < 12; line++) await page.keyboard.press('Enter')
  await expect(name(page, 12)).toBeFocused()
  const drawnBy = async (act: () => Promise<unknown>): Promise<number> => {
    await page.evaluate('drawnLines.clear()')
    await act()
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    return page.evaluate<number>('drawnLines.size')
  }
  const press = (key: string) => () => page.keyboard.press(key)
  await field(page, 'Price', 5).selectText()
  expect(await drawnBy(press('7'))).toBe(1)
  await expect(total(page)).toHaveText('$7.70')
  await field(page, 'Qty', 6).selectText()
  expect(await drawnBy(press('2'))).toBe(1)
  await page.getByRole('textbox', { name: 'Title' }).focus()
  expect(await drawnBy(press('x'))).toBe(0)
  // A line more: the new one, and the one that is no longer the last.
  await field(page, 'Price', 12).focus()
  expect(await drawnBy(press('Enter'))).toBe(2)
  await expect(name(page, 13)).toBeFocused()
  // The catalogue is read for the open list alone.
  await name(page, 7).focus()
  expect(await drawnBy(press('x'))).toBe(1)
})

test('a product is found by its name before what its text says @prove', async ({ windows }) => {
  const word = unique('Gantry').replaceAll(' ', '')
  await api('office', 'POST', '/Products', {
    name: `Aluminium frame ${crypto.randomUUID()}`,
    description: `Goes with ${word}.`,
    priceCents: 1000,
    unit: 'each',
  })
  await api('office', 'POST', '/Products', { name: `${word} plate`, priceCents: 2000, unit: 'each' })
  const page = await windows.staff('office')
  await page.goto('/apps/quotes/add')
  await name(page, 1).click()
  await page.keyboard.type(word)
  await expect(page.getByRole('option')).toHaveCount(2)
  await page.keyboard.press('Enter')
  await expect(name(page, 1)).toHaveValue(`${word} plate`)
})

test('unit and GST of a line are chosen by mouse and by keyboard, in a list that closes alone @prove', async ({
  windows,
}) => {
  const page = await windows.staff('office')
  await page.goto('/apps/invoices/add')
  const unit = page.getByRole('combobox', { name: 'Unit, line 1' })
  const gst = page.getByRole('combobox', { name: 'GST, line 1' })
  await unit.click()
  const list = page.getByRole('listbox', { name: 'Unit' })
  await expect(list).toBeVisible()
  const [box, under] = await Promise.all([unit.boundingBox(), list.boundingBox()])
  expect(Math.abs((under?.x ?? 0) - (box?.x ?? 0))).toBeLessThan(2)
  await page.getByRole('option', { name: 'week', exact: true }).click()
  await expect(unit).toHaveValue('week')
  await expect(list).toBeHidden()
  await unit.press('h')
  await expect(unit).toHaveValue('hour')
  await unit.press('Space')
  await expect(list).toBeVisible()
  await unit.press('ArrowDown')
  await unit.press('Enter')
  await expect(unit).toHaveValue('day')
  await page.keyboard.press('Tab')
  await page.keyboard.type('100')
  await expect(total(page)).toHaveText('$110.00')
  await gst.press('ArrowDown')
  await gst.press('ArrowDown')
  await gst.press('Enter')
  await expect(gst).toHaveValue('GST-free')
  await expect(total(page)).toHaveText('$100.00')
  // Closed, it leaves Enter to the line.
  await gst.press('Enter')
  await expect(name(page, 2)).toBeFocused()
})

test('the choice of a deposit has room in every language @prove', async ({ windows }) => {
  for (const language of variants(['en', 'fr', 'ar'] as const, ['fr'])) {
    const page = await windows.staff('office', { language, viewport: { width: 1024, height: 800 } })
    await page.goto('/apps/quotes/add')
    const choice = page.getByRole('radiogroup').filter({ has: page.locator('input[value="percent"]') })
    for (const width of [1024, 1280, 375]) {
      await page.setViewportSize({ width, height: 800 })
      await expect(choice).toBeVisible()
      const cut = () => choice.evaluate((group) => group.scrollWidth - group.clientWidth)
      await expect.poll(cut, `${language}, ${width} px`).toBeLessThanOrEqual(0)
    }
  }
})

const rates = { dayCents: 4500, weekCents: 18_000, fourWeekCents: 54_000 }
const box = async (at: Locator) => (await at.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

test('a line of hire stands in the columns of all others, and its days price it @prove', async ({ windows }) => {
  const make = async (facts: Record<string, unknown>) =>
    (await api<{ product: { name: string } }>('office', 'POST', '/Products', { name: unique('Hire'), ...facts }))
      .product
  const hire = await make({ name: unique('Scaffold'), kind: 'hire', unit: 'week', priceCents: 18_500, hire: rates })
  const goods = await make({ name: unique('Clamp'), kind: 'goods', unit: 'each', priceCents: 1000 })
  const page = await windows.staff('office', { viewport: { width: 1440, height: 1000 } })
  await page.goto('/apps/quotes/add')
  await name(page, 1).focus()
  await pickByKey(page, goods)
  await expect(field(page, 'Qty', 1)).toBeFocused()
  await page.keyboard.press('Enter')
  await pickByKey(page, hire)
  await expect(field(page, 'Unit', 2)).toHaveValue('week')
  await page.keyboard.type('2')

  await test.step('every field under that of the line above, the days in a row below the name', async () => {
    const columns = [
      'line-quantity',
      'line-unit',
      'line-price',
      'line-discount',
      'line-gst',
      'line-amount',
      'line-menu',
    ]
    const row = (line: number) => page.getByRole('group', { name: `Line ${line}`, exact: true })
    for (const column of columns) {
      const [above, below] = [await box(row(1).locator(`.${column}`)), await box(row(2).locator(`.${column}`))]
      expect([column, below.x, below.width]).toEqual([column, above.x, above.width])
    }
    const [item, from, to] = await Promise.all(
      [name(page, 2), field(page, 'First day', 2), field(page, 'Last day', 2)].map(box),
    )
    expect(from?.x).toBe(item?.x)
    expect(from?.y).toBeGreaterThan((item?.y ?? 0) + (item?.height ?? 0))
    expect(to?.y).toBe(from?.y)
  })

  await test.step('both days: each for 17 days, and not by the week', async () => {
    await field(page, 'First day', 2).fill('02-11-2026')
    await field(page, 'Last day', 2).fill('18-11-2026')
    await expect(field(page, 'Price', 2)).toHaveValue('495.00')
    await expect(field(page, 'Unit', 2)).toHaveValue('each')
    await expect(total(page)).toHaveText(money(Math.round((1000 + 2 * 49_500) * 1.1)))
  })

  await test.step('days in the wrong order are told at once, and no longer once they are right', async () => {
    const wrong = page.getByText('The last day can’t be before the first.')
    await field(page, 'Last day', 2).fill('01-11-2026')
    await expect(wrong).toBeVisible()
    await field(page, 'Last day', 2).fill('')
    await expect(wrong).toBeHidden()
    await expect(field(page, 'Unit', 2)).toHaveValue('weeks')
    await field(page, 'Last day', 2).fill('02-11-2026')
    await expect(field(page, 'Price', 2)).toHaveValue('45.00')
    await expect(field(page, 'Unit', 2)).toHaveValue('each')
  })

  await test.step('on a phone its name has the row, its numbers are below', async () => {
    await page.setViewportSize({ width: 375, height: 800 })
    const [item, quantity, menu] = await Promise.all(
      [name(page, 2), field(page, 'Qty', 2), page.getByRole('button', { name: 'More for line 2' })].map(box),
    )
    expect(item?.width).toBeGreaterThan(200)
    expect(quantity?.y).toBeGreaterThan((item?.y ?? 0) + (item?.height ?? 0))
    expect(menu?.x).toBeGreaterThan((item?.x ?? 0) + (item?.width ?? 0))
  })
})

test('what a save refused is no longer said once it is mended @prove', async ({ windows }) => {
  const customer = unique('Mended Mews')
  await aCustomer(customer)
  const hire = (
    await api<{ product: { name: string } }>('office', 'POST', '/Products', {
      name: unique('Tower'),
      kind: 'hire',
      unit: 'week',
      priceCents: 18_500,
      hire: rates,
    })
  ).product
  const page = await windows.staff('office')
  await startDocument(page, 'quotes', customer, 'Mended')
  await name(page, 1).focus()
  await pickByKey(page, hire)
  await expect(field(page, 'Unit', 1)).toHaveValue('week')
  await field(page, 'First day', 1).fill('02-11-2026')
  const banner = page.locator('.form-error')
  await page.keyboard.press('ControlOrMeta+S')
  await expect(page.getByText('Choose the last day.', { exact: true })).toBeVisible()
  await expect(banner).toBeVisible()
  await field(page, 'Last day', 1).fill('03-11-2026')
  await expect(page.getByText('Choose the last day.', { exact: true })).toHaveCount(0)
  await expect(banner).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+S')
  await expect(heading(page)).toHaveText('Draft quote')
  const { quote } = await api<{ quote: Saved }>('office', 'GET', `/Quotes/${guidOf(page)}`)
  expect(quote.lines).toMatchObject([{ unit: 'each', unitPriceCents: 9000 }])
})

test('who may not set prices reads the catalogue’s, and types those of other lines @prove', async ({ windows }) => {
  const product = (
    await api<{ product: { name: string } }>('office', 'POST', '/Products', { name: unique('Rail'), priceCents: 5000 })
  ).product
  for (const [role, mayType] of [
    ['sales', false],
    ['office', true],
  ] as const) {
    const page = await windows.staff(role)
    await page.goto('/apps/quotes/add')
    await name(page, 1).focus()
    await pickByKey(page, product)
    const price = field(page, 'Price', 1)
    await expect(price).toHaveValue('50.00')
    await expect(price).toBeEditable({ editable: mayType })
    if (!mayType) await expect(price).toHaveAccessibleDescription('Your role uses catalogue prices.')
    // Words of one's own: the next thing typed is how many, and no other line's name.
    await field(page, 'Qty', 1).press('Enter')
    await page.keyboard.type(unique('Own words'))
    await page.keyboard.press('Enter')
    await expect(field(page, 'Qty', 2)).toBeFocused()
    await expect(field(page, 'Price', 2)).toBeEditable()
    await field(page, 'Qty', 2).press('Enter')
    await expect(name(page, 3)).toBeFocused()
  }
})
