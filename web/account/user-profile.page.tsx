import { pathTo } from '../../contract/nouns.ts'
import { authApi } from '../../contract/auth.ts'
import { places, settingsPath } from '../../contract/places.ts'
import { useRead } from '../core/api/hooks.ts'
import type { Answer } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { PersonName, Portrait } from '../people/portrait.tsx'
import { ActivityList } from '../people/activity-list.tsx'
import { useOwnAccount } from './own-account.ts'
import { TabPage } from './tab-page.tsx'

/** What the product knows of me: who I am, what I did, what is mine. */
export function Page() {
  const t = useT('account', 'people', 'timeline')
  return (
    <>
      <PageHeader title={t('account:profile.title')} subtitle={t('account:profile.subtitle')} />
      <TabPage
        path={places.profile}
        label={t('account:profile.title')}
        tabs={[
          { key: 'profile', label: t('account:profile.tabs.profile'), icon: 'user', body: <Profile /> },
          { key: 'activity', label: t('account:profile.tabs.activity'), icon: 'clock', body: <Activity /> },
          { key: 'documents', label: t('account:profile.tabs.documents'), icon: 'quote', body: <Documents /> },
        ]}
      />
    </>
  )
}

function Profile() {
  const t = useT('account', 'people')
  const read = useOwnAccount()
  return (
    <Loaded of={read}>
      {({ user }) => (
        <Card
          actions={
            <AppLink to={settingsPath('account')} className="button-link quiet">
              {t('account:profile.edit')}
            </AppLink>
          }
          title={t('account:profile.tabs.profile')}
        >
          <div className="own-head">
            <Portrait name={user.name} picture={user.avatar} size={88} />
            <div>
              <PersonName>{user.name}</PersonName>
              <p className="muted no-margin">{user.roleName}</p>
            </div>
          </div>
          <KeyValueList
            items={[
              { label: t('people:login'), value: user.authID },
              { label: t('people:email'), value: user.email || null },
              { label: t('people:phone'), value: user.phone || null },
              { label: t('people:role'), value: <AppLink to={places.accessControl}>{user.roleName}</AppLink> },
              {
                label: t('people:twoStep'),
                value: (
                  <AppLink to={settingsPath('security')}>
                    {user.twoStep.isOn ? t('people:on') : t('people:off')}
                  </AppLink>
                ),
              },
              { label: t('people:lastLogin'), value: <DateText value={user.lastLoginAt} as="dateTime" /> },
              { label: t('people:created'), value: <DateText value={user.createdAt} /> },
            ]}
          />
        </Card>
      )}
    </Loaded>
  )
}

function Activity() {
  const t = useT('account')
  const read = useRead(authApi.activity, {})
  return (
    <Card title={t('account:profile.tabs.activity')}>
      <Loaded of={read}>{({ items }) => <ActivityList items={items} />}</Loaded>
    </Card>
  )
}

type Document = Answer<typeof authApi.documents>['items'][number]
/** The phrases of a noun have its name. */
const namespaceOf = (noun: Document['noun']) => noun.toLowerCase() as Lowercase<Document['noun']>

function Documents() {
  const t = useT('account', 'common')
  const read = useRead(authApi.documents, {})
  return (
    <Card title={t('account:profile.tabs.documents')}>
      <Loaded of={read}>
        {({ items }) =>
          items.length ? (
            <DocumentTable items={items} />
          ) : (
            <EmptyState title={t('account:documents.none')} text={t('account:documents.noneText')} />
          )
        }
      </Loaded>
    </Card>
  )
}

function DocumentTable({ items }: { items: readonly Document[] }) {
  const t = useT('account', 'quotes', 'orders', 'invoices', 'common')
  return (
    <div className="table-scroll" role="group" aria-label={t('account:profile.tabs.documents')} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('account:documents.document')}</th>
            <th scope="col">{t('account:documents.customer')}</th>
            <th scope="col">{t('people:status.label')}</th>
            <th scope="col">{t('people:created')}</th>
            <th scope="col" className="end">
              {t('account:documents.total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.guid}>
              <th scope="row">
                <AppLink to={pathTo(item.noun, item.guid)}>
                  {[t(`account:documents.nouns.${item.noun}`), item.number].filter(Boolean).join(' ')}
                </AppLink>
                {item.title ? <span className="cell-sub">{item.title}</span> : null}
              </th>
              <td>{item.customerName}</td>
              <td>
                <StatusChip status={item.status} ns={namespaceOf(item.noun)} />
              </td>
              <td>
                <DateText value={item.createdAt} />
              </td>
              <td className="end">
                <Money cents={item.totalCents} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
