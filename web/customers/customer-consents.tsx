import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Consent, consentInput, consentsApi, type ConsentsOfAddress } from '../../contract/consents.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { phrase, useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { ErrorState, LoadingLines } from '../core/ui/states.tsx'
import { StatusChip, type Tone } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { FormDialog } from '../record/form-dialog.tsx'
import type { Fields } from '../record/record-facts.tsx'
import { RecordField } from '../record/record-fields.tsx'
import { useSchemaForm } from '../record/schema-form.ts'
import type { z } from 'zod'

type Sent = z.output<typeof consentInput>
const tones: Readonly<Record<Consent['kind'], Tone>> = { express: 'success', inferred: 'info', withdrawn: 'warning' }
const kindText = (kind: string) => phrase(`customers:consents.kinds.${kind as Consent['kind']}`)

const consentFields: Fields<Sent> = {
  schema: consentInput,
  rows: {
    address: { label: 'customers:email' },
    kind: { label: 'customers:consents.kind', words: kindText },
    proof: { label: 'customers:consents.proof', hint: 'customers:consents.proofHint' },
  },
}

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
      {recording ? <RecordConsent of={recording} onClose={() => setRecording(null)} /> : null}
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

function RecordConsent({ of, onClose }: { of: ConsentsOfAddress; onClose: () => void }) {
  const t = useT('customers')
  const record = useWrite(consentsApi.record)
  const form = useSchemaForm<{ address: string; kind: string; proof: string }, Sent>(consentInput, {
    address: of.address,
    kind: '',
    proof: '',
  })
  return (
    <FormDialog
      form={form}
      title={t('customers:consents.recordTitle')}
      action={t('customers:consents.save')}
      onSave={async (input) => {
        await record.mutateAsync(input)
        toast.success(t('customers:consents.saved', { address: of.address }))
      }}
      onClose={onClose}
    >
      <p className="no-margin">
        <bdi className="strong">{of.address}</bdi>
      </p>
      <RecordField of={consentFields} control={form.control} name="kind" />
      <RecordField of={consentFields} control={form.control} name="proof" autoFocus />
      <p className="muted small no-margin">{t('customers:consents.forGood')}</p>
    </FormDialog>
  )
}
