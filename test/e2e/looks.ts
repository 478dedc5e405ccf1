import type { Page } from '@playwright/test'
import { expect, violations } from './support.ts'

const desktop = { width: 1440, height: 900 }
const phone = { width: 375, height: 812 }

/** Both themes and both sizes: crossed in the long proof, each once otherwise. */
const looks =
  process.env['FULL'] === '1'
    ? ([['light', desktop], ['light', phone], ['dark', phone], ['dark', desktop]] as const)
    : ([['light', desktop], ['dark', phone]] as const)

/** Skeletons are gone, and what follows the width has followed it. */
export const settled = async (page: Page) => {
  await expect(page.locator('[aria-busy="true"], .mantine-Skeleton-root')).toHaveCount(0)
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** No accessibility problem, and nothing beside the screen, in any look; `what` names the page in the report. */
export async function expectFlawless(page: Page, what: string) {
  for (const [colorScheme, size] of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(size)
    await settled(page)
    const look = `${what}, ${colorScheme}, ${size.width} px`
    expect.soft(await violations(page), look).toEqual([])
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), `${look}: wider than the screen`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize(desktop)
}
