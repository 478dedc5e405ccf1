import { Button, Switch, Tabs } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import {
  emailAccountsApi,
  refusedLogins,
  type EmailAccount,
  type MailOfInstallation,
  type RefusedLogin,
} from '../../contract/email-accounts.ts'
import { quarantineApi } from '../../contract/inbound.ts'
import { pathOf } from '../../contract/nouns.ts'
import { suppressionsApi } from '../../contract/suppressions.ts'
import { useCan } from '../core/api/can.ts'
import { Can } from '../core/api/can-show.tsx'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { Quarantine } from '../messages/quarantine.tsx'
import { SuppressedAddresses } from '../messages/suppressed-addresses.tsx'
import { AccountCard } from './account-card.tsx'
import { ArchiveDialog } from './archive-dialog.tsx'
import './email-accounts.css'

const AccountDialog = whenOpen(() => import('./account-dialog.tsx').then((module) => module.AccountDialog))
const TestDialog = whenOpen(() => import('./test-dialog.tsx').then((module) => module.TestDialog))

type Open = { deed: 'add' } | { deed: 'edit' | 'test' | 'archive'; account: EmailAccount } | null

const tabs = ['accounts', 'suppressed', 'quarantine'] as const

export function Page() {
  const t = useT('emails', 'record', 'inbound')
  const maySuppressed = useCan(suppressionsApi.list)
  const mayQuarantine = useCan(quarantineApi.list)
  const [open, setOpen] = useState<Open>(null)
  const [isArchived, setArchived] = useState(false)
  const accounts = useRead(emailAccountsApi.list, { size: 100 })
  const archived = useRead(emailAccountsApi.list, { size: 100, archived: 'true' }, { enabled: isArchived })
  const putAway = isArchived ? (archived.data?.items ?? []) : []
  const { tab, search } = useSearch({ strict: false }) as { tab?: string; search?: string }
  const go = useGo()
  useCameBack()
  const close = () => setOpen(null)
  const add = (
    <Can op={emailAccountsApi.create}>
      <Button onClick={() => setOpen({ deed: 'add' })}>{t('emails:add')}</Button>
    </Can>
  )
  return (
    <>
      <PageHeader title={t('emails:title')} subtitle={t('emails:subtitle')} actions={add} />
      <Tabs
        value={tabs.find((one) => one === tab) ?? 'accounts'}
        onChange={(next) => void go(`${pathOf('EmailAccounts', 'list')}${next === 'accounts' ? '' : `?tab=${next}`}`)}
        keepMounted={false}
        className="email-tabs"
      >
        <Tabs.List className="no-print">
          <Tabs.Tab value="accounts">{t('emails:title')}</Tabs.Tab>
          {maySuppressed ? <Tabs.Tab value="suppressed">{t('inbound:suppressed.title')}</Tabs.Tab> : null}
          {mayQuarantine ? <Tabs.Tab value="quarantine">{t('inbound:quarantine.title')}</Tabs.Tab> : null}
        </Tabs.List>
        <Tabs.Panel value="accounts" pt="lg">
          <div className="row email-filter no-print">
            <Switch
              label={t('emails:archivedOnly')}
              checked={isArchived}
              onChange={(event) => setArchived(event.currentTarget.checked)}
            />
            {archived.data?.items.length === 0 && isArchived ? (
              <span className="muted small" role="status">
                {t('emails:noneArchived')}
              </span>
            ) : null}
          </div>
          <Loaded of={accounts}>
            {({ items, installation }) =>
              items.length || putAway.length || installation.kind === 'smtp' ? (
                <div className="email-cards">
                  {[...items, ...putAway].map((account) => (
                    <AccountCard
                      key={account.guid}
                      account={account}
                      onEdit={() => setOpen({ deed: 'edit', account })}
                      onTest={() => setOpen({ deed: 'test', account })}
                      onArchive={() => setOpen({ deed: 'archive', account })}
                    />
                  ))}
                  <Installation of={installation} />
                </div>
              ) : (
                <Card>
                  <EmptyState scene="mail" title={t('emails:empty.title')} text={t('emails:empty.text')} action={add} />
                </Card>
              )
            }
          </Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="suppressed" pt="lg">
          <SuppressedAddresses firstSearch={search} />
        </Tabs.Panel>
        <Tabs.Panel value="quarantine" pt="lg">
          <Quarantine />
        </Tabs.Panel>
      </Tabs>
      {open?.deed === 'add' || open?.deed === 'edit' ? (
        <AccountDialog account={open.deed === 'edit' ? open.account : null} onClose={close} />
      ) : null}
      {open?.deed === 'archive' && accounts.data ? (
        <ArchiveDialog
          account={open.account}
          accounts={accounts.data.items}
          installation={accounts.data.installation}
          onClose={close}
        />
      ) : null}
      {open?.deed === 'test' ? <TestDialog account={open.account} onClose={close} /> : null}
    </>
  )
}

/** What mail leaves by where no account takes it: a setting of the server, shown and not changed here. */
function Installation({ of: { kind, host, from } }: { of: MailOfInstallation }) {
  const t = useT('emails')
  return (
    <Card title={t('emails:installation.title')} className="email-card">
      <p className="muted no-margin">
        {kind === 'smtp'
          ? t('emails:installation.smtp', { host: host ?? '', from: from ?? '' })
          : t('emails:installation.outbox')}
      </p>
    </Card>
  )
}

const isRefused = (text: unknown): text is RefusedLogin =>
  typeof text === 'string' && (refusedLogins as readonly string[]).includes(text)

/** Somebody comes back from a provider: what came of it is said once, and leaves the address. */
function useCameBack() {
  const t = useT('emails')
  const go = useGo()
  const { connected, refused } = useSearch({ strict: false }) as { connected?: unknown; refused?: unknown }
  useEffect(() => {
    if (connected === undefined && refused === undefined) return
    if (connected !== undefined) toast.success(t('emails:connected'))
    else toast.error(t(`emails:refused.${isRefused(refused) ? refused : 'failed'}`))
    void go(pathOf('EmailAccounts', 'list'), { isReplacing: true })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for what the address says
  }, [connected, refused])
}
