import { api, expect, heading, test, unique, violations } from './support.ts'

interface Change {
  guid: string
  day: string
}

/** Its own year, which no other run has changed. */
const freshYear = async () => {
  for (let year = 2040; year < 2100; year++) {
    const path = `/Holidays?state=VIC&year=${year}`
    if ((await api<{ changes: Change[] }>('office', 'GET', path)).changes.length === 0) return year
  }
  throw new Error('every year was changed')
}

test('A business adds a holiday, changes it, removes one of its state, and undoes both', async ({ windows }) => {
  const page = await windows.staff('office')
  const year = await freshYear()
  await page.goto(`/setup/rules/list?state=VIC&year=${year}`)
  await expect(heading(page)).toHaveText('Public holidays')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('Melbourne Cup Day')).toContainText('Not yet proclaimed. Check before relying on it.')

  const show = unique('Show day')
  await page.getByRole('button', { name: 'Add holiday' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Day', exact: true }).fill(`01-07-${year}`)
  await dialog.getByRole('button', { name: 'Add holiday' }).click()
  await expect(dialog.getByText('This field is required.')).toBeVisible()
  await dialog.getByLabel('Holiday').fill(show)
  await dialog.getByRole('button', { name: 'Add holiday' }).click()
  await expect(row(show)).toContainText('Whole day')
  await expect(row(show)).toContainText('Added')

  await page.getByRole('button', { name: `Edit ${show}` }).click()
  await dialog.getByLabel('From').fill('12:00')
  await dialog.getByRole('button', { name: 'Save holiday' }).click()
  await expect(row(show)).toContainText('From 12:00')

  await page.getByRole('button', { name: 'Remove Melbourne Cup Day' }).click()
  await expect(row('Melbourne Cup Day')).toContainText('Removed')
  await expect(page.getByRole('button', { name: 'Undo the change to Melbourne Cup Day' })).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo the change to Melbourne Cup Day' }).click()
  await expect(page.getByRole('button', { name: 'Remove Melbourne Cup Day' })).toBeVisible()
  await page.getByRole('button', { name: `Undo the change to ${show}` }).click()
  await expect(row(show)).toHaveCount(0)

  // A day that the state has is replaced, and the list goes to where it stands.
  const rest = unique('Works picnic')
  await page.getByRole('button', { name: 'Add holiday' }).click()
  await dialog.getByRole('textbox', { name: 'Day', exact: true }).fill(`25-12-${year + 1}`)
  await dialog.getByLabel('Holiday').fill(rest)
  await dialog.getByRole('button', { name: 'Add holiday' }).click()
  await expect(page.getByText(`“${rest}” replaces Christmas Day.`)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`year=${year + 1}`))
  await expect(row(rest)).toContainText('Changed')
  await page.getByRole('button', { name: `Undo the change to ${rest}` }).click()
  await expect(row('Christmas Day').first()).toBeVisible()
})
