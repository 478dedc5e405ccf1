import { useState } from 'react'
import { type ChangeOrder, changeTransitions } from '../../contract/change-orders.ts'
import { leadsFrom } from '../../contract/core/transitions.ts'
import { ordersApi, type Order } from '../../contract/orders.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { EmptyState } from '../core/ui/empty-state.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { EvidenceCheck } from '../quotes/evidence-check.tsx'
import { EvidenceHash } from '../lines/evidence-hash.tsx'
import { ChangedLines } from '../lines/changed-lines.tsx'
import { changeTitle } from '../lines/change-title.ts'

const ChangeDialog = whenOpen(() => import('./change-dialog.tsx').then((module) => module.ChangeDialog))
const SendChange = whenOpen(() => import('./change-deeds.tsx').then((module) => module.SendChange))
const RecordChange = whenOpen(() => import('./change-deeds.tsx').then((module) => module.RecordChange))
const CancelChange = whenOpen(() => import('./change-deeds.tsx').then((module) => module.CancelChange))

const deeds = ['send', 'record', 'edit', 'cancel'] as const
type ChangeDeed = (typeof deeds)[number]
const steps = { send: 'send', record: 'record', edit: 'update', cancel: 'cancel' } as const
const changeable = ['confirmed', 'in_progress', 'on_hold', 'completed']
type Open = { deed: 'add' } | { deed: ChangeDeed; change: ChangeOrder } | null

/** What was changed since an order was agreed, what waits to be agreed to, and what the contract comes to. */
export function OrderChanges({ order }: { order: Order }) {
  const t = useT('changes')
  const read = useRead(ordersApi.changes, { guid: order.guid })
  const mayAdd = useCan(ordersApi.addChange)
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const isOpen = changeable.includes(order.status) && order.archivedAt === null
  const add =
    mayAdd && isOpen ? (
      <ActionButton variant="light" icon="create" onClick={() => setOpen({ deed: 'add' })}>
        {t('changes:add')}
      </ActionButton>
    ) : null
  return (
    <Loaded of={read}>
      {({ items, agreedCents, evidenceSha256, chainSha256s }) => (
        <div className="stack cards">
          <Card title={t('changes:contract')} actions={add}>
            <KeyValueList
              items={[
                { label: t('changes:agreed'), value: <Money cents={agreedCents ?? order.totals.totalCents} /> },
                {
                  label: t('changes:accepted'),
                  value: <Money cents={agreedCents === null ? 0 : order.totals.totalCents - agreedCents} />,
                },
                {
                  label: t('changes:running'),
                  value: (
                    <strong>
                      <Money cents={order.totals.totalCents} />
                    </strong>
                  ),
                },
              ]}
            />
          </Card>
          {items.length === 0 ? <EmptyState title={t('changes:none')} text={t('changes:noneText')} /> : null}
          {items.toReversed().map((change) => (
            <Change key={change.guid} change={change} isOpen={isOpen} onDeed={(deed) => setOpen({ deed, change })} />
          ))}
          {evidenceSha256 ? <ChangeEvidence guid={order.guid} chain={chainSha256s} sha256={evidenceSha256} /> : null}
          {open ? <Deed order={order} open={open} onClose={close} /> : null}
        </div>
      )}
    </Loaded>
  )
}

/** The file that proves what was agreed, and the check of one. */
function ChangeEvidence({ guid, chain, sha256 }: { guid: string; chain: string[]; sha256: string }) {
  const t = useT('changes')
  return (
    <>
      <Card
        title={t('changes:evidence.title')}
        actions={
          <DownloadButton op={ordersApi.evidence} input={{ guid }} size="sm">
            {t('changes:evidence.download')}
          </DownloadButton>
        }
      >
        <p className="muted small no-margin">{t('changes:evidence.hint')}</p>
      </Card>
      <EvidenceCheck
        recorded={chain}
        acceptedSha256={sha256}
        said={{
          unknown: t('changes:evidence.unknown'),
          sameEnd: t('changes:evidence.sameEnd'),
          otherEnd: t('changes:evidence.otherEnd'),
          notAccepted: t('changes:evidence.otherEnd'),
        }}
      />
    </>
  )
}

function Deed({ order, open, onClose }: { order: Order; open: NonNullable<Open>; onClose: () => void }) {
  if (open.deed === 'add') return <ChangeDialog order={order} onClose={onClose} />
  const { deed, change } = open
  if (deed === 'edit') return <ChangeDialog order={order} draft={change} onClose={onClose} />
  const Dialog = { send: SendChange, record: RecordChange, cancel: CancelChange }[deed]
  return <Dialog order={order} change={change} onClose={onClose} />
}

function Change({
  change,
  isOpen,
  onDeed,
}: {
  change: ChangeOrder
  isOpen: boolean
  onDeed: (deed: ChangeDeed) => void
}) {
  const t = useT('changes')
  const may = useCan(ordersApi.sendChange)
  const { acceptance, decline, status, number } = change
  const offered = deeds.filter((deed) => may && isOpen && leadsFrom(changeTransitions, steps[deed], status))
  const title = changeTitle(change, t)
  return (
    <Card
      title={
        <span className="row">
          <bdi>{unbroken(t('changes:named', { number, title }))}</bdi>
          {status === 'sent' ? (
            <StatusChip status={status} tone="warning" label={t('changes:waiting')} />
          ) : (
            <StatusChip status={status} ns="changes" />
          )}
        </span>
      }
      actions={
        offered.length > 0 ? (
          <div className="row wrap">
            {offered.map((deed) => (
              <ActionButton
                key={deed}
                variant={deed === 'send' ? 'filled' : 'default'}
                onClick={() => onDeed(deed)}
                aria-label={t(`changes:deeds.${deed}Named`, { number })}
              >
                {t(`changes:deeds.${deed}`)}
              </ActionButton>
            ))}
          </div>
        ) : null
      }
    >
      <div className="stack" style={{ '--gap': '0.75rem' } as React.CSSProperties}>
        {change.note ? (
          <p className="no-margin">
            <bdi>{change.note}</bdi>
          </p>
        ) : null}
        <ChangedLines {...change} />
        <p className="muted small no-margin">
          {acceptance ? (
            <>
              {t('changes:by', {
                name: acceptance.name,
                method: phraseOr(`changes:methods.${acceptance.method}`, acceptance.method),
              })}{' '}
              <DateText value={acceptance.at} />
              {acceptance.evidenceSha256 ? <EvidenceHash sha256={acceptance.evidenceSha256} /> : null}
            </>
          ) : decline ? (
            <>
              {t('changes:declinedBy', { name: decline.name })} <DateText value={decline.at} />
              {decline.note ? (
                <span className="block">
                  <bdi>{decline.note}</bdi>
                </span>
              ) : null}
            </>
          ) : change.sentAt ? (
            <>
              {t('changes:sentAt')} <DateText value={change.sentAt} />
            </>
          ) : null}
        </p>
      </div>
    </Card>
  )
}
