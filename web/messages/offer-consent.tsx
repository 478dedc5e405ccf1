import { useState } from 'react'
import { consentsApi } from '../../contract/consents.ts'
import type { Composed } from '../../contract/message-writes.ts'
import { useCan } from '../core/api/can.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { unbroken } from '../core/ui/unbroken.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import type { ComposeValues } from './compose-values.ts'

type Heard = Composed['offered'][number]['consent']
const RecordConsent = whenOpen(() => import('../people/record-consent.tsx').then((module) => module.RecordConsent))

interface Props extends Pick<Composed, 'offered'> {
  values: ComposeValues
  /** It is said at the addresses that nobody agreed. */
  isRefused: boolean
  onRecorded: () => void
}

/** Who of its readers has not agreed to an offer, said before it is sent, and the way to write down that they did. */
export function OfferConsent({ values: { to, cc, bcc }, offered, isRefused, onRecorded }: Props) {
  const t = useT('compose')
  const f = useFormat()
  const mayRecord = useCan(consentsApi.record)
  const [recorded, setRecorded] = useState<Readonly<Record<string, Heard>>>({})
  const [recording, setRecording] = useState<string | null>(null)
  const named = new Set([...to, ...cc, ...bcc].map((address) => address.toLowerCase()))
  const missing = offered
    .filter(({ address }) => named.has(address.toLowerCase()))
    .map(({ address, consent }) => ({ address, consent: recorded[address] ?? consent }))
    .filter(({ consent }) => consent === null || consent.kind === 'withdrawn')
  return (
    <>
      <div role="status" className="stack">
        {missing.map(({ address, consent }) => (
          <p key={address} className="small no-margin compose-closed">
            {unbroken(
              consent
                ? t('compose:consentWithdrawn', { address, date: f.date(consent.at) })
                : isRefused
                  ? address
                  : t('compose:consentMissing', { address }),
            )}{' '}
            {mayRecord ? (
              <button type="button" className="link" onClick={() => setRecording(address)}>
                {t('compose:recordConsent')}
              </button>
            ) : null}
          </p>
        ))}
      </div>
      {recording ? (
        <RecordConsent
          address={recording}
          onDone={({ kind, createdAt: at }) => {
            setRecorded({ ...recorded, [recording]: { kind, at } })
            onRecorded()
          }}
          onClose={() => setRecording(null)}
        />
      ) : null}
    </>
  )
}
