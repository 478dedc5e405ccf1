import { api, expect, test, unique, violations, whileAway } from './support.ts'

test('a template is written with variables, says what is wrong and where, is checked and used @prove', async ({
  windows,
}) => {
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
    const problem = office.getByRole('button', { name: /There is no “customer\.nmae”/ })
    await expect(problem).toContainText('Body (English), paragraph 1:')
    await problem.focus()
    await office.keyboard.press('Enter')
    await expect(body).toBeFocused()
    await expect.poll(() => office.evaluate(() => String(getSelection()))).toBe('customer.nmae')
    await office.keyboard.type('customer.name')
    await expect(problem).toBeHidden()
    await expect(body).toContainText('Dear {{ customer.name }} {{ customer.name }}')
  })

  await test.step('while the server is away it is said beside the button, and what was written stays', async () => {
    const save = office.getByRole('button', { name: 'Save version' })
    await whileAway(office, async () => {
      await save.focus()
      await office.keyboard.press('Enter')
      await expect(office.getByText(/^Not saved: the server can’t be reached\./)).toBeInViewport()
      await expect(save).toBeFocused()
      await expect(body).toContainText('Dear {{ customer.name }}')
    })
  })

  await test.step('it is saved, checked against all records and activated', async () => {
    await office.getByRole('button', { name: 'Save version' }).click()
    await expect(office.getByText('Version 2 saved.')).toBeVisible()
    // What was not checked is not activated: the button says why, and can be reached.
    const activate = office.getByRole('button', { name: 'Activate' })
    await expect(activate).toHaveAccessibleDescription('Check this version against all records before you activate it.')
    await expect(activate).toHaveAttribute('aria-disabled', 'true')
    await activate.focus()
    await expect(activate).toBeFocused()
    const check = office.getByRole('button', { name: 'Check all records' })
    await expect(check).toHaveAttribute('data-variant', 'filled')
    await check.click()
    await expect(office.getByText(/Checked against \d+ records?\. No problems found\./)).toBeVisible({
      timeout: 30_000,
    })
    await expect(check).toHaveAttribute('data-variant', 'default')
    await expect(activate).not.toHaveAttribute('aria-disabled')
    // What is active is not activated again, also before the page has read it anew.
    let goOn = () => {}
    const held = new Promise<void>((resolve) => (goOn = resolve))
    await office.route(/\/Messages\/Templates\/[0-9a-f-]{36}(\?|$)/, async (route) => {
      await held
      await route.continue()
    })
    await office.getByRole('button', { name: 'Activate' }).click()
    await expect(office.getByText('Version 2 activated.')).toBeVisible()
    await expect(office.getByRole('button', { name: 'Activate' })).toHaveCount(0)
    goOn()
    await office.getByRole('button', { name: 'Changes' }).first().click()
    await expect(office.locator('ins', { hasText: 'Dear' })).toBeVisible()
    // As it is read: without tags, and without the paragraphs that stayed.
    await expect(office.locator('.mail-difference')).toHaveText(/^English: Body\s*AddedDear [^<>]*$/)
    // Nothing stands half below the head of the page.
    await office.evaluate(() => window.scrollTo(0, 0))
    expect(await violations(office)).toEqual([])
  })

  await test.step('it opens by its address, however the machine hurries', async () => {
    for (let time = 0; time < 3; time++) {
      await office.reload()
      await expect(body).toContainText('Dear')
    }
  })

  const { items } = await api<{ items: { status: string }[] }>(
    'office',
    'GET',
    `/Messages/Templates?search=${encodeURIComponent(name)}`,
  )
  expect(items).toMatchObject([{ status: 'active' }])
})
