import { TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { declineReasons } from '../../contract/outcome.ts'
import { quotesApi, type Quote } from '../../contract/quotes.ts'
import { useWrite } from '../core/api/hooks.ts'
import { phraseOr, useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { toast } from '../core/ui/toast.tsx'
import { Choices, chosenAtFirst } from '../lines/choices.tsx'
import { isChoice } from '../lines/document-lines.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { quoteName } from './quote-name.ts'

const methods = ['phone', 'email', 'in_person', 'signed_paper'] as const

interface DialogProps {
  quote: Quote
  onClose: () => void
}

export function AcceptDialog({ quote, onClose }: DialogProps) {
  const t = useT('quotes')
  const choosable = quote.lines.filter(isChoice)
  const [name, setName] = useState(quote.contact?.name ?? '')
  const [method, setMethod] = useState<(typeof methods)[number]>('phone')
  const [note, setNote] = useState('')
  const [chosen, setChosen] = useState(() => chosenAtFirst(quote.lines))
  const accept = useWrite(quotesApi.accept, {
    onSuccess: () => {
      toast.success(t('quotes:accepted', { name: quoteName(quote, quote.title) }))
      onClose()
    },
  })
  return (
    <AskDialog
      title={t('quotes:acceptDialog.title')}
      error={accept.error}
      isBusy={accept.isPending}
      isBlocked={!name.trim()}
      action={t('quotes:accept')}
      onClose={onClose}
      onAsk={() =>
        accept.mutate({
          guid: quote.guid,
          version: quote.version,
          name,
          method,
          note: note || null,
          selectedLineGuids: chosen,
        })
      }
    >
      <p className="no-margin">{t('quotes:acceptDialog.text')}</p>
      <TextInput
        label={t('quotes:acceptDialog.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        maxLength={120}
        data-autofocus
      />
      <ChoiceInput
        label={t('quotes:acceptDialog.method')}
        data={methods.map((value) => ({ value, label: phraseOr(`quotes:methods.${value}`, value) }))}
        value={method}
        onChange={(value) => setMethod(methods.find((known) => known === value) ?? 'phone')}
      />
      {choosable.length ? (
        <div role="group" aria-label={t('quotes:acceptDialog.choices')} className="stack">
          <span className="field-label">{t('quotes:acceptDialog.choices')}</span>
          <Choices lines={choosable} chosen={chosen} onChange={setChosen} />
        </div>
      ) : null}
      <Textarea
        label={t('quotes:acceptDialog.note')}
        autosize
        minRows={2}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </AskDialog>
  )
}

export function DeclineDialog({ quote, onClose }: DialogProps) {
  const t = useT('quotes')
  const [reasonCode, setReason] = useState<(typeof declineReasons)[number]>('price')
  const [competitor, setCompetitor] = useState('')
  const [note, setNote] = useState('')
  const decline = useWrite(quotesApi.decline, {
    onSuccess: () => {
      toast.success(t('quotes:declined', { name: quoteName(quote, quote.title) }))
      onClose()
    },
  })
  return (
    <AskDialog
      title={t('quotes:declineDialog.title')}
      error={decline.error}
      isBusy={decline.isPending}
      action={t('quotes:decline')}
      onClose={onClose}
      onAsk={() =>
        decline.mutate({
          guid: quote.guid,
          version: quote.version,
          reasonCode,
          competitor: (reasonCode === 'competitor' && competitor.trim()) || null,
          note: note || null,
        })
      }
    >
      <ChoiceInput
        label={t('quotes:declineDialog.reason')}
        data={declineReasons.map((value) => ({ value, label: phraseOr(`quotes:reasons.${value}`, value) }))}
        value={reasonCode}
        onChange={(value) => setReason(declineReasons.find((known) => known === value) ?? 'other')}
      />
      {reasonCode === 'competitor' ? (
        <TextInput
          label={t('quotes:declineDialog.competitor')}
          value={competitor}
          onChange={(event) => setCompetitor(event.currentTarget.value)}
          maxLength={120}
        />
      ) : null}
      <Textarea
        label={t('quotes:declineDialog.note')}
        autosize
        minRows={2}
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </AskDialog>
  )
}
