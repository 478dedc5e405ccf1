import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Consent, consentsApi, type ConsentsOfAddress } from '../../contract/consents.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { ErrorState, LoadingLines } from '../core/ui/states.tsx'
import { StatusChip, type Tone } from '../core/ui/status-chip.tsx'
import { kindText, RecordConsent } from '../people/record-consent.tsx'

const tones: Readonly<Record<Consent['kind'], Tone>> = { express: 'success', inferred: 'info', withdrawn: 'warning' }

/** Who of a customer agreed to receive offers. */
export function CustomerConsents({ guid }: { guid: string }) {
  return useCan(consentsApi.list) ? <Consents guid={guid} /> : null
}

function Consents({ guid }: { guid: string }) {
  const t = useT('customers')
  const read = useRead(consentsApi.list, { customerGuid: guid })
  const mayRecord = useCan(consentsApi.record)
  const [recording, setRecording] = useState<ConsentsOfAddress | null>(null)
  const { data } = read
  return (
    <Card title={t('customers:consents.title')}>
      {read.error && !data ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
      {!data && !read.error ? <LoadingLines lines={2} /> : null}
      {data?.items.length === 0 ? <p className="muted no-margin">{t('customers:consents.noAddress')}</p> : null}
      {data?.items.length ? (
        <ul className="people">
          {data.items.map((one) => (
            <OneAddress key={one.address} of={one} onRecord={mayRecord ? () => setRecording(one) : null} />
          ))}
        </ul>
      ) : null}
      {recording ? <RecordConsent address={recording.address} onClose={() => setRecording(null)} /> : null}
    </Card>
  )
}

function OneAddress({ of, onRecord }: { of: ConsentsOfAddress; onRecord: (() => void) | null }) {
  const t = useT('customers')
  const [isOpen, setOpen] = useState(false)
  const [newest, ...older] = of.consents
  return (
    <li className="consent">
      <div className="row spread">
        <span className="consent-address">
          <bdi>{of.address}</bdi>
          {of.name ? <span className="cell-sub">{of.name}</span> : null}
        </span>
        {newest ? (
          <StatusChip status={newest.kind} tone={tones[newest.kind]} label={kindText(newest.kind)} />
        ) : (
          <StatusChip status="neutral" label={t('customers:consents.none')} />
        )}
      </div>
      {newest ? <Said consent={newest} /> : null}
      {isOpen ? older.map((consent) => <Said key={consent.guid} consent={consent} hasKind />) : null}
      <div className="row">
        {onRecord ? (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<Icon name="create" size={14} />}
            aria-label={t('customers:consents.recordFor', { address: of.address })}
            onClick={onRecord}
          >
            {t('customers:consents.record')}
          </Button>
        ) : null}
        {older.length ? (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={isOpen}
            aria-label={t('customers:consents.historyOf', { address: of.address })}
            onClick={() => setOpen(!isOpen)}
          >
            {t('customers:consents.history', { count: older.length })}
          </Button>
        ) : null}
      </div>
    </li>
  )
}

/** When it was said, where, and who wrote it down. */
function Said({ consent, hasKind = false }: { consent: Consent; hasKind?: boolean }) {
  return (
    <span className="cell-sub">
      {hasKind ? `${kindText(consent.kind)} · ` : ''}
      <DateText value={consent.createdAt} />
      {consent.createdBy ? ` · ${consent.createdBy}` : ''}
      {' · '}
      <span dir="auto">{consent.proof}</span>
    </span>
  )
}
