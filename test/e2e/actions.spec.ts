import type { Page } from '@playwright/test'
import { pathOf, pathTo } from '../../contract/nouns.ts'
import { api, expect, heading, test, unique } from './support.ts'

const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first()

test('An action is written as it reads, tried on what happened, turned on and paused', async ({ windows }) => {
  const page = await windows.staff('admin')
  const name = unique('Thank you')
  await page.goto(pathTo('Actions'))
  await page.getByRole('link', { name: 'Add action' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('combobox', { name: 'Event' }).fill('an order is completed')
  await page.getByRole('option', { name: 'An order is completed' }).click()
  await page.getByRole('button', { name: 'Add condition' }).click()
  await page.getByLabel('Field').click()
  await page.getByRole('option', { name: 'The amount not invoiced' }).click()
  await page.getByLabel('Comparison').click()
  await page.getByRole('option', { name: 'is more than' }).click()
  await page.getByLabel('Value').fill('5000')
  await page.getByRole('button', { name: 'Add step' }).click()
  await page.getByLabel('Text').fill('Invoice what is left.')
  const sentence = 'When an order is completed and more than $5,000 is not invoiced, notify the record’s owner.'
  await expect(page.getByText(sentence)).toBeVisible()
  await page.getByRole('button', { name: 'Start dry run' }).click()
  await expect(page.getByText(/^Would have run \d+ of \d+ time/)).toBeVisible()
  const wait = page.getByRole('textbox', { name: 'Wait' })
  await wait.fill('1.5')
  await expect(page.getByText('Enter a whole number.')).toBeVisible()
  await wait.fill('43201')
  await expect(page.getByText('Up to 43,200 minutes.')).toBeVisible()
  await wait.fill('')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(/\/actions\/edit\//)
  const turnOn = page.getByRole('button', { name: 'Turn on' })
  await expect(turnOn).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill(`${name} again`)
  await expect(turnOn).toHaveAccessibleDescription('Save your changes first.')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(turnOn).toBeEnabled()
  await turnOn.click()
  await expect(toast(page, 'Action turned on.')).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(toast(page, 'Action paused.')).toBeVisible()
  await page.goto(`${pathTo('Actions')}?search=${encodeURIComponent(name)}`)
  await expect(page.getByRole('row', { name: sentence })).toContainText('Paused')
})

/** Goes on with the Tab key until a button or field of this name has the focus. */
async function tabTo(page: Page, name: string | RegExp) {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => {
      const active = document.activeElement as HTMLInputElement | null
      return active?.getAttribute('aria-label') ?? active?.labels?.[0]?.textContent ?? active?.textContent ?? ''
    })
    if (typeof name === 'string' ? label.startsWith(name) : name.test(label)) return
  }
  throw new Error(`nothing called ${name} was reached by the Tab key`)
}

test('By the keyboard alone an action is made and turned on, and its run tells what it did @prove', async ({
  windows,
}) => {
  const page = await windows.staff('admin')
  const word = unique('Keys')
  await page.goto(pathOf('Actions', 'add'))
  await expect(heading(page)).toHaveText('Add action')
  await tabTo(page, 'Name')
  await page.keyboard.type(word)
  await tabTo(page, 'Event')
  await page.keyboard.type('A customer is created')
  await page.keyboard.press('Enter')
  await tabTo(page, 'Add condition')
  await page.keyboard.press('Enter')
  // What was added has the focus.
  await expect(page.getByLabel('Field')).toBeFocused()
  await tabTo(page, 'Comparison')
  await page.keyboard.type('contains')
  await tabTo(page, 'Value')
  await page.keyboard.type(word.toUpperCase())
  await tabTo(page, 'Add step')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('What to do')).toBeFocused()
  await page.keyboard.type('Change tags')
  await tabTo(page, 'Tags to add')
  await page.keyboard.type('welcome')
  await page.keyboard.press('Enter')
  await expect(
    page.getByText(`When a customer is created and the name contains “${word.toUpperCase()}”, add the tag “welcome”.`),
  ).toBeVisible()
  await page.keyboard.press('Control+s')
  await page.waitForURL(/\/actions\/edit\//)
  await expect(heading(page)).toHaveText(word)
  await tabTo(page, 'Turn on')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Action turned on.')).toBeVisible()

  const { customer } = await api<{ customer: { guid: string } }>('admin', 'POST', '/Customers', {
    displayName: word,
  })
  const run = page.locator('summary').filter({ hasText: word })
  await expect(async () => {
    await page.reload()
    await expect(run).toContainText('Done', { timeout: 5000 })
  }).toPass()
  await run.focus()
  await page.keyboard.press('Enter')
  const steps = page.locator('details[open]').getByRole('listitem')
  await expect(steps.filter({ hasText: 'Conditions met' })).toBeVisible()
  await expect(steps.filter({ hasText: 'Add the tag “welcome”' })).toBeVisible()
  await page.goto(pathTo('Customers', customer.guid))
  await expect(page.getByText('welcome', { exact: true })).toBeVisible()

  await page.goto(pathOf('Actions', 'register'))
  await expect(page.getByRole('row', { name: word })).toContainText('the name')
})
