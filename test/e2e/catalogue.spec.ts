import { aPicture } from '../support/pictures.ts'
import { api, expect, test, unique } from './support.ts'

interface Product {
  guid: string
  name: string
  images: { alt: string | null; name: string }[]
}
const aProduct = async (facts: Record<string, unknown> = {}): Promise<Product> =>
  (
    await api<{ product: Product }>('office', 'POST', '/Products', {
      name: unique('Marquee'),
      priceCents: 78_000,
      ...facts,
    })
  ).product

test('pictures of a product: added, described, put in order and taken away @prove', async ({ windows }) => {
  const { guid, name: called } = await aProduct()
  const pictures = await Promise.all([10, 200].map((shade) => aPicture('png', 400, 300, shade)))
  const page = await windows.staff('office', { viewport: { width: 1440, height: 900 } })
  const saved = async () =>
    (await api<{ product: Product }>('office', 'GET', `/Products/${guid}`)).product.images.map(({ alt }) => alt)
  await page.goto(`/apps/products/preview/${guid}`)
  await page.getByRole('tab', { name: 'Pictures' }).click()
  await expect(page.getByText('No pictures yet')).toBeVisible()
  for (const [i, buffer] of pictures.entries()) {
    await page
      .locator('.product-panel input[type="file"]')
      .setInputFiles({ name: `picture-${i + 1}.png`, mimeType: 'image/png', buffer })
    await expect(page.getByLabel(`Text alternative, picture ${i + 1}`)).toBeVisible()
  }
  const alt = (position: number) => page.getByLabel(`Text alternative, picture ${position}`)
  await alt(1).fill('From the front')
  await alt(1).press('Enter')
  await expect.poll(saved).toEqual(['From the front', null])
  await alt(2).fill('From behind')
  await alt(2).blur()
  await expect.poll(saved).toEqual(['From the front', 'From behind'])
  await alt(2).press('Alt+ArrowUp')
  await expect.poll(saved).toEqual(['From behind', 'From the front'])
  await expect(alt(1)).toBeFocused()
  await page.getByRole('button', { name: 'Remove picture 2' }).click()
  await expect.poll(saved).toEqual(['From behind'])
  await page.goto(`/apps/products/list?search=${encodeURIComponent(called)}`)
  await expect(page.locator('.product-thumb img')).toBeVisible()
})
