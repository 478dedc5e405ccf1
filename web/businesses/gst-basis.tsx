import { Button } from '@mantine/core'
import { useState } from 'react'
import { businessesApi, type Business } from '../../contract/businesses.ts'
import type { Output } from '../../contract/core/op.ts'
import { basPeriodOf } from '../../contract/periods.ts'
import { taxApi } from '../../contract/tax.ts'
import { useMay } from '../core/api/can.ts'
import { asApiError } from '../core/api/error.ts'
import { dropReads, queryClient, useRead, useWrite } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateInput } from '../core/ui/date-input.tsx'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import './businesses.css'

type Preview = Output<typeof taxApi.changeBasis>

/** When GST counts, and what changes it: from the start of a period, after a look at what would move. */
export function GstBasis({ business, onChange }: { business: Business; onChange: () => Promise<unknown> }) {
  const t = useT('setup')
  const may = useMay()
  const current = useRead(businessesApi.current, {}).data?.business
  const [isOpen, setOpen] = useState(false)
  if (business.parentGuid !== null) return null
  // Books are those of the business one works in.
  const isHere = current?.entityGuid === business.guid
  return (
    <Card
      className="gst-basis"
      title={t('setup:business.gstBasis')}
      actions={
        isHere && may(taxApi.changeBasis) ? (
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('setup:business.gstBasisChange')}
          </Button>
        ) : null
      }
    >
      <p className="no-margin">{t(`setup:business.gstBases.${business.gstBasis}`)}</p>
      {isOpen && current ? (
        <ChangeDialog
          business={business}
          today={current.today}
          onClose={() => setOpen(false)}
          onDone={async () => {
            await onChange()
            setOpen(false)
          }}
        />
      ) : null}
    </Card>
  )
}

interface DialogProps {
  business: Business
  today: string
  onClose: () => void
  onDone: () => Promise<unknown>
}

function ChangeDialog({ business, today, onClose, onDone }: DialogProps) {
  const t = useT('setup')
  const f = useFormat()
  const [from, setFrom] = useState(basPeriodOf(today, business.basCycle).from)
  const basis = business.gstBasis === 'cash' ? 'accrual' : 'cash'
  const look = useWrite(taxApi.changeBasis)
  const write = useWrite(taxApi.changeBasis, {
    onSuccess: async () => {
      await dropReads(queryClient, ['Tax', 'Businesses', 'Journal'])
      toast.success(t('setup:business.gstBasisDone', { day: f.date(from) }))
      await onDone()
    },
  })
  const error = write.error ?? look.error
  const preview = look.data?.from === from ? look.data : undefined
  return (
    <AskDialog
      title={t(`setup:business.gstBasisTo.${basis}`)}
      action={t(preview ? 'setup:business.gstBasisChange' : 'setup:business.gstBasisLook')}
      error={error}
      isBusy={look.isPending || write.isPending}
      onClose={onClose}
      onAsk={() => (preview ? write.mutate({ basis, from }) : look.mutate({ basis, from, dryRun: true }))}
    >
      <p className="no-margin">{t(`setup:business.gstBases.${basis}`)}</p>
      <DateInput
        label={t('setup:business.gstBasisFrom')}
        description={t('setup:business.gstBasisFromHint')}
        value={from}
        error={error ? asApiError(error).errors.find(({ path }) => path === 'from')?.message : undefined}
        onChange={(chosen) => (chosen ? setFrom(chosen) : undefined)}
      />
      {preview ? <Moves preview={preview} /> : null}
    </AskDialog>
  )
}

const shownMoves = 5

/** What the change moves, and what stays where it was reported. */
function Moves({ preview }: { preview: Preview }) {
  const { basis, from, movedCents, documentCount, documents, keptCents, orderCents, orderCount, orders } = preview
  const t = useT('setup')
  const f = useFormat()
  const amount = f.money(Math.abs(movedCents))
  return (
    <div className="stack" role="status">
      <p className="no-margin">
        {documentCount === 0
          ? t('setup:business.gstBasisNothing')
          : t(`setup:business.gstBasisMoves.${basis}`, { number: documentCount, amount, day: f.date(from) })}
      </p>
      <MovedList moved={documents} />
      {documentCount > shownMoves ? (
        <p className="muted small no-margin">
          {t('setup:business.gstBasisMore', { number: documentCount - shownMoves })}
        </p>
      ) : null}
      {orderCount > 0 ? (
        <p className="no-margin">
          {t(`setup:business.gstBasisOrders.${orderCents < 0 ? 'less' : 'more'}`, {
            number: orderCount,
            amount: f.money(Math.abs(orderCents)),
            day: f.date(from),
          })}
        </p>
      ) : null}
      <MovedList moved={orders} />
      {orderCount > shownMoves ? (
        <p className="muted small no-margin">
          {t('setup:business.gstBasisMoreOrders', { number: orderCount - shownMoves })}
        </p>
      ) : null}
      {keptCents > 0 ? (
        <p className="muted no-margin">{t('setup:business.gstBasisKept', { amount: f.money(keptCents) })}</p>
      ) : null}
    </div>
  )
}

/** The largest of what moves, each with its amount. */
function MovedList({ moved }: { moved: Preview['documents'] }) {
  const f = useFormat()
  if (moved.length === 0) return null
  return (
    <ul className="plain-list">
      {moved.slice(0, shownMoves).map(({ guid, number, customerName, cents }) => (
        <li key={guid} className="gst-move">
          <span>
            <bdi className="nowrap">{number}</bdi> <span className="muted">{customerName}</span>
          </span>
          <bdi dir="ltr" className="tabular">
            {f.money(cents)}
          </bdi>
        </li>
      ))}
    </ul>
  )
}
