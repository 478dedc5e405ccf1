import { aCustomer, anIssuedInvoice } from './arrange.ts'
import { api, expect, heading, test, unique } from './support.ts'

interface Listed {
  items: { ownerGuid: string | null; status: string }[]
  page: { total: { value: number } }
}

test('ten invoices get their messages, stopped after four, and what went is known', async ({ windows }) => {
  const customerGuid = await aCustomer(unique('Many Invoices'))
  const invoices: { guid: string; number: string | null }[] = []
  while (invoices.length < 10) invoices.push(await anIssuedInvoice({ customerGuid }))
  const messages = () =>
    api<Listed>('office', 'GET', `/Messages?customerGuid=${customerGuid}&ownerType=invoice&size=50`)
  const page = await windows.staff('accountant')
  // The fourth waits until Stop was pressed.
  let asked = 0
  let goOn = () => undefined as void
  const isStopped = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route(/\/Invoices\/Messages\/[0-9a-f-]{36}$/, async (route) => {
    const { action } = route.request().postDataJSON() as { action: string }
    if (action === 'next' && ++asked === 4) await isStopped
    await route.continue()
  })

  await test.step('each email is looked at before it goes', async () => {
    await page.goto(`/apps/invoices/message?guids=${invoices.map(({ guid }) => guid).join(',')}`)
    await expect(heading(page)).toHaveText('Email invoices')
    await expect(page.getByRole('button', { name: 'Send 10 messages' })).toBeEnabled()
    await page.getByRole('button', { name: `Show email for ${invoices[0]?.number}` }).click()
    await expect(page.getByRole('dialog').locator('iframe')).toBeVisible()
    await page.keyboard.press('Escape')
    expect((await messages()).page.total.value).toBe(0)
  })

  await test.step('four go, then it is stopped', async () => {
    await page.getByRole('button', { name: 'Send 10 messages' }).click()
    const question = page.getByRole('dialog', { name: 'Send 10 messages to 1 customer?' })
    await question.getByRole('button', { name: 'Send messages' }).click()
    await expect(page.getByText('3 of 10 sent')).toBeVisible()
    await page.getByRole('button', { name: 'Stop' }).click()
    goOn()
    await expect(page.getByText('4 of 10 sent')).toBeVisible()
    const goOnWith = page.getByRole('button', { name: 'Continue with 6' })
    await expect(goOnWith).toBeEnabled()
    await expect(goOnWith).toBeFocused()
    const sent = (await messages()).items.map(({ ownerGuid }) => ownerGuid)
    expect(sent.toSorted()).toEqual(
      invoices
        .slice(0, 4)
        .map(({ guid }) => guid)
        .toSorted(),
    )
  })

  await test.step('whoever comes back sees which went, and goes on', async () => {
    await page.reload()
    for (const { number } of invoices.slice(0, 4))
      await expect(page.getByRole('row', { name: number ?? '' })).toContainText('Sent')
    await expect(page.getByRole('row', { name: invoices[4]?.number ?? '' })).toContainText('Ready')
    await page.getByRole('button', { name: 'Continue with 6' }).click()
    await expect(page.getByText('Sent: 10 · Failed: 0 · Skipped: 0')).toBeVisible()
    expect((await messages()).page.total.value).toBe(10)
  })
})

test('on a phone invoices are cards, and what was emailed just now is sent again only where somebody says so', async ({
  windows,
}) => {
  const customerGuid = await aCustomer(unique('Twice Emailed'))
  const sent = await anIssuedInvoice({ customerGuid })
  const other = await anIssuedInvoice({ customerGuid })
  await api('office', 'POST', '/Invoices/Messages', {
    invoiceGuid: sent.guid,
    intent: 'send',
    to: ['someone@customers.example'],
    subject: 'Your invoice',
    bodyHtml: '<p>Here it is.</p>',
  })
  await expect
    .poll(async () => (await api<Listed>('office', 'GET', `/Messages?customerGuid=${customerGuid}`)).items[0]?.status)
    .toBe('sent')
  // Not the one who stops a batch above: who has one open is shown that.
  const page = await windows.staff('admin', { viewport: { width: 375, height: 812 } })
  await page.goto(`/apps/invoices/message?guids=${sent.guid},${other.guid}`)
  await expect(page.getByRole('button', { name: 'Send 1 message' })).toBeEnabled()
  await expect(page.getByRole('table')).toHaveCount(0)
  const card = (number: string) => page.getByRole('listitem').filter({ hasText: number })
  await expect(card(sent.number)).toContainText(/Emailed .*second/)
  await expect(card(sent.number).getByRole('checkbox')).not.toBeChecked()
  await expect(card(other.number).getByRole('checkbox')).toBeChecked()
  await expect(card(other.number)).toContainText('$275.00')
  await card(other.number)
    .getByRole('button', { name: `Show email for ${other.number}` })
    .click()
  await expect(page.getByRole('dialog').locator('iframe')).toBeVisible()
  await page.keyboard.press('Escape')
  const leftOut = page.getByText('1 invoice was emailed within the last day and isn’t chosen.')
  await expect(leftOut).toBeVisible()
  await page.getByRole('button', { name: 'Choose it too' }).click()
  await expect(card(sent.number).getByRole('checkbox')).toBeChecked()
  await expect(page.getByRole('button', { name: 'Send 2 messages' })).toBeEnabled()
  await expect(leftOut).toBeHidden()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: /^Check / })).toBeVisible()
})

test('bars of messages open the lists that they count', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto('/apps/messages/list')
  const chart = page.getByRole('region', { name: 'Message activity' })
  await chart.getByText('Month', { exact: true }).click()
  await chart.getByRole('button', { name: 'Previous month' }).click()
  await expect(page.getByRole('button', { name: 'Next month' })).toBeEnabled()
  const total = chart.getByRole('group', { name: 'Totals' }).getByRole('button', { name: /^Sent/ })
  await expect(total).toBeEnabled()
  // One stop for Tab, and arrows from bar to bar.
  const bars = chart.locator('.message-bar:not([disabled])')
  await expect(bars.and(page.locator('[tabindex="0"]'))).toHaveCount(1)
  await bars.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(bars.nth(1)).toBeFocused()
  await expect(bars.nth(1)).toHaveAttribute('tabindex', '0')
  await total.click()
  await expect(page).toHaveURL(/counted=sent/)
  await expect(total).toHaveAttribute('aria-pressed', 'true')
  const count = Number((await total.innerText()).replaceAll(/\D/g, ''))
  expect(count).toBeGreaterThan(0)
  const { search } = new URL(page.url())
  expect((await api<Listed>('office', 'GET', `/Messages${search}`)).page.total.value).toBe(count)
  await total.click()
  await expect(page).not.toHaveURL(/counted=/)
  await page
    .getByRole('button', { name: /^Not delivered/ })
    .first()
    .click()
  await expect(page).toHaveURL(/status=failed/)
})
