import type { Browser, BrowserContext, Page } from '@playwright/test'
import { giveBack, takeContext, type Taken } from './contexts.ts'
import { api, expect, password, type Role, storedAs, test } from './support.ts'

export interface Headers {
  Authorization: string
  'X-Api-Guid': string
}

export const prefix = 'brolga.'
export const minute = 60_000
export const dashboard = '/dashboards/ecommerce'
export const base = () => test.info().project.use.baseURL ?? ''

/** A session of its own for each test: some of them end theirs. */
export async function logIn(role: Role): Promise<Headers> {
  const answer = await fetch(`${base()}/api/v2/Kernal/Users/Auth/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ authID: `${role}@demo.example`, authPassword: password }),
  })
  return ((await answer.json()) as { serviceData: { headers: Headers } }).serviceData.headers
}

/** The same token as the browser would read it at another time; the server never sees it. */
export function retold(headers: Headers, change: { exp?: number; isRenewAllowed?: boolean }): Headers {
  const [head = '', payload = '', signature = ''] = headers.Authorization.replace('Bearer ', '').split('.')
  const body = { ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object), ...change }
  return {
    ...headers,
    Authorization: `Bearer ${head}.${Buffer.from(JSON.stringify(body)).toString('base64url')}.${signature}`,
  }
}
export const past = () => Math.floor(Date.now() / 1000) - 5

/** What the browser keeps of what a role may do. */
export const permissionsOf = async (role: Role) =>
  (await api<{ permissions: unknown[] }>(role, 'GET', '/Kernal/Auth/Roles/Permissions')).permissions

export type Stored = Record<string, unknown>

/** The windows of one file of tests: opened with what the browser remembers, closed after each test. */
export function guardWindows() {
  const contexts: BrowserContext[] = []
  test.afterEach(() => giveBack(contexts.splice(0)))

  let browser: Browser
  test.beforeAll(({ browser: given }) => {
    browser = given
  })

  /** A window with these values stored; an array is a value and the moment it was stored. */
  async function open(stored: Stored = {}): Promise<Taken> {
    const entries = Object.entries(stored).map(([key, value]) =>
      Array.isArray(value) && typeof value[1] === 'number' ? storedAs(key, value[0], value[1]) : storedAs(key, value),
    )
    const taken = await takeContext(browser, entries)
    contexts.push(taken.context)
    return taken
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
  const renewForReal = (
    context: BrowserContext,
    headers: Headers,
    before: () => Promise<unknown> = async () => undefined,
  ) => {
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
  const stored = <T>(page: Page, key: string) =>
    page.evaluate<{ value: T; at: number } | null, string>(
      (name) => JSON.parse(localStorage.getItem(name) ?? 'null') as { value: T; at: number } | null,
      prefix + key,
    )
  const target = (page: Page) =>
    page.evaluate<string | null, string>(
      (name) => (JSON.parse(sessionStorage.getItem(name) ?? 'null') as { value: string } | null)?.value ?? null,
      `${prefix}target`,
    )
  const isAt = (page: Page, path: string | RegExp) =>
    expect(page).toHaveURL(typeof path === 'string' ? (url) => url.pathname === path : path)
  return { open, as, withEndedToken, renewForReal, stored, target, isAt }
}
