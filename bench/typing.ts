import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'
import { fresh, loggedIn, openBrowser } from './web-size.ts'

interface KeyFigure {
  field: string
  lines: number
  /** Milliseconds of script that one key costs, the middle of many, and the longest of them. */
  scriptMs: number
  longestMs: number
  /** The middle on a page of as many bare fields that adds up its lines at every key. */
  thinMs: number
}
export interface TypingFigures {
  keys: KeyFigure[]
  /** Seconds for a hundred lines, each made by Enter, and the same on the bare page. */
  addSeconds: number
  thinAddSeconds: number
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Time of the processor rather than of the clock: others on the machine do not count. */
async function watched(context: BrowserContext): Promise<{ page: Page; session: CDPSession }> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' })
  await session.send('Performance.enable')
  return { page, session }
}

async function scriptSoFar(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1000
}

/** Runs in the page. */
const untilDrawn = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))'

/** What each key costs, one after the other, each drawn before the next. */
async function costOf(page: Page, session: CDPSession, keys: readonly string[]): Promise<number[]> {
  const costs: number[] = []
  for (const key of keys) {
    const before = await scriptSoFar(session)
    await page.keyboard.press(key)
    await page.evaluate(untilDrawn)
    costs.push((await scriptSoFar(session)) - before)
  }
  return costs
}

const someDigits = [...'123456', ...Array.from({ length: 6 }, () => 'Backspace')]
const digits = [...someDigits, ...someDigits]
const letters = [...'fence panels and a gate']

const thinRow = '<p><input name="item"><input name="quantity" value="1"><input name="price"><output></output></p>'
const thinPage = `<!doctype html><title>Thin</title><output id="total"></output>${thinRow}
<script>
addEventListener('keydown', ({ key }) => {
  if (key !== 'Enter') return
  const row = document.querySelector('p').cloneNode(true)
  document.body.append(row)
  row.children[0].focus()
})
addEventListener('input', () => {
  let sum = 0
  for (const row of document.querySelectorAll('p')) {
    const cents = Math.round(Number(row.children[1].value) * Number(row.children[2].value) * 100)
    row.children[3].textContent = (cents / 100).toFixed(2)
    sum += cents
  }
  total.textContent = (sum / 100).toFixed(2)
})
</script>`

interface Thin {
  item: number
  price: number
  addSeconds: number
}

const measureThin = (browser: Browser, lines: number): Promise<Thin> =>
  fresh(browser, undefined, async (context) => {
    const { page, session } = await watched(context)
    await page.setContent(thinPage)
    const addSeconds = await addLines(page, lines, '[name=item]')
    const costIn = async (field: string, keys: readonly string[]) => {
      await page
        .locator(`[name=${field}]`)
        .nth(Math.floor(lines / 2))
        .focus()
      return middle(await costOf(page, session, keys))
    }
    return { item: await costIn('item', letters), price: await costIn('price', digits), addSeconds }
  })

/** So many lines, made by Enter in the last of these fields; answers the seconds that took. */
async function addLines(page: Page, lines: number, field: string): Promise<number> {
  await page.locator(field).first().focus()
  const startedAt = performance.now()
  for (let made = 1; made < lines; made++) await page.keyboard.press('Enter')
  await page
    .locator(field)
    .nth(lines - 1)
    .waitFor()
  return (performance.now() - startedAt) / 1000
}

async function measureEditor(context: BrowserContext, url: string, lines: number, thin: Thin): Promise<TypingFigures> {
  const { page, session } = await watched(context)
  await page.goto(`${url}/apps/quotes/add`)
  const addSeconds = await addLines(page, lines, '[data-line] [data-field="name"] input')
  const row = page.locator('[data-line]').nth(Math.floor(lines / 2))
  const fields = [
    { field: 'price', at: row.locator('.line-price input'), keys: digits, thinMs: thin.price },
    { field: 'quantity', at: row.locator('.line-quantity input'), keys: digits, thinMs: thin.price },
    {
      field: 'item, the catalogue searched',
      at: row.locator('[data-field="name"] input'),
      keys: letters,
      thinMs: thin.item,
    },
    { field: 'title', at: page.locator('[name="title"]'), keys: letters, thinMs: thin.item },
  ]
  const figures: KeyFigure[] = []
  for (const { field, at, keys, thinMs } of fields) {
    await at.focus()
    const costs = await costOf(page, session, keys)
    figures.push({ field, lines, scriptMs: middle(costs), longestMs: Math.max(...costs), thinMs })
  }
  return { keys: figures, addSeconds, thinAddSeconds: thin.addSeconds }
}

/** What typing costs in the editor of documents, beside the same on a bare page; null without a browser. */
export async function typingFigures(url: string): Promise<TypingFigures | null> {
  const browser = await openBrowser()
  if (!browser) return null
  try {
    const state = await loggedIn(browser, url)
    const of = async (lines: number) => {
      const thin = await measureThin(browser, lines)
      return fresh(browser, state, (context) => measureEditor(context, url, lines, thin))
    }
    const few = await of(10)
    const many = await of(100)
    return { ...many, keys: [...few.keys, ...many.keys] }
  } finally {
    await browser.close()
  }
}
