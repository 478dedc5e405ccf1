import { useEffect, type ReactNode } from 'react'
import { AppLink } from './link.tsx'
import { InPageHead } from '../layout/page-actions.ts'
import { noteVisit, setTitle, type Crumb } from '../layout/page.ts'
import { useT } from '../i18n/i18n.ts'
import { Icon } from './icon.tsx'
import { unbroken } from './unbroken.tsx'

export interface PageHeaderProps {
  title: string
  subtitle?: ReactNode
  /** Beside the title: a status chip. */
  badge?: ReactNode
  /** Below title and subtitle. */
  below?: ReactNode
  /** The way down to this page, the page itself not included. */
  crumbs?: Crumb[]
  /** Buttons, the primary one last. */
  actions?: ReactNode
}

/** The head of every page: breadcrumbs, the one `h1`, actions; it also names the browser tab. */
export function PageHeader({ title, subtitle, badge, below, crumbs = [], actions }: PageHeaderProps) {
  const t = useT('common')
  useEffect(() => {
    setTitle(title)
    noteVisit(title)
  }, [title])
  return (
    <header className="page-header">
      <div className="page-header-text">
        {crumbs.length ? (
          <nav aria-label={t('common:breadcrumbs')} className="crumbs no-print">
            <ol>
              {crumbs.map((crumb) => (
                <li key={crumb.to + crumb.label}>
                  <AppLink to={crumb.to}>{crumb.label}</AppLink>
                  <span className="crumb-arrow">
                    <Icon name="right" size={14} />
                  </span>
                </li>
              ))}
              <li aria-current="page">
                <bdi>{unbroken(title)}</bdi>
              </li>
            </ol>
          </nav>
        ) : null}
        <div className="row page-title-row">
          <h1 className="page-title">
            <bdi>{unbroken(title)}</bdi>
          </h1>
          {badge}
        </div>
        {subtitle ? <p className="page-subtitle">{unbroken(subtitle)}</p> : null}
        {below ? <div className="page-below">{below}</div> : null}
      </div>
      {actions ? (
        <div className="page-actions no-print">
          <InPageHead value>{actions}</InPageHead>
        </div>
      ) : null}
    </header>
  )
}
