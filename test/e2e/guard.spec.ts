import type { Browser, BrowserContext, Page } from '@playwright/test'
import { api, expect, heading, password, type Role, test, unique } from './support.ts'

interface Headers {
  Authorization: string
  'X-Api-Guid': string
}
interface Opened {
  context: BrowserContext
  page: Page
}

const prefix = 'brolga.'
const minute = 60_000
const dashboard = '/dashboards/ecommerce'
const base = () => test.info().project.use.baseURL ?? ''

/** A session of its own for each test: some of them end theirs. */
async function logIn(role: Role): Promise<Headers> {
  const answer = await fetch(`${base()}/api/v2/Kernal/Users/Auth/Login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ authID: `${role}@demo.example`, authPassword: password }) })
  return ((await answer.json()) as { serviceData: { headers: Headers } }).serviceData.headers
}

/** The same token as the browser would read it at another time; the server never sees it. */
function retold(headers: Headers, change: { exp?: number; isRenewAllowed?: boolean }): Headers {
  const [head = '', payload = '', signature = ''] = headers.Authorization.replace('Bearer ', '').split('.')
  const body = { ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object), ...change }
  return { ...headers, Authorization: `Bearer ${head}.${Buffer.from(JSON.stringify(body)).toString('base64url')}.${signature}` }
}
const past = () => Math.floor(Date.now() / 1000) - 5

/** What the browser keeps of what a role may do. */
const permissionsOf = async (role: Role) => (await api<{ permissions: unknown[] }>(role, 'GET', '/Kernal/Auth/Roles/Permissions')).permissions

type Stored = Record<string, unknown>
const item = (key: string, value: unknown, at = Date.now()) => ({ name: prefix + key, value: JSON.stringify({ value, at }) })

test.describe('the guard', () => {
  const contexts: BrowserContext[] = []
  test.afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
  })

  let browser: Browser
  test.beforeAll(({ browser: given }) => {
    browser = given
  })

  /** A window with these values stored; an array is a value and the moment it was stored. */
  async function open(stored: Stored = {}): Promise<Opened> {
    const entries = Object.entries(stored).map(([key, value]) => (Array.isArray(value) && typeof value[1] === 'number' ? item(key, value[0], value[1]) : item(key, value)))
    const context = await browser.newContext({ storageState: { cookies: [], origins: [{ origin: base(), localStorage: entries }] } })
    contexts.push(context)
    return { context, page: await context.newPage() }
  }
  const as = async (role: Role, stored: Stored = {}) => {
    const headers = await logIn(role)
    return { ...(await open({ headers, apiGuid: headers['X-Api-Guid'], ...stored })), headers }
  }
  /** Logged in, with a token that is over for the browser; renewing it happens for real. */
  async function withEndedToken(role: Role) {
    const headers = await logIn(role)
    const opened = await open({ headers: retold(headers, { exp: past() }), apiGuid: headers['X-Api-Guid'] })
    return { ...opened, headers }
  }
  const renewForReal = (context: BrowserContext, headers: Headers, before: () => Promise<unknown> = async () => undefined) => {
    const seen = { renewals: 0, permissions: 0 }
    context.on('request', (request) => {
      if (request.url().includes('/Kernal/Auth/Roles/Permissions')) seen.permissions += 1
    })
    return context
      .route('**/Kernal/Auth/Renew', async (route) => {
        seen.renewals += 1
        await before()
        await route.continue({ headers: { ...route.request().headers(), authorization: headers.Authorization } })
      })
      .then(() => seen)
  }
  const stored = <T>(page: Page, key: string) => page.evaluate<{ value: T; at: number } | null, string>((name) => JSON.parse(localStorage.getItem(name) ?? 'null') as { value: T; at: number } | null, prefix + key)
  const target = (page: Page) => page.evaluate<string | null, string>((name) => (JSON.parse(sessionStorage.getItem(name) ?? 'null') as { value: string } | null)?.value ?? null, `${prefix}target`)
  const isAt = (page: Page, path: string | RegExp) => expect(page).toHaveURL(typeof path === 'string' ? (url) => url.pathname === path : path)

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
      await visitor.page.goto('/pages/icons')
      await isAt(visitor.page, '/login')
      const { page } = await as('readonly')
      await page.goto('/pages/icons')
      await expect(heading(page)).toHaveText('Icons')
    })

    test('the login and the forgotten password are for those who are not logged in', async () => {
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

    test('without the API guid that a page needs, the session is over', async () => {
      const headers = await logIn('office')
      const rule = { subject: 'Quotes', action: 'read', conditions: null, enabled: true, priority: 0, inverted: false, apiGuidRequired: true, authorizationHeaderRequired: true }
      const { page } = await open({ headers: { ...headers, 'X-Api-Guid': '' }, permissions: [rule] })
      await page.goto('/apps/quotes/list')
      await isAt(page, '/login')
      await expect(page.getByRole('alert')).toHaveText('No GUID was found')
      expect(await stored(page, 'headers')).toBeNull()
    })

    test('headers without an authorization are no session', async () => {
      const { page } = await open({ headers: { 'X-Api-Guid': '0190a0b0-0000-7000-8000-0000000000aa' } })
      await page.goto('/apps/quotes/list')
      await isAt(page, '/login')
    })

    test('five failed checks within a minute reset everything', async () => {
      const { page } = await as('readonly')
      for (let i = 0; i < 4; i++) {
        await page.goto('/apps/quotes/add')
        await isAt(page, '/not-authorized')
      }
      await page.goto('/apps/quotes/add')
      await isAt(page, '/login')
      await expect(page.getByRole('alert')).toHaveText('Insufficient permissions')
      for (const key of ['headers', 'token', 'role', 'permissions', 'authStatus', 'matchedPermission']) expect(await stored(page, key)).toBeNull()
    })

    test('five failed checks in more than a minute do not', async () => {
      const now = Date.now()
      const { page } = await as('readonly', { blocks: [[now - 61_000, now - 60_500, now - 60_100, now - 30_000], now] })
      await page.goto('/apps/quotes/add')
      await isAt(page, '/not-authorized')
      expect((await stored<number[]>(page, 'blocks'))?.value).toHaveLength(2)
    })

    test('logging out clears what is stored and leads to the login', async () => {
      const { page } = await as('office')
      await page.goto(dashboard)
      await page.getByRole('button', { name: /^Account of/ }).click()
      await page.getByRole('button', { name: 'Log out' }).click()
      await isAt(page, /\/login$/)
      await expect(page.getByRole('alert')).toHaveCount(0)
      for (const key of ['headers', 'token', 'role', 'userData', 'permissions', 'pageMeta', 'matchedPermission', 'authStatus', 'recents']) expect(await stored(page, key)).toBeNull()
    })

    test('logging out in one window ends the others', async () => {
      const { page, context } = await as('office')
      const other = await context.newPage()
      await Promise.all([page.goto(dashboard), other.goto('/apps/quotes/list')])
      await expect(heading(other)).toHaveText('Quotes')
      await page.getByRole('button', { name: /^Account of/ }).click()
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

    test('is renewed once for three windows', async () => {
      const { page, context, headers } = await withEndedToken('office')
      const seen = await renewForReal(context, headers, () => new Promise((done) => setTimeout(done, 300)))
      const windows = { Quotes: page, Orders: await context.newPage(), Customers: await context.newPage() }
      await Promise.all(Object.entries(windows).map(([name, one]) => one.goto(`/apps/${name.toLowerCase()}/list`)))
      await Promise.all(Object.entries(windows).map(([name, one]) => expect(heading(one)).toHaveText(name, { timeout: 30_000 })))
      expect(seen.renewals).toBe(1)
    })

    test('is renewed once for all calls of a page, before they are sent', async () => {
      const { page, context, headers } = await as('office')
      await page.goto(dashboard)
      await expect(page.getByText('Issued this month')).toBeVisible()
      const seen = await renewForReal(context, headers)
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/api/v2/')) sent.push(new URL(request.url()).pathname.replace('/api/v2', ''))
      })
      // A window that was away reads everything anew when it comes back.
      await page.evaluate((value) => {
        localStorage.setItem('brolga.headers', value)
        window.dispatchEvent(new StorageEvent('storage', { key: 'brolga.headers' }))
        const show = (hidden: boolean) => {
          Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
          document.dispatchEvent(new Event('visibilitychange'))
        }
        show(true)
        show(false)
      }, JSON.stringify({ value: retold(headers, { exp: past() }), at: Date.now() }))
      await expect.poll(() => sent.length).toBeGreaterThan(2)
      expect(sent[0]).toBe('/Kernal/Auth/Renew')
      expect(seen.renewals).toBe(1)
      expect(sent.filter((path) => path === '/Kernal/Auth/Renew')).toHaveLength(1)
    })

    test('that the server refuses to renew ends the session, and the page is remembered', async () => {
      const { page } = await withEndedToken('office')
      // Not ours any more: the server sees a token that nobody signed.
      await page.goto('/apps/quotes/list?status=sent')
      await isAt(page, '/login')
      expect(new URL(page.url()).searchParams.get('to')).toBe('/apps/quotes/list?status=sent')
      expect(await stored(page, 'headers')).toBeNull()
    })

    test('and may not be renewed leads to the login', async () => {
      const headers = await logIn('office')
      const { page } = await open({ headers: retold(headers, { exp: past(), isRenewAllowed: false }), apiGuid: headers['X-Api-Guid'] })
      await page.goto('/apps/quotes/list')
      await isAt(page, '/login')
      expect(await stored(page, 'headers')).toBeNull()
    })

    for (const [name, fail] of [
      ['no connection', 'abort'],
      ['a busy server', 'busy'],
    ] as const)
      test(`is kept while there is ${name}, and renewed when it is back`, async () => {
        const { page, context, headers } = await withEndedToken('office')
        let isAway = true
        await context.route('**/Kernal/Auth/Renew', async (route) => {
          if (!isAway) return route.continue({ headers: { ...route.request().headers(), authorization: headers.Authorization } })
          return fail === 'abort' ? route.abort('connectionrefused') : route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { message: 'The service is busy.', error: 'OVERLOADED', errors: [], responseCode: 503, serviceData: null } })
        })
        await page.goto('/apps/quotes/list')
        await expect(page.getByText('The server does not answer').last()).toBeVisible()
        await isAt(page, '/auth-waiting')
        expect(await stored(page, 'headers')).not.toBeNull()
        isAway = false
        await page.getByRole('button', { name: 'Try again' }).click()
        await isAt(page, '/apps/quotes/list')
        await expect(heading(page)).toHaveText('Quotes')
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
        return mode === 'abort' ? route.abort('connectionrefused') : route.fulfill({ status: 503, json: { message: 'The service is busy.', error: 'OVERLOADED', errors: [], responseCode: 503, serviceData: null } })
      })
      const save = page.getByRole('button', { name: 'Create customer' })
      for (const failing of ['abort', 'busy'] as const) {
        mode = failing
        await save.click()
        await expect(page.getByText(/could not be reached|is busy/).first()).toBeVisible()
        await expect(field).toHaveValue(name)
        await isAt(page, '/apps/customers/add')
      }
      expect(await stored(page, 'headers')).not.toBeNull()
      mode = 'fine'
      await save.click()
      await isAt(page, /\/apps\/customers\/preview\//)
    })
  })

  test.describe('what is remembered', () => {
    test('is stale after five minutes: a wrong permission counts until then', async () => {
      const wrong = { metaSubject: 'Quotes:Preview:All', action: 'read', permission: { subject: 'Orders', action: 'read', enabled: true, inverted: false } }
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

    test('a permission without a subject is refused', async () => {
      const { page } = await as('office', { permissions: await permissionsOf('office'), matchedPermission: { metaSubject: 'Quotes:Preview:All', action: 'read', permission: { subject: '' } } })
      await page.goto('/apps/quotes/list')
      await isAt(page, '/login')
      await expect(page.getByRole('alert')).toHaveText('Unable find valid permissonSubject')
    })

    test('a page without a subject where there was one is refused, and forgotten after five minutes', async () => {
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

    test('the token is looked at again after ten seconds, not before, and when the status is stale', async () => {
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
      await page.evaluate((name) => localStorage.setItem(name, JSON.stringify({ value: {}, at: Date.now() - 300_001 })), `${prefix}authStatus`)
      await page.clock.setFixedTime(start + 10_500)
      await move('Orders')
      expect((await stored<{ isUser: boolean }>(page, 'authStatus'))?.value.isUser).toBe(true)
    })

    test('permissions are fetched again after five minutes', async () => {
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
      await page.evaluate(({ name, value }) => localStorage.setItem(name, JSON.stringify({ value, at: Date.now() - 300_001 })), { name: `${prefix}permissions`, value: list?.value })
      await page.reload()
      await expect.poll(() => asked).toBe(1)
    })

    test('the bypass flag lets pages through for five seconds, then turns itself off', async () => {
      const flagged = async (age: number) => {
        const opened = await as('readonly')
        // Opened without a page of its own first: the flag belongs to the window.
        await opened.page.addInitScript(({ name, ms }) => {
          if (sessionStorage.getItem('seen') === null) sessionStorage.setItem(name, JSON.stringify({ value: true, at: Date.now() - ms }))
          sessionStorage.setItem('seen', 'yes')
        }, { name: `${prefix}bypassChecks`, ms: age })
        await opened.page.goto('/apps/quotes/add')
        return opened.page
      }
      const on = await flagged(0)
      await expect(on.getByRole('navigation', { name: 'Main navigation' })).toBeVisible()
      await isAt(on, '/apps/quotes/add')
      const off = await flagged(5001)
      await isAt(off, '/not-authorized')
      expect(await off.evaluate((name) => sessionStorage.getItem(name), `${prefix}bypassChecks`)).toBeNull()
      await on.waitForTimeout(5000)
      await on.reload()
      await isAt(on, '/not-authorized')
    })
  })

  test.describe('permissions that cannot be right', () => {
    test('in an unexpected form they clear the session', async () => {
      const { page, context } = await as('office')
      await context.route('**/Kernal/Auth/Roles/Permissions/**', (route) => route.fulfill({ json: { message: 'OK', serviceData: { permissions: 'all' } } }))
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
      await expect(page.getByRole('button', { name: 'Account of Saskia Novak' })).toBeVisible()
    })
  })

  test.describe('a page for guests', () => {
    const serviceGuid = async () => {
      const { items } = await api<{ items: { guid: string }[] }>('admin', 'GET', '/Quotes?status=sent&size=10')
      const { quote } = await api<{ quote: { serviceGuid: string } }>('admin', 'GET', `/Quotes/${items[0]?.guid}`)
      return quote.serviceGuid
    }

    test('is reached through the lobby, which remembers it', async () => {
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
      expect((await stored<{ isGuest: boolean; isUser: boolean }>(page, 'authStatus'))?.value).toMatchObject({ isGuest: true, isUser: false })
      await page.goto('/apps/quotes/list')
      await isAt(page, '/login')
    })

    test('without an API guid in the answer it says so', async () => {
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

    test('says when guest credentials are refused, and opens when they are given', async () => {
      const guid = await serviceGuid()
      const { page, context } = await open()
      await context.route('**/Kernal/Guests/Auth', (route) => route.fulfill({ status: 401, json: { message: 'Guest Authentication Failed', error: 'NOT_AUTHENTICATED', errors: [], responseCode: 401, serviceData: null } }))
      await page.goto(`/service/q/${guid}`)
      await expect(page.getByText('Guest Authentication Failed').last()).toBeVisible()
      await context.unroute('**/Kernal/Guests/Auth')
      await page.getByRole('button', { name: 'Try again' }).click()
      await isAt(page, `/service/q/${guid}`)
    })
  })

  test.describe('the remembered page', () => {
    const hostile = [
      'https://evil.example/',
      'http://evil.example',
      '//evil.example',
      '///evil.example',
      '////evil.example/a',
      '/\\evil.example',
      '\\\\evil.example',
      '\\/evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      '/\r\n/evil.example',
      '\t//evil.example',
      ' //evil.example',
      '/ /evil.example',
      '/.//evil.example',
      '/..//evil.example',
      '/./../..//evil.example',
      '/apps/..//evil.example',
      '/%2e%2e//evil.example',
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:msgbox(1)',
      'blob:https://evil.example/1',
      'file:///etc/passwd',
      '@evil.example',
      'evil.example',
      'https:evil.example',
      'https:/evil.example',
      '/\u00a0/evil.example',
      '/\ufeff/evil.example',
      '\u0000//evil.example',
      '/login?to=//evil.example',
      '/LOGIN',
      '',
      null,
      { href: 'https://evil.example' },
      ['https://evil.example'],
    ]

    test('is a path of this site and nothing else', async () => {
      test.slow()
      const { page } = await as('office')
      const asked: string[] = []
      page.on('request', (request) => {
        if (new URL(request.url()).origin !== base()) asked.push(request.url())
      })
      await page.goto(dashboard)
      for (const remembered of hostile) {
        await page.evaluate(({ name, value }) => sessionStorage.setItem(name, value), { name: `${prefix}target`, value: JSON.stringify({ value: remembered, at: Date.now() }) })
        await page.goto('/auth-waiting', { waitUntil: 'commit' })
        await expect(page, JSON.stringify(remembered)).toHaveURL(base() + dashboard)
      }
      expect(asked.filter((url) => !url.startsWith('data:') && !url.startsWith('blob:'))).toEqual([])
      await page.evaluate(({ name, value }) => sessionStorage.setItem(name, value), { name: `${prefix}target`, value: JSON.stringify({ value: '/apps/quotes/list?status=sent#top', at: Date.now() }) })
      await page.goto('/auth-waiting')
      await isAt(page, /\/apps\/quotes\/list\?status=sent#top$/)
    })

    for (const given of ['//evil.example', 'https://evil.example/apps', '/\\evil.example', 'javascript:alert(1)'])
      test(`logging in does not lead to ${given}`, async () => {
        const { page } = await open()
        await page.goto(`/login?to=${encodeURIComponent(given)}`)
        await page.getByLabel('Email or login').fill('office@demo.example')
        await page.getByLabel('Password', { exact: true }).fill(password)
        await page.getByRole('button', { name: 'Log in' }).click()
        await expect(page).toHaveURL(base() + dashboard)
      })
  })
})
