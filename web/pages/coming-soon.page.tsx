import { useT } from '../core/i18n/i18n.ts'
import { MessagePage } from '../core/layout/message-page.tsx'
import { WayBack } from './way-back.tsx'

export function Page() {
  const t = useT('pages')
  return (
    <MessagePage
      scene="soon"
      title={t('pages:coming-soon.title')}
      text={t('pages:coming-soon.text')}
      actions={<WayBack />}
    />
  )
}
