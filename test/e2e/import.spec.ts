import { heading, api, expect, test, unique, violations } from './support.ts'

interface List {
  items: { displayName: string }[]
  page: { total: { value: number } }
}

test('Xero’s contact file of 500 with 3 bad rows is imported, mended, and taken back', async ({ windows }) => {
  const word = unique('zq').replaceAll(/\W/g, '')
  const bad: Readonly<Record<number, { email?: string; abn?: string }>> = {
    3: { email: 'nobody' },
    20: { abn: '51 824 753 557' },
    40: { email: '@' },
  }
  const fileOf = (isMended: boolean) => ({
    name: `Contacts ${word}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(
      [
        '*ContactName,EmailAddress,FirstName,LastName,POAddressLine1,POCity,PORegion,POPostalCode,TaxNumber',
        ...Array.from({ length: 500 }, (_, i) => {
          const { email, abn = '' } = (isMended ? undefined : bad[i]) ?? {}
          const mail = email ?? `office@${word}${i}.example`
          return `${word} Finch ${i},${mail},Ada,Finch,${i + 1} Wharf St,Balmain,NSW,2041,${abn}`
        }),
      ].join('\r\n'),
    ),
  })
  const found = async (archived: boolean) =>
    (await api<List>('office', 'GET', `/Customers?size=2&search=${word}&archived=${archived}`)).page.total.value
  const page = await windows.staff('office')
  await page.goto('/apps/customers/list')
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await expect(heading(page)).toHaveText('Import customers')
  const chooser = page.locator('input[type=file]').first()

  await test.step('a file that is no table is refused with what to do', async () => {
    await chooser.setInputFiles({ name: 'scan.csv', mimeType: 'text/csv', buffer: Buffer.from('%PDF-1.7') })
    await expect(page.getByRole('alert')).toHaveText('This is a PDF. Save the list as CSV first.')
    expect(await violations(page)).toEqual([])
  })
  await test.step('the columns are recognised, and problems come first', async () => {
    await chooser.setInputFiles(fileOf(false))
    await expect(page.getByRole('combobox', { name: 'Import TaxNumber as' })).toHaveValue('ABN')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Check rows' }).click()
    await expect(page.getByRole('cell', { name: 'This ABN fails its check digit.', exact: true })).toBeVisible()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    await expect(page.getByRole('button', { name: 'Import 497 customers' })).toHaveAttribute('aria-disabled', 'true')
    expect(await violations(page)).toEqual([])
  })
  await test.step('the mended file is imported', async () => {
    await chooser.setInputFiles(fileOf(true))
    await page.getByRole('button', { name: 'Import 500 customers' }).click()
    await expect(page.getByRole('heading', { name: '500 customers imported.' })).toBeVisible()
    expect(await violations(page)).toEqual([])
    expect(await found(false)).toBe(500)
  })
  await test.step('and taken back', async () => {
    await page.getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await expect(page.getByRole('heading', { name: 'Import undone.' })).toBeVisible()
    expect([await found(false), await found(true)]).toEqual([0, 500])
    await page.reload()
    await expect(page.getByRole('definition').nth(2)).toHaveText('500')
    await expect(page.getByText('Archived')).toBeVisible()
    await expect(page.getByText('Kept')).toBeVisible()
  })
})

test('what is there already is left or filled as chosen, and the rows say so @prove', async ({ windows }) => {
  const word = unique('zr').replaceAll(/\W/g, '')
  await api('office', 'POST', '/Customers', { displayName: `${word} Lark`, email: `office@${word}.example` })
  const page = await windows.staff('office')
  await page.goto('/apps/customers/import')
  const text = ['*ContactName,EmailAddress,PhoneNumber', `${word} Lark,,02 5550 1234`, `${word} Wren,,`].join('\r\n')
  const file = { name: 'Contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
  await page.locator('input[type=file]').first().setInputFiles(file)
  await page.getByRole('button', { name: 'Check rows' }).click()
  const row = page.getByRole('row', { name: `2 ${word} Lark` })
  const filled = page.getByRole('definition').nth(1)
  await expect(row).toContainText('Already here')
  await expect(row).toContainText(`Matches ${word} Lark.`)
  await expect(filled).toHaveText('0')
  await page.getByText('Fill empty fields', { exact: true }).click()
  await expect(row).toContainText('Fills empty fields')
  await expect(filled).toHaveText('1')
})

test('on a phone, files are for a computer @prove', async ({ windows }) => {
  const page = await windows.staff('office', { viewport: { width: 375, height: 800 } })
  await page.goto('/apps/customers/import')
  await expect(page.getByText('Import files on a computer.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose file' })).toBeHidden()
})
