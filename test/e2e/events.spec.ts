import { pathTo } from '../../contract/nouns.ts'
import { expect, heading, test, violations } from './support.ts'

test('What happened is listed, narrowed to an event, and opened with what is known of its record', async ({
  windows,
}) => {
  const page = await windows.staff('admin')
  await page.goto(pathTo('Events'))
  await expect(heading(page)).toHaveText('Events')
  const rows = page.getByRole('row')
  await expect(rows.nth(1)).toBeVisible()
  await page.goto(`${pathTo('Events')}?key=quote.accepted`)
  const accepted = rows.filter({ hasText: /Quote .+ accepted by/ })
  await expect(accepted.first()).toBeVisible()
  await expect(rows.filter({ hasText: /sent$/ })).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await page
    .getByRole('link', { name: /Quote .+ accepted by/ })
    .first()
    .click()
  await expect(heading(page)).toHaveText(/Quote .+ accepted by/)
  await expect(page.getByText('quote.total', { exact: true })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.goto(`${pathTo('Events')}?day=2001-01-01`)
  await expect(page.getByText('No results')).toBeVisible()
})
