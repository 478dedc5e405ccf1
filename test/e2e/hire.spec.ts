import { addDays, localDay } from '../../contract/core/dates.ts'
import { aCustomer } from './arrange.ts'
import { api, expect, money, test, unique, violations } from './support.ts'

interface Order {
  guid: string
  number: string
  version: number
  lines: { guid: string }[]
}
const typed = (day: string) => day.split('-').toReversed().join('-')

test('seven panels come back early, the hire ends, and the bill is right to the day', async ({ windows }) => {
  const customerGuid = await aCustomer(unique('Fence & Co'))
  const { product } = await api<{ product: { guid: string } }>('office', 'POST', '/Products', {
    name: unique('Panel'),
    kind: 'hire',
    unit: 'each',
    priceCents: 4500,
    hire: { dayCents: 4500, weekCents: 18_000, fourWeekCents: 54_000 },
  })
  const today = localDay(new Date().toISOString(), 'Australia/Sydney')
  const first = addDays(today, -28)
  const { order } = await api<{ order: Order }>('office', 'POST', '/Orders', {
    customerGuid,
    title: 'Site fence',
    lines: [
      {
        productGuid: product.guid,
        name: 'Panel',
        kind: 'hire',
        quantity: '300',
        hireFrom: first,
        hireTo: addDays(first, 27),
      },
    ],
  })

  // All of them go out, and seven come back on day 5.
  const lineGuid = order.lines[0]?.guid
  const items = [
    { lineGuid, on: first },
    { lineGuid, off: addDays(first, 4), units: '7' },
  ]
  await api('office', 'POST', `/Orders/Hire/${order.guid}`, { version: order.version, items })

  // The rest comes back on a phone. More than are out can't come back.
  const phone = await windows.staff('office', { viewport: { width: 375, height: 760 } })
  await phone.goto(`/apps/orders/preview/${order.guid}?tab=hire`)
  await expect(phone.getByText('293 of 300')).toBeVisible()
  await phone.getByRole('button', { name: 'Record return' }).click()
  const dialog = phone.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Last day charged' }).fill(typed(today))
  await dialog.getByLabel('Units returned').fill('294')
  await dialog.getByRole('button', { name: 'Record return' }).click()
  await expect(dialog.getByText('Only 293 are still on hire.')).toBeVisible()
  expect(await violations(phone)).toEqual([])
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  await dialog.getByLabel('Units returned').fill('293')
  await dialog.getByRole('button', { name: 'Record return' }).click()
  await expect(phone.getByText('0 of 300')).toBeVisible()

  // The office reads why, and bills it: 7 × 180.00 + 293 × 585.00.
  const office = await windows.staff('office')
  await office.goto(`/apps/orders/preview/${order.guid}?tab=hire`)
  const due = 7 * 18_000 + 293 * 58_500
  await office.getByRole('button', { name: 'Bill hire' }).click()
  const bill = office.getByRole('table', { name: 'What will be billed' })
  await expect(bill).toContainText(`7 units, 5 days: ${money(18_000)} each`)
  await expect(bill).toContainText(`293 units, 29 days: ${money(58_500)} each`)
  await expect(bill).toContainText(money(due))
  await office.getByRole('dialog').getByRole('button', { name: 'Bill hire' }).click()
  await expect(office.getByText(money(due * 1.1)).first()).toBeVisible()
})
