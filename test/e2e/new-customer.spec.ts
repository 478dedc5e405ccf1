import { addOther, field, guidOf, marked, name } from './editor.ts'
import { api, expect, heading, test, unique } from './support.ts'

interface Saved {
  customerGuid: string
  contactGuid: string
  siteGuid: string
  lines: { productGuid: string | null; isOptional: boolean }[]
  discount: unknown
  status: string
}
interface Customer {
  abn: string
  email: string | null
  phone: string
  contacts: { guid: string; name: string; email: string; phone: string }[]
  sites: { guid: string; name: string; address: object }[]
}

test('a customer nobody knew, with ABN, contact and site, and a quote for them: sent by keyboard alone', async ({
  windows,
}) => {
  const word = unique('zx').replaceAll(/\W/g, '')
  const products: { guid: string; name: string }[] = []
  for (const item of ['Fence', 'Gate', 'Post', 'Hinge', 'Latch', 'Lock']) {
    const facts = { name: `${item} ${word}`, kind: 'goods', unit: 'each', priceCents: 12_500 }
    products.push(
      (await api<{ product: { guid: string; name: string } }>('office', 'POST', '/Products', facts)).product,
    )
  }
  const page = await windows.staff('office')
  const made: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/Customers')) made.push(request.postDataJSON())
  })
  const { keyboard } = page
  const tab = async (times = 1) => {
    for (let turn = 0; turn < times; turn++) await keyboard.press('Tab')
  }
  await page.goto('/apps/quotes/add')
  const who = page.getByRole('combobox', { name: 'Customer' })
  await expect(who).toBeFocused()
  const customer = unique('Brand New Builders')
  await keyboard.type(customer)
  await expect(marked(page)).toHaveText(`New customer “${customer}”`)
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New customer' })
  await test.step('what is wrong is said on its field, and no half customer is made', async () => {
    await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
    await tab(2)
    await keyboard.type('02 9999 0000')
    await tab()
    await keyboard.type('53 004 085 617')
    await tab(2)
    await keyboard.type('nadia@builders.example')
    await keyboard.press('Enter')
    await expect(dialog.getByText("This isn't a valid ABN. Check the digits.")).toBeVisible()
    await expect(dialog.getByText('This field is required.')).toBeVisible()
    await dialog.getByLabel('ABN').focus()
    expect(made).toEqual([])
  })
  await keyboard.press('ControlOrMeta+A')
  await keyboard.type('53 004 085 616')
  await tab()
  await keyboard.type('Nadia New')
  await tab(2)
  await keyboard.type('0400 000 111')
  await tab()
  await keyboard.type('12 Wharf Road')
  await tab(2)
  await keyboard.type('Birchgrove')
  await tab()
  await keyboard.type('n')
  // Ends the choice, and sends nothing yet.
  await keyboard.press('Enter')
  await expect(dialog.getByRole('combobox', { name: 'State' })).toHaveValue('NSW')
  expect(made).toEqual([])
  await tab()
  await keyboard.type('2041')
  await keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  expect(made).toHaveLength(1)
  await expect(who).toBeFocused()
  await expect(who).toHaveValue(customer)
  await expect(page.getByRole('combobox', { name: 'Contact', exact: true })).toHaveValue(/Nadia New/)
  await expect(page.getByRole('combobox', { name: 'Site', exact: true })).toHaveValue(
    `${customer} · 12 Wharf Road, Birchgrove`,
  )
  await tab(3)
  await keyboard.type('Fence along the wharf')
  await test.step('six lines from the catalogue, one of them optional, and a discount', async () => {
    await name(page, 1).focus()
    for (const [index, product] of products.entries()) {
      if (index === 5) await addOther(page, 'Optional line')
      else if (index > 0) await keyboard.press('Enter')
      await expect(name(page, index + 1)).toBeFocused()
      await keyboard.type(product.name)
      await keyboard.press('Enter')
      await expect(field(page, 'Price', index + 1)).toHaveValue('125.00')
    }
    await page.getByRole('textbox', { name: 'Discount', exact: true }).focus()
    await keyboard.type('5%')
  })
  await keyboard.press('ControlOrMeta+S')
  await expect(heading(page)).toHaveText('Draft quote')
  await page.getByRole('button', { name: 'Send quote' }).press('Enter')
  const send = page.getByRole('dialog', { name: 'Send quote' })
  await expect(send.getByText('nadia@builders.example')).toBeVisible()
  await send.getByRole('button', { name: 'Send quote' }).press('Enter')
  await expect(heading(page)).toHaveText(/^Q-/)
  const { quote } = await api<{ quote: Saved }>('office', 'GET', `/Quotes/${guidOf(page)}`)
  const saved = await api<{ customer: Customer }>('office', 'GET', `/Customers/${quote.customerGuid}`)
  expect(saved.customer).toMatchObject({
    abn: '53004085616',
    email: null,
    phone: '02 9999 0000',
    contacts: [{ guid: quote.contactGuid, name: 'Nadia New', email: 'nadia@builders.example', phone: '0400 000 111' }],
    sites: [
      {
        guid: quote.siteGuid,
        name: customer,
        address: { line1: '12 Wharf Road', suburb: 'Birchgrove', state: 'NSW', postcode: '2041' },
      },
    ],
  })
  expect(quote).toMatchObject({
    status: 'sent',
    discount: { type: 'percent', value: 500 },
    lines: products.map(({ guid }, index) => ({ productGuid: guid, isOptional: index === 5 })),
  })
})
