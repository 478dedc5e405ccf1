import { Button } from '@mantine/core'
import { useState } from 'react'
import { pathTo } from '../../contract/nouns.ts'
import { liftInput, type Suppression, suppressionsApi } from '../../contract/suppressions.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { TextField } from '../core/ui/fields.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import { useSchemaForm } from '../record/schema-form.ts'

/** Addresses that nothing, or no offer, is sent to, and the way to clear one. */
export function SuppressedAddresses({ firstSearch }: { firstSearch: string | undefined }) {
  const t = useT('inbound')
  const mayClear = useCan(suppressionsApi.lift)
  const [clearing, setClearing] = useState<Suppression | null>(null)
  const columns: Column<Suppression>[] = [
    {
      id: 'address',
      header: t('inbound:suppressed.address'),
      sort: true,
      card: 'title',
      grow: 2,
      cell: (s) => <bdi>{s.address}</bdi>,
    },
    {
      id: 'reason',
      header: t('inbound:suppressed.reason'),
      card: 'side',
      cell: (s) => (
        <StatusChip
          status={s.reason}
          tone={s.scope === 'all' ? 'error' : 'warning'}
          label={t(`inbound:suppressed.reasons.${s.reason}`)}
        />
      ),
    },
    { id: 'said', header: t('inbound:suppressed.said'), grow: 2, cell: (s) => <span dir="auto">{s.said}</span> },
    {
      id: 'message',
      header: t('inbound:suppressed.message'),
      cell: (s) =>
        s.message ? (
          <AppLink to={pathTo('Messages', s.message.guid)} className="link">
            {s.message.label}
          </AppLink>
        ) : null,
    },
    {
      id: 'createdAt',
      header: t('inbound:suppressed.since'),
      sort: true,
      cell: (s) => <DateText value={s.createdAt} />,
    },
    ...(mayClear
      ? [
          {
            id: 'clear',
            header: t('inbound:suppressed.action'),
            cell: (s: Suppression) => (
              <Button
                variant="default"
                size="compact-sm"
                aria-label={t('inbound:suppressed.clearOf', { address: s.address })}
                onClick={() => setClearing(s)}
              >
                {t('inbound:suppressed.clear')}
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <Card>
      <DataTable
        op={suppressionsApi.list}
        key={firstSearch ?? ''}
        isEmbedded
        firstSearch={firstSearch}
        hasSearch
        label={t('inbound:suppressed.title')}
        columns={columns}
        rowLabel={(s) => s.address}
        defaultSort="-createdAt"
        searchPlaceholder={t('inbound:suppressed.search')}
        empty={{ title: t('inbound:suppressed.empty'), text: t('inbound:suppressed.emptyText') }}
      />
      {clearing ? <ClearDialog suppression={clearing} onClose={() => setClearing(null)} /> : null}
    </Card>
  )
}

function ClearDialog({ suppression, onClose }: { suppression: Suppression; onClose: () => void }) {
  const t = useT('inbound')
  const form = useSchemaForm<{ reason: string }, { reason: string }>(liftInput, { reason: '' })
  const lift = useWrite(suppressionsApi.lift)
  return (
    <FormDialog
      form={form}
      title={t('inbound:suppressed.clearTitle')}
      action={t('inbound:suppressed.clear')}
      size="md"
      onClose={onClose}
      onSave={async ({ reason }) => {
        await lift.mutateAsync({ guid: suppression.guid, reason })
        toast.success(t('inbound:suppressed.cleared'))
      }}
    >
      <p className="no-margin">
        <bdi className="strong">{suppression.address}</bdi>
      </p>
      <p className="muted no-margin">{t(`inbound:suppressed.clearText.${suppression.scope}`)}</p>
      <TextField
        control={form.control}
        name="reason"
        label={t('inbound:suppressed.why')}
        description={t('inbound:suppressed.whyHint')}
        isRequired
        maxLength={400}
      />
    </FormDialog>
  )
}
