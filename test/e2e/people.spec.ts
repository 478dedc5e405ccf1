import type { Page } from '@playwright/test'
import { codeAt, stepOf } from '../../server/core/totp.ts'
import { api, expect, heading, password, test, unique, violations } from './support.ts'

interface Role {
  guid: string
  version: number
  name: string
  permissions: { guid: string; subject: string; action: string }[]
}
interface Outbox {
  items: { id: string; to: string; subject: string }[]
}

const ownPassword = 'magpies sing at dawn'
const seen = ['Dashboards', 'Quotes', 'Customers', 'Businesses', 'Products']
const read = (subject: string) => ({ subject, action: 'read' })

/** A role of its own for each test, so that none disturbs another. */
const makeRole = async (name: string, more: object = {}) =>
  (await api<{ role: Role }>('admin', 'POST', '/Roles', { name: unique(name), permissions: seen.map(read), ...more }))
    .role

/** A person who can log in at once. */
async function makePerson(roleGuid: string) {
  const authId = `${unique('person').replace(' ', '-')}@people.example`
  const { user } = await api<{ user: { guid: string; version: number; name: string } }>('admin', 'POST', '/Users', {
    authID: authId,
    firstName: 'Perry',
    lastName: unique('Quill'),
    email: authId,
    roleGuid,
    password: ownPassword,
  })
  return { ...user, authId }
}

/** The link at the end of the newest mail to somebody. */
async function linkTo(address: string, path: string): Promise<string> {
  const find = async () =>
    (await api<Outbox>('admin', 'GET', '/Dev/Outbox')).items.find((mail) => mail.to.includes(address))
  await expect.poll(find).toBeTruthy()
  const { mail } = await api<{ mail: { text: string; html: string } }>(
    'admin',
    'GET',
    `/Dev/Outbox/Mail?id=${(await find())?.id ?? ''}`,
  )
  return new RegExp(`${path}#[\\w-]{43}`).exec(mail.text + mail.html)?.[0] ?? ''
}

async function logIn(page: Page, authId: string, given = ownPassword) {
  await page.goto('/login')
  await page.getByLabel('Email or login').fill(authId)
  await page.getByLabel('Password', { exact: true }).fill(given)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** Logs in and waits until the first page is there. */
async function comeIn(page: Page, authId: string, given = ownPassword) {
  await logIn(page, authId, given)
  await expect(page).toHaveURL(/dashboards/)
}

async function logOut(page: Page) {
  // A page that is only just there takes the focus, and a menu that loses it closes.
  await expect(async () => {
    await page.getByRole('button', { name: /’s account$|'s account$/ }).click()
    await page.getByRole('button', { name: 'Log out' }).click({ timeout: 2000 })
  }).toPass()
  await expect(page.getByLabel('Email or login')).toBeVisible()
}

test('somebody invited chooses a password, sets up two-step login, and comes back by code and recovery code', async ({
  windows,
}) => {
  const admin = await windows.staff('admin')
  const role = await makeRole('Careful', { requiresTwoStep: true })
  const email = `${unique('newcomer').replace(' ', '-')}@people.example`
  let secret = ''
  let step = 0
  let recoveryCode = ''
  // A code counts once: each login takes the next one.
  const nextCode = () => {
    step = Math.max(step + 1, stepOf(new Date()))
    return codeAt(secret, step)
  }

  await test.step('an administrator invites by mail', async () => {
    await admin.goto('/setup/users/list')
    await admin.getByRole('button', { name: 'Invite user' }).click()
    const dialog = admin.getByRole('dialog', { name: 'Invite a user' })
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('combobox', { name: 'Role' }).click()
    await admin.getByRole('option', { name: role.name }).click()
    await expect(dialog.getByText('Requires two-step login.')).toBeVisible()
    await dialog.getByLabel('First name').fill('Nell')
    await dialog.getByLabel('Last name').fill(`Newcomer-${'n'.repeat(70)}`)
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await expect(dialog).toBeHidden()
    await admin.goto(`/setup/users/list?search=${encodeURIComponent(email)}`)
    await expect(admin.getByRole('row').filter({ hasText: email })).toContainText('Invited')
    await expect(admin.locator('.table-scroll'), 'a long name makes no table wider').toHaveAttribute(
      'data-fits',
      'true',
    )
  })

  const person = await windows.guest()
  const invitation = await linkTo(email, '/accept-invitation')
  await test.step('the person accepts with a name and a password', async () => {
    await person.goto(invitation)
    await expect(person.getByText(role.name)).toBeVisible()
    expect(await violations(person)).toEqual([])
    await expect(person.getByLabel('New password'), 'the first field that is empty').toBeFocused()
    await person.getByLabel('New password').fill(ownPassword)
    await person.getByRole('button', { name: 'Accept invitation' }).click()
    await person.getByRole('link', { name: 'Log in' }).click()
  })

  await test.step('the link works once', async () => {
    const second = await windows.guest()
    await second.goto(invitation)
    await expect(heading(second)).toHaveText('This invitation no longer works')
  })

  await test.step('nothing goes before two-step login is set up', async () => {
    await logIn(person, email)
    await expect(person).toHaveURL(/account-settings\/security/)
    await expect(person.getByText('Your role requires two-step login. Set it up to continue.')).toBeVisible()
    await person.goto('/apps/quotes/list')
    await expect(person).toHaveURL(/account-settings\/security/)
    await person.getByLabel('Current password').fill(ownPassword)
    await person.getByRole('button', { name: 'Next' }).click()
    await expect(person.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
    expect(await violations(person)).toEqual([])
    secret = ((await person.locator('.secret').textContent()) ?? '').replaceAll(' ', '')
    await person.getByRole('textbox', { name: 'Code' }).fill('000000')
    await person.getByRole('button', { name: 'Turn on' }).click()
    await expect(person.getByText('Incorrect code.')).toBeVisible()
    await person.getByRole('textbox', { name: 'Code' }).fill(nextCode())
    await person.getByRole('button', { name: 'Turn on' }).click()
    const codes = person.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await expect(codes).toHaveCount(10)
    recoveryCode = (await codes.first().textContent()) ?? ''
    const download = person.waitForEvent('download')
    await person.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('recovery-codes.txt')
    await expect(person.getByRole('button', { name: 'Done' })).toBeDisabled()
    await person.getByLabel("I've saved them somewhere safe").check()
    await person.getByRole('button', { name: 'Done' }).click()
    await expect(person).toHaveURL(/dashboards/)
  })

  await test.step('from then on the password is not enough', async () => {
    await logOut(person)
    await logIn(person, email)
    await person.locator('input[name=authCode]').fill(nextCode())
    await person.getByRole('button', { name: 'Confirm' }).click()
    await expect(person).toHaveURL(/dashboards/)
  })

  await test.step('a recovery code stands in for the phone', async () => {
    await logOut(person)
    await logIn(person, email)
    await person.locator('input[name=authCode]').fill(recoveryCode)
    await person.keyboard.press('Enter')
    await expect(person).toHaveURL(/dashboards/)
    await person.goto('/pages/account-settings/security')
    await expect(person.getByText('9 recovery codes left.')).toBeVisible()
  })
})

test('sessions are seen and ended, by the person and by an administrator @prove', async ({ windows }) => {
  const role = await makeRole('Wanderer')
  const someone = await makePerson(role.guid)
  const here = await windows.guest()
  const there = await windows.guest()
  await comeIn(here, someone.authId)
  await comeIn(there, someone.authId)

  await here.goto('/pages/account-settings/security')
  const sessions = here.getByRole('region', { name: "Where you're logged in" })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByText('This device')).toHaveCount(1)
  await sessions.getByRole('button', { name: /^Log out Chrome/ }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await there.goto('/apps/quotes/list')
  await expect(there.getByLabel('Email or login')).toBeVisible()

  const admin = await windows.staff('admin')
  await admin.goto(`/apps/users/view/${someone.guid}?tab=sessions`)
  await admin.getByRole('button', { name: 'End all sessions' }).click()
  // What is hard to take back begins where Enter alone does nothing.
  await expect(admin.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await admin.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click()
  await expect(admin.getByRole('paragraph').filter({ hasText: 'No active sessions' })).toBeVisible()
  await here.goto('/apps/quotes/list')
  await expect(here.getByLabel('Email or login')).toBeVisible()
})

test('rights set in the matrix by keyboard hold on the next request, and a new role ends the sessions @prove', async ({
  windows,
}) => {
  const role = await makeRole('Reader')
  const someone = await makePerson(role.guid)
  const person = await windows.guest()
  await comeIn(person, someone.authId)
  await person.goto('/apps/quotes/list')
  await expect(heading(person)).toHaveText('Quotes')

  const admin = await windows.staff('admin')
  await admin.goto(`/setup/roles/edit/${role.guid}`)
  const grid = admin.getByRole('grid', { name: `Permissions of ${role.name}` })
  const cell = grid.getByRole('gridcell', { name: /^View, Quotes:/ })
  await cell.focus()
  const rows = await grid.locator('.matrix-name > span:first-child').allTextContents()
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.filter((row) => /^\p{Ll}/u.test(row))).toEqual([])
  await expect(cell).toHaveAccessibleName(/Allow/)
  await admin.keyboard.press('d')
  await expect(cell).toHaveAccessibleName(/Deny, Not allowed\., unsaved/)
  await admin.keyboard.press('ControlOrMeta+z')
  await expect(cell).toHaveAccessibleName(/Allow/)
  await admin.keyboard.press('Space')
  await expect(cell).toHaveAccessibleName(/Deny/)
  await admin.keyboard.press('ArrowRight')
  await admin.keyboard.press('ArrowDown')
  await expect(grid.locator(':focus')).toHaveCount(1)
  expect(await violations(admin)).toEqual([])
  await admin.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(admin.getByText(`${role.name} saved.`)).toBeVisible()

  await person.reload()
  // The browser may still show the frame of the page; what stands in it comes from the server.
  await expect(person.getByRole('main').getByText('Insufficient permissions').first()).toBeVisible()

  await admin.goto(`/apps/users/view/${someone.guid}`)
  await admin.getByRole('combobox', { name: 'Role' }).click()
  await admin.getByRole('option', { name: 'Sales', exact: true }).click()
  await admin.getByRole('button', { name: 'Save user' }).click()
  await expect(admin.getByText('The role is now Sales, and all sessions have ended.')).toBeVisible()
  await person.goto('/apps/quotes/list')
  await expect(person.getByLabel('Email or login')).toBeVisible()
  await comeIn(person, someone.authId)
  await person.goto('/apps/quotes/list')
  await expect(heading(person)).toHaveText('Quotes')
})

test('the reason of a right is told to administrators and to the person @prove', async ({ windows }) => {
  const role = await makeRole('Half', {
    permissions: [
      ...seen.map(read),
      { subject: 'Quotes', action: 'update', conditions: { scope: 'assigned' } },
      { subject: 'Quotes:Send:Guid', action: 'update', inverted: true, note: 'sending is for the office' },
    ],
  })
  const someone = await makePerson(role.guid)
  const admin = await windows.staff('admin')

  await admin.goto('/access-control')
  await admin.getByText('A role', { exact: true }).click()
  await admin.getByRole('combobox', { name: 'Role' }).click()
  await admin.getByRole('option', { name: role.name }).click()
  await admin.getByRole('combobox', { name: 'What' }).fill('quotes › send')
  await admin.getByRole('option', { name: 'Quotes › send' }).click()
  const answer = admin.getByRole('region', { name: 'Answer' })
  await expect(answer).toContainText('No: ')
  await expect(answer).toContainText('Because a rule denies Edit · Quotes › send.')
  await expect(answer.getByRole('listitem').filter({ hasText: 'Decides' })).toContainText('sending is for the office')
  await expect(answer.getByRole('listitem')).toHaveCount(2)
  expect(await violations(admin)).toEqual([])

  await admin.goto(
    `/access-control?who=role&guid=${role.guid}&action=update&subject=Quotes:Update:Guid&isAssigned=false`,
  )
  await expect(answer).toContainText("This record doesn't meet its conditions.")
  await expect(answer).toContainText('No: ')

  const person = await windows.guest()
  await comeIn(person, someone.authId)
  await person.goto('/apps/invoices/list')
  await expect(person.getByText('Invoices:Preview:All')).toBeVisible()
  await person.getByRole('link', { name: 'Why?' }).click()
  await expect(person.getByRole('region', { name: 'Answer' })).toContainText('Because no rule allows it')
  await expect(person.getByRole('radio', { name: 'A role' })).toHaveCount(0)
})

test('a person is deactivated after a question and reactivated at once, and a role put away comes back @prove', async ({
  windows,
}) => {
  const held = await makeRole('Held', { permissions: seen.map(read) })
  const someone = await makePerson(held.guid)
  const admin = await windows.staff('admin')
  await admin.goto(`/apps/users/view/${someone.guid}`)
  const chip = admin.locator('.page-title-row .chip')
  await expect(chip).toHaveText('Active')
  await admin.getByRole('button', { name: 'More', exact: true }).click()
  await admin.getByRole('button', { name: 'Deactivate user' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Deactivate user' }).click()
  await expect(chip).not.toHaveText('Active')
  await admin.getByRole('button', { name: 'Reactivate user' }).click()
  await expect(chip).toHaveText('Active')

  const role = await makeRole('Put away', { permissions: seen.map(read) })
  await admin.goto(`/setup/roles/edit/${role.guid}`)
  await admin.getByRole('button', { name: 'More', exact: true }).click()
  await admin.getByRole('button', { name: 'Archive', exact: true }).click()
  await expect(admin.locator('.page-title-row .chip')).toHaveText('Archived')
  await admin.getByRole('button', { name: 'Undo' }).last().click()
  await expect(admin.getByText(`Role ${role.name} restored.`)).toBeVisible()
  await expect(admin.locator('.page-title-row .chip')).toHaveCount(0)
})

test('a role is tried read only, with a banner on every page and a way back @prove', async ({ windows }) => {
  const admin = await windows.guest()
  await comeIn(admin, 'admin@demo.example', password)
  await admin.goto('/setup/roles/list?search=Sales')
  await admin.getByRole('link', { name: 'Sales' }).first().click()
  await admin.getByRole('button', { name: 'Try this role' }).click()
  const banner = admin.getByRole('status').filter({ hasText: 'Sales' })
  await expect(banner).toBeVisible()
  await admin.goto('/apps/quotes/list')
  await expect(heading(admin)).toHaveText('Quotes')
  await expect(banner).toBeVisible()
  await expect(admin.getByRole('link', { name: 'Roles' })).toHaveCount(0)
  await admin.goto('/apps/customers/add')
  await admin.getByRole('textbox', { name: 'Name' }).fill(unique('Nobody'))
  await admin
    .getByRole('button', { name: /^(Create|Save|Add)/ })
    .last()
    .click()
  await expect(admin.getByText(/can't change anything/i).first()).toBeVisible()
  await banner.getByRole('button').click()
  await expect(banner).toBeHidden()
  await expect(admin.getByRole('link', { name: 'Roles' }).first()).toBeVisible()
})

test('a forgotten password is set anew by mail, and the answer says nothing about who is known', async ({
  windows,
}) => {
  const role = await makeRole('Forgetful')
  const someone = await makePerson(role.guid)
  const page = await windows.guest()
  const answers: string[] = []
  for (const login of ['nobody@people.example', someone.authId]) {
    await page.goto('/forgot-password')
    await page.getByLabel('Email or login').fill(login)
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(heading(page)).toHaveText('Check your email')
    answers.push((await page.locator('.auth-card').textContent()) ?? '')
  }
  expect(answers[0]).toBe(answers[1])
  await page.goto(await linkTo(someone.authId, '/reset-password'))
  await page.getByLabel('New password').fill('kookaburras laugh at noon')
  await page.getByLabel('Repeat password').fill('kookaburras laugh at noon')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('link', { name: 'Log in' }).click()
  await comeIn(page, someone.authId, 'kookaburras laugh at noon')
})
