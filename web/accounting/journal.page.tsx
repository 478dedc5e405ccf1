import { Button } from '@mantine/core'
import { useState } from 'react'
import { journalApi } from '../../contract/journal.ts'
import { journalSources } from '../../contract/ledger.ts'
import { paymentsApi } from '../../contract/payments.ts'
import { useCan } from '../core/api/can.ts'
import { dropReads, queryClient, useRead, useWrite } from '../core/api/hooks.ts'
import type { ItemOf } from '../core/api/types.ts'
import { useFormat } from '../core/i18n/format.ts'
import { phrase, useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { ConfirmDialog } from '../core/ui/confirm-dialog.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { Money } from '../core/ui/money.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { DataTable } from '../core/ui/table/data-table.tsx'
import { toast } from '../core/ui/toast.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { EntryLines } from './entry-lines.tsx'
import { EntrySource } from './entry-source.tsx'
import { accountName, narrativeOf } from './said.ts'
import './accounting.css'

const EntryDialog = whenOpen(() => import('./entry-dialog.tsx').then((module) => module.EntryDialog))

type Entry = ItemOf<typeof paymentsApi.journals>

/** Below what an entry is about: the record it follows, and what became of it. */
function Follows({ entry }: { entry: Entry }) {
  const { reversedBy, reverses } = entry
  const t = useT('accounting', 'payments')
  const f = useFormat()
  const why = ({ reasonCode, reason }: Pick<NonNullable<Entry['reverses']>, 'reasonCode' | 'reason'>) =>
    [reasonCode ? phrase(`payments:reverse.reasons.${reasonCode}`) : '', reason ?? ''].filter(Boolean).join(': ')
  const told = reversedBy
    ? [t('accounting:journal.reversedBy', { day: f.date(reversedBy.on), number: reversedBy.number }), why(reversedBy)]
    : reverses
      ? [t('accounting:journal.reverses', { number: reverses.number }), why(reverses)]
      : []
  return (
    <>
      <EntrySource of={entry} />
      {told.length > 0 ? <span className="cell-sub">{unbroken(told.filter(Boolean).join('. '))}</span> : null}
    </>
  )
}

const amountOf = ({ lines }: Entry) => lines.reduce((total, line) => total + line.debitCents, 0)

/** Every entry of the books; those by hand begin and are reversed here. */
export function Page() {
  const t = useT('accounting', 'common', 'payments')
  const mayPost = useCan(journalApi.post)
  const mayReadChart = useCan(journalApi.accounts)
  const chart = useRead(journalApi.accounts, {}, { enabled: mayReadChart })
  const reverse = useWrite(journalApi.reverse)
  const [isAdding, setAdding] = useState(false)
  const [reversing, setReversing] = useState<Entry | null>(null)
  return (
    <>
      <PageHeader
        title={t('accounting:journal.title')}
        subtitle={t('accounting:journal.subtitle')}
        actions={
          mayPost ? (
            <Button leftSection={<Icon name="create" size={18} />} onClick={() => setAdding(true)}>
              {t('accounting:journal.add')}
            </Button>
          ) : null
        }
      />
      <DataTable
        op={paymentsApi.journals}
        label={t('accounting:journal.title')}
        searchPlaceholder={t('accounting:journal.text')}
        defaultSort="-postedOn"
        filters={[
          { type: 'days', field: 'postedOn', label: t('accounting:journal.day') },
          {
            type: 'many',
            field: 'source',
            label: t('accounting:journal.source'),
            options: journalSources.map((value) => ({ value, label: t(`accounting:sources.${value}`) })),
          },
          ...(mayReadChart
            ? [
                {
                  type: 'one' as const,
                  field: 'account',
                  label: t('accounting:trial.account'),
                  options:
                    chart.data?.accounts.map(({ code, name, role }) => ({
                      value: code,
                      label: `${code} ${accountName(name, role)}`,
                    })) ?? null,
                },
              ]
            : []),
        ]}
        columns={[
          {
            id: 'postedOn',
            header: t('accounting:journal.day'),
            sort: true,
            cell: (e) => <DateText value={e.postedOn} />,
          },
          {
            id: 'number',
            header: t('accounting:journal.number'),
            sort: true,
            cell: (e) => <span className="tabular">{e.number}</span>,
          },
          {
            id: 'narrative',
            header: t('accounting:journal.text'),
            card: 'title',
            cell: (e) => (
              <>
                {unbroken(narrativeOf(e))}
                <Follows entry={e} />
              </>
            ),
          },
          { id: 'lines', header: t('accounting:journal.lines'), cell: (e) => <EntryLines lines={e.lines} /> },
          {
            id: 'createdAt',
            header: t('accounting:journal.at'),
            sort: true,
            isHidden: true,
            cell: (e) => <DateText value={e.at} as="dateTime" />,
          },
          {
            id: 'total',
            header: t('accounting:journal.amount'),
            align: 'end',
            card: 'side',
            cell: (e) => <Money cents={amountOf(e)} />,
          },
          ...(mayPost
            ? [
                {
                  id: 'reverse',
                  header: t('common:table.actions'),
                  align: 'end' as const,
                  cell: (e: Entry) =>
                    e.isReversible ? (
                      <ActionButton variant="default" size="compact-sm" onClick={() => setReversing(e)}>
                        {t('accounting:journal.reverse')}
                      </ActionButton>
                    ) : null,
                },
              ]
            : []),
        ]}
        rowLabel={narrativeOf}
        empty={{ title: t('accounting:journal.empty') }}
      />
      {isAdding ? <EntryDialog accounts={chart.data?.accounts ?? []} onClose={() => setAdding(false)} /> : null}
      <ConfirmDialog
        isOpen={reversing !== null}
        onClose={() => setReversing(null)}
        title={t('accounting:journal.reverseTitle', { text: reversing?.narrative ?? '' })}
        confirmLabel={t('accounting:journal.reverse')}
        reasonLabel={t('accounting:journal.why')}
        onConfirm={async (reason: string) => {
          if (!reversing) return
          await reverse.mutateAsync({ guid: reversing.guid, reason })
          await dropReads(queryClient, ['Dev', 'Journal'])
          toast.success(t('accounting:journal.reversed'))
        }}
      >
        {t('accounting:journal.reverseText')}
      </ConfirmDialog>
    </>
  )
}
