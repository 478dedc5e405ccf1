import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Evidence } from '../../contract/evidence.ts'
import { aDraftQuote, aSentQuote, type Document } from './arrange.ts'
import { field, guidOf } from './editor.ts'
import { api, expect, heading, settled, test, violations } from './support.ts'

interface Shown {
  documentSha256: string
  lines: { guid: string; name: string }[]
}

/** A customer without a window: what staff see of him is what this is about. */
async function aGuest(baseURL: string) {
  const call = async <D>(method: string, path: string, headers: Record<string, string>, body?: object) => {
    const answer = await fetch(`${baseURL}/api/v2${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
    })
    const said = (await answer.json()) as { serviceData: D; message: string }
    if (!answer.ok) throw new Error(`${path}: ${said.message}`)
    return { apiGuid: answer.headers.get('X-Api-Guid') ?? '', data: said.serviceData }
  }
  const { apiGuid } = await call('GET', '/Kernal/Auth/Roles/Permissions', {})
  const session = await call<{ headers: Record<string, string> }>('POST', '/Kernal/Guests/Auth', {
    'X-Api-Guid': apiGuid,
  })
  const { headers } = session.data
  const page = async (serviceGuid: string) =>
    (await call<{ quote: Shown }>('GET', `/Service/Quotes/${serviceGuid}`, headers)).data.quote
  return {
    ask: async ({ serviceGuid }: Pick<Document, 'serviceGuid'>, make: (line: (name: string) => string) => object[]) => {
      const { documentSha256, lines } = await page(serviceGuid)
      const asks = make((name) => lines.find((line) => line.name === name)?.guid ?? '')
      await call('POST', `/Service/Quotes/Asks/${serviceGuid}`, headers, { documentSha256, asks })
    },
    accept: async ({ serviceGuid }: Pick<Document, 'serviceGuid'>) => {
      const { documentSha256 } = await page(serviceGuid)
      await call('POST', `/Service/Quotes/Accept/${serviceGuid}`, headers, { documentSha256, name: 'Mia Harbour' })
    },
  }
}

const aNegotiable = () =>
  aSentQuote({
    lines: [
      { name: 'Hoarding type A', quantity: '10', unit: 'm', unitPriceCents: 14_800 },
      { name: 'Gate', quantity: '1', unitPriceCents: 28_000 },
      { name: 'Night work', quantity: '2', unitPriceCents: 50_000 },
    ],
  })
/** The same evidence with another name in it, and all hashes worked out anew, as the file itself says how. */
function forgedOf(text: string, name: string, other: string): string {
  const file = JSON.parse(text) as Evidence
  let last = ''
  const events = file.events.map(({ event: said }) => {
    const event = said.replace(name, other)
    last = createHash('sha256').update(`${last}\n${event}`).digest('hex')
    return { event, sha256: last }
  })
  return JSON.stringify({ ...file, events })
}
const tab = (page: Page, name: RegExp | string) => page.getByRole('tab', { name })
const group = (page: Page, name: RegExp) => page.getByRole('group', { name })

test('the office answers three requests by keyboard, sends the revision, and proves what was signed @prove', async ({
  windows,
  baseURL,
}, info) => {
  const quote = await aNegotiable()
  const guest = await aGuest(baseURL ?? '')
  const page = await windows.staff('office')

  await test.step('a request appears where the quote is open, without reading it again', async () => {
    await page.goto(`/apps/quotes/preview/${quote.guid}?tab=asks`)
    await expect(page.getByText('No requests yet.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Mark as accepted' })).toBeVisible()
    await guest.ask(quote, (line) => [
      { kind: 'quantity', lineGuid: line('Hoarding type A'), quantity: '20', text: 'Around the corner, too' },
      { kind: 'drop', lineGuid: line('Gate') },
      { kind: 'drop', lineGuid: line('Night work') },
    ])
    await expect(tab(page, 'Requests (3)')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Answer 3 requests' })).toBeVisible()
  })

  await test.step('the notice leads to the requests', async () => {
    await page.goto('/apps/customers/list')
    await page.getByRole('button', { name: /new notification/ }).press('Enter')
    const entry = page.getByRole('link', { name: new RegExp(`changes to quote ${quote.number}`) })
    await expect(entry).toContainText('Around the corner, too')
    await entry.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/apps/quotes/preview/${quote.guid}\\?tab=asks`))
    await expect(group(page, /Hoarding type A: Change quantity from 10 to 20 m/)).toContainText('+$1,628.00')
    await expect(group(page, /^Gate: Leave this line out/)).toContainText('−$308.00')
    await settled(page)
    expect(await violations(page)).toEqual([])
  })

  await test.step('a letter answers each, and the foot says what they come to', async () => {
    await page.getByRole('button', { name: 'Answer 3 requests' }).press('Enter')
    await expect(group(page, /^Hoarding type A/).getByRole('button', { name: 'Agree' })).toBeFocused()
    await page.keyboard.press('c')
    await expect(page.getByRole('textbox', { name: 'Quantity you offer' })).toBeFocused()
    await page.keyboard.type('18')
    await page.getByRole('textbox', { name: 'Unit price you offer' }).fill('135')
    await expect(group(page, /^Hoarding type A/)).toContainText('Your offer: +$1,045.00')
    await group(page, /^Gate/).getByRole('button', { name: 'Agree' }).focus()
    await page.keyboard.press('a')
    await expect(group(page, /^Night work/).getByRole('button', { name: 'Agree' })).toBeFocused()
    await expect(page.getByRole('button', { name: 'Send revision' })).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('d')
    await expect(page.getByText('New total $3,773.00')).toBeVisible()
    await expect(page.getByText('New total')).toContainText('+$737.00')
    await page.getByRole('textbox', { name: 'Note to the customer' }).last().fill('The street is closed by day.')
  })

  await test.step('what was typed stays where somebody else was faster', async () => {
    const { quote: now } = await api<{ quote: { version: number; asks: { guid: string; lineName: string }[] } }>(
      'office',
      'GET',
      `/Quotes/${quote.guid}`,
    )
    // News is held back, so that the page still names the version it has seen.
    await page.route('**/api/v2/Quotes/Answer/*', async (route) => {
      const body = route.request().postDataJSON() as { version: number }
      await route.continue({ postData: JSON.stringify({ ...body, version: now.version - 1 }) })
    })
    await page.getByRole('button', { name: 'Send revision' }).press('Enter')
    await expect(page.getByRole('alert').filter({ hasText: /changed|reload/i })).toBeVisible()
    await page.unroute('**/api/v2/Quotes/Answer/*')
    await expect(page.getByRole('textbox', { name: 'Quantity you offer' })).toHaveValue('18')
    await expect(page.getByRole('textbox', { name: 'Note to the customer' }).last()).toHaveValue(
      'The street is closed by day.',
    )
  })

  await test.step('the revision goes out in one step', async () => {
    await page.getByRole('button', { name: 'Send revision' }).press('Enter')
    await expect(heading(page)).toHaveText(`${quote.number} R1`)
    await expect(page.getByRole('button', { name: 'Mark as accepted' })).toBeVisible()
  })

  await test.step('it is compared with the one before, line by line', async () => {
    await tab(page, 'Revisions').press('Enter')
    const compared = page.getByRole('region', { name: `${quote.number} R0 compared with ${quote.number} R1` })
    await expect(compared.getByRole('listitem').filter({ hasText: 'Hoarding type A' }).first()).toContainText('$148.00')
    await expect(compared.getByRole('listitem').filter({ hasText: 'Gate' })).toContainText('Removed')
    await expect(compared).toContainText('+$737.00')
    await settled(page)
    expect(await violations(page)).toEqual([])
  })

  await test.step('what each side saw is replayed, and the evidence proves the acceptance', async () => {
    await guest.accept(quote)
    await tab(page, 'History').press('Enter')
    const frames = page.getByRole('region', { name: 'What each side saw' }).getByRole('listitem')
    await expect(frames.last()).toContainText('Accepted')
    await expect(frames.first()).toContainText('Sent · R0')
    await frames.first().getByRole('button').press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Sent' })
    await expect(dialog.getByText('Gate').first()).toBeVisible()
    await settled(page)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download evidence' }).press('Enter')
    const file = await coming
    expect(file.suggestedFilename()).toBe(`${quote.number}-R1-evidence.json`)
    const path = info.outputPath('evidence.json')
    await file.saveAs(path)
    const check = page.getByRole('region', { name: 'Check an evidence file' })
    await check.locator('input[type=file]').setInputFiles(path)
    await expect(check.getByRole('status')).toContainText('nothing in it was changed')
    await expect(check.getByRole('status')).toContainText('It ends with the acceptance of this quote.')
    const text = await readFile(path, 'utf8')
    const changed = info.outputPath('changed.json')
    await writeFile(changed, text.replace('Around the corner', 'Around the Corner'))
    await check.locator('input[type=file]').setInputFiles(changed)
    await expect(check.getByRole('status')).toContainText(/Event 2 was changed|A page in this file was changed/)
    const forged = info.outputPath('forged.json')
    await writeFile(forged, forgedOf(text, 'Mia Harbour', 'Mallory Forger'))
    await check.locator('input[type=file]').setInputFiles(forged)
    await expect(check.getByRole('status')).toContainText('This file doesn’t match the record of this quote.')
    await expect(check.getByText('nothing in it was changed')).toHaveCount(0)
    await settled(page)
    expect(await violations(page)).toEqual([])
  })
})

test('a line leaves its quantity to the customer, and says what is wrong with that @prove', async ({ windows }) => {
  const quote = await aDraftQuote()
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/edit/${quote.guid}`)
  await page.getByRole('button', { name: 'More for line 1' }).click()
  await page.getByRole('menuitem', { name: 'Let customer change the quantity' }).click()
  await expect(field(page, 'From', 1)).toHaveValue('2')
  await expect(field(page, 'To', 1)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+S')
  await expect(page.getByText('Enter the largest quantity.')).toBeVisible()
  await field(page, 'To', 1).fill('4.2')
  await expect(page.getByText('Enter the largest quantity.')).toBeHidden()
  await field(page, 'Step', 1).fill('0.5')
  await page.keyboard.press('ControlOrMeta+S')
  await expect(page.getByText('must be a whole number of steps')).toBeVisible()
  await field(page, 'To', 1).fill('4')
  await settled(page)
  // No field is looked at that lies half below the head of the page.
  await page.evaluate(() => window.scrollTo(0, 0))
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('ControlOrMeta+S')
  await expect(page).toHaveURL(/\/preview\//)
  const { quote: saved } = await api<{
    quote: { lines: { quantityMin: string; quantityMax: string; quantityStep: string }[] }
  }>('office', 'GET', `/Quotes/${guidOf(page)}`)
  expect(saved.lines[0]).toMatchObject({ quantityMin: '2', quantityMax: '4', quantityStep: '0.5' })
})
