import { api, expect, test, unique, violations } from './support.ts'

test('a template is written with variables, says what is wrong and where, is checked and used', async ({ windows }) => {
  const name = unique('Follow-up')
  const office = await windows.staff('office', { viewport: { width: 1440, height: 900 } })

  await test.step('it begins with the words of its occasion', async () => {
    await office.goto('/setup/email-templates/list')
    await expect(office.getByRole('link', { name: 'Invoice', exact: true })).toBeVisible()
    await office.getByRole('button', { name: 'Add template' }).first().click()
    const dialog = office.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Template name' }).fill(name)
    await dialog.getByRole('button', { name: 'Create template' }).click()
    await expect(office.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(office.getByRole('textbox', { name: 'Body' })).toContainText('Hello')
    expect(await violations(office)).toEqual([])
  })

  const body = office.getByRole('textbox', { name: 'Body' })
  await test.step('a variable is chosen from a list, and a wrong one leads to its line', async () => {
    await body.click()
    // The browser moves the caret itself and tells the editor later: a hurried hand would type where it stood before.
    const isInFirstLine = () =>
      body.evaluate((text) => Boolean(text.firstChild?.contains(getSelection()?.focusNode ?? null)))
    await office.keyboard.press('Control+Home')
    await expect.poll(isInFirstLine).toBe(true)
    await office.keyboard.press('Enter')
    await expect.poll(isInFirstLine).toBe(false)
    await office.keyboard.press('ArrowUp')
    await expect.poll(isInFirstLine).toBe(true)
    await office.keyboard.type('Dear /customer.na')
    await expect(office.getByRole('option', { name: /customer\.name/ })).toBeVisible()
    await office.keyboard.press('Enter')
    await expect(body).toContainText('Dear {{ customer.name }}')
    await office.keyboard.type(' {{ customer.nmae }}')
    const problem = office.getByRole('button', { name: /There is no `customer\.nmae`/ })
    await expect(problem).toBeVisible()
    await problem.focus()
    await office.keyboard.press('Enter')
    await expect(body).toBeFocused()
    for (let letters = 0; letters < ' {{ customer.nmae }}'.length; letters++) {
      await office.keyboard.press('Backspace')
    }
    await expect(problem).toBeHidden()
  })

  await test.step('it is saved, checked against all records and activated', async () => {
    await office.getByRole('button', { name: 'Save version' }).click()
    await expect(office.getByText('Version 2 saved.')).toBeVisible()
    await office.getByRole('button', { name: 'Activate' }).click()
    await expect(office.getByText('Check this version against all records first.')).toBeVisible()
    await office.getByRole('button', { name: 'Check all records' }).click()
    await expect(office.getByText(/Checked against \d+ records?\. Nothing is wrong\./)).toBeVisible({ timeout: 30_000 })
    await office.getByRole('button', { name: 'Activate' }).click()
    await expect(office.getByText('Version 2 activated.')).toBeVisible()
    await office.getByRole('button', { name: 'Changes' }).first().click()
    await expect(office.locator('ins', { hasText: 'Dear' })).toBeVisible()
    // Nothing stands half below the head of the page.
    await office.evaluate(() => window.scrollTo(0, 0))
    expect(await violations(office)).toEqual([])
  })

  const { items } = await api<{ items: { status: string }[] }>(
    'office',
    'GET',
    `/Messages/Templates?search=${encodeURIComponent(name)}`,
  )
  expect(items).toMatchObject([{ status: 'active' }])
})
