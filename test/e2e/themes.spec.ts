import { anIssuedInvoice } from './arrange.ts'
import { api, expect, test, unique, violations, whileAway } from './support.ts'

test('a theme is made beside what wears it, mended until it can be read, and worn @prove', async ({ windows }) => {
  const name = unique('Seaside')
  const office = await windows.staff('office', { viewport: { width: 1440, height: 900 } })

  await test.step('its colours say how well they are read, and offer the nearest shade', async () => {
    await office.goto('/setup/email-themes/list')
    await expect(office.getByRole('cell', { name: /Standard/ }).first()).toBeVisible()
    await office.getByRole('link', { name: 'New theme' }).first().click()
    await office.getByRole('textbox', { name: 'Name' }).fill(name)
    await office.getByRole('textbox', { name: 'Primary colour' }).fill('#0D9394')
    await office.getByRole('textbox', { name: 'Background' }).fill('#FFFFFF')
    await office.getByRole('textbox', { name: 'Muted text' }).fill('#777777')
    // The picker of the field is put away.
    await office.getByRole('textbox', { name: 'Name' }).focus()
    await expect(office.getByRole('slider')).toHaveCount(0)
    await expect(office.getByText('4.47 : 1').first()).toBeVisible()
    await expect(office.getByRole('region', { name: 'Preview' })).toContainText('Subject:')
    expect(await violations(office)).toEqual([])
    await office.getByRole('button', { name: 'Create theme' }).click()
    await expect(office.getByRole('heading', { level: 1, name })).toBeVisible()
  })

  await test.step('it is saved while it is weak, says so, and why it is not the default yet', async () => {
    const weak = '1 colour needs more contrast: Light: Muted text on Background (4.47 : 1)'
    await expect(office.getByText(weak)).toHaveCount(2)
    const why = 'Activate a version to make this theme the default.'
    await expect(office.getByText(why).first()).toBeVisible()
    await expect(office.getByRole('button', { name: 'Make default' })).toHaveAccessibleDescription(why)
    // What had the colour of the business follows the one that was chosen, by night too.
    const dark = office.getByRole('list', { name: 'Dark' })
    await expect(dark.getByRole('listitem').filter({ hasText: 'Primary colour' })).toContainText('#0D9394')
    expect(await violations(office)).toEqual([])
    await office.getByRole('button', { name: 'Edit theme' }).click()
    await office.getByRole('button', { name: 'Use #767676' }).click()
    await expect(office.getByText('4.54 : 1').first()).toBeVisible()
    // While the server is away it is said at the button, and what was chosen stays.
    await whileAway(office, async () => {
      await office.getByRole('button', { name: 'Save version' }).click()
      await expect(office.getByText(/^Not saved: the server can’t be reached\./)).toBeInViewport()
      await expect(office.getByRole('textbox', { name: 'Muted text' })).toHaveValue('#767676')
    })
    await office.getByRole('button', { name: 'Save version' }).click()
    await expect(office.getByRole('heading', { level: 1, name })).toBeVisible()
  })

  await test.step('it is looked at as a page in the dark on a phone, and activated', async () => {
    const preview = office.getByRole('region', { name: 'Preview' })
    await preview.getByRole('tab', { name: 'Customer page' }).click()
    await preview.getByText('Dark', { exact: true }).click()
    await preview.getByRole('switch', { name: 'Phone width' }).click()
    await expect(preview.locator('.letter').first()).toBeVisible()
    // Dark ink is read better on this colour than white.
    const button = preview.getByRole('button', { name: 'View invoice' })
    await expect(button).toHaveCSS('background-color', 'rgb(13, 147, 148)')
    await expect(button).toHaveCSS('color', 'rgb(27, 26, 34)')
    expect(await violations(office)).toEqual([])
    await office.getByRole('button', { name: 'Activate version 2' }).click()
    await expect(office.getByText('Version 2 activated.')).toBeVisible()
  })

  await test.step('a version that cannot be read is refused in the sentence of its colour', async () => {
    const { items } = await api<{ items: { guid: string; name: string; version: number; light: object }[] }>(
      'office',
      'GET',
      `/Messages/Themes?search=${encodeURIComponent(name)}`,
    )
    const [theme] = items
    await api('office', 'PATCH', `/Messages/Themes/${theme?.guid}`, {
      version: theme?.version,
      light: { ...theme?.light, text: '#AAAAAA' },
    })
    await office.reload()
    await expect(office.getByText(/Light: Text on Background \(2\.32 : 1\)/)).toBeVisible()
    await office.getByRole('button', { name: 'Activate version 3' }).click()
    // It stays at the version that was asked for.
    const third = office.getByRole('listitem').filter({ hasText: 'Version 3' })
    await expect(third.getByRole('alert')).toContainText(
      /Light, Text: Contrast is 2\.32 : 1\. It must be at least 4\.5 : 1\./,
    )
    await expect(third.getByRole('alert')).toBeInViewport()
  })

  await test.step('what was never active is nothing to roll back to', async () => {
    await expect(office.getByRole('button', { name: 'Show version 1' })).toBeVisible()
    await expect(office.getByRole('button', { name: /^Roll back/ })).toHaveCount(0)
  })
})

test('the letter of an invoice is in the ink of its theme, whatever is around it', async ({ windows }) => {
  const { guid } = await anIssuedInvoice()
  const page = await windows.staff('office', { colorScheme: 'light' })
  await page.route(/\/Businesses\/Letterhead/, async (route) => {
    const answer = await route.fetch()
    const told = (await answer.json()) as { serviceData: { business: { name: string; theme: { light: object } } } }
    Object.assign(told.serviceData.business.theme.light, { text: '#335577', link: '#7A1F5C' })
    await route.fulfill({ response: answer, json: told })
  })
  await page.goto(`/apps/invoices/preview/${guid}`)
  const letter = page.getByRole('article')
  const ink = 'rgb(51, 85, 119)'
  await expect(letter.locator('.letter-name')).toHaveCSS('color', ink)
  await expect(letter.getByRole('cell').last()).toHaveCSS('color', ink)
  await expect(letter.locator('.totals dd').first()).toHaveCSS('color', ink)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveCSS('color', ink)
})
