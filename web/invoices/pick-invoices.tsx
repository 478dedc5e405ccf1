import { Alert, Button, Checkbox, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { maxBatch } from '../../contract/batches.ts'
import { invoicesApi, owingInvoiceStatuses } from '../../contract/invoices.ts'
import { useMay } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useWholeErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { Owing } from './owing.tsx'

const filters = {
  overdue: 'overdue',
  owing: [...owingInvoiceStatuses, 'overdue'].join(),
  paid: 'paid',
} as const
type Filter = keyof typeof filters

const pageSize = 100

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
  const set = (guids: readonly string[], isIn: boolean) => {
    const next = new Set(chosen)
    for (const guid of guids)
      if (isIn) next.add(guid)
      else next.delete(guid)
    setChosen(next)
  }
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
            const guids = items.map(({ guid }) => guid)
            const areAll = guids.length > 0 && guids.every((guid) => chosen.has(guid))
            if (items.length === 0)
              return <EmptyState scene="done" title={t('mailing:bulk.none')} text={t('mailing:bulk.noneText')} />
            return (
              <>
                <div className="table-scroll" role="region" aria-label={t('invoices:list.title')} tabIndex={0}>
                  <table className="plain-table">
                    <thead>
                      <tr>
                        <th scope="col">
                          <Checkbox
                            aria-label={t('mailing:bulk.all')}
                            checked={areAll}
                            onChange={() => set(guids, !areAll)}
                          />
                        </th>
                        <th scope="col">{t('invoices:number')}</th>
                        <th scope="col">{t('invoices:customer')}</th>
                        <th scope="col">{t('invoices:dueOn')}</th>
                        <th scope="col" className="end">
                          {t('mailing:bulk.owing')}
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {items.map((invoice) => (
                        <tr key={invoice.guid}>
                          <td>
                            <Checkbox
                              aria-label={invoice.number ?? invoice.title}
                              checked={chosen.has(invoice.guid)}
                              onChange={(event) => set([invoice.guid], event.currentTarget.checked)}
                            />
                          </td>
                          <th scope="row" className="nowrap">
                            {invoice.number ?? invoice.title}
                          </th>
                          <td>{invoice.customerName}</td>
                          <td>
                            <DateText value={invoice.dueOn} />
                          </td>
                          <td className="end tabular">
                            <Owing invoice={invoice} />
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
                {next || page > 1 ? (
                  <div className="row spread batch-paging">
                    <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
                      {t('common:paging.previous')}
                    </Button>
                    <Button variant="default" disabled={!next} onClick={() => setPage(page + 1)}>
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
