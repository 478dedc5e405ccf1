import { addressesOf as find } from '../../scripts/routes.ts'
import { api } from './support.ts'

/** The addresses a route is tested under, with records of the sample company. */
export const addressesOf = (route: string): Promise<string[]> =>
  find(route, (path) => api<{ items: { guid: string }[] }>('admin', 'GET', path))
