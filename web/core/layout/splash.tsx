import { Loader } from '@mantine/core'
import { useT } from '../i18n/i18n.ts'

/** While a page is on its way. */
export function Splash() {
  const t = useT('common')
  return (
    <div className="splash" role="status" aria-label={t('common:loading')}>
      <Loader />
    </div>
  )
}
