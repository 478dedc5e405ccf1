import { Alert, Button, TagsInput, TextInput, Textarea } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { useRead } from '../core/api/hooks.ts'
import { useWholeErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Dialog, DialogActions } from '../core/ui/dialog.tsx'
import { keepEnter } from '../core/ui/keep-enter.ts'
import { LoadingLines } from '../core/ui/states.tsx'
import { MailFrame } from '../record/mail-frame.tsx'
import '../lines/document-card.css'

export interface SendDialogProps {
  ownerType: 'quote' | 'order' | 'invoice'
  guid: string
  title: string
  confirmLabel: string
  /** Without a subject of one's own the template's is used, with the number that a draft gets only now. */
  onSend: (message: { to: string[]; subject?: string; note: string | null }) => Promise<unknown>
  onClose: () => void
}

const loads = {
  quote: messageWritesApi.loadNewOfQuote,
  order: messageWritesApi.loadNewOfOrder,
  invoice: messageWritesApi.loadNewOfInvoice,
} as const

/** Who gets it, with which words: composed from the template and the record, to be looked at before it goes. */
export function SendDialog({ ownerType, guid, title, confirmLabel, onSend, onClose }: SendDialogProps) {
  const t = useT('messages', 'common')
  const text = useWholeErrorText()
  const read = useRead(loads[ownerType], { guid }, { staleTime: 0 })
  const composed = read.data?.composed ?? undefined
  const [to, setTo] = useState<string[]>([])
  const [subject, setSubject] = useState('')
  const [note, setNote] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const attached = composed?.attachments
    .filter(({ isChosen }) => isChosen)
    .map(({ name }) => name)
    .join(', ')
  const isReady = composed !== undefined
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!composed) return
    setTo(composed.to)
    setSubject(composed.shownSubject)
    // The dialog opened before there was a field.
    first.current?.focus()
    // The first answer fills the form; what is typed afterwards stays.
    // oxlint-disable-next-line react/exhaustive-deps -- only when it has come
  }, [isReady])
  const send = async () => {
    setBusy(true)
    setError(null)
    try {
      await onSend({ to, note: note.trim() || null, ...(subject === composed?.shownSubject ? {} : { subject }) })
      onClose()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return (
    <Dialog isBusy={isBusy} onClose={onClose} title={title} size="lg">
      {/* The keys are those of the fields inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        className="stack"
        noValidate
        onKeyDown={keepEnter}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        {read.error || error ? (
          <Alert color="red" variant="light" role="alert">
            {text(error ?? read.error)}
          </Alert>
        ) : null}
        {composed ? (
          <>
            <TagsInput
              ref={first}
              label={t('messages:to')}
              description={t('messages:toHint')}
              value={to}
              onChange={setTo}
              splitChars={[',', ' ', ';']}
              acceptValueOnBlur
              clearable={false}
              data-autofocus
              {...(to.length ? {} : { placeholder: 'name@example.com' })}
            />
            <TextInput
              label={t('messages:subject')}
              value={subject}
              maxLength={200}
              onChange={(event) => setSubject(event.currentTarget.value)}
            />
            <Textarea
              label={t('messages:note')}
              description={t('messages:noteHint')}
              autosize
              minRows={2}
              maxRows={8}
              maxLength={4000}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
            <div>
              <p className="field-label">{t('messages:looksLike')}</p>
              <MailFrame title={t('messages:looksLike')} html={composed.html} />
              {attached ? <p className="muted small">{t('messages:attached', { names: attached })}</p> : null}
            </div>
          </>
        ) : read.error ? null : (
          <LoadingLines />
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={isBusy} disabled={!isReady || to.length === 0 || !subject.trim()}>
            {confirmLabel}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
