import { Button, NumberInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { odditiesApi } from '../../contract/oddities.ts'
import { taxApi } from '../../contract/tax.ts'
import { addDays } from '../../contract/core/dates.ts'
import type { Returned } from '../../contract/core/op.ts'
import { useMay } from '../core/api/can.ts'
import { asApiError } from '../core/api/error.ts'
import { dropReads, queryClient, useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { inLanguage } from '../core/i18n/sentences.ts'
import { DateInput } from '../core/ui/date-input.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { Money } from '../core/ui/money.tsx'
import { toast } from '../core/ui/toast.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { narrativeOf } from './said.ts'

interface Props {
  /** The first and the last day of the period that is shown. */
  from: string
  to: string
  isLocked: boolean
  today: string
}

const shortestReason = 10
const reread = () => dropReads(queryClient, ['Tax'])

/** How far the books are locked, what was posted while they were open again, and what closes or opens them. */
export function PeriodLock({ from, to, isLocked, today }: Props) {
  const t = useT('accounting')
  const f = useFormat()
  const may = useMay()
  const state = useRead(taxApi.lockState, {}, { enabled: may(taxApi.lockState) }).data
  const [asked, setAsked] = useState<'lock' | 'unlock' | null>(null)
  if (!state) return null
  const { lock, standingThrough, reason, posted } = state
  const reopensUntil = lock?.reopensUntil ?? null
  const through = reopensUntil ? (standingThrough ?? to) : to
  return (
    <section className="stack no-print" aria-live="polite">
      <div className="row spread">
        <span className="muted">
          {reopensUntil
            ? unbroken(
                t('accounting:bas.open', {
                  from: f.date(addDays(lock?.lockedThrough ?? to, 1)),
                  to: f.date(through),
                  time: f.dateTime(reopensUntil),
                  reason: reason ?? '',
                }),
              )
            : lock
              ? t('accounting:bas.locked', { day: f.date(lock.lockedThrough) })
              : null}
        </span>
        {reopensUntil || (!isLocked && to < today) ? (
          may(taxApi.lock) ? (
            <Button onClick={() => setAsked('lock')}>
              {t(reopensUntil ? 'accounting:bas.close' : 'accounting:bas.lock')}
            </Button>
          ) : null
        ) : isLocked && may(taxApi.unlock) ? (
          <Button variant="default" onClick={() => setAsked('unlock')}>
            {t('accounting:bas.unlock')}
          </Button>
        ) : null}
      </div>
      {reopensUntil ? <Posted rows={posted} /> : null}
      {asked === 'lock' ? (
        <LockDialog through={through} posted={reopensUntil ? posted : null} onClose={() => setAsked(null)} />
      ) : null}
      {asked === 'unlock' ? (
        <UnlockDialog through={standingThrough ?? to} first={from} onClose={() => setAsked(null)} />
      ) : null}
    </section>
  )
}

type PostedRows = Returned<typeof taxApi.lockState>['posted']

function Posted({ rows }: { rows: PostedRows }) {
  const t = useT('accounting')
  if (rows.length === 0) return <p className="muted small no-margin">{t('accounting:bas.nothingPosted')}</p>
  return (
    <>
      <h2 className="card-title">{t('accounting:bas.posted')}</h2>
      <ul className="plain-list">
        {rows.map((row) => (
          <li key={row.guid}>
            <DateText value={row.postedOn} /> {unbroken(narrativeOf(row))} <Money cents={row.cents} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface LockDialogProps {
  through: string
  /** What was posted while the books were open again; null where they were not. */
  posted: PostedRows | null
  onClose: () => void
}

function LockDialog({ through, posted, onClose }: LockDialogProps) {
  const t = useT('accounting')
  const f = useFormat()
  const may = useMay()
  const asked = { from: through, to: through }
  const blocking =
    useRead(odditiesApi.list, asked, { enabled: may(odditiesApi.list) }).data?.items.filter((item) => item.blocks) ?? []
  const write = useWrite(taxApi.lock, {
    onSuccess: async () => {
      await reread()
      toast.success(t('accounting:bas.lockDone', { day: f.date(through) }))
      onClose()
    },
  })
  return (
    <AskDialog
      title={t('accounting:bas.lockTitle', { day: f.date(through) })}
      action={t(posted ? 'accounting:bas.close' : 'accounting:bas.lock')}
      error={write.error}
      isBusy={write.isPending}
      isBlocked={blocking.length > 0}
      onClose={onClose}
      onAsk={() => write.mutate({ through })}
    >
      <p className="no-margin">{t('accounting:bas.lockText')}</p>
      {posted ? <Posted rows={posted} /> : null}
      {blocking.map(({ guid, text }) => (
        <p key={guid} className="no-margin overdue" role="alert">
          {unbroken(inLanguage(text))}
        </p>
      ))}
    </AskDialog>
  )
}

interface UnlockDialogProps {
  /** The last locked day. */
  through: string
  /** The first day of the period that is shown. */
  first: string
  onClose: () => void
}

function UnlockDialog({ through, first, onClose }: UnlockDialogProps) {
  const t = useT('accounting')
  const f = useFormat()
  const [from, setFrom] = useState(first)
  const [reason, setReason] = useState('')
  const missing = shortestReason - reason.trim().length
  const [days, setDays] = useState(1)
  const write = useWrite(taxApi.unlock, {
    onSuccess: async () => {
      await reread()
      toast.success(t('accounting:bas.unlockDone', { day: f.date(from) }))
      onClose()
    },
  })
  const errorOf = (path: string) =>
    write.error ? asApiError(write.error).errors.find((error) => error.path === path)?.message : undefined
  return (
    <AskDialog
      title={t('accounting:bas.unlockTitle')}
      action={t('accounting:bas.unlock')}
      error={write.error}
      isBusy={write.isPending}
      isBlocked={missing > 0}
      onClose={onClose}
      onAsk={() => write.mutate({ from, reason: reason.trim(), days })}
    >
      <DateInput
        label={t('accounting:bas.unlockFrom')}
        description={t('accounting:bas.unlockOpens', { from: f.date(from), to: f.date(through) })}
        max={through}
        value={from}
        error={errorOf('from')}
        onChange={(chosen) => (chosen ? setFrom(chosen) : undefined)}
      />
      <Textarea
        label={t('accounting:bas.unlockReason')}
        description={
          missing > 0 && missing < shortestReason
            ? t('accounting:bas.unlockReasonMore', { count: missing })
            : t('accounting:bas.unlockReasonHint')
        }
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        error={errorOf('reason')}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <NumberInput
        label={t('accounting:bas.unlockDays')}
        min={1}
        max={7}
        allowDecimal={false}
        value={days}
        error={errorOf('days')}
        onChange={(value) => setDays(Number(value))}
      />
    </AskDialog>
  )
}
