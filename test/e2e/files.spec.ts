import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { aCustomer } from './arrange.ts'
import { api, expect, test, unique, violations } from './support.ts'

const partBytes = 524_288
const text = (name: string, parts = 1) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(`${name}\n`.padEnd(parts * partBytes - 100, 'x')),
})
const fault = { message: 'Not now.', error: 'CONFLICT', errors: [], responseCode: 409, serviceData: null }
const picker = (page: Page) => page.locator('input[data-picker="files"]')
const card = (page: Page) => page.getByRole('region', { name: 'Files' })

/** Gives the page a picture by a drop or by the clipboard, as a person's hand would. */
const give = (page: Page, how: 'drop' | 'paste', name: string) =>
  page.evaluate(
    async ([kind, fileName]) => {
      const canvas = new OffscreenCanvas(400, 300)
      const pen = canvas.getContext('2d')
      if (pen) pen.fillStyle = kind === 'drop' ? '#285' : '#825'
      pen?.fillRect(0, 0, 400, 300)
      const data = new DataTransfer()
      data.items.add(new File([await canvas.convertToBlob({ type: 'image/jpeg' })], fileName, { type: 'image/jpeg' }))
      document.body.dispatchEvent(
        kind === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    },
    [how, name] as const,
  )

async function anOrder() {
  const customerGuid = await aCustomer(unique('Fence & Co'))
  const { order } = await api<{ order: { guid: string; serviceUrl: string } }>('office', 'POST', '/Orders', {
    customerGuid,
    title: 'Pool fence',
    lines: [{ name: 'Panel', quantity: '2', unitPriceCents: 12_500 }],
  })
  return order
}

test('a file that is picked stands with its order, and its customer gets it once it is shown', async ({ windows }) => {
  const order = await anOrder()
  const page = await windows.staff('office')
  await page.goto(`/apps/orders/preview/${order.guid}`)
  await picker(page).setInputFiles([text('plan.txt', 2), text('note.txt')])
  await expect(page.getByText('2 files added.')).toBeVisible()
  const row = card(page).getByRole('listitem').filter({ hasText: 'plan.txt' })
  await row.getByRole('switch', { name: 'Show to customer: plan.txt' }).click({ force: true })
  await expect(row.getByRole('switch')).toBeChecked()
  const guest = await windows.guest({ viewport: { width: 375, height: 812 } })
  await guest.goto(new URL(order.serviceUrl).pathname)
  await expect(guest.getByRole('button', { name: 'Download plan.txt' })).toBeVisible()
  await expect(guest.getByText('note.txt')).toHaveCount(0)
})

test('files are picked, dropped, pasted, stopped, resumed after a fault, and the customer gets his @prove', async ({
  windows,
}) => {
  const order = await anOrder()
  const page = await windows.staff('office')
  await page.goto(`/apps/orders/preview/${order.guid}`)
  await expect(card(page)).toContainText('No files yet. Drop files here or choose Add files.')

  await picker(page).setInputFiles([text('small.txt')])
  await expect(page.getByText('1 file added.')).toBeVisible()
  await give(page, 'drop', 'before.jpg')
  await give(page, 'paste', 'after.jpg')
  await expect(card(page).getByRole('list', { name: 'Photos' }).getByRole('button')).toHaveCount(2)

  // The third part of the one is refused, and the other hangs until it is stopped.
  let isLost = true
  await page.route('**/Files/Parts/**', async (route) => {
    const { index } = route.request().postDataJSON() as { index: number }
    if (isLost && index === 2) return route.fulfill({ status: 409, json: fault })
    return isLost && index === 1 ? new Promise((go) => setTimeout(() => go(route.continue()), 300)) : route.continue()
  })
  // From the disk: handing 20 MB to the browser as a text takes it ten seconds.
  const paths = []
  for (const { name, buffer } of [text('plan.txt', 4), text('wrong.txt', 40)]) {
    const path = test.info().outputPath(name)
    await writeFile(path, buffer)
    paths.push(path)
  }
  await picker(page).setInputFiles(paths)
  await page.getByRole('button', { name: 'Stop wrong.txt' }).click()
  await expect(page.getByRole('button', { name: 'Stop wrong.txt' })).toHaveCount(0)
  const again = page.getByRole('button', { name: 'Try again: plan.txt' })
  await expect(again).toBeVisible()
  isLost = false
  const sent: number[] = []
  page.on('request', (request) => {
    if (request.url().includes('/Files/Parts/')) sent.push((request.postDataJSON() as { index: number }).index)
  })
  await again.click()
  await expect(card(page).getByRole('button', { name: 'Download plan.txt' })).toBeVisible()
  expect(sent).toEqual([2, 3])
  await expect(card(page)).not.toContainText('wrong.txt')

  const row = card(page).getByRole('listitem').filter({ hasText: 'plan.txt' })
  await row.getByRole('button', { name: 'Options for plan.txt' }).click()
  await row.getByRole('button', { name: 'Caption' }).click()
  await page.getByRole('textbox', { name: 'Caption' }).fill('Where the fence goes')
  await page.getByRole('button', { name: 'Save caption' }).click()
  await expect(row).toContainText('Where the fence goes')
  await row.getByRole('switch', { name: 'Show to customer: plan.txt' }).click({ force: true })
  await expect(row.getByRole('switch')).toBeChecked()

  const photos = card(page).getByRole('list', { name: 'Photos' }).getByRole('button')
  await photos.first().click()
  await expect(page.getByRole('dialog')).toContainText('1 of 2')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog')).toContainText('2 of 2')
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(photos.nth(1)).toBeFocused()

  const small = card(page).getByRole('listitem').filter({ hasText: 'small.txt' })
  await small.getByRole('button', { name: 'Options for small.txt' }).click()
  await small.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('File removed.')).toBeVisible()
  await expect(small).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(small).toHaveCount(1)
  expect(await violations(page)).toEqual([])

  const guest = await windows.guest({ viewport: { width: 375, height: 812 } })
  await guest.goto(new URL(order.serviceUrl).pathname)
  await expect(guest.getByText('Where the fence goes')).toBeVisible()
  await expect(guest.getByText('small.txt')).toHaveCount(0)
  const [got] = await Promise.all([
    guest.waitForEvent('download'),
    guest.getByRole('button', { name: 'Download plan.txt' }).click(),
  ])
  expect((await readFile(await got.path())).equals(text('plan.txt', 4).buffer)).toBe(true)
})

test('on a phone files are behind a tab, in Arabic and the dark too, and whoever only reads adds none @prove', async ({
  windows,
}) => {
  const order = await anOrder()
  const view = { viewport: { width: 375, height: 812 }, colorScheme: 'dark' } as const
  const page = await windows.staff('office', { ...view, language: 'ar' })
  await page.goto(`/apps/orders/preview/${order.guid}`)
  await picker(page).setInputFiles([text('note.txt')])
  await page.getByRole('tab').nth(1).click()
  await expect(page.getByRole('tab').nth(1)).toContainText('1')
  await expect(page.locator('.record-part-files').getByText('note.txt')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  expect(await violations(page)).toEqual([])

  const reader = await windows.staff('readonly', view)
  await reader.goto(`/apps/orders/preview/${order.guid}`)
  await reader.getByRole('tab', { name: 'Files (1)' }).click()
  await expect(reader.locator('.record-part-files').getByText('note.txt')).toBeVisible()
  await expect(picker(reader)).toHaveCount(0)
})
