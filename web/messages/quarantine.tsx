import { Button } from '@mantine/core'
import { quarantineApi, type QuarantinedMail } from '../../contract/inbound.ts'
import { messagesApi } from '../../contract/messages.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { breakingAt } from '../core/ui/breaking-at.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { useGo } from '../core/ui/params.ts'
import { toast, toastWithAction } from '../core/ui/toast.tsx'
import { bytesText } from '../files/bytes.ts'

/** Emails that could not be read safely: their facts and headers, and nothing of what they say. */
export function Quarantine() {
  const t = useT('inbound', 'compose')
  const language = useLanguage()
  const maySettle = useCan(quarantineApi.settle)
  const columns: Column<QuarantinedMail>[] = [
    {
      id: 'subject',
      header: t('inbound:quarantine.subject'),
      card: 'title',
      grow: 2,
      cell: ({ subject }) => (subject === '' ? t('compose:noSubject') : <Words said={subject} />),
    },
    {
      id: 'from',
      header: t('inbound:quarantine.from'),
      grow: 2,
      cell: ({ from }) => <Words said={from} />,
    },
    {
      id: 'account',
      header: t('inbound:quarantine.account'),
      grow: 1,
      isSpare: true,
      cell: (mail) => <bdi>{mail.account.label}</bdi>,
    },
    {
      id: 'reason',
      header: t('inbound:quarantine.reason'),
      grow: 2,
      cell: (mail) => t(`inbound:quarantine.reasons.${mail.reason}`),
    },
    {
      id: 'bytes',
      header: t('inbound:quarantine.size'),
      align: 'end',
      sort: true,
      cell: (mail) => bytesText(mail.bytes, language),
    },
    {
      id: 'receivedAt',
      header: t('inbound:quarantine.received'),
      sort: true,
      cell: (mail) => <DateText value={mail.receivedAt} as="dateTime" />,
    },
    ...(maySettle
      ? [
          {
            id: 'settle',
            header: t('inbound:quarantine.actions'),
            grow: 2,
            cell: (mail: QuarantinedMail) => <Settle mail={mail} />,
          },
        ]
      : []),
  ]
  return (
    <DataTable
      op={quarantineApi.list}
      isEmbedded
      hasSearch={false}
      label={t('inbound:quarantine.title')}
      columns={columns}
      rowLabel={(mail) => mail.subject || mail.from || mail.account.label}
      defaultSort="-receivedAt"
      empty={{ title: t('inbound:quarantine.empty'), text: t('inbound:quarantine.emptyText') }}
    />
  )
}

/** What a header says; words of a stranger keep their direction to themselves. */
function Words({ said }: { said: string | null }) {
  const t = useT('inbound')
  if (said === null) return <span className="muted">{t('inbound:quarantine.unknown')}</span>
  return <bdi>{breakingAt(said)}</bdi>
}

function Settle({ mail }: { mail: QuarantinedMail }) {
  const t = useT('inbound', 'compose')
  const text = useErrorText()
  const go = useGo()
  const mayOpen = useCan(messagesApi.get)
  const settle = useWrite(quarantineApi.settle, {
    onSuccess: ({ state, messageGuid }) => {
      if (state === 'quarantined') return toast.error(t('inbound:quarantine.still'))
      const said = t(`inbound:quarantine.became.${state}`)
      if (messageGuid === null || !mayOpen) return toast.success(said)
      return void toastWithAction(said, t('compose:seeMessage'), () => void go(pathTo('Messages', messageGuid)))
    },
    onError: (error) => toast.error(text(error)),
  })
  const ask = (action: 'retry' | 'ignore') => settle.mutate({ guid: mail.guid, action })
  return (
    <div className="row">
      <Button variant="default" size="compact-sm" loading={settle.isPending} onClick={() => ask('retry')}>
        {t('inbound:quarantine.retry')}
      </Button>
      <Button variant="subtle" size="compact-sm" disabled={settle.isPending} onClick={() => ask('ignore')}>
        {t('inbound:quarantine.ignore')}
      </Button>
    </div>
  )
}
