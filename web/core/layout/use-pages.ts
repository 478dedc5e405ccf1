import { useRouter } from '@tanstack/react-router'
import { useMay } from '../api/can.ts'
import type { CommandPlace, NavPlace, PageRoute } from './route.ts'

export type NavPage = PageRoute & { nav: NavPlace }
export type CommandPage = PageRoute & { command: CommandPlace }

/** `/apps/quotes` is what all pages of a noun have in common. */
const areaOf = (path: string) => path.split('/').slice(0, 3).join('/')
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

/** The entry that is lit: the page itself, else the one it stands closest below, else the first of its area. */
export const entryOf = (entries: readonly NavPage[], path: string): NavPage | undefined =>
  entries.find((page) => page.path === path) ??
  entries
    .filter((page) => !page.nav.isAlone && path.startsWith(folderOf(page.path)))
    .toSorted((a, b) => folderOf(b.path).length - folderOf(a.path).length)[0] ??
  entries.find((page) => !page.nav.isAlone && areaOf(page.path) === areaOf(path))

/** The pages of the product as far as the user may see them. */
export function usePages() {
  const router = useRouter()
  const may = useMay()
  const all = Object.values(router.routesById).flatMap(
    (route) => (route as { options: { staticData?: { page?: PageRoute } } }).options.staticData?.page ?? [],
  )
  const permitted = all.filter((page) => may(page.can))
  return {
    has: (path: string) => all.some((page) => page.path === path),
    navigation: permitted.filter((page): page is NavPage => page.nav !== undefined && may(page.nav.can)),
    commands: permitted.filter((page): page is CommandPage => page.command !== undefined && may(page.command.need)),
  }
}
