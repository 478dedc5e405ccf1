import { AppLink } from '../ui/link.tsx'
import { useT } from '../i18n/i18n.ts'
import { MessagePage } from './message-page.tsx'

/** Outside every layout. */
export function NowhereFound() {
  return (
    <main id="main" className="blank">
      <NotFound />
    </main>
  )
}

export function NotFound() {
  const t = useT('common', 'errors')
  return (
    <MessagePage
      scene="search"
      title={t('errors:noPageTitle')}
      text={t('errors:noPageText')}
      actions={
        <AppLink to="/" className="button-link">
          {t('errors:backHome')}
        </AppLink>
      }
    />
  )
}
