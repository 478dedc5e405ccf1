import { api, expect, test, unique, violations } from './support.ts'

const slugOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

test('somebody requests a quote on a phone, and the office finds the draft with the answers', async ({ windows }) => {
  const slug = slugOf(unique('r'))
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
  await api('office', 'POST', '/Quotes/RequestForms', {
    name: 'Parties',
    slug,
    jobTypeGuid: jobType.guid,
    heading: { en: 'Plan your party' },
  })
  const name = unique('Anna Wren')

  await test.step('a phone asks, is told what is missing, and gets a reference', async () => {
    const phone = await windows.guest({ viewport: { width: 375, height: 800 } })
    await phone.goto(`/service/r/${slug}`)
    await expect(phone.getByRole('heading', { name: 'Plan your party' })).toBeVisible()
    await phone.getByRole('textbox', { name: 'Your name' }).fill(name)
    await phone.getByRole('textbox', { name: 'What do you need?' }).fill('A party for 80.')
    await phone.getByRole('radio', { name: 'Yes' }).check()
    await phone.getByRole('button', { name: 'Send request' }).click()
    await expect(phone.getByText('Enter an email address or a phone number.').first()).toBeVisible()
    await expect(phone.getByRole('textbox', { name: 'Email' })).toBeFocused()
    expect(await violations(phone)).toEqual([])
    await phone.getByRole('textbox', { name: 'Phone' }).fill('0400 000 111')
    await phone.getByRole('button', { name: 'Send request' }).click()
    await expect(phone.getByText(/Your reference is RQ-/)).toBeVisible()
  })

  await test.step('the office opens the request and its draft, with what was answered', async () => {
    const office = await windows.staff('office', { viewport: { width: 1440, height: 900 } })
    await office.goto('/apps/quotes/requests/list')
    await office.getByRole('link', { name }).first().click()
    await expect(office.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(office.getByText('A party for 80.')).toBeVisible()
    expect(await violations(office)).toEqual([])
    await office.getByRole('link', { name: 'Open quote' }).click()
    await expect(office.getByText('$135.30').first()).toBeVisible()
    await expect(office.getByText(name).first()).toBeVisible()
  })
})

test('two people change a form at once: both changes hold @prove', async ({ windows }) => {
  const { jobType } = await api<{ jobType: { guid: string } }>('office', 'POST', '/JobTypes', { name: unique('Fete') })
  const slug = slugOf(unique('f'))
  const { requestForm } = await api<{ requestForm: { guid: string; version: number } }>(
    'office',
    'POST',
    '/Quotes/RequestForms',
    { name: 'Fetes', slug, jobTypeGuid: jobType.guid, heading: { en: 'Plan your fete' } },
  )
  const path = `/Quotes/RequestForms/${requestForm.guid}`
  const office = await windows.staff('office')
  await office.goto(`/setup/request-forms/preview/${requestForm.guid}`)
  await office.getByRole('button', { name: 'Edit form' }).click()
  const dialog = office.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: /^Name/ })).toBeFocused()
  expect(await violations(office)).toEqual([])
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('')
  await office.keyboard.press('Enter')
  await expect(dialog.getByText('This field is required.')).toBeVisible()
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Fetes and fairs')
  await api('office', 'PATCH', path, { version: requestForm.version, heading: { en: 'Plan your fair' } })
  await office.keyboard.press('Enter')
  await expect(office.getByText('Fetes and fairs saved.')).toBeVisible()
  await expect(office.getByText('Plan your fair')).toBeVisible()
})

test('the office reads the requests of one form alone @prove', async ({ windows }) => {
  const office = await windows.staff('office', { viewport: { width: 1440, height: 900 } })
  await office.goto('/apps/quotes/requests/list')
  await expect(office.getByRole('link', { name: 'Tom Whitby' })).toBeVisible()
  await office.getByRole('button', { name: 'Form' }).click()
  await office.getByText('Events', { exact: true }).last().click()
  await expect(office.getByRole('link', { name: 'Tom Whitby' })).toBeHidden()
  await expect(office.getByRole('link', { name: 'Priya Raman' })).toBeVisible()
})

test('the office makes a form, with its address and its code @prove', async ({ windows }) => {
  const { jobType } = await api<{ jobType: { name: string } }>('office', 'POST', '/JobTypes', { name: unique('Party') })
  const slug = slugOf(unique('p'))
  const office = await windows.staff('office', { viewport: { width: 1440, height: 900 } })
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
