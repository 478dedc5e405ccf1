import { useT } from '../core/i18n/i18n.ts'
import { AppLink } from '../core/ui/link.tsx'

export function WayBack() {
  const t = useT('errors')
  return (
    <AppLink to="/" className="button-link">
      {t('errors:backHome')}
    </AppLink>
  )
}
