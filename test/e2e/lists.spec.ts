import { api, expect, heading, money, test } from './support.ts'

interface Note {
  guid: string
  number: string
  totalCents: number
}

test('an adjustment note takes back: negative, without a due day, issued and not sent', async ({ windows }) => {
  const { items } = await api<{ items: Note[] }>('office', 'GET', '/Invoices?kind=adjustment_note&size=2')
  const [note] = items
  if (!note) throw new Error('the sample company has adjustment notes')
  const page = await windows.staff('office')
  await page.goto('/apps/invoices/list?kind=adjustment_note')
  const row = page.getByRole('row').filter({ hasText: note.number })
  await expect(row.locator('[data-column="totalCents"]')).toHaveText(money(-note.totalCents))
  await expect(row.locator('[data-column="dueOn"]')).toHaveText('–')
  await expect(row.locator('.chip')).toHaveText('Issued')
  await row.getByRole('button', { name: /^Peek/ }).click()
  const peek = page.getByRole('dialog')
  await expect(peek.locator('.chip').first()).toHaveText('Issued')
  await expect(peek.locator('.totals-strong')).toHaveText(new RegExp(money(-note.totalCents).replaceAll(/[$.]/g, '\\$&')))
  await expect(peek.getByText('Due', { exact: true })).toHaveCount(0)
  await peek.getByRole('link', { name: 'Open' }).click()
  await expect(heading(page)).toHaveText(note.number)
  await expect(page.locator('.page-title-row .chip')).toHaveText('Issued')
})
