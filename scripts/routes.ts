import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '../contract/noun.ts'
import { nouns, rightsOf } from '../contract/nouns.ts'
import { bookingSelections, dashboard, places, serverMeta, servicePages } from '../contract/places.ts'

type Pages = Readonly<Record<string, Page>>

const web = join(import.meta.dirname, '../web')
// By its address, because the types of the web app are not those of commands.
const { catalogue } = (await import(pathToFileURL(join(web, 'pages/rows.ts')).href)) as {
  catalogue: { path: string }[]
}

/** Every address there is, from where they are written down: a page that is added needs no second mention. */
export const routes = [
  ...new Set([
    ...Object.values(places).filter((place) => place !== places.start),
    dashboard.path,
    bookingSelections.path,
    serverMeta.path,
    ...Object.values(nouns)
      .flatMap((noun) => ('pages' in noun ? Object.values(noun.pages as Pages) : []))
      .map(({ path }) => path),
    ...catalogue.map(({ path }) => path),
    ...Object.values(servicePages).map(({ path }) => path),
  ]),
]

/** What one sees without logging in. */
export const openRoutes = routes.filter((route) =>
  /^\/(login|forgot-password|reset-password|accept-invitation|not-authorized|pages\/(misc|authentication))/.test(route),
)
/** Pages that lead on by themselves. */
const passing = /^\/auth-(lobby|waiting)$/
export const serviceRoutes = routes.filter((route) => route.startsWith('/service/'))
export const staffRoutes = routes.filter(
  (route) => !serviceRoutes.includes(route) && !openRoutes.includes(route) && !passing.test(route),
)

/** Pages that are several: one address for each. */
const tabs: Record<string, readonly string[]> = {
  '/pages/account-settings/$tab': ['account', 'security', 'formats', 'notifications', 'appearance'],
  '/pages/user-profile/$tab': ['profile', 'activity', 'documents'],
}

/** What a list is asked for where not every record will do: only drafts and open orders are edited. */
const filters: Record<string, string> = {
  '/apps/quotes/edit/$guid': 'status=draft',
  '/apps/invoices/edit/$guid': 'status=draft',
  '/apps/orders/edit/$guid': 'status=confirmed',
}

type List = (path: string) => Promise<{ items: { guid: string }[] }>

/** Where the API has the records of a page: the noun that has the page says so, else the address itself. */
const recordsOf = (route: string): string => {
  const noun = Object.entries(nouns).find(
    ([, row]) => 'pages' in row && Object.values(row.pages as Pages).some(({ path }) => path === route),
  )?.[0]
  return noun
    ? `/${rightsOf(noun).replaceAll(':', '/')}`
    : `/${(route.split('/')[2] ?? '').replace(/^./, (letter) => letter.toUpperCase())}`
}

/**
 * The addresses a route is looked at under, with records that are there; `list` asks the API
 * as somebody who may see all.
 */
export async function addressesOf(route: string, list: List): Promise<string[]> {
  const parameter = /\$(\w+)/.exec(route)?.[0]
  if (!parameter) return [route]
  const known = tabs[route]
  if (known) return known.map((tab) => route.replace(parameter, tab))
  const { items } = await list(`${recordsOf(route)}?size=2${filters[route] ? `&${filters[route]}` : ''}`)
  const [first] = items
  if (!first) throw new Error(`there is no record to show on ${route}`)
  return [route.replace(parameter, first.guid)]
}
