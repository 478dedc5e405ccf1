import { Link, useRouter } from '@tanstack/react-router'
import { useMay } from '../api/can.ts'
import { useT } from '../i18n/i18n.ts'
import { Icon } from '../ui/icon.tsx'
import type { NavGroup, NavPlace, PageRoute } from './route.ts'

type NavPage = PageRoute & { nav: NavPlace }

const groups = ['home', 'apps', 'setup', 'dev'] as const satisfies readonly NavGroup[]

/** `/apps/quotes/` is what all pages of a noun have in common: the entry is lit on each of them. */
const areaOf = (path: string) => path.split('/').slice(0, 3).join('/')

function usePermittedPages(): NavPage[] {
  const router = useRouter()
  const may = useMay()
  const all = Object.values(router.routesById).flatMap((route) => {
    const page = (route as { options: { staticData?: { page?: PageRoute } } }).options.staticData?.page
    return page?.nav ? [page as NavPage] : []
  })
  return all.filter((page) => !page.subject || may([page.action ?? 'read', page.subject]))
}

/** The permitted pages in their groups; a group without one is not there. */
export function NavList({ onMove }: { onMove?: () => void }) {
  const t = useT('shell')
  const permitted = usePermittedPages()
  return (
    <nav aria-label={t('shell:navigation')} className="nav-list">
      {groups.map((group) => {
        const entries = permitted.filter((page) => page.nav.group === group)
        if (!entries.length) return null
        const headingId = `nav-${group}`
        return (
          <div key={group} className="nav-group">
            {group === 'home' ? null : (
              <p className="nav-heading" id={headingId}>
                <span>{t(`shell:group.${group}`)}</span>
              </p>
            )}
            <ul {...(group === 'home' ? {} : { 'aria-labelledby': headingId })}>
              {entries.map((page) => (
                <li key={page.path}>
                  <NavEntry page={page} onMove={onMove} />
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

function NavEntry({ page, onMove }: { page: NavPage; onMove: (() => void) | undefined }) {
  const t = useT('shell')
  const router = useRouter()
  const isHere = areaOf(router.state.location.pathname) === areaOf(page.path)
  return (
    <Link to={page.path} search={{}} className="nav-entry" data-here={isHere} activeProps={{ 'aria-current': 'page' }} onClick={() => onMove?.()}>
      <span className="nav-icon">
        <Icon name={page.nav.icon} size={22} />
      </span>
      <span className="nav-label">{t(page.nav.label)}</span>
    </Link>
  )
}
