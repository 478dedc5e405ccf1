import type { Page } from '@playwright/test'
import { expect, heading, settled, violations } from './support.ts'
import { isFull } from './variants.ts'
import { languages, said, type Language } from './words.ts'

const desktop = { width: 1440, height: 900 }
const phone = { width: 375, height: 812 }

interface Look {
  colorScheme: 'light' | 'dark'
  size: typeof desktop
  /** Nothing but the width is looked at. */
  isWidthOnly?: boolean
}
const lightDesktop: Look = { colorScheme: 'light', size: desktop }
const darkPhone: Look = { colorScheme: 'dark', size: phone }
const crossed: Look[] = [lightDesktop, { ...lightDesktop, size: phone }, darkPhone, { ...darkPhone, size: desktop }]
// French has the longest words; its letters and colours are those of English.
const inFull: Record<Language, Look[]> = {
  en: crossed,
  ar: crossed,
  fr: [
    { colorScheme: 'light', size: phone, isWidthOnly: true },
    { ...lightDesktop, isWidthOnly: true },
  ],
}

/** What the titles may say of a sweep. */
export const saidOfLooks = isFull
  ? 'in light and dark, on a desk and on a phone, from left and from right'
  : 'in the one look whose turn it is'
export const saidOfKinds = isFull ? '' : ', one of each kind,'

/** What opens on a page is looked at in these. */
export const sweptLanguages: readonly Language[] = isFull ? languages : ['en']

/** What takes turns outside the long proof: every theme meets both sizes and both directions within four pages. */
const turns: [Language, Look][] = [
  ['en', lightDesktop],
  ['ar', darkPhone],
  ['en', { ...darkPhone, size: desktop }],
  ['ar', { ...lightDesktop, size: phone }],
]

/**
 * Themes, sizes and directions are crossed in the long proof; otherwise a page is seen in
 * the one look whose turn it is.
 */
const looksOf = (turn: number): [Language, Look[]][] => {
  if (isFull) return languages.map((language) => [language, inFull[language]])
  return turns.filter((_, index) => index === turn % turns.length).map(([language, look]) => [language, [look]])
}

/** Everything in the long proof; otherwise one of each kind, not of the same noun each time. */
export function oneOfEachKind<T>(all: readonly T[], kindOf: (one: T) => string): readonly T[] {
  if (isFull) return all
  const kinds = Map.groupBy(all, kindOf)
  return [...kinds.values()].flatMap((same, turn) => same.slice(turn % same.length, (turn % same.length) + 1))
}

/** Numbers of documents that may be divided after their hyphen; what people wrote is theirs. */
const dividedNumbers = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const place = node.parentElement
      if (!place?.checkVisibility() || place.closest('textarea, option, .prose, [aria-hidden]')) continue
      const isNumber = /\b(?:Q|O|INV|ADJ|R|RF)-\d{3,}/.test(node.textContent ?? '')
      if (isNumber && getComputedStyle(place).textWrapMode !== 'nowrap') found.push(node.textContent ?? '')
    }
    return found
  })

async function expectLooks(page: Page, what: string, looks: readonly Look[]) {
  for (const { colorScheme, size, isWidthOnly } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(size)
    await settled(page)
    const look = `${what}, ${colorScheme}, ${size.width} px`
    if (!isWidthOnly) expect.soft(await violations(page), look).toEqual([])
    expect.soft(await dividedNumbers(page), `${look}: numbers in two lines`).toEqual([])
    expect
      .soft(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
        `${look}: wider than the screen`,
      )
      .toBeLessThanOrEqual(0)
  }
  await page.setViewportSize(desktop)
}

/**
 * No accessibility problem, and nothing beside the screen, in any look of the language; `what`
 * names the page in the report.
 */
export const expectFlawless = (page: Page, what: string, language: Language = 'en') =>
  expectLooks(page, `${what}, ${language}`, isFull ? inFull[language] : [lookFor(what)])

/** By its name, so that the same thing is seen in the same look whatever was seen before it. */
const lookFor = (what: string): Look => (what.length % 2 === 0 ? lightDesktop : darkPhone)

const unknownPage = '/nowhere'

/**
 * Within the page that is open, as by a link: nothing is loaded and compiled anew, nor is the checker. The page that is
 * not there lies between, so that the heading of the one before is not taken for that of the next.
 */
async function goOn(page: Page, address: string, language: Language) {
  const push = (to: string) => page.evaluate((path) => history.pushState(null, '', path), to)
  const notFound = said('Page not found', language)
  await push(unknownPage)
  await expect(heading(page)).toHaveText(notFound)
  await push(address)
  if (address !== unknownPage) await expect(heading(page)).not.toHaveText(notFound)
}

/**
 * The same for every address, in every language, each in a window of its own. In the long proof each address is loaded;
 * otherwise the first is, and the others follow it.
 */
export async function expectAllFlawless(addresses: readonly string[], open: (language: Language) => Promise<Page>) {
  const opened = new Map<Language, Page>()
  for (const [turn, address] of addresses.entries())
    for (const [language, looks] of looksOf(turn)) {
      const known = opened.get(language)
      const page = known ?? (await open(language))
      opened.set(language, page)
      if (known && !isFull) await goOn(page, address, language)
      else await page.goto(address)
      await expect(heading(page)).toBeVisible()
      // Strangers pass a page on which they wait to be let through.
      await expect(heading(page)).not.toHaveText(said('Please Wait', language))
      await settled(page)
      await expect(heading(page)).toBeVisible()
      await expectLooks(page, `${address}, ${language}`, looks)
    }
}
