import { useT } from '../core/i18n/i18n.ts'
import { PageHeader } from '../core/ui/page-header.tsx'
import { AccountTab } from './account-tab.tsx'
import { AppearanceTab } from './appearance-tab.tsx'
import { FormatsTab } from './formats-tab.tsx'
import { NotificationsTab } from './notifications-tab.tsx'
import { SecurityTab } from './security-tab.tsx'
import { TabPage } from './tab-page.tsx'

/** One's own account: who one is, how one logs in, how things look, what one hears of. */
export function Page() {
  const t = useT('account', 'people', 'record')
  return (
    <>
      <PageHeader title={t('account:title')} subtitle={t('account:subtitle')} />
      <TabPage
        base="/pages/account-settings"
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
