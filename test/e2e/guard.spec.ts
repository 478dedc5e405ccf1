import { guardWindows, type Headers, dashboard, logIn, retold, past } from './guard-windows.ts'
import { api, expect, heading, password, test, unique } from './support.ts'
import { variants } from './variants.ts'

test.describe('the guard', () => {
  const { open, as, withEndedToken, renewForReal, stored, target, isAt } = guardWindows()

  test.describe('who is let in where', () => {
    test('a visitor is asked to log in, and then gets the page he wanted', async () => {
      const { page } = await open()
      await page.goto('/apps/quotes/list?status=sent')
      await isAt(page, '/login')
      await page.getByLabel('Email or login').fill('office@demo.example')
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Log in' }).click()
      await isAt(page, /\/apps\/quotes\/list\?status=sent$/)
      await expect(heading(page)).toHaveText('Quotes')
    })

    test('a page without a subject is for users: others log in first', async () => {
      const visitor = await open()
      await visitor.page.goto('/access-control')
      await isAt(visitor.page, '/login')
      const { page } = await as('readonly')
      await page.goto('/access-control')
      await expect(heading(page)).toHaveText('Access control')
    })

    test('the login and the forgotten password are for those who are not logged in @prove', async () => {
      const { page } = await as('office')
      for (const path of ['/login', '/forgot-password']) {
        await page.goto(path)
        await isAt(page, dashboard)
      }
    })

    test('who lacks the right is told which one', async () => {
      const { page } = await as('readonly')
      await page.goto('/apps/quotes/add')
      await isAt(page, '/not-authorized')
      await expect(page.getByText('Insufficient permissions').last()).toBeVisible()
      await expect(page.getByText('Missing permission: create on Quotes:Create')).toBeVisible()
      expect((await stored<Headers>(page, 'headers'))?.value.Authorization).toContain('Bearer')
    })

    test('without the API guid that a page needs, the session is over @prove', async () => {
      const headers = await logIn('office')
      const rule = {
        subject: 'Quotes',
        action: 'read',
        conditions: null,
        enabled: true,
        priority: 0,
        inverted: false,
        apiGuidRequired: true,
        authorizationHeaderRequired: true,
      }
      const { page } = await open({ headers: { ...headers, 'X-Api-Guid': '' }, permissions: [rule] })
      await page.goto('/apps/quotes/list')
      await isAt(page, '/login')
      await expect(page.getByRole('alert')).toHaveText('No GUID was found')
      expect(await stored(page, 'headers')).toBeNull()
    })

    test('headers without an authorization are no session @prove', async () => {
      const { page } = await open({ headers: { 'X-Api-Guid': '0190a0b0-0000-7000-8000-0000000000aa' } })
      await page.goto('/apps/quotes/list')
      await isAt(page, '/login')
    })

    test('five failed checks within a minute reset everything @prove', async () => {
      const { page } = await as('readonly')
      for (let i = 0; i < 4; i++) {
        await page.goto('/apps/quotes/add')
        await isAt(page, '/not-authorized')
      }
      await page.goto('/apps/quotes/add')
      await isAt(page, '/login')
      await expect(page.getByRole('alert')).toContainText('Insufficient permissions')
      await expect(page.getByRole('alert')).toContainText('so we logged you out')
      for (const key of ['headers', 'token', 'role', 'permissions', 'authStatus', 'matchedPermission'])
        expect(await stored(page, key)).toBeNull()
    })

    test('five failed checks in more than a minute do not @prove', async () => {
      const now = Date.now()
      const { page } = await as('readonly', { blocks: [[now - 61_000, now - 60_500, now - 60_100, now - 30_000], now] })
      await page.goto('/apps/quotes/add')
      await isAt(page, '/not-authorized')
      expect((await stored<number[]>(page, 'blocks'))?.value).toHaveLength(2)
    })

    test('logging out clears what is stored and leads to the login', async () => {
      const { page } = await as('office')
      await page.goto(dashboard)
      await page.getByRole('button', { name: /’s account$|'s account$/ }).click()
      await page.getByRole('button', { name: 'Log out' }).click()
      await isAt(page, /\/login$/)
      await expect(page.getByRole('alert')).toHaveCount(0)
      for (const key of ['headers', 'token', 'role', 'userData', 'permissions', 'authStatus', 'recents'])
        expect(await stored(page, key)).toBeNull()
      // The login is a page too: what is remembered by now is its own.
      expect((await stored<{ path: string }>(page, 'pageMeta'))?.value.path ?? '/login').toBe('/login')
    })

    test('logging out in one window ends the others', async () => {
      const { page, context } = await as('office')
      const other = await context.newPage()
      await Promise.all([page.goto(dashboard), other.goto('/apps/quotes/list')])
      await expect(heading(other)).toHaveText('Quotes')
      await page.getByRole('button', { name: /’s account$|'s account$/ }).click()
      await page.getByRole('button', { name: 'Log out' }).click()
      await isAt(other, '/login')
    })
  })

  test.describe('a token that is over', () => {
    test('sends to the waiting page, is renewed once, and the page that was wanted follows', async () => {
      const { page, context, headers } = await withEndedToken('office')
      let go = () => undefined as void
      const held = new Promise<void>((done) => (go = done))
      const seen = await renewForReal(context, headers, () => held)
      await page.goto('/apps/invoices/list?status=overdue')
      await isAt(page, '/auth-waiting')
      await expect(heading(page)).toHaveText('Please Wait')
      await expect(page).toHaveTitle(/^Please Wait/)
      expect(await target(page)).toBe('/apps/invoices/list?status=overdue')
      expect((await stored<boolean>(page, 'refreshInProgress'))?.value).toBe(true)
      const before = seen.permissions
      go()
      await isAt(page, /\/apps\/invoices\/list\?status=overdue$/)
      await expect(heading(page)).toHaveText('Invoices')
      expect(seen).toEqual({ renewals: 1, permissions: before + 1 })
      expect(await stored(page, 'refreshInProgress')).toBeNull()
    })

    test('is renewed once for three windows @prove', async () => {
      const { page, context, headers } = await withEndedToken('office')
      const held = Promise.withResolvers<void>()
      const seen = await renewForReal(context, headers, () => held.promise)
      const windows = { Quotes: page, Orders: await context.newPage(), Customers: await context.newPage() }
      await Promise.all(
        Object.entries(windows).map(async ([name, one]) => {
          await one.goto(`/apps/${name.toLowerCase()}/list`)
          await isAt(one, '/auth-waiting')
        }),
      )
      held.resolve()
      await Promise.all(Object.entries(windows).map(([name, one]) => expect(heading(one)).toHaveText(name)))
      expect(seen.renewals).toBe(1)
    })

    test('is renewed once for all calls of a page, before they are sent @prove', async () => {
      const { page, context, headers } = await as('office')
      await page.goto(dashboard)
      await expect(page.getByText('Issued this month')).toBeVisible()
      const seen = await renewForReal(context, headers)
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/api/v2/')) sent.push(new URL(request.url()).pathname.replace('/api/v2', ''))
      })
      // A window that was away reads everything anew when it comes back.
      await page.evaluate(
        (value) => {
          localStorage.setItem('brolga.headers', value)
          window.dispatchEvent(new StorageEvent('storage', { key: 'brolga.headers' }))
          const show = (hidden: boolean) => {
            Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
            document.dispatchEvent(new Event('visibilitychange'))
          }
          show(true)
          show(false)
        },
        JSON.stringify({ value: retold(headers, { exp: past() }), at: Date.now() }),
      )
      await expect.poll(() => sent.length).toBeGreaterThan(2)
      expect(sent[0]).toBe('/Kernal/Auth/Renew')
      expect(seen.renewals).toBe(1)
      expect(sent.filter((path) => path === '/Kernal/Auth/Renew')).toHaveLength(1)
    })

    test('that the server refuses to renew ends the session, and the page is remembered @prove', async () => {
      const { page } = await withEndedToken('office')
      // Not ours any more: the server sees a token that nobody signed.
      await page.goto('/apps/quotes/list?status=sent')
      await isAt(page, '/login')
      expect(new URL(page.url()).searchParams.get('to')).toBe('/apps/quotes/list?status=sent')
      expect(await stored(page, 'headers')).toBeNull()
    })

    test('and may not be renewed leads to the login @prove', async () => {
      const headers = await logIn('office')
      const { page } = await open({
        headers: retold(headers, { exp: past(), isRenewAllowed: false }),
        apiGuid: headers['X-Api-Guid'],
      })
      await page.goto('/apps/quotes/list')
      await isAt(page, '/login')
      expect(await stored(page, 'headers')).toBeNull()
    })

    const outages = [
      ['no connection', 'abort'],
      ['a busy server', 'busy'],
    ] as const
    for (const [name, fail] of variants(outages, outages.slice(0, 1)))
      test(`is kept while there is ${name}, and renewed when it is back`, async () => {
        const { page, context, headers } = await withEndedToken('office')
        let isAway = true
        await context.route('**/Kernal/Auth/Renew', async (route) => {
          if (!isAway)
            return route.continue({ headers: { ...route.request().headers(), authorization: headers.Authorization } })
          return fail === 'abort'
            ? route.abort('connectionrefused')
            : route.fulfill({
                status: 503,
                headers: { 'Retry-After': '1' },
                json: {
                  message: 'The service is busy.',
                  error: 'OVERLOADED',
                  errors: [],
                  responseCode: 503,
                  serviceData: null,
                },
              })
        })
        await page.goto('/apps/quotes/list')
        await expect(page.getByText("The server isn't responding").last()).toBeVisible()
        await isAt(page, '/auth-waiting')
        expect(await stored(page, 'headers')).not.toBeNull()
        isAway = false
        await page.getByRole('button', { name: 'Try again' }).click()
        await isAt(page, '/apps/quotes/list')
        await expect(heading(page)).toHaveText('Quotes')
      })

    test('what is done to many at once and tried again after a lost answer is done once', async () => {
      const { page, context } = await as('office')
      const name = unique('Lost & Found')
      await api('office', 'POST', '/Customers', { displayName: name })
      const keys: (string | undefined)[] = []
      await context.route('**/Customers/Bulk', async (route) => {
        keys.push(route.request().headers()['idempotency-key'])
        if (keys.length > 1) return route.continue()
        await route.fetch()
        return route.abort('connectionreset')
      })
      await page.goto(`/apps/customers/list?search=${encodeURIComponent(name)}`)
      await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check()
      const archive = page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Archive' })
      await archive.click()
      await expect(page.getByText('Check your connection').first()).toBeVisible()
      await archive.click()
      await expect(page.getByText('1 customer archived.')).toBeVisible()
      expect(keys).toEqual([keys[0], keys[0]])
    })

    test('neither no connection nor a busy server loses what is being written', async () => {
      const { page, context } = await as('office')
      const name = unique('Bindi Works')
      await page.goto('/apps/customers/add')
      const field = page.getByRole('textbox', { name: 'Name' }).first()
      await field.fill(name)
      let mode: 'abort' | 'busy' | 'fine' = 'abort'
      await context.route('**/api/v2/Customers', (route) => {
        if (route.request().method() !== 'POST' || mode === 'fine') return route.continue()
        return mode === 'abort'
          ? route.abort('connectionrefused')
          : route.fulfill({
              status: 503,
              json: {
                message: 'The service is busy.',
                error: 'OVERLOADED',
                errors: [],
                responseCode: 503,
                serviceData: null,
              },
            })
      })
      const save = page.getByRole('button', { name: 'Create customer' })
      for (const failing of ['abort', 'busy'] as const) {
        mode = failing
        await save.click()
        await expect(page.getByText(/^Not saved: the server can’t be reached|is busy/).first()).toBeVisible()
        await expect(field).toHaveValue(name)
        await isAt(page, '/apps/customers/add')
      }
      expect(await stored(page, 'headers')).not.toBeNull()
      mode = 'fine'
      await save.click()
      await isAt(page, /\/apps\/customers\/preview\//)
    })
  })
})
