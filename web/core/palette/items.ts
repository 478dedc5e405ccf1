import { useRouter } from '@tanstack/react-router'
import { nouns, pageOf, pathTo } from '../../../contract/nouns.ts'
import { nounOfKind, type SearchKind } from '../../../contract/search.ts'
import type { searchApi } from '../../../contract/search.ts'
import { maintenanceApi } from '../../../contract/maintenance.ts'
import { isEverywhere } from '../api/business.ts'
import type { Answer } from '../api/types.ts'
import { useMay } from '../api/can.ts'
import { phrase, useT } from '../i18n/i18n.ts'
import { leave } from '../layout/leave.ts'
import { openOverlay } from '../layout/overlays.ts'
import { recentVisits } from '../layout/page.ts'
import { pageActions, runWhenThere } from '../layout/page-actions.ts'
import { entryOf, usePages, type CommandPage } from '../layout/use-pages.ts'
import { useStore } from '../store.ts'
import { setLayout, setTheme, useLayoutSettings, useThemeSettings } from '../theme/settings.ts'
import type { IconName } from '../ui/icons.ts'
import { useGo } from '../ui/params.ts'

export interface Item {
  id: string
  icon: IconName
  label: string
  detail?: string
  status?: string | null
  kind?: SearchKind
  amountCents?: number | null
  day?: string | null
  keys?: string | undefined
  /** The page it opens, if it is one. */
  to?: string
  run: () => unknown
}
export interface Group {
  key: string
  label: string
  items: Item[]
}

/** Letters and digits alone, without accents: what is typed and what is compared. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** All words that were typed occur in the text, in any order. */
export const fits = (text: string, typed: string) =>
  plain(typed)
    .split(/\s+/)
    .every((word) => plain(text).includes(word))

/** Everything the palette offers without asking the server. */
export function useOwnItems(): { recent: Item[]; here: Item[]; actions: Item[]; pages: Item[] } {
  const t = useT('shell', 'palette')
  const router = useRouter()
  const go = useGo()
  const may = useMay()
  const theme = useThemeSettings()
  const layout = useLayoutSettings()
  const { navigation, commands } = usePages()
  // Once the palette has closed and given the focus back, a dialog may take it.
  const here = useStore(pageActions).map(({ label, icon, run }): Item => ({
    id: `here-${label}`,
    icon,
    label,
    run: () => setTimeout(run),
  }))
  const opening = (to: string) => ({ to, run: () => go(to) })
  // Some are a page of their own, others a dialog of a page.
  const commandOf = ({ path, command: { runs } }: CommandPage) =>
    runs ? { run: () => go(path).then(() => runWhenThere(phrase(runs))) } : opening(path)
  const pages = navigation.map((page): Item => ({
    id: page.path,
    icon: page.nav.icon,
    label: t(page.nav.label),
    detail: page.nav.group === 'home' ? '' : t(`shell:group.${page.nav.group}`),
    keys: page.nav.keys,
    ...opening(page.path),
  }))
  const recent = recentVisits().map((visit): Item => {
    const entry = entryOf(navigation, visit.path)
    return {
      id: visit.path,
      icon: entry?.nav.icon ?? 'clock',
      label: visit.title,
      detail: entry ? t(entry.nav.label) : '',
      ...opening(visit.path),
    }
  })
  const actions: Item[] = [
    ...commands.map((page): Item => ({
      id: `new-${page.path}`,
      icon: page.command.icon,
      label: t(page.command.label),
      keys: page.command.keys,
      ...commandOf(page),
    })),
    ...(['light', 'dark', 'system'] as const)
      .filter((name) => name !== theme.theme)
      .map((name): Item => ({
        id: `theme-${name}`,
        icon: name,
        label: t(`palette:theme.${name}`),
        run: () => setTheme({ theme: name }),
      })),
    ...(theme.layoutNav === 'vertical'
      ? [
          {
            id: 'collapse',
            icon: 'menu' as const,
            label: layout.isNavCollapsed ? t('shell:expandNav') : t('shell:collapseNav'),
            run: () => setLayout({ isNavCollapsed: !layout.isNavCollapsed }),
          },
        ]
      : []),
    { id: 'customise', icon: 'palette', label: t('shell:customise'), run: () => openOverlay('customiser') },
    { id: 'shortcuts', icon: 'keyboard', label: t('shell:shortcuts'), keys: '?', run: () => openOverlay('shortcuts') },
    ...(may(maintenanceApi.set)
      ? [
          {
            id: 'maintenance',
            icon: 'maintenance' as const,
            label: t('shell:maintenance.manage'),
            run: () => openOverlay('maintenance'),
          },
        ]
      : []),
    { id: 'print', icon: 'print', label: t('palette:print'), run: () => setTimeout(() => window.print()) },
    { id: 'logout', icon: 'logout', label: t('shell:logOut'), run: () => leave(router) },
  ]
  return { recent, here, actions, pages }
}

/** What the server found, as items; kinds without a page of their own are left out. */
export function useFoundGroups(): (answer: Answer<typeof searchApi.all> | undefined, typed: string) => Group[] {
  const t = useT('palette')
  const go = useGo()
  const { has } = usePages()
  return (answer, typed) =>
    (answer?.groups ?? [])
      .filter(({ kind }) => has(pageOf(nounOfKind(kind), 'view').path))
      .map(({ kind, items, hasMore }) => {
        const label = t(`palette:kind.${kind}`)
        const noun = nounOfKind(kind)
        const all = `${pathTo(noun)}?search=${encodeURIComponent(typed)}`
        const found = items.map((hit): Item => {
          const to = pathTo(noun, hit.openGuid)
          return {
            id: `${kind}-${hit.guid}`,
            icon: nouns[noun].icon,
            label: hit.label,
            detail: isEverywhere() && hit.businessName ? `${hit.detail} · ${hit.businessName}` : hit.detail,
            status: hit.status,
            kind,
            amountCents: hit.amountCents,
            day: hit.day,
            to,
            run: () => go(to),
          }
        })
        const more: Item[] = hasMore
          ? [
              {
                id: `${kind}-more`,
                icon: 'search',
                label: t('palette:more', { kind: label }),
                to: all,
                run: () => go(all),
              },
            ]
          : []
        return { key: kind, label, items: [...found, ...more] }
      })
}
