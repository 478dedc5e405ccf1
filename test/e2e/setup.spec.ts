import { makeProduct, productFolder, clearAway } from '../support/process.ts'
import { expect, test, violations } from './support.ts'

test('the first run goes on in another language with what was typed, and ends at a login in it', async ({
  browser,
}) => {
  const dataDir = productFolder()
  const product = await makeProduct(dataDir)
  const page = await browser.newPage({ locale: 'en-AU', viewport: { width: 375, height: 812 }, colorScheme: 'dark' })
  try {
    await product.start()
    await expect.poll(() => product.said()).toContain('/setup?token=')
    await page.goto(/http\S+\/setup\?token=\S+/.exec(product.said())?.[0] ?? '')
    await page.getByLabel('Legal name').fill('Brolga & Sons')
    await page.getByRole('radio', { name: 'Sample data' }).check()
    await page.getByRole('link', { name: 'العربية' }).click()
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expect(page.getByLabel('الاسم القانوني')).toHaveValue('Brolga & Sons')
    await expect(page.getByRole('radio', { name: 'بيانات نموذجية' })).toBeChecked()
    expect(await violations(page)).toEqual([])

    await page.getByRole('radio', { name: 'منشأة فارغة' }).check()
    await page.getByLabel('ABN').fill('11 111 111 111')
    await page.getByLabel('الاسم الأول').fill('Ada')
    await page.getByLabel('اسم الدخول').fill('ada@setup.example')
    await page.getByLabel('كلمة المرور').fill('magpies sing at dawn')
    await page.getByRole('button', { name: 'إعداد' }).click()
    await expect(page.getByText('أدخل رقم ABN صالحًا')).toBeVisible()
    await expect(page.getByLabel('ABN')).toBeFocused()
    expect(await violations(page)).toEqual([])

    await page.getByLabel('ABN').fill('53 004 085 616')
    await page.getByLabel('كلمة المرور').fill('magpies sing at dawn')
    await page.getByRole('button', { name: 'إعداد' }).click()
    await expect(page.getByText('ada@setup.example')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'تسجيل الدخول' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
    await expect(page.locator('input[type=password]')).toBeVisible()
  } finally {
    await page.close()
    await clearAway([product], dataDir)
  }
})
