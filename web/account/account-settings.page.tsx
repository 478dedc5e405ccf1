import { lazy } from 'react'
import { places } from '../../contract/places.ts'
import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { TabPage } from './tab-page.tsx'

// Each is an address of its own, and fetched when somebody goes there.
const AccountTab = lazy(() => import('./account-tab.tsx').then((module) => ({ default: module.AccountTab })))
const SecurityTab = lazy(() => import('./security-tab.tsx').then((module) => ({ default: module.SecurityTab })))
const FormatsTab = lazy(() => import('./formats-tab.tsx').then((module) => ({ default: module.FormatsTab })))
const NotificationsTab = lazy(() =>
  import('./notifications-tab.tsx').then((module) => ({ default: module.NotificationsTab })),
)
const AppearanceTab = lazy(() => import('./appearance-tab.tsx').then((module) => ({ default: module.AppearanceTab })))

/** One's own account: who one is, how one logs in, how things look, what one hears of. */
export function Page() {
  const t = useT('account', 'people', 'record')
  return (
    <>
      <PageHeader title={t('account:title')} subtitle={t('account:subtitle')} />
      <TabPage
        path={places.settings}
        label={t('account:title')}
        tabs={[
          { key: 'account', label: t('account:tabs.account'), icon: 'user', body: <AccountTab /> },
          { key: 'security', label: t('account:tabs.security'), icon: 'lock', body: <SecurityTab /> },
          { key: 'formats', label: t('account:tabs.formats'), icon: 'calendar', body: <FormatsTab /> },
          { key: 'notifications', label: t('account:tabs.notifications'), icon: 'inbox', body: <NotificationsTab /> },
          { key: 'appearance', label: t('account:tabs.appearance'), icon: 'light', body: <AppearanceTab /> },
        ]}
      />
    </>
  )
}
