import { addDays, localDay } from '../../contract/core/dates.ts'
import { aDraftQuote } from './arrange.ts'
import { api, expect, heading, test, violations } from './support.ts'

interface Series {
  guid: string
  title: string
  next: string[]
}

const today = () => localDay(new Date().toISOString(), 'Australia/Sydney')
/** As the office types days. */
const typed = (day: string) => day.split('-').toReversed().join('-')

test('a quote becomes a series, which makes the next, and its prices are planned to rise and not to @prove', async ({
  windows,
}) => {
  const quote = await aDraftQuote()
  const page = await windows.staff('office', { viewport: { width: 1440, height: 900 } })
  await page.goto(`/apps/quotes/preview/${quote.guid}`)

  await test.step('made from the menu of the quote, with its lines and its customer', async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Make a series of this quote' }).click()
    await expect(page.getByRole('textbox', { name: /^Title/ })).toHaveValue(quote.title)
    await page.getByRole('textbox', { name: /^Every/ }).fill('3')
    await page.getByLabel('Days ahead').fill('7')
    await page.getByRole('button', { name: 'Save draft' }).first().click()
    await expect(page.getByText(`Series “${quote.title}” saved.`)).toBeVisible()
    await expect(heading(page)).toHaveText(quote.title)
    await expect(page.getByText('Every 3 months')).toBeVisible()
    await expect(page.getByText('$275.00').first()).toBeVisible()
    await expect(page.getByRole('region', { name: 'Next dates' }).getByRole('listitem')).toHaveCount(5)
  })

  await test.step('started, and run: the quote is there, and says whose it is', async () => {
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await expect(page.getByText(`Series “${quote.title}” started.`)).toBeVisible()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Create next quote now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create next quote now' }).click()
    await expect(page).toHaveURL(/\/apps\/quotes\/preview\//)
    expect(page.url()).not.toContain(quote.guid)
    await page.getByRole('link', { name: quote.title }).first().click()
    await expect(page.getByRole('region', { name: 'Quotes of this series' })).toContainText('$275.00')
  })

  await test.step('a rise is checked before it is planned, and taken back from where it was planned', async () => {
    const { items } = await api<{ items: Series[] }>(
      'office',
      'GET',
      `/Quotes/Series?search=${encodeURIComponent(quote.title)}`,
    )
    const found = items.find(({ title }) => title === quote.title)
    expect(found).toBeDefined()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Plan price rise' }).click()
    await expect(page.getByRole('checkbox', { name: quote.title, exact: true })).toBeChecked()
    await page.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByLabel('Percentage').fill('10')
    await page.getByRole('textbox', { name: /^From/ }).fill(typed(addDays(today(), 1)))
    await page.getByRole('button', { name: 'Check prices' }).click()
    const row = page.getByRole('row').filter({ hasText: quote.title })
    await expect(row).toContainText('$275.00')
    await expect(row).toContainText('$302.50')
    await page.getByRole('button', { name: 'Plan rise for 1 series' }).click()
    await expect(page.getByText('10% planned for 1 series')).toBeVisible()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(page.getByText('Prices stay as they were.')).toBeVisible()
    await page.goto(`/apps/quotes/series/preview/${found?.guid}`)
    await expect(page.getByRole('region', { name: 'Price rises' })).toContainText('Undone')
    expect(await violations(page)).toEqual([])
  })

  await test.step('paused, it makes nothing, and goes on', async () => {
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByText(`Series “${quote.title}” paused.`)).toBeVisible()
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await expect(page.getByText(`Series “${quote.title}” resumed.`)).toBeVisible()
  })
})
