import { Button } from '@mantine/core'
import { quarantineApi, type QuarantinedMail } from '../../contract/inbound.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useLanguage, useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { toast } from '../core/ui/toast.tsx'
import { bytesText } from '../files/bytes.ts'

/** Emails that could not be read safely: their facts, and nothing of what they say. */
export function Quarantine() {
  const t = useT('inbound')
  const language = useLanguage()
  const maySettle = useCan(quarantineApi.settle)
  const columns: Column<QuarantinedMail>[] = [
    {
      id: 'account',
      header: t('inbound:quarantine.account'),
      card: 'title',
      grow: 2,
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
      rowLabel={(mail) => mail.account.label}
      defaultSort="-receivedAt"
      empty={{ title: t('inbound:quarantine.empty'), text: t('inbound:quarantine.emptyText') }}
    />
  )
}

function Settle({ mail }: { mail: QuarantinedMail }) {
  const t = useT('inbound')
  const text = useErrorText()
  const settle = useWrite(quarantineApi.settle, {
    onSuccess: ({ state }) => {
      if (state === 'quarantined') toast.error(t('inbound:quarantine.still'))
      else toast.success(t(state === 'ignored' ? 'inbound:quarantine.ignored' : 'inbound:quarantine.read'))
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
