import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from './support.ts'

const router = readFileSync(join(import.meta.dirname, '../../web/router.tsx'), 'utf8')

/** Every address the router knows, as it is written there: a page that is added is tested without being named here. */
export const routes = [...new Set([...router.matchAll(/\bpath: '([^']+)'/g)].map((found) => found[1] ?? ''))]
export const staffRoutes = routes.filter((route) => !route.startsWith('/service/') && !publicRoutes().includes(route))

function publicRoutes(): string[] {
  return routes.filter((route) => /^\/(login|forgot-password|reset-password|accept-invitation|auth-|not-authorized)/.test(route))
}
export const openRoutes = publicRoutes()

/** Pages that are several: one address for each. */
const tabs: Record<string, readonly string[]> = {
  '/pages/account-settings/$tab': ['account', 'security', 'formats', 'notifications', 'appearance'],
  '/pages/user-profile/$tab': ['profile', 'activity', 'documents'],
}

/** What a list is asked for where not every record will do: only drafts and open orders are edited. */
const filters: Record<string, string> = { '/apps/quotes/edit/$guid': 'status=draft', '/apps/invoices/edit/$guid': 'status=draft', '/apps/orders/edit/$guid': 'status=confirmed' }

/** The addresses a route is looked at under, with records of the sample company. */
export async function addressesOf(route: string): Promise<string[]> {
  const parameter = /\$(\w+)/.exec(route)?.[0]
  if (!parameter) return [route]
  const known = tabs[route]
  if (known) return known.map((tab) => route.replace(parameter, tab))
  const noun = (route.split('/')[2] ?? '').replace(/^./, (letter) => letter.toUpperCase())
  const { items } = await api<{ items: { guid: string }[] }>('admin', 'GET', `/${noun}?size=2${filters[route] ? `&${filters[route]}` : ''}`)
  const [first] = items
  if (!first) throw new Error(`the sample company has no record for ${route}`)
  return [route.replace(parameter, first.guid)]
}
