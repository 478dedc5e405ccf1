import { Alert, Button, Progress } from '@mantine/core'
import { useState } from 'react'
import { type StatementSending, statementsApi } from '../../contract/statements.ts'
import { asApiError } from '../core/api/error.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { Dialog, DialogActions } from '../core/ui/dialog.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'
import './send-statements.css'

type Kind = 'open' | 'activity'

interface Recipient {
  guid: string
  name: string
  /** Where it goes, as far as that is known before. */
  to?: readonly string[]
  /** What is owing less what is held, where that is known: some are written to who owe nothing. */
  owingCents?: number
}

interface Props {
  customers: readonly Recipient[]
  kind: Kind
  /** Whether the kind is still to be chosen. */
  asksKind?: boolean
  from?: string
  to: string
  onClose: () => void
}

/** So many at a time, so that one sees how far it is. */
const atOnce = 10

/** Sends statements by email: first what is going to happen, then how far it is, then what became of each. */
export function SendStatements({ customers, asksKind = false, from, to, onClose, ...asked }: Props) {
  const t = useT('accounting')
  const text = useErrorText()
  const send = useWrite(statementsApi.send)
  const [kind, setKind] = useState<Kind>(asked.kind)
  const [results, setResults] = useState<StatementSending[] | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [only] = customers.length === 1 ? customers : []
  const run = async () => {
    setBusy(true)
    setProblem(null)
    const done = [...(results ?? [])]
    const left = customers.filter(({ guid }) => !done.some(({ customerGuid }) => customerGuid === guid))
    try {
      for (let i = 0; i < left.length; i += atOnce) {
        const customerGuids = left.slice(i, i + atOnce).map(({ guid }) => guid)
        const answer = await send.mutateAsync({
          customerGuids,
          kind,
          to,
          ...(kind === 'activity' && from ? { from } : {}),
        })
        done.push(...answer.results)
        setResults([...done])
      }
    } catch (error) {
      setProblem(text(asApiError(error)))
    }
    setBusy(false)
  }
  const isOver = results !== null && results.length >= customers.length
  const square = customers.filter(({ owingCents = 1 }) => owingCents <= 0).map(({ name }) => name)
  const cannot = only?.to?.length === 0
  return (
    <Dialog
      title={
        only ? t('accounting:send.one', { name: only.name }) : t('accounting:send.many', { count: customers.length })
      }
      isBusy={isBusy}
      onClose={onClose}
    >
      <div className="stack">
        {results === null ? (
          <>
            {only?.to ? <To name={only.name} guid={only.guid} to={only.to} /> : null}
            {cannot ? null : (
              <p className="no-margin">{t(only ? 'accounting:send.text' : 'accounting:send.textMany')}</p>
            )}
            {square.length > 0 ? (
              <Alert color="yellow" variant="light">
                {t('accounting:send.square', { names: square.join(', ') })}
              </Alert>
            ) : null}
            {asksKind ? (
              <ChoiceInput
                label={t('accounting:statement.kind')}
                data={(['open', 'activity'] as const).map((value) => ({
                  value,
                  label: t(`accounting:statement.kinds.${value}`),
                }))}
                value={kind}
                onChange={(value) => setKind(value === 'activity' ? 'activity' : 'open')}
              />
            ) : null}
          </>
        ) : (
          <Results results={results} count={customers.length} />
        )}
        {isBusy || (results !== null && !isOver) ? (
          <Progress
            aria-label={t('accounting:send.progress')}
            value={((results?.length ?? 0) / customers.length) * 100}
            animated={isBusy}
          />
        ) : null}
        {problem ? (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        ) : null}
      </div>
      <DialogActions>
        <Button variant="default" disabled={isBusy} onClick={onClose}>
          {t(isOver || cannot ? 'accounting:send.close' : 'accounting:send.cancel')}
        </Button>
        {isOver || cannot ? null : (
          <Button loading={isBusy} onClick={() => void run()}>
            {only ? t('accounting:send.action') : t('accounting:send.actionMany', { count: customers.length })}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

/** The address it goes to, for whoever is about to send it. */
function To({ name, guid, to }: { name: string; guid: string; to: readonly string[] }) {
  const t = useT('accounting')
  if (to.length > 0)
    return (
      <p className="no-margin">
        {t('accounting:send.to')} <bdi className="strong">{to.join(', ')}</bdi>
      </p>
    )
  return (
    <Alert color="yellow" variant="light" title={t('accounting:send.noEmail', { name })}>
      <RecordLink noun="Customers" guid={guid} className="link">
        {t('accounting:send.addEmail')}
      </RecordLink>
    </Alert>
  )
}

function Results({ results, count }: { results: readonly StatementSending[]; count: number }) {
  const t = useT('accounting')
  const sent = results.filter(({ status }) => status === 'sent').length
  const refused = results.length - sent
  // What did not go is what is still to be done.
  const inOrder = results.toSorted((a, b) => Number(a.status === 'sent') - Number(b.status === 'sent'))
  return (
    <>
      <p className="strong no-margin" aria-live="polite">
        {results.length < count
          ? t('accounting:send.soFar', { done: results.length, count })
          : refused === 0
            ? t('accounting:send.allSent', { count: sent })
            : t('accounting:send.someSent', { sent, refused })}
      </p>
      <ul className="send-results">
        {inOrder.map(({ customerGuid, customerName, status, to, message }) => (
          <li key={customerGuid} data-status={status}>
            <Icon name={status === 'sent' ? 'success' : 'warning'} size={18} />
            <span>
              <RecordLink noun="Customers" guid={customerGuid} className="link strong">
                {customerName || t('accounting:customer')}
              </RecordLink>
              <span className="muted small block">
                {status === 'sent' ? <bdi>{to.join(', ')}</bdi> : unbroken(message ?? '')}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
