import type { Page } from '@playwright/test'
import type { ReminderPolicy } from '../../contract/reminders.ts'
import { aCustomer, anIssuedInvoice } from './arrange.ts'
import { api, expect, heading, settled, test, unique, violations } from './support.ts'

const path = '/setup/reminders/list'
const readPolicy = async () => (await api<{ policy: ReminderPolicy }>('office', 'GET', '/Reminders/Policy')).policy
/** As it was before, whatever a journey left. */
async function putBack({ version: _version, ...wanted }: ReminderPolicy) {
  const { version } = await readPolicy()
  await api('office', 'PATCH', '/Reminders/Policy', { version, ...wanted })
}
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const steps = (page: Page) => page.getByRole('group', { name: /^Step \d$/ })

test.describe.configure({ mode: 'serial' })

test('The office adds a step to the ladder, and holds the reminders of a customer', async ({ windows }) => {
  const before = await readPolicy()
  const page = await windows.staff('office')
  await page.goto(path)
  await expect(heading(page)).toHaveText('Automatic emails')
  await expect(steps(page)).toHaveCount(before.steps.length)
  expect(await violations(page)).toEqual([])

  await page.getByRole('button', { name: 'Add step' }).click()
  const added = steps(page).last()
  await added.getByLabel('Days').fill(String(Math.abs(before.steps.at(-1)?.days ?? 1)))
  await save(page).click()
  await expect(added).toContainText('Each step needs its own day.')
  for (const typed of ['2.5', '-5']) {
    await added.getByLabel('Days').fill(typed)
    await save(page).click()
    await expect(added).toContainText('Enter a whole number, 0 or more.')
  }
  expect(await readPolicy()).toEqual(before)
  await added.getByLabel('Days').fill('77')
  await page.getByLabel('Send at').fill('21:00')
  await save(page).click()
  await expect(page.getByText('Choose a time outside the quiet hours.')).toBeVisible()
  await page.getByLabel('Send at').fill('09:30')
  await save(page).click()
  await expect(page.getByText('Automatic emails saved.')).toBeVisible()
  expect(await readPolicy()).toMatchObject({ sendAt: '09:30', steps: [...before.steps, { days: 77 }] })
  await putBack(before)

  const name = unique('Promised')
  const customerGuid = await aCustomer(name)
  await page.goto(`/apps/customers/preview/${customerGuid}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Hold reminders' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hold reminders' })
  await dialog.getByLabel('Note').fill('Pays on Friday.')
  await dialog.getByRole('button', { name: 'Hold reminders' }).click()
  await expect(page.getByText(`Reminders held for ${name}.`)).toBeVisible()
  await page.goto(path)
  const row = page.getByRole('row', { name })
  await expect(row).toContainText('Payment promised')
  await expect(row).toContainText('Pays on Friday.')
  await page.getByRole('button', { name: `Lift the hold on ${name}` }).click()
  await expect(page.getByText(`Reminders for ${name} continue.`)).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('Two people change the automatic emails, and an invoice is held until a day @prove', async ({ windows }) => {
  const before = await readPolicy()
  const page = await windows.staff('office')
  await page.goto(path)
  const smallest = page.getByLabel('Smallest amount')
  await expect(smallest).toBeVisible()

  // Somebody else changes something else: both hold.
  await api('admin', 'PATCH', '/Reminders/Policy', { version: before.version, sendAt: '10:15' })
  await smallest.fill('35')
  await page.getByRole('switch', { name: 'Welcome customers when an order is confirmed' }).click()
  await save(page).click()
  await expect(page.getByText('Automatic emails saved.')).toBeVisible()
  expect(await readPolicy()).toMatchObject({ sendAt: '10:15', minimumCents: 3500 })
  await page.reload()
  await expect(page.getByRole('switch', { name: 'Welcome customers when an order is confirmed' })).not.toBeChecked()
  await page.getByRole('switch', { name: 'Welcome customers when an order is confirmed' }).click()
  await save(page).click()
  await expect(page.getByText('Automatic emails saved.')).toBeVisible()

  // Both change the same: whose version is to stay is asked.
  const { version } = await readPolicy()
  await api('admin', 'PATCH', '/Reminders/Policy', { version, minimumCents: 5000 })
  await smallest.fill('40')
  await save(page).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('$40.00')
  await expect(question).toContainText('$50.00')
  expect(await violations(page)).toEqual([])
  await question.getByRole('button', { name: 'Keep my changes' }).click()
  await expect.poll(async () => (await readPolicy()).minimumCents).toBe(4000)

  await page.getByRole('button', { name: 'Remove step 1' }).click()
  await page.getByRole('checkbox', { name: 'Saturday' }).click()
  await save(page).click()
  await expect.poll(async () => (await readPolicy()).steps.length).toBe(before.steps.length - 1)
  await putBack(before)

  const invoice = await anIssuedInvoice({ customerGuid: await aCustomer(unique('Disputed')) })
  const { number } = invoice
  await page.goto(`/apps/invoices/preview/${invoice.guid}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Hold reminders' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hold reminders' })
  await dialog.getByRole('textbox', { name: 'Until', exact: true }).fill('20-04-2040')
  await dialog.getByRole('button', { name: 'Hold reminders' }).click()
  await expect(page.getByText(`Reminders held for ${number}.`)).toBeVisible()
  await expect(page.getByText('Reminders held until 20-04-2040: Payment promised')).toBeVisible()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Hold reminders' }).click()
  await expect(dialog).toContainText('On hold until 20-04-2040')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: `Lift the hold on ${number}` }).click()
  await expect(dialog).not.toContainText('On hold until')
})

test('A reminder of today is seen and cancelled before it goes @prove', async ({ windows }) => {
  const before = await readPolicy()
  const name = unique('Owing')
  const invoice = await anIssuedInvoice({ customerGuid: await aCustomer(name), termsDays: 37 })
  const { number } = invoice
  // On this day of the ladder there is no other invoice, and it goes at the end of the day.
  await putBack({
    ...{ ...before, isOn: true, startsOn: invoice.issueOn, sendAt: '23:59' },
    steps: before.steps.slice(0, 1).map((step) => ({ ...step, days: -37 })),
    quiet: { from: '00:00', to: '00:00', weekdays: [], holidays: false },
  })
  const page = await windows.staff('office')
  await page.goto(path)
  const row = page.getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText(number)
  await expect(page.getByRole('heading', { name: 'Next run' })).toBeVisible()
  await api('admin', 'GET', '/Cron/Orders/Billing/Messages/Outstanding')
  await page.reload()
  await expect(row).toContainText('Scheduled')
  expect(await violations(page)).toEqual([])
  await row.getByRole('button', { name: `Cancel the reminder to ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel reminder' }).click()
  await expect(page.getByText(`Reminder to ${name} cancelled.`)).toBeVisible()
  await expect(row).toContainText('Cancelled')
  await expect(row.getByRole('button')).toHaveCount(0)
  await putBack(before)
})

test('Whoever may only read looks at the automatic emails and changes nothing @prove', async ({ windows }) => {
  const page = await windows.staff('readonly')
  await page.goto(path)
  await settled(page)
  await expect(page.getByText('You can look at these settings, not change them.')).toBeVisible()
  await expect(save(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add step' })).toHaveCount(0)
})

test('Whoever works outside has no way to the automatic emails', async ({ windows }) => {
  const page = await windows.staff('field')
  await page.goto(path)
  await settled(page)
  await expect(heading(page)).not.toHaveText('Automatic emails')
})
