import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Holidays } from './holidays.tsx'

export function Page() {
  const t = useT('setup')
  return (
    <>
      <PageHeader title={t('setup:holidays.title')} subtitle={t('setup:holidays.subtitle')} />
      <Holidays />
    </>
  )
}
