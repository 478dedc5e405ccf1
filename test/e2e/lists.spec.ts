import type { Locator } from '@playwright/test'
import { aCustomer, aDraftQuote, anIssuedInvoice, aSentQuote } from './arrange.ts'
import { api, expect, heading, money, test, unique, violations } from './support.ts'
import { variants } from './variants.ts'

interface Note {
  guid: string
  number: string
  totalCents: number
}

test('an adjustment note takes back: negative, without a due day, issued and not sent @prove', async ({ windows }) => {
  const { items } = await api<{ items: Note[] }>('office', 'GET', '/Invoices?kind=adjustment_note&size=2')
  const [note] = items
  if (!note) throw new Error('the sample company has adjustment notes')
  const page = await windows.staff('office')
  await page.goto('/apps/invoices/list?kind=adjustment_note')
  const row = page.getByRole('row').filter({ hasText: note.number })
  await expect(row.locator('[data-column="totalCents"]')).toHaveText(money(-note.totalCents))
  await expect(row.locator('[data-column="dueOn"]')).toHaveText('–')
  await expect(row.locator('.chip')).toHaveText('Issued')
  await row.getByRole('button', { name: /^Peek/ }).click()
  const peek = page.getByRole('dialog')
  await expect(peek.locator('.chip').first()).toHaveText('Issued')
  await expect(peek.locator('.totals-strong')).toHaveText(
    new RegExp(money(-note.totalCents).replaceAll(/[$.]/g, '\\$&')),
  )
  await expect(peek.getByText('Due', { exact: true })).toHaveCount(0)
  await peek.getByRole('link', { name: 'Open' }).click()
  await expect(heading(page)).toHaveText(note.number)
  await expect(page.locator('.page-title-row .chip')).toHaveText('Issued')
  await expect(page.getByRole('button', { name: 'Record payment' })).toHaveCount(0)
})

test('the rows of the first list are asked for once, by what the address says, before the page is drawn', async ({
  windows,
}) => {
  const page = await windows.staff('office')
  await page.goto('/apps/quotes/list')
  await expect(page.getByRole('table')).toBeVisible()
  const asked: { address: string; isDrawn: boolean }[] = []
  await page.exposeFunction('noteAsked', (address: string, isDrawn: boolean) => asked.push({ address, isDrawn }))
  await page.addInitScript(() => {
    const own = window.fetch
    window.fetch = (...given) => {
      const address = String(given[0] instanceof Request ? given[0].url : given[0])
      const { noteAsked } = window as unknown as { noteAsked: (address: string, isDrawn: boolean) => void }
      if (address.includes('/Quotes')) noteAsked(address, document.querySelector('main') !== null)
      return own(...given)
    }
  })
  await page.goto('/apps/quotes/list?status=draft&columns=number,title')
  await expect(page.locator('tbody a').first()).toBeVisible()
  await expect(page.locator('.status-tile-count').first()).toBeVisible()
  expect(asked.map(({ address, isDrawn }) => [address.replace(/^.*\/api\/v2/, ''), isDrawn]).toSorted()).toEqual([
    ['/Quotes/Metrics/StatusMetrics', false],
    ['/Quotes?size=10&sort=-createdAt&status=draft', false],
  ])
})

test('an invoice that was only issued says so until it is emailed @prove', async ({ windows }) => {
  const page = await windows.staff('office')
  // What can be done with the rows that are selected is two keys away, however long the list is.
  const title = unique('Selected')
  const draft = {
    customerGuid: await aCustomer(),
    title,
    lines: [{ name: 'Hire', quantity: '1', unitPriceCents: 100 }],
  }
  const made = await api<{ invoice: { guid: string } }>('office', 'POST', '/Invoices', draft)
  await page.goto(`/apps/invoices/list?search=${encodeURIComponent(title)}`)
  const row = page.getByRole('row').filter({ hasText: title })
  await expect(row.locator('[data-column="balanceCents"]')).toHaveText('–')
  await row.getByRole('checkbox').check()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('issue inv')
  await page.getByRole('option', { name: 'Issue invoices' }).click()
  await page.getByRole('dialog', { name: 'Issue' }).getByRole('button', { name: 'Issue invoices' }).click()
  await expect(row.locator('[data-column="status"]')).toHaveText('IssuedNot emailed')
  const { guid, number } = (
    await api<{ invoice: { guid: string; number: string } }>('office', 'GET', `/Invoices/${made.invoice.guid}`)
  ).invoice
  await page.goto(`/apps/invoices/list?search=${number}`)
  const status = page.getByRole('row').filter({ hasText: number }).locator('[data-column="status"]')
  await expect(status).toHaveText('IssuedNot emailed')
  await page.goto(`/apps/invoices/preview/${guid}`)
  const chip = page.locator('.page-title-row .chip')
  await expect(chip).toHaveText('Issued')
  await expect(page.getByText('Not emailed')).toBeVisible()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Send invoice' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send invoice' }).click()
  await expect(chip).toHaveText('Sent')
  await expect(page.getByText('Not emailed')).toHaveCount(0)
  await page.goto(`/apps/invoices/list?search=${number}`)
  await expect(status).toHaveText('Sent')
})

/** The upper edges of what is visible among the children, each once: one for one row. */
const rowsOf = (children: Locator) =>
  children.evaluateAll(
    (found) =>
      new Set(
        found
          .filter((child) => child.getClientRects().length > 0)
          .map((child) => Math.round(child.getBoundingClientRect().top)),
      ).size,
  )

test('a list has one row of filters, rows of 44 px, titles of one line, days late and a head that stays', async ({
  windows,
}) => {
  const { items } = await api<{ items: { number: string; title: string; dueOn: string }[] }>(
    'office',
    'GET',
    '/Invoices?status=overdue&sort=dueOn&size=10',
  )
  const [oldest] = items
  if (!oldest) throw new Error('the sample company has overdue invoices')
  const page = await windows.staff('office', { viewport: { width: 1280, height: 500 } })
  await page.goto('/apps/invoices/list?status=overdue&sort=dueOn')
  const row = page.getByRole('row').filter({ hasText: oldest.number })
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Australia/Sydney' }).format(new Date())
  const late = Math.round((Date.parse(today) - Date.parse(oldest.dueOn)) / 86_400_000)
  await expect(row.locator('[data-column="dueOn"]')).toContainText(`${late} ${late === 1 ? 'day' : 'days'} late`)
  await expect(row.locator('[data-column="title"] [title]')).toHaveAttribute('title', oldest.title)
  const tableRows = page.locator('.data-grid tbody tr')
  expect(
    await tableRows.evaluateAll((found) =>
      found.filter((one) => Math.abs(one.getBoundingClientRect().height - 44) > 0.6).map((one) => one.textContent),
    ),
  ).toEqual([])

  const toolbar = page.getByRole('search', { name: 'Invoices' })
  for (const width of [1440, 1280, 1024]) {
    await page.setViewportSize({ width, height: 500 })
    await expect.poll(() => rowsOf(toolbar.locator('> *')), `filters at ${width} px`).toBe(1)
    await expect(page.locator('.table-scroll')).toHaveAttribute('data-fits', 'true')
  }
  await expect(page.getByRole('columnheader', { name: 'Due' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(page.locator('.paging-range')).not.toContainText('Sorted')
  await toolbar.getByRole('button', { name: 'More filters' }).click()
  await expect(toolbar.getByLabel('Due from', { exact: true })).toBeVisible()
  await toolbar.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).not.toHaveURL(/status=/)

  await page.evaluate(() => window.scrollTo({ top: 600, behavior: 'instant' }))
  const head = page.getByRole('columnheader', { name: 'Number' })
  const bar = page.locator('.navbar-place')
  // Nothing between the bar and the head for rows to shine through.
  const edges = async () => [
    await head.evaluate((cell) => Math.round(cell.getBoundingClientRect().top)),
    await bar.evaluate((place) => Math.round(place.getBoundingClientRect().bottom)),
  ]
  await expect.poll(edges).toEqual([68, 68])

  await page.goto('/apps/invoices/list')
  await expect(page.locator('.paging-range'), 'the order by a column that is not shown').toContainText(
    'Sorted by “Created”, descending',
  )
})

test('no status tile stands alone, and words of every language have room @prove', async ({ windows }) => {
  for (const language of variants(['en', 'fr', 'ar'] as const, ['fr'])) {
    const page = await windows.staff('office', { language, viewport: { width: 1280, height: 800 } })
    for (const noun of ['quotes', 'orders', 'invoices']) {
      await page.goto(`/apps/${noun}/list`)
      await expect(page.locator('.table-scroll'), `${noun}, ${language}`).toHaveAttribute('data-fits', 'true')
      const title = page.locator('[data-column="title"] .one-line').first()
      await expect(title, 'a title is cut at its end, whatever is read around it').toHaveCSS('direction', 'ltr')
      await expect(title).toHaveCSS('text-align', language === 'ar' ? 'right' : 'left')
      const tiles = page.locator('.status-tile')
      await expect.poll(() => rowsOf(tiles), `${noun}, ${language}`).toBe(1)
      expect(
        await tiles.evaluateAll((found) => found.filter((tile) => tile.scrollWidth > tile.clientWidth + 1).length),
      ).toBe(0)
      for (const width of [1199, 1024, 768]) {
        await page.setViewportSize({ width, height: 800 })
        const alone = () =>
          tiles.evaluateAll(
            (found) =>
              Object.values(Object.groupBy(found, (tile) => Math.round(tile.getBoundingClientRect().top))).filter(
                (row) => row?.length === 1,
              ).length,
          )
        await expect.poll(alone, `${noun}, ${language}, ${width} px`).toBe(0)
      }
      await page.setViewportSize({ width: 1280, height: 800 })
    }
  }
})

test('a glance offers what is sensibly next, and the palette all that can be done with what is open @prove', async ({
  windows,
}) => {
  const [quote, invoice] = [await aDraftQuote(), await anIssuedInvoice()]
  const page = await windows.staff('office')
  const peekAt = async (list: string, name: string) => {
    await page.goto(list)
    await page.getByRole('button', { name: `Peek at ${name}` }).click()
    return page.getByRole('dialog')
  }
  const peek = await peekAt(`/apps/invoices/list?search=${invoice.number}`, invoice.number)
  await peek.getByRole('button', { name: 'Record payment' }).click()
  await expect(page).toHaveURL(new RegExp(`/apps/invoices/preview/${invoice.guid}`))
  await expect(page.getByRole('dialog', { name: /payment/i })).toBeVisible()
  await page.keyboard.press('Escape')

  await (
    await peekAt(`/apps/quotes/list?search=${encodeURIComponent(quote.title)}`, quote.title)
  )
    .getByRole('button', { name: 'Send quote' })
    .click()
  await expect(page.getByRole('dialog', { name: 'Send quote' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  const here = page.getByRole('group', { name: 'On this page' })
  for (const name of ['PDF', 'Edit', 'Duplicate', 'Archive', 'Send quote'])
    await expect(here.getByRole('option', { name, exact: true })).toBeVisible()
  // What cannot be done now is not offered.
  await expect(here.getByRole('option', { name: 'Convert to order' })).toHaveCount(0)
  await page.keyboard.type('send quo')
  await expect(page.getByRole('option').first()).toHaveText('Send quote')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Send quote' })).toBeVisible()
  await page.keyboard.press('Escape')

  const admin = await windows.staff('admin')
  await admin.goto('/access-control')
  await expect(heading(admin)).toBeVisible()
  await admin.keyboard.press('Control+k')
  await admin.keyboard.type('invite us')
  await expect(admin.getByRole('option').first()).toHaveText('Invite user')
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('dialog', { name: /invite/i })).toBeVisible()
})

test('the dashboard leaves no hole, at any width and for each role @prove', async ({ windows }) => {
  for (const role of variants(['admin', 'sales', 'accountant', 'readonly'] as const, ['admin', 'sales'])) {
    const page = await windows.staff(role)
    await page.goto('/dashboards/ecommerce')
    await expect(page.getByRole('heading', { name: 'Recent activity' })).toBeVisible()
    const fills = await page
      .locator('.ageing .bar-line')
      .evaluateAll((lines) => lines.map((line) => getComputedStyle(line, '::after').backgroundColor))
    expect(fills.filter((colour) => colour === 'rgba(0, 0, 0, 0)')).toEqual([])
    for (const width of [375, 768, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      // What of the board no card covers, but for the gaps between them.
      const uncovered = () =>
        page.locator('.board').evaluate((board) => {
          const area = (box: DOMRect) => box.width * box.height
          const gap = Number.parseFloat(getComputedStyle(board).rowGap)
          const grown = (box: DOMRect) => area(new DOMRect(0, 0, box.width + gap, box.height + gap))
          const cards = [...board.querySelectorAll('.card')].reduce(
            (sum, card) => sum + grown(card.getBoundingClientRect()),
            0,
          )
          return Math.round(100 * (1 - cards / grown(board.getBoundingClientRect())))
        })
      await expect.poll(uncovered, `${role}, ${width} px`).toBeLessThanOrEqual(1)
    }
  }
})

test('an amount remembered about is found in eight keys, and "show all" leads to a list that has it', async ({
  windows,
}) => {
  // "About nine thousand eight hundred, last month": it was a little less.
  const customerGuid = await aCustomer()
  const lines = [{ name: 'Scaffold', quantity: '1', unitPriceCents: 890_845 }]
  const made = await Promise.all(
    Array.from({ length: 8 }, () => anIssuedInvoice({ customerGuid, title: unique('Scaffold'), lines })),
  )
  const page = await windows.staff('office')
  await page.goto('/dashboards/ecommerce')
  await expect(heading(page)).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('9800')
  const found = page.getByRole('group', { name: 'Invoices' }).getByRole('option')
  await expect(found.first()).toContainText(money(979_930))
  // With its status as it is now.
  await expect(found.first().locator('.chip')).toHaveText(/^(Sent|Viewed|Overdue)$/)
  await found.last().click()
  await expect(page).toHaveURL(/\/apps\/invoices\/list\?search=9800/)
  await page.goto('/apps/invoices/list?search=9800&size=50')
  for (const { number } of made) await expect(page.getByRole('link', { name: number, exact: true })).toBeVisible()
})

test('what is overdue is the same on the dashboard, on its tile and in its list', async ({ windows }) => {
  const { items } = await api<{ items: { balanceCents: number; overdueCents: number }[] }>(
    'admin',
    'GET',
    '/Invoices?status=overdue&size=100',
  )
  const cents = items.reduce((sum, { overdueCents }) => sum + overdueCents, 0)
  // Of an invoice that is paid in parts those that are late are, as in aged receivables.
  const part = items.find(({ balanceCents, overdueCents }) => overdueCents < balanceCents)
  const page = await windows.staff('admin')
  await page.goto('/dashboards/ecommerce')
  const tile = page.locator('.stat').filter({ has: page.getByRole('link', { name: 'Overdue', exact: true }) })
  await expect(tile.locator('.stat-value')).toHaveText(money(Math.round(cents / 100) * 100).replace('.00', ''))
  await expect(tile.locator('.stat-hint')).toContainText(String(items.length))
  await tile.getByRole('link', { name: 'Overdue', exact: true }).click()
  await expect(page).toHaveURL(/\/apps\/invoices\/list\?status=overdue/)
  const status = page.locator('.status-tile').filter({ hasText: 'Overdue' })
  await expect(status.locator('.status-tile-count')).toHaveText(String(items.length))
  await expect(status.locator('.status-tile-amount')).toHaveText(money(cents))
  await expect(page.locator('.paging-range')).toContainText(`of ${items.length}`)
  await expect(page.getByText(`${money(part?.overdueCents ?? 0)} late`)).toBeVisible()
})

test('a quote’s menu does what can be done: at once with a way back, or asked first for its reason @prove', async ({
  windows,
}) => {
  const sent = await aSentQuote()
  const page = await windows.staff('office')
  const read = async () =>
    (
      await api<{ quote: { status: string; serviceGuid: string; archivedAt: string | null } }>(
        'office',
        'GET',
        `/Quotes/${sent.guid}`,
      )
    ).quote
  await page.goto(`/apps/quotes/preview/${sent.guid}`)
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name, exact: true }).click()
  }
  await choose('Replace customer link')
  const link = page.getByRole('dialog', { name: 'Replace customer link' })
  await link.getByRole('button', { name: 'Replace customer link' }).click()
  await expect(page.getByText('Customer link replaced.')).toBeVisible()
  expect((await read()).serviceGuid).not.toBe(sent.serviceGuid)

  await choose('Archive')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`Quote ${sent.number} restored.`)).toBeVisible()
  expect((await read()).archivedAt).toBeNull()

  await choose('Cancel quote')
  const cancel = page.getByRole('dialog', { name: 'Cancel quote' })
  await cancel.getByRole('textbox', { name: 'Why are you cancelling it?' }).fill('Ordered twice')
  await cancel.getByRole('button', { name: 'Cancel quote' }).click()
  await expect(page.getByText(`Quote ${sent.number} cancelled.`)).toBeVisible()
  expect((await read()).status).toBe('cancelled')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await expect(page.getByRole('button', { name: /Cancel quote/ })).toContainText('already cancelled')
})

test('prices of hire rise by 3.5 % and nothing else does, to the cent @prove', async ({ windows }) => {
  interface Priced {
    guid: string
    priceCents: number
  }
  const name = unique('Scaffold')
  const make = async (kind: string, priceCents: number) =>
    (
      await api<{ product: Priced }>('admin', 'POST', '/Products', {
        name: `${name} ${priceCents}`,
        kind,
        priceCents,
        ...(kind === 'hire' ? { hire: { dayCents: priceCents, weekCents: priceCents * 4 } } : {}),
      })
    ).product.guid
  const [first, second, sold] = [await make('hire', 900), await make('hire', 12_345), await make('goods', 5000)]
  const page = await windows.staff('admin')
  await page.goto(`/apps/products/list?kind=hire&search=${encodeURIComponent(name)}`)
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Save changes' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Raise prices' }).check()
  await dialog.getByRole('textbox', { name: 'Raise by' }).fill('3.5')
  await expect(dialog.getByText(`${name} 900: $9.00 → $9.32`)).toBeVisible()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('2 products updated.')).toBeVisible()
  const product = async (guid: string) =>
    (await api<{ product: Priced & { hire: object | null } }>('admin', 'GET', `/Products/${guid}`)).product
  expect(await product(first)).toMatchObject({ priceCents: 932, hire: { dayCents: 932, weekCents: 3726 } })
  expect(await product(second)).toMatchObject({ priceCents: 12_777, hire: { dayCents: 12_777, weekCents: 51_108 } })
  expect(await product(sold)).toMatchObject({ priceCents: 5000 })
})

test('the products of a category stay within the window when one comes by the menu @prove', async ({ windows }) => {
  const page = await windows.staff('office', { viewport: { width: 1440, height: 900 } })
  await page.goto('/apps/products/list')
  await expect(page.getByRole('table')).toBeVisible()
  await page.evaluate(() =>
    document.querySelector<HTMLAnchorElement>('a[href="/apps/product-categories/list"]')?.click(),
  )
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(page).toHaveURL(/categories/)
  const end = async () => {
    const table = await page.getByRole('table').boundingBox()
    return table ? table.x + table.width : Infinity
  }
  await expect.poll(end).toBeLessThanOrEqual(1440)
})

test('a card names no column that has nothing to say @prove', async ({ windows }) => {
  const page = await windows.staff('office', { viewport: { width: 375, height: 800 } })
  await page.goto('/setup/revenue-streams/list')
  await expect(page.getByRole('term').first()).toBeVisible()
  await expect(page.getByRole('term').filter({ hasText: 'Actions' })).toHaveCount(0)
})
