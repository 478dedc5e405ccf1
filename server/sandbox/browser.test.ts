import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { chromium, type Browser, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownBrowser } from '../../scripts/browser.ts'
import { startSandbox, type Sandbox } from './sandbox.ts'

const program = ownBrowser()
const policyOf = (provider: string) =>
  `default-src 'none'; script-src 'self' ${provider}; frame-src ${provider}; style-src 'self'`

/**
 * A shop with the strictest policy its pages may have: any inline style or script of ours
 * would be blocked and reported.
 */
describe.skipIf(!program)('the card form in a shop', () => {
  let sandbox: Sandbox
  let shop: Server
  let browser: Browser
  let page: Page
  let dataDir: string
  let shopUrl: string
  const complaints: string[] = []

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
    sandbox = await startSandbox({ dataDir, webhookSecret: 'a secret of the tests, long enough for all' })
    const script = `
      const s = document.createElement('script')
      s.src = '${sandbox.url}/v1/sandbox.js'
      s.onload = () => {
        window.pay = BrolgaPay('${sandbox.publicKey}')
        const q = new URLSearchParams(location.search)
        pay.mountCard(document.getElementById('card'), {
          theme: q.get('theme') ?? 'light',
          locale: q.get('locale') ?? 'en',
          onReady: () => (document.title = 'ready'),
        })
      }
      document.head.append(s)`
    shop = createServer((req, res) => {
      if (req.url === '/shop.js') return void res.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
      res.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policyOf(sandbox.url) })
      res.end(
        `<!doctype html><html lang="en"><title>Shop</title>
          <main><h1>Shop</h1><div id="card"></div></main><script src="/shop.js"></script></html>`,
      )
    })
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    const address = shop.address()
    shopUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    sandbox.setPublicOrigins([shopUrl])
    browser = await chromium.launch({
      executablePath: program ?? '',
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    page = await (await browser.newContext({ viewport: { width: 520, height: 700 } })).newPage()
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    shop.closeAllConnections()
    shop.close()
    await sandbox.close()
    rmSync(dataDir, { recursive: true })
  })

  const open = async (query = '') => {
    await page.goto(`${shopUrl}/${query}`)
    await page.waitForFunction("document.title === 'ready'")
  }
  const card = () => page.frameLocator('#card iframe')
  const sheet = () => page.frameLocator('dialog iframe')
  async function chargeFor(token: string, key: string) {
    const response = await fetch(`${sandbox.url}/v1/charges`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sandbox.secretKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ amountCents: 12_345, currency: 'AUD', token }),
    })
    return (await response.json()) as { id: string; status: string; actionUrl: string }
  }

  test('a card is typed, formatted and becomes a token, and the shop never sees its number', async () => {
    await open()
    await card().getByLabel('Card number').pressSequentially('4000000000003220')
    await card().getByLabel('Expiry').pressSequentially('1230')
    await card().getByLabel('Security code').pressSequentially('1234')
    expect(await card().getByLabel('Card number').inputValue()).toBe('4000 0000 0000 3220')
    expect(await card().getByLabel('Expiry').inputValue()).toBe('12/30')
    expect(await card().getByLabel('Security code').inputValue()).toBe('123')
    const made = (await page.evaluate('pay.tokenize()')) as { token: string; card: unknown }
    expect(made.card).toEqual({ brand: 'visa', last4: '3220', expMonth: 12, expYear: 2030 })
    expect((await chargeFor(made.token, 'typed')).status).toBe('requires_action')
  })

  test('what is wrong is said beside the field, in the language of the shop', async () => {
    await open('?locale=fr')
    expect(await page.evaluate('pay.tokenize().catch((e) => e.code)')).toBe('incorrect_number')
    await card().getByText('Saisissez le numéro de carte.').waitFor()
    await card().getByLabel('Numéro de carte').fill('4242 4242 4242 4241')
    expect(await page.evaluate('pay.tokenize().catch((e) => e.code)')).toBe('incorrect_number')
    await card().getByText('Vérifiez le numéro de carte.').waitFor()
    expect(await card().getByLabel('Numéro de carte').getAttribute('aria-invalid')).toBe('true')
  })

  test('3-D Secure opens over the page, and closing it counts as not approved', async () => {
    await open()
    const token = (
      (await (
        await fetch(`${sandbox.url}/v1/tokens`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ number: '4000000000003220', expMonth: 12, expYear: 30, cvc: '123' }),
        })
      ).json()) as { token: string }
    ).token
    for (const [button, expected] of [
      ['Approve', 'succeeded'],
      ['Decline', 'failed'],
    ] as const) {
      const outcome = page.evaluate(`pay.handleAction('${(await chargeFor(token, button)).actionUrl}')`)
      await sheet().getByRole('button', { name: button }).click()
      expect(await outcome).toBe(expected)
    }
    const closed = page.evaluate(`pay.handleAction('${(await chargeFor(token, 'closed')).actionUrl}')`)
    await sheet().getByRole('button', { name: 'Approve' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await closed).toBe('failed')
    expect(await page.locator('dialog').count()).toBe(0)
    expect(await page.evaluate("pay.handleAction('https://elsewhere.example/').catch((e) => e.code)")).toBe(
      'origin_not_allowed',
    )
  })

  test('a wallet shows its sheet and gives a token', async () => {
    await open()
    const made = page.evaluate("pay.wallet('google_pay', { amount: '$123.45' })")
    await sheet().getByText('$123.45').waitFor()
    await sheet().getByRole('button', { name: 'Pay' }).click()
    expect(await made).toMatchObject({ card: { wallet: 'google_pay' } })
    const cancelled = page.evaluate("pay.wallet('apple_pay').catch((e) => e.code)")
    await sheet().getByRole('button', { name: 'Cancel' }).click()
    expect(await cancelled).toBe('cancelled')
  })

  test.each(['', '?theme=dark', '?theme=dark&locale=ar', '?locale=fr'])(
    'the form is accessible (%s)',
    async (query) => {
      await open(query)
      expect((await new AxeBuilder({ page }).analyze()).violations.map((v) => v.id)).toEqual([])
    },
  )

  test.each(['en', 'fr', 'ar'])('every label has one line on a phone (%s)', async (locale) => {
    await page.setViewportSize({ width: 360, height: 700 })
    await open(`?locale=${locale}`)
    const labels = await card().locator('label').all()
    const heights = await Promise.all(labels.map(async (label) => (await label.boundingBox())?.height))
    expect(new Set(heights).size).toBe(1)
    await page.setViewportSize({ width: 520, height: 700 })
  })

  test('nothing was blocked or went wrong on the way', () => {
    expect(complaints).toEqual([])
  })
})
