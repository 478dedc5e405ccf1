import type { Page } from '@playwright/test'
import { newHold } from '../../server/core/hold.ts'
import { clearAway, makeProduct, type Product, productFolder, setUpProduct } from '../support/process.ts'
import { inDatabase } from '../support/reconcile.ts'
import { expect, heading, test, violations } from './support.ts'

/** As a restore leaves it, once the provider has been asked. */
const holdSending = (dataDir: string, unknownCharges: number) => {
  const now = new Date().toISOString()
  const soon = new Date(Date.now() + 600_000).toISOString()
  const hold = { ...newHold(now, soon, 'restore.txt'), providerAskedAt: now, unknownCharges }
  return inDatabase(dataDir, (rows) =>
    rows(`insert into app_state (key, value, updated_at) values ('hold', $1, now())`, [JSON.stringify(hold)]),
  )
}

const password = 'a password of the fault tests'

type Post = (path: string, body: unknown) => Promise<Record<string, { guid: string; version: number }>>
const postAs =
  (product: Product, staff: Record<string, string>): Post =>
  async (path, body) => {
    const reply = await product.call<Awaited<ReturnType<Post>>>(staff, 'POST', path, body, {
      'idempotency-key': crypto.randomUUID(),
    })
    expect(reply.status, reply.message).toBeLessThan(300)
    return reply.data
  }

async function addOfficeWorker(product: Product, staff: Record<string, string>) {
  const { data } = await product.call<{ items: { guid: string; name: string }[] }>(staff, 'GET', '/Roles')
  const roleGuid = data.items.find(({ name }) => name === 'Office')?.guid
  await postAs(product, staff)('/Users', { authID: 'office@faults.example', firstName: 'Olive', roleGuid, password })
}

async function logIn(page: Page, product: Product, login: string) {
  await page.goto(`http://127.0.0.1:${product.port}/login`)
  await page.getByLabel('Email or login').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page).not.toHaveURL(/login/)
}

async function sendQuote(product: Product, staff: Record<string, string>) {
  const post = postAs(product, staff)
  const { customer } = await post('/Customers', { displayName: 'Hartmann Builders', email: 'anna@hartmann.example' })
  const { quote } = await post('/Quotes', {
    customerGuid: customer?.guid,
    title: 'Pool fence',
    lines: [{ name: 'Fence panels', quantity: '2', unitPriceCents: 12_500 }],
  })
  await post(`/Quotes/Send/${quote?.guid}`, { version: quote?.version })
  const { quote: draft } = await post(`/Quotes/Duplicate/${quote?.guid}`, {})
  return draft?.guid ?? ''
}

test('after a restore nothing is sent until an administrator has looked and lets it @prove', async ({ browser }) => {
  const dataDir = productFolder()
  const product = await makeProduct(dataDir)
  const page = await browser.newPage({ locale: 'en-AU', viewport: { width: 375, height: 812 } })
  const office = await (await browser.newContext({ locale: 'en-AU' })).newPage()
  try {
    await product.start()
    const staff = await setUpProduct(product)
    await holdSending(dataDir, 2)
    const draft = await sendQuote(product, staff)
    await addOfficeWorker(product, staff)

    await logIn(page, product, 'admin@faults.example')
    const banner = page.getByRole('status').filter({ hasText: 'A backup was restored.' })
    // A server knows for a few seconds what it read before; a real restore finds none running.
    const reviewOnceHeld = () =>
      expect(async () => {
        await page.reload()
        await banner.getByRole('button', { name: 'Review' }).click({ timeout: 2000 })
      }).toPass()
    await reviewOnceHeld()
    const dialog = page.getByRole('dialog', { name: 'Sending is on hold' })
    await expect(dialog).toContainText('differ at the payment provider: 2.')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('link', { name: 'Review these payments' }).click()
    await expect(heading(page)).toHaveText('To check')
    await expect(dialog).toBeHidden()

    await page.goto(`http://127.0.0.1:${product.port}/apps/messages/list`)
    const message = page.getByRole('listitem').filter({ hasText: 'Pool fence' })
    await expect(message).toContainText('Queued')

    // Others send what then waits, and know it.
    await logIn(office, product, 'office@faults.example')
    const reminder = office.getByRole('status').filter({ hasText: 'Emails you send will wait' })
    await office.goto(`http://127.0.0.1:${product.port}/apps/quotes/preview/${draft}`)
    await expect(reminder).toBeVisible()
    await expect(reminder.getByRole('button')).toHaveCount(0)
    await office.getByRole('button', { name: 'Send quote' }).click()
    await office.getByRole('dialog').getByRole('button', { name: 'Send quote' }).click()
    await expect(office.getByText(/^Quote \S+ will be emailed once sending resumes\.$/)).toBeVisible()

    await banner.getByRole('button', { name: 'Review' }).click()
    await expect(dialog.getByRole('radiogroup', { name: 'Emails waiting since before the backup: 2' })).toBeVisible()
    await dialog.getByRole('radio', { name: 'Send them' }).check()
    await dialog.getByRole('button', { name: 'Resume sending' }).click()
    await expect(page.getByText('Sending resumed.')).toBeVisible()
    await expect(banner).toBeHidden()
    await expect(reminder).toBeHidden()
    await expect(message.first()).toContainText('Sent')

    // With nothing in the queue there is nothing to choose.
    await holdSending(dataDir, 0)
    await reviewOnceHeld()
    await expect(dialog).toContainText('took nothing that is missing here')
    await expect(dialog.getByRole('radio')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Resume sending' }).click()
    await expect(banner).toBeHidden()
  } finally {
    await Promise.all([page.close(), office.context().close()])
    await clearAway([product], dataDir)
  }
})
