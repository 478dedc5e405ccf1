import { useRouterState } from '@tanstack/react-router'
import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'

const kinds = ['basic', 'statistics', 'actions'] as const

/** From one page of cards to the others. */
export function CardsNav() {
  const t = useT('catalogue')
  const path = useRouterState({ select: (state) => state.location.pathname })
  return (
    <nav aria-label={t('catalogue:cards.kinds')} className="row cards-nav no-print">
      {kinds.map((kind) => {
        const to = `/pages/cards/${kind}`
        return (
          <AppLink key={kind} to={to} className={`button-link ${path === to ? '' : 'quiet'}`}>
            {t(`catalogue:cards.${kind}`)}
          </AppLink>
        )
      })}
    </nav>
  )
}
