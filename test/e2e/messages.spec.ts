import type { Page } from '@playwright/test'
import { aCustomer, anIssuedInvoice, aSentQuote } from './arrange.ts'
import { api, expect, heading, settled, test, unique, whileAway } from './support.ts'

interface Listed {
  guid: string
  subject: string
  status: string
}
const messagesOf = async (customerGuid: string) =>
  (await api<{ items: Listed[] }>('office', 'GET', `/Messages?customerGuid=${customerGuid}&size=25`)).items
const newMessage = async (page: Page) => {
  await page.getByRole('button', { name: 'More' }).first().click()
  await page.getByRole('button', { name: 'New message' }).last().click()
}
const body = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })

test('staff write about an invoice, see what its reader sees, and it stands in the conversation', async ({
  windows,
}) => {
  const name = unique('Wattle Cafe')
  const customerGuid = await aCustomer(name)
  const { guid, number } = await anIssuedInvoice({ customerGuid })
  const page = await windows.staff('office')
  await page.goto(`/apps/invoices/preview/${guid}`)
  await expect(heading(page)).toHaveText(number)
  const thread = page.getByRole('region', { name: 'Messages' })
  await expect(thread).toContainText('No messages in this conversation.')

  await newMessage(page)
  const dialog = page.getByRole('dialog', { name: 'New message' })
  await expect(dialog.getByRole('textbox', { name: 'Subject' })).not.toHaveValue('')
  await expect(dialog.getByText('someone@customers.example').first()).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: number })).toBeChecked()
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('About your hire')
  await body(page).fill('The truck comes at seven.')
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await expect(preview.frameLocator('iframe').getByRole('article')).toContainText('The truck comes at seven.')
  await preview.getByText('Text', { exact: true }).click()
  await expect(preview.locator('pre')).toContainText('The truck comes at seven.')

  // What is missing is said beside its field, and nothing is lost.
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('')
  await body(page).press('ControlOrMeta+Enter')
  await expect(dialog.getByText('Enter a subject.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('About your hire')
  await body(page).press('ControlOrMeta+Enter')
  await expect(page.getByText(`Message to ${name} queued.`)).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(thread.getByText('The truck comes at seven.').last()).toBeVisible()
  await expect(thread.getByText('1 attachment')).toBeVisible()

  // A note stands between, for staff alone.
  await thread.getByRole('button', { name: 'Add note' }).click()
  await thread.getByRole('textbox', { name: 'Note' }).fill('He prefers the side gate.')
  await thread.getByRole('button', { name: 'Save note' }).click()
  await expect(thread.getByRole('listitem').last()).toContainText('He prefers the side gate.')
  await expect(thread.getByRole('listitem').last()).toContainText('Only staff see this')

  // The same conversation from the customer's side, where a message opens beside it.
  await page.goto(`/apps/customers/preview/${customerGuid}?tab=messages`)
  await thread.getByRole('button', { name: 'About your hire' }).click()
  await expect(page.getByRole('dialog', { name: 'About your hire' })).toContainText('someone@customers.example')
})

test('a draft outlives its closed tab, waits for its day, is changed and sent after all @prove', async ({
  windows,
}) => {
  const customerGuid = await aCustomer()
  const page = await windows.staff('office')
  await page.goto(`/apps/messages/add?customerGuid=${customerGuid}`)
  const subject = page.getByRole('textbox', { name: 'Subject' })
  await expect(subject).toHaveValue(/\{\{/)
  // A greeting alone is no message, and without the template its variables don't stay behind.
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Write a message.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Template' }).click()
  await page.getByRole('option', { name: 'No template' }).click()
  await expect(subject).toHaveValue('')
  await subject.fill('{{ business }}')
  await body(page).fill('We come on Tuesday.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText(/is filled in only with a template/)).toBeVisible()
  await subject.fill('Your delivery')
  await page.waitForFunction(() =>
    Object.keys(localStorage).some((key) => key.includes('draft.') && localStorage[key].includes('on Tuesday')),
  )
  const again = await page.context().newPage()
  await page.close()
  await again.goto(`/apps/messages/add?customerGuid=${customerGuid}`)
  await expect(again.getByText('Draft restored.')).toBeVisible()
  await expect(again.getByRole('textbox', { name: 'Subject' })).toHaveValue('Your delivery')
  await expect(body(again)).toContainText('We come on Tuesday.')

  await again.getByRole('switch', { name: 'Send later' }).check()
  await again.getByRole('button', { name: 'Schedule', exact: true }).click()
  await expect(again.getByText('Enter a date and a time.')).toBeVisible()
  const year = new Date().getFullYear() + 1
  await again.getByRole('textbox', { name: 'Date' }).fill(`07-04-${year}`)
  await again.getByRole('textbox', { name: 'Time', exact: true }).fill('09:00')
  const late = new Date(`${year}-04-07T00:00:00Z`).getTime() - Date.now() > 366 * 86_400_000
  if (late) await again.getByRole('textbox', { name: 'Date' }).fill(`07-04-${year - 1}`)
  await again.getByRole('button', { name: 'Schedule', exact: true }).click()
  await expect(again.getByText(`Message scheduled for 07-04-${late ? year - 1 : year} 09:00.`)).toBeVisible()
  await expect(heading(again)).toHaveText('Your delivery')
  await expect(again.getByText('Scheduled', { exact: true }).first()).toBeVisible()
  await again.goto(`/apps/messages/list?customerGuid=${customerGuid}`)
  const planned = `Scheduled for 07-04-${late ? year - 1 : year} 09:00`
  await expect(again.getByRole('row', { name: 'Your delivery' })).toContainText(planned)
  await again.getByRole('link', { name: 'Your delivery' }).click()
  await expect(heading(again)).toHaveText('Your delivery')

  // What took the place of somebody's own words is undone where they were written, and nowhere else.
  await again.goto(`/apps/messages/add?customerGuid=${customerGuid}`)
  await body(again).fill('My own words.')
  await again.getByRole('combobox', { name: 'Template' }).click()
  await again.getByRole('option', { name: 'No template' }).click()
  await again.getByRole('combobox', { name: 'Template' }).click()
  await again.getByRole('option', { name: 'General', exact: true }).click()
  await expect(body(again)).not.toContainText('My own words.')
  await expect(again.getByText('Text replaced by the template.')).toBeVisible()
  await again.locator('.compose-restored').getByRole('button', { name: 'Undo' }).click()
  await expect(body(again)).toContainText('My own words.')
  await expect(again.getByText('Text replaced by the template.')).toBeHidden()
  await again.goBack()
  await expect(heading(again)).toHaveText('Your delivery')

  await again.getByRole('button', { name: 'Edit' }).click()
  await expect(again.getByRole('textbox', { name: 'Subject' })).toHaveValue('Your delivery')
  await expect(body(again)).toContainText('We come on Tuesday.')
  await body(again).fill('We come on Wednesday.')
  // The server is away for a while: it is said beside the button, and what was written goes when it is back.
  const schedule = again.getByRole('button', { name: 'Schedule', exact: true })
  await whileAway(again, async () => {
    await schedule.focus()
    await again.keyboard.press('Enter')
    await expect(again.getByText(/^Not saved: the server can’t be reached\./)).toBeInViewport()
    await expect(schedule).toBeFocused()
    await expect(body(again)).toContainText('We come on Wednesday.')
  })
  await again.keyboard.press('Enter')
  await expect(heading(again)).toHaveText('Your delivery')
  await again.getByRole('button', { name: 'Send now' }).click()
  await expect(again.getByText('Message queued.')).toBeVisible()
  await expect.poll(async () => (await messagesOf(customerGuid))[0]?.status).toBe('sent')
  expect(await messagesOf(customerGuid)).toHaveLength(1)
})

test('a scheduled message that is cancelled elsewhere says so in its form, and leads to its page @prove', async ({
  windows,
}) => {
  const customerGuid = await aCustomer()
  const { message } = await api<{ message: Listed }>('office', 'POST', '/Messages', {
    ...{ customerGuid, intent: 'schedule', to: ['someone@customers.example'], subject: 'Your delivery' },
    ...{ bodyHtml: '<p>We come on Tuesday.</p>', scheduledFor: `${new Date().getFullYear() + 1}-04-07T09:00` },
  })
  const page = await windows.staff('office')
  await page.goto(`/apps/messages/preview/${message.guid}`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect(body(page)).toContainText('We come on Tuesday.')
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(heading(page)).toHaveText('Your delivery')
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect(body(page)).toContainText('We come on Tuesday.')
  await api('office', 'DELETE', `/Messages/${message.guid}`)
  const schedule = page.getByRole('button', { name: 'Schedule', exact: true })
  await schedule.click()
  const alert = page.getByRole('alert').filter({ hasText: 'This message was cancelled.' })
  await expect(alert).toBeVisible()
  await expect(schedule).toBeHidden()
  await alert.getByRole('link', { name: 'Go to the message' }).click()
  await expect(heading(page)).toHaveText('Your delivery')
  await expect(page.getByText('Cancelled', { exact: true }).first()).toBeVisible()
})

test('a message about a quote is kept as a draft, and sent from its page @prove', async ({ windows }) => {
  const { guid } = await aSentQuote()
  const page = await windows.staff('office')
  await page.goto(`/apps/quotes/preview/${guid}?tab=messages`)
  const thread = page.getByRole('region', { name: 'Messages' })
  await thread.getByRole('button', { name: 'New message' }).click()
  const dialog = page.getByRole('dialog', { name: 'New message' })
  await dialog.getByRole('textbox', { name: 'Subject' }).fill('One question')
  await body(page).fill('Which colour? Both are on sale.')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByText('This reads like an offer. Is it only facts?')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'It’s only facts' }).check()
  await dialog.getByRole('button', { name: 'Save draft' }).click()
  await expect(page.getByText('Draft saved.')).toBeVisible()
  await thread.getByRole('button', { name: 'One question' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Open' }).click()
  await expect(heading(page)).toHaveText('One question')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Message queued.')).toBeVisible()
})

test('on a phone in Arabic what is written and what becomes of it take turns @prove', async ({ windows }) => {
  const customerGuid = await aCustomer()
  const page = await windows.staff('office', { language: 'ar', viewport: { width: 375, height: 812 } })
  await page.goto(`/apps/messages/add?customerGuid=${customerGuid}`)
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  const text = page.getByRole('textbox', { name: 'الرسالة', exact: true })
  await page.getByRole('textbox', { name: 'الموضوع' }).fill('موعد التسليم')
  await text.fill('سنصل يوم الثلاثاء.')
  await page.getByText('معاينة', { exact: true }).click()
  await expect(text).toBeHidden()
  await expect(page.frameLocator('iframe').getByRole('article')).toContainText('سنصل يوم الثلاثاء.')
  await page.getByText('كتابة', { exact: true }).click()
  await expect(text).toContainText('سنصل يوم الثلاثاء.')
  await settled(page)
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
  expect(isWide).toBe(false)
  await page.getByRole('button', { name: 'إرسال', exact: true }).click()
  await expect.poll(async () => (await messagesOf(customerGuid))[0]?.subject).toBe('موعد التسليم')
})

test('whoever chooses a customer by keyboard goes on in the message', async ({ windows }) => {
  const page = await windows.staff('office')
  await page.goto('/apps/messages/add')
  await page.getByRole('combobox', { name: 'Customer' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Subject' })).toBeFocused()
})
