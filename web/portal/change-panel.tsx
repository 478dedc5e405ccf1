import { Alert, Textarea } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import type { GuestChange } from '../../contract/change-orders.ts'
import { serviceApi, type ServiceOrder } from '../../contract/service.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import type { Format } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { ChangedLines, Delta } from '../lines/changed-lines.tsx'
import { EvidenceHash } from '../lines/evidence-hash.tsx'
import { changeTitle } from '../lines/change-title.ts'
import { rereadWhenOutdated } from './accept-panel.tsx'
import { Banner, Panel, useStaffReason } from './parts.tsx'
import { SigningFields, useSigning } from './signing.tsx'

interface PanelProps {
  guid: string
  change: GuestChange
  onDone: (how: 'accepted' | 'declined') => void
}

const noop = () => undefined

/** A change that waits for its customer: what it does, and the signature that makes it binding. */
function ChangePanel({ guid, change, onDone }: PanelProps) {
  const t = useT('changes', 'service')
  const [isDeclining, setDeclining] = useState(false)
  const { number, title, note } = change
  return (
    <Panel id="change" title={t('changes:guest.title', { number, title })} className="no-print">
      {note ? (
        <p className="no-margin">
          <bdi>{note}</bdi>
        </p>
      ) : null}
      <ChangedLines {...change} />
      {isDeclining ? (
        <DeclineForm guid={guid} change={change} onDone={onDone} onBack={() => setDeclining(false)} />
      ) : (
        <AcceptForm guid={guid} change={change} onDone={onDone} onDecline={() => setDeclining(true)} />
      )}
    </Panel>
  )
}

function AcceptForm({ guid, change, onDone, onDecline }: PanelProps & { onDecline: () => void }) {
  const t = useT('changes', 'service')
  const text = useErrorText()
  const staffReason = useStaffReason()
  const signing = useSigning()
  const [isTried, setTried] = useState(false)
  const accept = useWrite(serviceApi.acceptChange, {
    onSuccess: () => onDone('accepted'),
    onError: rereadWhenOutdated(noop),
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setTried(true)
    const signed = signing.signedIn(event.currentTarget)
    if (signed) accept.mutate({ guid, changeGuid: change.guid, sha256: change.sha256 ?? '', ...signed })
  }
  return (
    <form className="stack" noValidate onSubmit={submit} aria-label={t('changes:guest.accept')}>
      <SigningFields signing={signing} isTried={isTried} />
      <p className="small no-margin">{t('changes:guest.consent', { number: change.number })}</p>
      {accept.error ? (
        <Alert color="red" variant="light" role="alert">
          {text(accept.error)}
        </Alert>
      ) : null}
      <ActionButton
        type="submit"
        size="md"
        fullWidth
        loading={accept.isPending || accept.isSuccess}
        disabledReason={staffReason}
      >
        {t('changes:guest.accept')}
      </ActionButton>
      <ActionButton variant="subtle" fullWidth onClick={onDecline} disabledReason={staffReason}>
        {t('changes:guest.decline')}
      </ActionButton>
    </form>
  )
}

function DeclineForm({ guid, change, onDone, onBack }: PanelProps & { onBack: () => void }) {
  const t = useT('changes')
  const text = useErrorText()
  const [note, setNote] = useState('')
  const decline = useWrite(serviceApi.declineChange, {
    onSuccess: () => onDone('declined'),
    onError: rereadWhenOutdated(noop),
  })
  return (
    <form
      className="stack"
      aria-label={t('changes:guest.decline')}
      onSubmit={(event) => {
        event.preventDefault()
        decline.mutate({ guid, changeGuid: change.guid, sha256: change.sha256 ?? '', note: note.trim() })
      }}
    >
      <Textarea
        label={t('changes:guest.why')}
        value={note}
        autosize
        minRows={2}
        maxLength={1000}
        data-autofocus
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {decline.error ? (
        <Alert color="red" variant="light" role="alert">
          {text(decline.error)}
        </Alert>
      ) : null}
      <ActionButton type="submit" fullWidth loading={decline.isPending}>
        {t('changes:guest.decline')}
      </ActionButton>
      <ActionButton variant="subtle" fullWidth onClick={onBack}>
        {t('changes:guest.back')}
      </ActionButton>
    </form>
  )
}

/** The change that waits, and what became of the one that was answered just now. */
export function OpenChange({ guid, order }: { guid: string; order: ServiceOrder }) {
  const t = useT('changes')
  const [answered, setAnswered] = useState<'accepted' | 'declined' | null>(null)
  const open = order.changes.find(({ status }) => status === 'sent')
  return (
    <>
      {answered ? (
        <Banner
          takesFocus
          tone={answered === 'accepted' ? 'success' : 'neutral'}
          icon={answered === 'accepted' ? 'check' : 'stop'}
          title={t(`changes:guest.${answered}`)}
        />
      ) : null}
      {open ? <ChangePanel key={open.guid} guid={guid} change={open} onDone={setAnswered} /> : null}
    </>
  )
}

const isSigned = (method: string) => method === 'guest' || method === 'signed_paper'

/** What the contract came to first, what was changed since, and what it comes to now. */
export function ContractPanel({ order, f }: { order: ServiceOrder; f: Format }) {
  const t = useT('changes', 'service')
  const told = order.changes.filter(({ status }) => status !== 'sent')
  if (told.length === 0 || order.contractCents === null) return null
  return (
    <Panel title={t('changes:contract')}>
      <ul className="invoice-list">
        <li>
          <div className="row spread">
            <span>{t('changes:agreed')}</span>
            <span className="tabular">{f.money(order.contractCents)}</span>
          </div>
        </li>
        {told.map((change) => (
          <li key={change.guid}>
            <bdi className="strong">{t('changes:named', { number: change.number, title: changeTitle(change, t) })}</bdi>
            <div className="row spread">
              {change.acceptance?.method === 'edited' ? (
                <StatusChip status="noted" tone="neutral" label={t('changes:guest.byUs')} />
              ) : (
                <StatusChip status={change.status} ns="changes" />
              )}
              {change.status === 'accepted' ? <Delta cents={change.deltaCents} /> : null}
            </div>
            {change.acceptance && change.acceptance.method !== 'edited' ? (
              <p className="small no-margin">
                {t(isSigned(change.acceptance.method) ? 'service:quote.signed' : 'service:quote.acceptedBy')}{' '}
                <bdi className="strong">{change.acceptance.name}</bdi>
                {', '}
                <span className="muted">{f.dateTime(change.acceptance.at)}</span>
              </p>
            ) : null}
            {change.acceptance?.evidenceSha256 ? <EvidenceHash sha256={change.acceptance.evidenceSha256} /> : null}
          </li>
        ))}
        <li>
          <div className="row spread strong">
            <span>{t('changes:running')}</span>
            <span className="tabular">{f.money(order.totals.totalCents)}</span>
          </div>
        </li>
      </ul>
    </Panel>
  )
}
