import { openRoutes, staffRoutes } from '../../scripts/routes.ts'
import { expectAllFlawless, expectFlawless, oneOfEachKind, saidOfKinds, saidOfLooks, sweptLanguages } from './looks.ts'
import { addressesOf } from './routes.ts'
import { api, expect, heading, settled, test } from './support.ts'
import { said } from './words.ts'

/** Every page nine times in the long proof. */
const long = 1_500_000
const addressesOfAll = async (routes: readonly string[]) => {
  const all: string[] = []
  for (const route of routes) all.push(...(await addressesOf(route)))
  return all
}
/** A paid invoice of which not everything went back. */
const aRefundableInvoice = async (): Promise<string> => {
  const { items } = await api<{ items: { guid: string }[] }>(
    'admin',
    'GET',
    '/Invoices?status=paid&kind=standard,final,progress,deposit&size=25',
  )
  for (const { guid } of items) {
    const { invoice } = await api<{ invoice: { related: { payments: { refundableCents: number }[] } } }>(
      'admin',
      'GET',
      `/Invoices/${guid}`,
    )
    if (invoice.related.payments.some(({ refundableCents }) => refundableCents > 0)) return guid
  }
  throw new Error('the sample company has nothing to refund')
}
/** An order of work alone: what is hired is billed by its days. */
const anInvoiceableOrder = async (): Promise<string> => {
  const { items } = await api<{ items: { guid: string }[] }>(
    'admin',
    'GET',
    '/Orders?invoiceStatus=to_invoice,partially_invoiced&size=25',
  )
  for (const { guid } of items) {
    const { order } = await api<{ order: { hire: unknown[] } }>('admin', 'GET', `/Orders/${guid}`)
    if (order.hire.length === 0) return guid
  }
  throw new Error('the sample company has nothing to invoice')
}
/** Lists, previews, editors and views are alike among nouns; so are the pages that show parts of the design. */
const kindOf = (route: string) => {
  const [, area, page, kind] = route.split('/')
  if (area === 'apps' || area === 'setup') return `${area} ${kind}`
  return area === 'pages' ? `${area} ${page}` : route
}
const swept = oneOfEachKind(staffRoutes, kindOf)
const half = Math.ceil(swept.length / 2)
for (const [name, routes] of [
  ['first', swept.slice(0, half)],
  ['second', swept.slice(half)],
] as const)
  test(`no page of the ${name} half${saidOfKinds} has an accessibility problem, ${saidOfLooks}`, async ({
    windows,
  }) => {
    test.setTimeout(long)
    await expectAllFlawless(await addressesOfAll(routes), (language) => windows.staff('admin', { language }))
  })

test(`nor has a page${saidOfKinds} that one sees without logging in, or one that is not there`, async ({ windows }) => {
  test.setTimeout(long)
  const open = oneOfEachKind(openRoutes, (route) => (route.startsWith('/pages/') ? (route.split('/')[2] ?? '') : route))
  await expectAllFlawless(await addressesOfAll([...open, '/nowhere']), (language) => windows.guest({ language }))
})

for (const language of sweptLanguages) {
  test(`nor has a dialog (${language})`, async ({ windows }) => {
    test.setTimeout(600_000)
    const page = await windows.staff('admin', { language })
    const one = async (path: string) =>
      (await api<{ items: { guid: string }[] }>('admin', 'GET', path)).items[0]?.guid ?? ''
    const button = (english: string) => page.getByRole('button', { name: said(english, language) }).first()
    // One after the other on the same page, where there are several.
    const look = async (address: string, names: readonly (string | { inMenu: string })[]) => {
      await page.goto(address)
      for (const name of names) {
        if (typeof name !== 'string') await button('More').click()
        const english = typeof name === 'string' ? name : name.inMenu
        await button(english).click()
        await expect(page.getByRole('dialog')).toBeVisible()
        await settled(page)
        await expectFlawless(page, `${english} on ${address}`, language)
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
    }
    const [draftQuote, sentQuote] = [
      await one('/Quotes?status=draft&size=2'),
      await one('/Quotes?status=sent,viewed&size=2'),
    ]
    const [draftInvoice, owing] = [
      await one('/Invoices?status=draft&size=2'),
      await one('/Invoices?status=sent,viewed,overdue&sort=createdAt&size=2'),
    ]
    await look(`/apps/quotes/preview/${draftQuote}`, ['Send quote'])
    await look(`/apps/quotes/preview/${sentQuote}`, ['Mark as accepted', { inMenu: 'Mark as declined' }])
    await look(`/apps/invoices/preview/${draftInvoice}`, ['Issue and send'])
    await look(`/apps/invoices/preview/${owing}`, ['Record payment', { inMenu: 'Void invoice' }])
    await look(`/apps/invoices/preview/${await aRefundableInvoice()}`, [{ inMenu: 'Refund payment' }])
    await look(`/apps/orders/preview/${await anInvoiceableOrder()}`, ['Create invoice'])
    await look('/apps/quotes/list', ['Customise appearance'])
  })

  test(`nor has what opens on a page: a peek, a menu, filters, the empty and the refused (${language})`, async ({
    windows,
  }) => {
    test.setTimeout(300_000)
    const page = await windows.staff('admin', { language })
    await page.goto('/apps/quotes/list')
    await page
      .getByRole('button', { name: said('Peek at {{name}}', language) })
      .first()
      .click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await settled(page)
    await expectFlawless(page, 'a peek', language)
    const leave = async () => {
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await leave()
    await page.keyboard.press('ControlOrMeta+k')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectFlawless(page, 'search and commands', language)
    await leave()
    await page.locator('.bell').click()
    await expect(page.getByRole('heading', { name: said('Notifications', language) })).toBeVisible()
    await expectFlawless(page, 'the notifications', language)
    await page.goto('/apps/quotes/list')
    await page.getByRole('button', { name: said('More filters', language) }).click()
    await page
      .getByRole('button', { name: said('Choose a date', language) })
      .first()
      .click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectFlawless(page, 'a calendar', language)
    await page.goto('/apps/quotes/list?search=nothing%20is%20called%20like%20this')
    await settled(page)
    await expectFlawless(page, 'a list without matches', language)
    await page.goto('/apps/quotes/preview/01890000-0000-7000-8000-000000000000')
    await expect(page.getByText(said("We can't find that record", language)).first()).toBeVisible()
    await expectFlawless(page, 'a record that is not there', language)
    const reader = await windows.staff('readonly', { language })
    await reader.goto('/apps/quotes/add')
    await expect(heading(reader)).toHaveText(said('Insufficient permissions', language))
    await expectFlawless(reader, 'a page one may not see', language)
  })
}
