import { useT } from '../core/i18n/i18n.ts'
import { ServerError } from '../core/layout/broken.tsx'
import { WayBack } from './way-back.tsx'

export function Page() {
  const t = useT('errors', 'pages')
  return <ServerError title={t('errors:brokenTitle')} text={t('errors:brokenText')} actions={<WayBack />} />
}
