import { expect, test, violations } from './support.ts'

const pale = '<p style="color: #ccc; background: #fff">Pale</p>'
const unnamed = '<button></button>'

test('what is wrong is found, also at a second look, and in a frame', async ({ windows }) => {
  const page = await windows.guest()
  await page.setContent(`<html lang="en"><title>A page</title><main><h1>A page</h1></main></html>`)
  expect(await violations(page)).toEqual([])
  const found = async () => (await violations(page)).map((one) => one.split(' Element')[0]).toSorted()
  await page.locator('main').evaluate((main, html) => main.insertAdjacentHTML('beforeend', html), pale + unnamed)
  expect(await found()).toEqual(['button-name: button', 'color-contrast: p'])
  const frame = `<iframe title="A frame" srcdoc='${unnamed}'></iframe>`
  await page.locator('main').evaluate((main, html) => main.insertAdjacentHTML('beforeend', html), frame)
  await expect(page.frameLocator('iframe').getByRole('button')).toBeVisible()
  expect(await found()).toEqual(['button-name: button', 'button-name: iframe button', 'color-contrast: p'])
})
