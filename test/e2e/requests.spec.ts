import { api, expect, test, unique, violations } from './support.ts'

test('somebody requests a quote on a phone, and the office finds the draft with the answers', async ({ windows }) => {
  const slug = unique('r')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  const { bookingOption } = await api<{ bookingOption: { guid: string } }>(
    'office',
    'POST',
    '/Products/BookingOptions',
    {
      code: `${slug}-lights`,
      label: { en: 'Lights' },
      input: 'boolean',
      answeredBy: 'guest',
      choices: [{ code: 'yes', label: { en: 'Yes' }, cents: 12_300 }],
    },
  )
  const { jobType } = await api<{ jobType: { guid: string; name: string } }>('office', 'POST', '/JobTypes', {
    name: unique('Party'),
    optionGuids: [bookingOption.guid],
  })
  const name = unique('Anna Wren')
  const office = await windows.staff('office', { viewport: { width: 1440, height: 900 } })

  await test.step('a form is made, with its address and its code', async () => {
    await office.goto('/setup/request-forms/list')
    await office.getByRole('button', { name: 'New form' }).first().click()
    const dialog = office.getByRole('dialog')
    await dialog.getByRole('textbox', { name: /^Name/ }).fill('Parties')
    await dialog.getByRole('textbox', { name: /^Address/ }).fill(slug)
    await dialog.getByRole('combobox', { name: /^Job type/ }).fill(jobType.name)
    await office.getByRole('option', { name: jobType.name }).click()
    await dialog
      .getByRole('textbox', { name: /^Heading/ })
      .first()
      .fill('Plan your party')
    await dialog.getByRole('button', { name: 'Create form' }).click()
    await expect(office.getByText('Parties created.')).toBeVisible()
    await expect(office.getByRole('img', { name: 'QR code of the public link' })).toBeVisible()
    expect(await violations(office)).toEqual([])
  })

  await test.step('a phone asks, is told what is missing, and gets a reference', async () => {
    const phone = await windows.guest({ viewport: { width: 375, height: 800 } })
    await phone.goto(`/service/r/${slug}`)
    await expect(phone.getByRole('heading', { name: 'Plan your party' })).toBeVisible()
    await phone.getByRole('textbox', { name: 'Your name' }).fill(name)
    await phone.getByRole('textbox', { name: 'What do you need?' }).fill('A party for 80.')
    await phone.getByRole('radio', { name: 'Yes' }).check()
    await phone.getByRole('button', { name: 'Send request' }).click()
    await expect(phone.getByText('Enter an email address or a phone number.').first()).toBeVisible()
    expect(await violations(phone)).toEqual([])
    await phone.getByRole('textbox', { name: 'Phone' }).fill('0400 000 111')
    await phone.getByRole('button', { name: 'Send request' }).click()
    await expect(phone.getByText(/Your reference is R-/)).toBeVisible()
  })

  await test.step('the office opens the request and its draft, with what was answered', async () => {
    await office.goto('/apps/quotes/requests/list')
    await office.getByRole('link', { name }).first().click()
    await expect(office.getByText('A party for 80.')).toBeVisible()
    expect(await violations(office)).toEqual([])
    await office.getByRole('link', { name: 'Open quote' }).click()
    await expect(office.getByText('$135.30').first()).toBeVisible()
    await expect(office.getByText(name).first()).toBeVisible()
  })
})
