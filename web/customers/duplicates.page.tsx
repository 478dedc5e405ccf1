import { Button, SegmentedControl } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { formatAbn } from '../../contract/core/abn.ts'
import { mergesApi, type Duplicate } from '../../contract/merges.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { kindText } from './customer-fields.ts'
import { MergeDialog } from './merge-dialog.tsx'
import './customers.css'

const pageSize = 25
const pairs = '[data-pair]'

/** Customers that may be one, side by side. */
export function Page() {
  const t = useT('customers')
  const navigate = useNavigate()
  const { status: asked } = useSearch({ strict: false }) as { status?: string }
  const status = asked === 'dismissed' ? 'dismissed' : 'open'
  const read = useRead(mergesApi.duplicates, { size: pageSize, status })
  return (
    <>
      <PageHeader
        title={t('customers:duplicates.title')}
        subtitle={t('customers:duplicates.subtitle')}
        crumbs={[{ to: pathTo('Customers'), label: t('customers:list.title') }]}
      />
      <SegmentedControl
        className="no-print pair-states"
        aria-label={t('customers:duplicates.show')}
        value={status}
        onChange={(next) => void navigate({ to: '.', search: { status: next }, replace: true, resetScroll: false })}
        data={(['open', 'dismissed'] as const).map((value) => ({
          value,
          label: t(`customers:duplicates.states.${value}`),
        }))}
      />
      <Loaded of={read}>
        {({ items }) =>
          items.length ? (
            <div className="stack cards">
              {items.map((pair) => (
                <Pair key={pair.guid} pair={pair} isFirst={pair === items[0]} isDismissed={status === 'dismissed'} />
              ))}
            </div>
          ) : (
            <Card>
              {status === 'open' ? (
                <EmptyState title={t('customers:duplicates.empty')} text={t('customers:duplicates.emptyText')} />
              ) : (
                <EmptyState
                  title={t('customers:duplicates.noneDismissed')}
                  text={t('customers:duplicates.noneDismissedText')}
                />
              )}
            </Card>
          )
        }
      </Loaded>
    </>
  )
}

function Pair({ pair, isFirst, isDismissed }: { pair: Duplicate; isFirst: boolean; isDismissed: boolean }) {
  const t = useT('customers')
  const [isMerging, setMerging] = useState(false)
  const dismiss = useWrite(isDismissed ? mergesApi.reopen : mergesApi.dismiss)
  const keepBoth = async () => {
    await dismiss.mutateAsync({ guid: pair.guid })
    toast.success(t(isDismissed ? 'customers:duplicates.reopened' : 'customers:duplicates.kept'))
  }
  const group = useRef<HTMLDivElement>(null)
  // The keys are those of the pair that has the focus, else of the first.
  useWindowEvent('keydown', (event) => {
    if (isMerging || dismiss.isPending || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    const at = event.target instanceof Element ? event.target : document.body
    if (at.closest('input, textarea, select, [role=dialog], [role=menu], [contenteditable]')) return
    const isMeant = at.closest(pairs) ? group.current?.contains(at) === true : isFirst
    if (!isMeant || document.querySelector('[role=dialog]')) return
    if (event.key === 'm') setMerging(true)
    if (event.key === 'n') void keepBoth()
  })
  return (
    <div
      ref={group}
      data-pair
      role="group"
      aria-label={t('customers:duplicates.pair', { a: pair.a.displayName, b: pair.b.displayName })}
    >
      <Card
        title={
          <span className="row">
            {t(`customers:duplicates.grades.${pair.grade}`)}
            <span className="muted small">
              {pair.reasons.map((reason) => t(`customers:duplicates.reasons.${reason}`)).join(' · ')}
            </span>
          </span>
        }
        actions={
          <>
            <Button variant="default" loading={dismiss.isPending} onClick={() => void keepBoth()} aria-keyshortcuts="n">
              {t(isDismissed ? 'customers:duplicates.reopen' : 'customers:duplicates.dismiss')}
            </Button>
            <Button onClick={() => setMerging(true)} aria-keyshortcuts="m">
              {t('customers:merge.action')}
            </Button>
          </>
        }
      >
        <div className="merge-sides">
          <Side customer={pair.a} />
          <Side customer={pair.b} />
        </div>
      </Card>
      {isMerging ? (
        <MergeDialog
          keepGuid={pair.a.guid}
          fromGuid={pair.b.guid}
          onClose={() => setMerging(false)}
          onMerged={() => setMerging(false)}
        />
      ) : null}
    </div>
  )
}

function Side({ customer }: { customer: Duplicate['a'] }) {
  const t = useT('customers')
  return (
    <div className="stack">
      <div className="row">
        <AppLink to={pathTo('Customers', customer.guid)} className="link strong">
          {customer.displayName}
        </AppLink>
        <StatusChip status="neutral" label={kindText(customer.kind)} />
      </div>
      <KeyValueList
        items={[
          { label: t('customers:abn'), value: customer.abn ? formatAbn(customer.abn) : null },
          { label: t('customers:email'), value: customer.email },
          { label: t('customers:phone'), value: customer.phone ? <bdi>{customer.phone}</bdi> : null },
          {
            label: t('customers:billingAddress'),
            value: [customer.suburb, customer.state, customer.postcode].filter(Boolean).join(' ') || null,
          },
          { label: t('customers:created'), value: <DateText value={customer.createdAt} /> },
        ]}
      />
    </div>
  )
}
