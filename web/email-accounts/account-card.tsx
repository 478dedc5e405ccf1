import { Button } from '@mantine/core'
import { emailAccountsApi, type EmailAccount } from '../../contract/email-accounts.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { StatusChip, type Tone } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { purposeText } from './account-fields.ts'

const tones: Readonly<Record<EmailAccount['state'], Tone>> = {
  healthy: 'success',
  untested: 'neutral',
  failing: 'error',
  sample: 'neutral',
  resting: 'warning',
  capped: 'warning',
  unread: 'warning',
  paused: 'neutral',
  needs_login: 'error',
  broken: 'error',
}

interface CardProps {
  account: EmailAccount
  onEdit: () => void
  onTest: () => void
  onArchive: () => void
}

/** One account: what it sends, how it is, and what can be done with it. */
export function AccountCard({ account, ...deeds }: CardProps) {
  const t = useT('emails')
  const f = useFormat()
  const { state, openUntil } = account
  return (
    <Card
      title={<bdi>{account.fromAddress}</bdi>}
      actions={
        account.archivedAt ? (
          <StatusChip status="archived" />
        ) : (
          <StatusChip status={state} tone={tones[state]} label={t(`emails:state.${state}`)} />
        )
      }
      className="email-card"
    >
      <KeyValueList
        items={[
          { label: t('emails:field.purpose'), value: purposeText(account.purpose) },
          { label: t('emails:field.fromName'), value: account.fromName },
          { label: t('emails:field.smtp'), value: <bdi dir="ltr">{`${account.smtp.host}:${account.smtp.port}`}</bdi> },
          {
            label: t('emails:sentToday'),
            value: t('emails:sentOfCap', { sent: f.number(account.sentToday), cap: f.number(account.dailyCap) }),
          },
          {
            label: t('emails:lastSent'),
            value: account.lastSentAt ? <DateText value={account.lastSentAt} as="relative" /> : t('emails:never'),
          },
          {
            label: t('emails:lastRead'),
            isHidden: account.imap === null,
            value: account.lastReadAt ? <DateText value={account.lastReadAt} as="relative" /> : t('emails:never'),
          },
          {
            label: t('emails:resumes'),
            isHidden: state !== 'resting',
            value: <DateText value={openUntil} as="time" />,
          },
        ]}
      />
      {account.lastSaid ? (
        <p className="email-said small no-margin" role="note">
          <bdi dir="auto">{inLanguage(account.lastSaid)}</bdi>
        </p>
      ) : null}
      <Deeds account={account} {...deeds} />
    </Card>
  )
}

function Deeds({ account, onEdit, onTest, onArchive }: CardProps) {
  const t = useT('emails')
  const text = useErrorText()
  const onError = (error: unknown) => toast.error(text(error))
  const name = account.fromAddress
  const update = useWrite(emailAccountsApi.update, { onError })
  const restore = useWrite(emailAccountsApi.restore, {
    onError,
    onSuccess: () => toast.success(t('emails:restored', { name })),
  })
  const connect = useWrite(emailAccountsApi.connect, {
    onError,
    onSuccess: ({ url }) => window.location.assign(url),
  })
  const may = {
    update: useCan(emailAccountsApi.update),
    test: useCan(emailAccountsApi.test),
    connect: useCan(emailAccountsApi.connect),
    archive: useCan(emailAccountsApi.remove),
  }
  const { guid, version, status, auth, archivedAt } = account
  const look = { variant: 'default', size: 'compact-sm' } as const
  if (archivedAt)
    return may.archive ? (
      <div className="row email-deeds no-print">
        <Button {...look} loading={restore.isPending} onClick={() => restore.mutate({ guid })}>
          {t('emails:restore')}
        </Button>
      </div>
    ) : null
  return (
    <div className="row email-deeds no-print">
      {may.connect && auth.provider ? (
        <Button
          {...look}
          variant={account.hasSecret ? 'default' : 'filled'}
          loading={connect.isPending}
          onClick={() => connect.mutate({ guid })}
        >
          {t(`emails:connect.${auth.provider}`)}
        </Button>
      ) : null}
      {may.test ? (
        <Button {...look} onClick={onTest}>
          {t('emails:test.open')}
        </Button>
      ) : null}
      {may.update ? (
        <>
          <Button {...look} onClick={onEdit}>
            {t('emails:editShort')}
          </Button>
          <Button
            {...look}
            loading={update.isPending}
            onClick={() => update.mutate({ guid, version, status: status === 'paused' ? 'active' : 'paused' })}
          >
            {t(status === 'paused' ? 'emails:activate' : 'emails:pause')}
          </Button>
        </>
      ) : null}
      {may.archive ? (
        <Button {...look} onClick={onArchive}>
          {t('emails:archive')}
        </Button>
      ) : null}
    </div>
  )
}
