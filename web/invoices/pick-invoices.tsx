import { Alert, Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { maxBatch } from '../../contract/batches.ts'
import { invoicesApi, owingInvoiceStatuses } from '../../contract/invoices.ts'
import { useMay } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useWholeErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { stepping } from '../core/ui/kit-button.tsx'
import { Loaded } from '../core/ui/states.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { ChosenRows } from './chosen-rows.tsx'
import { Owing } from './owing.tsx'

const filters = {
  overdue: 'overdue',
  owing: [...owingInvoiceStatuses, 'overdue'].join(),
  paid: 'paid',
} as const
type Filter = keyof typeof filters

const pageSize = 100

type Listed = ItemOf<typeof invoicesApi.list>
const nameOf = ({ number, title }: Listed) => number ?? title

/** Invoices by where they stand, to choose those that get a message. */
export function PickInvoices({
  error,
  isBusy,
  onPick,
}: {
  error: unknown
  isBusy: boolean
  onPick: (invoiceGuids: readonly string[]) => Promise<unknown>
}) {
  const t = useT('mailing', 'invoices', 'common')
  const text = useWholeErrorText()
  const may = useMay()
  const [filter, setFilter] = useState<Filter>('overdue')
  const [page, setPage] = useState(1)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const query = { status: filters[filter], sort: 'number', size: pageSize, page } as const
  const read = useRead(invoicesApi.list, query, { keep: true, enabled: may(invoicesApi.list) })
  const columns: readonly Column<Listed>[] = [
    { id: 'number', header: t('invoices:number'), cell: nameOf },
    { id: 'customer', header: t('invoices:customer'), cell: ({ customerName }) => customerName },
    { id: 'dueOn', header: t('invoices:dueOn'), cell: ({ dueOn }) => <DateText value={dueOn} /> },
    {
      id: 'owing',
      header: t('mailing:bulk.owing'),
      align: 'end',
      card: 'side',
      cell: (invoice) => <Owing invoice={invoice} />,
    },
  ]
  if (!may(invoicesApi.list))
    return <EmptyState scene="lock" title={t('common:noPermission.title')} text={t('common:noPermission.text')} />
  return (
    <div className="stack">
      {error ? (
        <Alert color="red" variant="light" role="alert">
          {text(error)}
        </Alert>
      ) : null}
      <Card>
        <div className="row spread">
          <SegmentedControl
            aria-label={t('invoices:statusLabel')}
            value={filter}
            onChange={(value) => {
              setFilter(value as Filter)
              setPage(1)
              setChosen(new Set())
            }}
            data={(['overdue', 'owing', 'paid'] as const).map((value) => ({
              value,
              label: t(`mailing:bulk.filters.${value}`),
            }))}
          />
          <div className="row">
            {chosen.size > maxBatch ? (
              <span className="muted small">{t('mailing:bulk.tooMany', { count: maxBatch })}</span>
            ) : null}
            <Button
              loading={isBusy}
              disabled={chosen.size === 0 || chosen.size > maxBatch}
              onClick={() => void onPick([...chosen])}
            >
              {t('mailing:bulk.check', { count: chosen.size })}
            </Button>
          </div>
        </div>
      </Card>
      <Card isFlush>
        <Loaded of={read}>
          {({ items, page: { next } }) => {
            if (items.length === 0)
              return <EmptyState scene="done" title={t('mailing:bulk.none')} text={t('mailing:bulk.noneText')} />
            return (
              <>
                <ChosenRows
                  label={t('invoices:list.title')}
                  columns={columns}
                  items={items}
                  guidOf={({ guid }) => guid}
                  nameOf={nameOf}
                  chosen={chosen}
                  onChoose={setChosen}
                />
                {next || page > 1 ? (
                  <div className="row spread batch-paging">
                    <Button variant="default" {...stepping(page === 1, () => setPage(page - 1))}>
                      {t('common:paging.previous')}
                    </Button>
                    <Button variant="default" {...stepping(!next, () => setPage(page + 1))}>
                      {t('common:paging.next')}
                    </Button>
                  </div>
                ) : null}
              </>
            )
          }}
        </Loaded>
      </Card>
    </div>
  )
}
