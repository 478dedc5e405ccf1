import { hostileTargets } from '../support/hostile-targets.ts'
import { guardWindows, prefix, minute, dashboard, base, logIn, permissionsOf } from './guard-windows.ts'
import { api, expect, heading, password, test } from './support.ts'
import { isFull, variants } from './variants.ts'

test.describe('what the guard remembers', () => {
  const { open, as, stored, target, isAt } = guardWindows()

  test.describe('what is remembered', () => {
    test('is stale after five minutes: a wrong permission counts until then @prove', async () => {
      const wrong = {
        metaSubject: 'Quotes:Preview:All',
        action: 'read',
        permission: { subject: 'Orders', action: 'read', enabled: true, inverted: false },
      }
      const permissions = await permissionsOf('office')
      const fresh = await as('office', { permissions, matchedPermission: [wrong, Date.now() - 4 * minute] })
      await fresh.page.goto('/apps/quotes/list')
      await isAt(fresh.page, '/login')
      await expect(fresh.page.getByRole('alert')).toHaveText('Subject Mismatch')
      expect(await stored(fresh.page, 'headers')).toBeNull()
      const stale = await as('office', { permissions, matchedPermission: [wrong, Date.now() - 5 * minute - 1000] })
      await stale.page.goto('/apps/quotes/list')
      await expect(heading(stale.page)).toHaveText('Quotes')
      expect((await stored<typeof wrong>(stale.page, 'matchedPermission'))?.value.permission.subject).not.toBe('Orders')
    })

    test('a permission without a subject is refused @prove', async () => {
      const { page } = await as('office', {
        permissions: await permissionsOf('office'),
        matchedPermission: { metaSubject: 'Quotes:Preview:All', action: 'read', permission: { subject: '' } },
      })
      await page.goto('/apps/quotes/list')
      await isAt(page, '/login')
      await expect(page.getByRole('alert')).toHaveText('Unable find valid permissonSubject')
    })

    test('a page without a subject where one was is refused, and forgotten after five minutes @prove', async () => {
      const meta = { path: '/apps/quotes/list', title: 'Quotes', subject: '' }
      const fresh = await as('office', { pageMeta: meta })
      await fresh.page.goto('/apps/quotes/list')
      await isAt(fresh.page, '/login')
      await expect(fresh.page.getByRole('alert')).toHaveText('Unable to find valid metaSubject')
      const stale = await as('office', { pageMeta: [meta, Date.now() - 5 * minute - 1000] })
      await stale.page.goto('/apps/quotes/list')
      await expect(heading(stale.page)).toHaveText('Quotes')
      expect((await stored<typeof meta>(stale.page, 'pageMeta'))?.value.subject).toBe('Quotes:Preview:All')
    })

    test('the token is looked at anew after ten seconds, not before, and when the status is stale @prove', async () => {
      const { page } = await as('office')
      const start = Date.now()
      await page.clock.setFixedTime(start)
      await page.goto('/apps/quotes/list')
      await expect(heading(page)).toHaveText('Quotes')
      const at = async () => (await stored(page, 'authStatus'))?.at ?? 0
      const move = async (name: string) => {
        await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true }).click()
        await expect(heading(page)).toHaveText(name)
      }
      const first = await at()
      expect(first).toBe(start)
      await page.clock.setFixedTime(start + 9999)
      await move('Orders')
      expect(await at()).toBe(first)
      await page.clock.setFixedTime(start + 10_001)
      await move('Quotes')
      expect(await at()).toBe(start + 10_001)
      await page.evaluate(
        (name) => localStorage.setItem(name, JSON.stringify({ value: {}, at: Date.now() - 300_001 })),
        `${prefix}authStatus`,
      )
      await page.clock.setFixedTime(start + 10_500)
      await move('Orders')
      expect((await stored<{ isUser: boolean }>(page, 'authStatus'))?.value.isUser).toBe(true)
    })

    test('permissions are fetched again after five minutes @prove', async () => {
      const { page, context } = await as('office')
      await page.goto('/apps/quotes/list')
      await expect(heading(page)).toHaveText('Quotes')
      const list = await stored<unknown[]>(page, 'permissions')
      let asked = 0
      await context.route('**/Kernal/Auth/Roles/Permissions/**', (route) => {
        asked += 1
        return route.continue()
      })
      await page.reload()
      await expect(heading(page)).toHaveText('Quotes')
      expect(asked).toBe(0)
      await page.evaluate(
        ({ name, value }) => localStorage.setItem(name, JSON.stringify({ value, at: Date.now() - 300_001 })),
        { name: `${prefix}permissions`, value: list?.value },
      )
      await page.reload()
      await expect.poll(() => asked).toBe(1)
    })

    test('the bypass flag lets pages through for five seconds, then turns itself off @prove', async () => {
      const start = Date.now()
      const flagged = async (age: number) => {
        const opened = await as('readonly')
        // However long a page takes, it is the same moment.
        await opened.page.clock.setFixedTime(start)
        // Opened without a page of its own first: the flag belongs to the window.
        await opened.page.addInitScript(
          ({ name, at }) => {
            if (sessionStorage.getItem('seen') === null)
              sessionStorage.setItem(name, JSON.stringify({ value: true, at }))
            sessionStorage.setItem('seen', 'yes')
          },
          { name: `${prefix}bypassChecks`, at: start - age },
        )
        await opened.page.goto('/apps/quotes/add')
        return opened.page
      }
      const on = await flagged(0)
      await expect(on.getByRole('navigation', { name: 'Main navigation' })).toBeVisible()
      await isAt(on, '/apps/quotes/add')
      const off = await flagged(5001)
      await isAt(off, '/not-authorized')
      expect(await off.evaluate((name) => sessionStorage.getItem(name), `${prefix}bypassChecks`)).toBeNull()
      await on.clock.setFixedTime(start + 5001)
      await on.reload()
      await isAt(on, '/not-authorized')
    })
  })

  test.describe('permissions that cannot be right', () => {
    test('in an unexpected form they clear the session @prove', async () => {
      const { page, context } = await as('office')
      await context.route('**/Kernal/Auth/Roles/Permissions/**', (route) =>
        route.fulfill({ json: { message: 'OK', serviceData: { permissions: 'all' } } }),
      )
      await page.goto('/apps/quotes/list')
      await isAt(page, '/login')
      await expect(page.getByRole('alert')).toHaveText('Unexpected response format')
      expect(await stored(page, 'headers')).toBeNull()
    })

    test('of another role than the one that asked, they are refused', async () => {
      const { page, context } = await as('office')
      const other = await logIn('sales')
      let isFirst = true
      await context.route('**/Kernal/Auth/Roles/Permissions/**', async (route) => {
        if (!isFirst) return route.continue()
        isFirst = false
        // Meanwhile somebody else logs in, in another window of this browser.
        await page.evaluate(
          ({ name, value }) => {
            localStorage.setItem(name, value)
            window.dispatchEvent(new StorageEvent('storage', { key: name }))
          },
          { name: `${prefix}headers`, value: JSON.stringify({ value: other, at: Date.now() }) },
        )
        return route.continue()
      })
      await page.goto('/auth-waiting')
      await expect(page.getByText('Permission Endpoint Didnt Match Endpoint')).toBeVisible()
      await page.getByRole('button', { name: 'Try again' }).click()
      await isAt(page, dashboard)
      await expect(page.getByRole('button', { name: "Saskia Novak's account" })).toBeVisible()
    })
  })

  test.describe('a page for guests', () => {
    const serviceGuid = async () => {
      const { items } = await api<{ items: { guid: string }[] }>('admin', 'GET', '/Quotes?status=sent&size=10')
      const { quote } = await api<{ quote: { serviceGuid: string } }>('admin', 'GET', `/Quotes/${items[0]?.guid}`)
      return quote.serviceGuid
    }

    test('is reached through the lobby, which remembers it @prove', async () => {
      const guid = await serviceGuid()
      const { page, context } = await open()
      let go = () => undefined as void
      const held = new Promise<void>((done) => (go = done))
      await context.route('**/Kernal/Guests/Auth', async (route) => {
        await held
        await route.continue()
      })
      await page.goto(`/service-q-${guid}`)
      await isAt(page, '/auth-lobby')
      await expect(heading(page)).toHaveText('Please Wait')
      await expect(page).toHaveTitle(/^Please Wait/)
      expect(await target(page)).toBe(`/service/q/${guid}`)
      go()
      await isAt(page, `/service/q/${guid}`)
      await expect(heading(page)).toBeVisible()
      expect((await stored<{ isGuest: boolean; isUser: boolean }>(page, 'authStatus'))?.value).toMatchObject({
        isGuest: true,
        isUser: false,
      })
      await page.goto('/apps/quotes/list')
      await isAt(page, '/login')
    })

    test('without an API guid in the answer it says so @prove', async () => {
      const { page, context } = await open()
      await context.route('**/Kernal/Auth/Roles/Permissions', async (route) => {
        const answer = await route.fetch()
        const { 'x-api-guid': _, ...headers } = answer.headers()
        await route.fulfill({ response: answer, headers })
      })
      await page.goto(`/service/q/${await serviceGuid()}`)
      await expect(page.getByText('Guest Authentication Failed').last()).toBeVisible()
      await expect(page.getByText('No GUID was found')).toBeVisible()
    })

    test('says when guest credentials are refused, and opens when they are given @prove', async () => {
      const guid = await serviceGuid()
      const { page, context } = await open()
      await context.route('**/Kernal/Guests/Auth', (route) =>
        route.fulfill({
          status: 401,
          json: {
            message: 'Guest Authentication Failed',
            error: 'NOT_AUTHENTICATED',
            errors: [],
            responseCode: 401,
            serviceData: null,
          },
        }),
      )
      await page.goto(`/service/q/${guid}`)
      await expect(page.getByText('Guest Authentication Failed').last()).toBeVisible()
      await context.unroute('**/Kernal/Guests/Auth')
      await page.getByRole('button', { name: 'Try again' }).click()
      await isAt(page, `/service/q/${guid}`)
    })
  })

  test.describe('the remembered page', () => {
    test('is a path of this site and nothing else @prove', async () => {
      // Which ones are refused is tested without a browser; here, what a browser makes of them.
      const hostile = variants(hostileTargets, ['//evil.example', '/\t/evil.example', 'javascript:alert(1)'])
      test.slow(isFull)
      const { page } = await as('office')
      const asked: string[] = []
      page.on('request', (request) => {
        if (new URL(request.url()).origin !== base()) asked.push(request.url())
      })
      await page.goto(dashboard)
      for (const remembered of hostile) {
        await page.evaluate(({ name, value }) => sessionStorage.setItem(name, value), {
          name: `${prefix}target`,
          value: JSON.stringify({ value: remembered, at: Date.now() }),
        })
        await page.goto('/auth-waiting', { waitUntil: 'commit' })
        await expect(page, JSON.stringify(remembered)).toHaveURL(base() + dashboard)
      }
      expect(asked.filter((url) => !url.startsWith('data:') && !url.startsWith('blob:'))).toEqual([])
      await page.evaluate(({ name, value }) => sessionStorage.setItem(name, value), {
        name: `${prefix}target`,
        value: JSON.stringify({ value: '/apps/quotes/list?status=sent#top', at: Date.now() }),
      })
      await page.goto('/auth-waiting')
      await isAt(page, /\/apps\/quotes\/list\?status=sent#top$/)
    })

    const given = ['//evil.example', 'https://evil.example/apps', '/\\evil.example', 'javascript:alert(1)']
    for (const address of variants(given, given.slice(0, 1)))
      test(`logging in does not lead to ${address}`, async () => {
        const { page } = await open()
        await page.goto(`/login?to=${encodeURIComponent(address)}`)
        await page.getByLabel('Email or login').fill('office@demo.example')
        await page.getByLabel('Password', { exact: true }).fill(password)
        await page.getByRole('button', { name: 'Log in' }).click()
        await expect(page).toHaveURL(base() + dashboard)
      })
  })
})
