import { Radio, Textarea } from '@mantine/core'
import { useState } from 'react'
import { declineReasons } from '../../contract/outcome.ts'
import { serviceApi } from '../../contract/service.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DialogForm } from '../core/ui/confirm-form.tsx'
import { rereadWhenOutdated, useQuoteErrorText } from './accept-panel.tsx'

export type Reply = 'question' | 'decline'

interface DialogProps {
  guid: string
  quote: ServiceQuote
  businessName: string
  onClose: () => void
  onDone: () => void
  onRefused: () => void
}

function QuestionDialog({ guid, quote, businessName, onClose, onDone, onRefused }: DialogProps) {
  const t = useT('service')
  const errorText = useQuoteErrorText()
  const [note, setNote] = useState('')
  const [isTried, setTried] = useState(false)
  const ask = useWrite(serviceApi.question, { onSuccess: onDone, onError: rereadWhenOutdated(onRefused) })
  const submit = () => {
    setTried(true)
    if (note.trim()) ask.mutate({ guid, documentSha256: quote.documentSha256, note: note.trim() })
  }
  return (
    <DialogForm
      isOpen
      title={t('service:question.title')}
      problem={ask.error && errorText(ask.error)}
      isBusy={ask.isPending}
      action={t('service:question.send')}
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="muted no-margin">{t('service:question.text', { business: businessName })}</p>
      <Textarea
        label={t('service:question.note')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        maxLength={2000}
        rows={5}
        required
        data-autofocus
        error={isTried && !note.trim() ? t('service:question.missing') : null}
      />
    </DialogForm>
  )
}

function DeclineDialog({ guid, quote, businessName, onClose, onDone, onRefused }: DialogProps) {
  const t = useT('service')
  const errorText = useQuoteErrorText()
  const [reasonCode, setReason] = useState<(typeof declineReasons)[number] | null>(null)
  const [note, setNote] = useState('')
  const [isTried, setTried] = useState(false)
  const decline = useWrite(serviceApi.decline, { onSuccess: onDone, onError: rereadWhenOutdated(onRefused) })
  const submit = () => {
    setTried(true)
    if (reasonCode)
      decline.mutate({ guid, documentSha256: quote.documentSha256, reasonCode, note: note.trim() || null })
  }
  return (
    <DialogForm
      isOpen
      title={t('service:decline.title')}
      problem={decline.error && errorText(decline.error)}
      isBusy={decline.isPending}
      action={t('service:decline.send')}
      isDangerous
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="muted no-margin">{t('service:decline.text', { business: businessName })}</p>
      <Radio.Group
        label={t('service:decline.reason')}
        required
        value={reasonCode}
        onChange={(value) => setReason(declineReasons.find((reason) => reason === value) ?? null)}
        error={isTried && !reasonCode ? t('service:decline.missing') : null}
      >
        <div className="stack reply-reasons">
          {declineReasons.map((reason) => (
            <Radio key={reason} value={reason} label={t(`service:decline.reasons.${reason}`)} />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label={t('service:decline.note')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        maxLength={1000}
        rows={3}
      />
    </DialogForm>
  )
}

export function ReplyDialog({ reply, ...props }: DialogProps & { reply: Reply }) {
  return reply === 'question' ? <QuestionDialog {...props} /> : <DeclineDialog {...props} />
}
