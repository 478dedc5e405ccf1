import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { batchesApi, type BatchItem } from '../../contract/batches.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { Money } from '../core/ui/money.tsx'
import { Peek } from '../core/ui/peek.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip, type Tone } from '../core/ui/status-chip.tsx'
import { MessagePeek } from '../messages/message-peek.tsx'
import { MailBody } from '../record/mail-frame.tsx'

const tones: Readonly<Record<BatchItem['state'], Tone>> = {
  ready: 'neutral',
  done: 'success',
  skipped: 'warning',
  failed: 'error',
}

/** Each invoice with whom its message goes to and what became of it; its number opens the message. */
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
  const ready = items.filter(({ state }) => state === 'ready').map(({ invoiceGuid }) => invoiceGuid)
  const areAll = chosen !== null && ready.length > 0 && ready.every((guid) => chosen.has(guid))
  const set = (guids: readonly string[], isIn: boolean) => {
    const next = new Set(chosen)
    for (const guid of guids)
      if (isIn) next.add(guid)
      else next.delete(guid)
    onChoose(next)
  }
  return (
    <>
      <div className="table-scroll" role="region" aria-label={t('mailing:bulk.rows')} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              {chosen ? (
                <th scope="col">
                  <Checkbox
                    aria-label={t('mailing:bulk.all')}
                    checked={areAll}
                    disabled={ready.length === 0}
                    onChange={() => set(ready, !areAll)}
                  />
                </th>
              ) : null}
              <th scope="col">{t('invoices:number')}</th>
              <th scope="col">{t('invoices:customer')}</th>
              <th scope="col">{t('mailing:bulk.to')}</th>
              <th scope="col" className="end">
                {t('mailing:bulk.owing')}
              </th>
              <th scope="col">{t('invoices:statusLabel')}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.invoiceGuid}>
                {chosen ? (
                  <td>
                    <Checkbox
                      aria-label={item.number}
                      checked={chosen.has(item.invoiceGuid)}
                      disabled={item.state !== 'ready'}
                      onChange={(event) => set([item.invoiceGuid], event.currentTarget.checked)}
                    />
                  </td>
                ) : null}
                <th scope="row">
                  <button type="button" className="link nowrap" onClick={() => setLooked(item)}>
                    {item.number}
                  </button>
                </th>
                <td>{item.customerName}</td>
                <td>
                  <bdi>{item.to.join(', ') || '–'}</bdi>
                </td>
                <td className="end tabular">
                  <Money cents={item.balanceCents} />
                </td>
                <td>
                  <StatusChip
                    status={item.state}
                    tone={tones[item.state]}
                    label={t(`mailing:bulk.states.${item.state}`)}
                  />
                  {item.state === 'ready' && item.emailedAt ? (
                    <span className="block muted small">
                      {t('mailing:bulk.emailed')} <DateText value={item.emailedAt} as="relative" />
                    </span>
                  ) : null}
                  {item.reason ? (
                    <span className="block muted small">{t(`mailing:bulk.reasons.${item.reason}`)}</span>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
