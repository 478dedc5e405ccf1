import { pathTo } from '../../contract/nouns.ts'
import { aSentQuote } from './arrange.ts'
import { expect, heading, test, violations } from './support.ts'

test('What happened is listed, narrowed to an event, and opened with what is known of its record', async ({
  windows,
}) => {
  const page = await windows.staff('admin')
  const { number } = await aSentQuote()
  await page.goto(pathTo('Events'))
  await expect(heading(page)).toHaveText('Events')
  await page.goto(`${pathTo('Events')}?key=quote.sent`)
  const sent = page.getByRole('link', { name: `Quote ${number} sent` })
  await expect(sent).toBeVisible()
  await expect(page.getByRole('row', { name: /accepted by/ })).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await sent.click()
  await expect(heading(page)).toHaveText(`Quote ${number} sent`)
  const total = page.locator('.event-facts > div').filter({ hasText: 'quote.total' })
  await expect(total).toContainText('$275.00')
  expect(await violations(page)).toEqual([])
  await page.goto(`${pathTo('Events')}?day=2001-01-01`)
  await expect(page.getByText('No results')).toBeVisible()
})
