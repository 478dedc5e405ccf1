import { Button } from '@mantine/core'
import { useState } from 'react'
import { batchesApi, type BatchItem } from '../../contract/batches.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { Money } from '../core/ui/money.tsx'
import { Peek } from '../core/ui/peek.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip, type Tone } from '../core/ui/status-chip.tsx'
import type { Column } from '../core/ui/table/types.ts'
import { MessagePeek } from '../messages/message-peek.tsx'
import { MailBody } from '../record/mail-frame.tsx'
import { ChosenRows } from './chosen-rows.tsx'

const tones: Readonly<Record<BatchItem['state'], Tone>> = {
  ready: 'neutral',
  done: 'success',
  skipped: 'warning',
  failed: 'error',
}

const numberOf = ({ number }: BatchItem) => number

/** Each invoice with whom its message goes to and what became of it; each message can be looked at. */
export function BatchRows({
  items,
  templateGuid,
  chosen,
  onChoose,
}: {
  items: readonly BatchItem[]
  templateGuid: string | null
  /** Null while nothing can be chosen any more. */
  chosen: ReadonlySet<string> | null
  onChoose: (chosen: ReadonlySet<string>) => void
}) {
  const t = useT('mailing', 'invoices')
  const [looked, setLooked] = useState<BatchItem | null>(null)
  const columns: readonly Column<BatchItem>[] = [
    { id: 'number', header: t('invoices:number'), cell: numberOf },
    { id: 'customer', header: t('invoices:customer'), cell: ({ customerName }) => customerName },
    { id: 'to', header: t('mailing:bulk.to'), cell: ({ to }) => <bdi>{to.join(', ') || '–'}</bdi> },
    {
      id: 'owing',
      header: t('mailing:bulk.owing'),
      align: 'end',
      card: 'side',
      cell: ({ balanceCents }) => <Money cents={balanceCents} />,
    },
    { id: 'state', header: t('invoices:statusLabel'), card: 'side', cell: (item) => <State of={item} /> },
    {
      id: 'look',
      header: t('mailing:bulk.look'),
      cell: (item) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t('mailing:bulk.lookAt', { number: item.number })}
          onClick={() => setLooked(item)}
        >
          {t('mailing:bulk.show')}
        </Button>
      ),
    },
  ]
  return (
    <>
      <ChosenRows
        label={t('mailing:bulk.rows')}
        columns={columns}
        items={items}
        guidOf={({ invoiceGuid }) => invoiceGuid}
        nameOf={numberOf}
        chosen={chosen}
        onChoose={onChoose}
        isFixed={({ state }) => state !== 'ready'}
      />
      {looked ? (
        <Peek isOpen size="lg" title={looked.number} onClose={() => setLooked(null)}>
          {looked.messageGuid ? (
            <MessagePeek guid={looked.messageGuid} />
          ) : (
            <Preview guid={looked.invoiceGuid} templateGuid={templateGuid} />
          )}
        </Peek>
      ) : null}
    </>
  )
}

/** Whether it goes, and when an email about the invoice went last. */
function State({ of: { state, emailedAt, reason } }: { of: BatchItem }) {
  const t = useT('mailing')
  return (
    <>
      <StatusChip status={state} tone={tones[state]} label={t(`mailing:bulk.states.${state}`)} />
      {state === 'ready' && emailedAt ? (
        <span className="block muted small">
          {t('mailing:bulk.emailed')} <DateText value={emailedAt} as="relative" />
        </span>
      ) : null}
      {reason ? <span className="block muted small">{t(`mailing:bulk.reasons.${reason}`)}</span> : null}
    </>
  )
}

/** The message as it would go out now. */
function Preview({ guid, templateGuid }: { guid: string; templateGuid: string | null }) {
  const t = useT('mailing', 'messages')
  const read = useRead(batchesApi.preview, { guid, ...(templateGuid ? { templateGuid } : {}) }, { staleTime: 0 })
  return (
    <Loaded of={read}>
      {({ to, subject, bodyHtml, attachments }) => (
        <div className="stack">
          <p className="strong no-margin">{subject}</p>
          <p className="muted no-margin">
            {t('messages:to')}: <bdi>{to.join(', ') || '–'}</bdi>
          </p>
          <MailBody
            title={t('messages:frame', { subject })}
            html={bodyHtml}
            attachments={attachments}
            isHidden={false}
          />
        </div>
      )}
    </Loaded>
  )
}
