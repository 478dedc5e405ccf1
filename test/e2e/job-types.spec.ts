import { aCustomer } from './arrange.ts'
import { field, name, total } from './editor.ts'
import { api, expect, heading, test, unique } from './support.ts'

test('A job type fills in a quote, asks where there are lines, and is taken back @prove', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto('/apps/quotes/add')
  const jobType = page.getByLabel('Job type')
  const choose = async (typed: string) => {
    await jobType.fill(typed)
    await page.getByRole('option', { name: typed }).click()
  }
  await choose('Event set-up')
  const said = page.getByRole('status').filter({ hasText: 'Filled in from “Event set-up”' })
  await expect(said).toContainText('deposit')
  await expect(name(page, 1)).toHaveValue('Marquee 6 × 6 m')
  await expect(page.getByLabel('Title')).toHaveValue('Your event')
  await said.getByRole('button', { name: 'Undo' }).click()
  await expect(name(page, 1)).toHaveValue('')
  await expect(page.getByLabel('Title')).toHaveValue('')
  await expect(jobType).toHaveValue('')

  await name(page, 1).fill('Rubbish removal')
  await field(page, 'Price', 1).fill('80')
  await choose('Fence hire')
  await page.getByRole('dialog').getByRole('button', { name: 'Add below' }).click()
  await expect(name(page, 1)).toHaveValue('Rubbish removal')
  await expect(field(page, 'Qty', 2)).toHaveValue('24')
  await expect(page.getByLabel('Title')).toHaveValue('Temporary fencing')

  // Nothing that was brought was changed, so that another kind takes its place; what was entered is asked about.
  await choose('Site inspection')
  await page.getByRole('dialog').getByRole('button', { name: 'Replace lines' }).click()
  await expect(name(page, 2)).toBeHidden()
  const shown = await total(page).textContent()
  await page.getByRole('combobox', { name: 'Customer' }).fill('Margaret Ell')
  await page.getByRole('option', { name: 'Margaret Ellison' }).click()
  await page.getByRole('button', { name: 'Save draft' }).first().click()
  await page.waitForURL(/\/quotes\/preview\//)
  await expect(page.getByRole('definition').filter({ hasText: 'Site inspection' })).toBeVisible()
  await expect(page.getByText(shown ?? '').first()).toBeVisible()
})

test('An order made without a quote has a job type, and its list shows those of one kind @prove', async ({
  windows,
}) => {
  const page = await windows.staff('office')
  await page.goto('/apps/orders/add')
  await page.getByRole('combobox', { name: 'Customer' }).fill('Margaret Ell')
  await page.getByRole('option', { name: 'Margaret Ellison' }).click()
  await page.getByLabel('Job type').fill('Event')
  await page.getByRole('option', { name: 'Event set-up' }).click()
  await expect(name(page, 1)).toHaveValue('Marquee 6 × 6 m')
  await page.getByRole('button', { name: 'Save order' }).first().click()
  await expect(page.getByText('Notes for the crew')).toBeVisible()
  await page.waitForURL(/\/orders\/preview\//)
  const number = await heading(page).textContent()
  await page.goto('/apps/orders/list')
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByRole('button', { name: 'Job type', exact: true }).click()
  await page.locator('label', { hasText: 'Event set-up' }).click()
  await expect(page).toHaveURL(/jobTypeGuid=/)
  await expect(page.getByRole('row', { name: new RegExp(number ?? '') })).toBeVisible()
})

test('Many orders are given to somebody, and many products to a stream and a category @prove', async ({ windows }) => {
  const page = await windows.staff('admin')
  const dialog = page.getByRole('dialog')
  // Its own, which nobody else moves in the list or changes: other journeys do both.
  const title = unique('Given')
  const customerGuid = await aCustomer(title)
  const lines = [{ name: title, quantity: '1', unitPriceCents: 12_500 }]
  for (const one of ['A', 'B']) {
    await api('office', 'POST', '/Orders', { customerGuid, title: `${title} ${one}`, lines })
    await api('admin', 'POST', '/Products', { name: `${title} ${one}`, priceCents: 12_500 })
  }
  const search = `search=${encodeURIComponent(title)}`
  const begin = async (address: string) => {
    await page.goto(address)
    const boxes = page.getByRole('row').getByRole('checkbox')
    if (address.includes(search)) await expect(boxes).toHaveCount(3)
    for (const row of [1, 2]) await boxes.nth(row).check()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
  }
  await begin(`/apps/orders/list?${search}`)
  await expect(dialog.getByRole('heading', { name: 'Edit 2 orders' })).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Assigned to' }).check()
  await dialog.getByRole('combobox', { name: 'Assigned to' }).fill('Finn')
  await page.getByRole('option', { name: 'Finn Taufa' }).click()
  // Its field comes with phrases of its own, and the tick with it.
  await dialog.getByRole('checkbox', { name: 'Job type' }).click()
  await dialog.getByRole('combobox', { name: 'Job type' }).fill('Fence')
  await page.getByRole('option', { name: 'Fence hire' }).click()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('2 orders updated.')).toBeVisible()

  await begin(`/apps/products/list?${search}`)
  await dialog.getByRole('checkbox', { name: 'Revenue stream' }).check()
  await dialog.getByRole('combobox', { name: 'Revenue stream' }).click()
  await page.getByRole('option', { name: 'Events' }).click()
  await dialog.getByRole('checkbox', { name: /^Categories/ }).check()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('2 products updated.')).toBeVisible()

  await begin('/setup/revenue-streams/list')
  await dialog.getByRole('checkbox', { name: 'Account' }).check()
  await dialog.getByRole('textbox', { name: 'Account' }).fill('250')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('2 revenue streams updated.')).toBeVisible()
})
