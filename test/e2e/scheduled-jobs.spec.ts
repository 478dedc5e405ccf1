import type { ScheduledJob } from '../../contract/jobs.ts'
import { api, expect, heading, test, violations } from './support.ts'

test('an operator looks at what runs by itself, pauses a job, resumes it and has it run', async ({ windows }) => {
  const page = await windows.staff('admin')
  await page.goto('/dashboards/server-meta')
  await expect(heading(page)).toHaveText('Scheduled jobs')
  await expect(page.getByRole('row', { name: /Release scheduled messages/ })).toContainText('Every minute')
  const job = 'Fetch Instagram images'
  const row = page.getByRole('row', { name: job })
  await expect(row).toContainText('Every hour at :22')
  await expect(row).toContainText('Active')
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: job }).focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: job })
  await expect(sheet).toContainText('GET /api/v2/Cron/Process/Products/Instagram/Images')
  await expect(sheet.getByRole('tab', { name: 'Will do (0)' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Pause' }).click()
  const question = page.getByRole('dialog', { name: `Pause “${job}”?` })
  await expect(question.getByRole('button', { name: 'Pause' })).toBeDisabled()
  await question.getByLabel('Why are you pausing it?').fill('Instagram is away.')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`“${job}” paused.`)).toBeVisible()
  await expect(sheet).toContainText('This job is paused: Instagram is away.')
  await expect(sheet.getByRole('button', { name: 'Run now' })).toBeDisabled()
  await expect(row).toContainText('Paused')
  expect(await violations(page)).toEqual([])

  await sheet.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByText(`“${job}” resumed.`)).toBeVisible()
  await sheet.getByRole('button', { name: 'Run now' }).click()
  await expect(page.getByText(`“${job}”: Nothing to do.`)).toBeVisible()
  await sheet.getByRole('tab', { name: 'Runs' }).click()
  await expect(sheet.getByRole('listitem').first()).toContainText('Nothing to do')
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('button', { name: job })).toBeFocused()
  await page.goto('/dashboards/server-meta?job=instagram-images')
  await expect(sheet).toContainText('GET /api/v2/Cron/Process/Products/Instagram/Images')

  const { items } = await api<{ items: ScheduledJob[] }>('admin', 'GET', '/Cron/Jobs')
  expect(items.every(({ isPaused }) => !isPaused)).toBe(true)
})

test('whoever may not look after the server is told so @prove', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto('/dashboards/server-meta')
  await expect(heading(page)).not.toHaveText('Scheduled jobs')
})
