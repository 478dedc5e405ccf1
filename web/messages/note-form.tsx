import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'

const longest = 4000

interface NoteFormProps {
  first?: string
  /** What it throws is said, and nothing that was typed is lost. */
  onSave: (text: string) => Promise<void>
  /** Without it the form stays, for the next one. */
  onCancel?: () => void
}

/** Something for staff alone, written down. */
export function NoteForm({ first = '', onSave, onCancel }: NoteFormProps) {
  const t = useT('compose', 'common')
  const errorText = useErrorText()
  const [text, setText] = useState(first)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const save = async () => {
    if (isBusy || text.trim() === '') return
    setBusy(true)
    setProblem(null)
    try {
      await onSave(text.trim())
      setText(first)
    } catch (error) {
      setProblem(errorText(error))
    }
    setBusy(false)
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Textarea
        label={t('compose:noteText')}
        description={t('compose:onlyStaff')}
        autosize
        autoFocus={onCancel !== undefined}
        minRows={2}
        maxRows={12}
        maxLength={longest}
        dir="auto"
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
          if (event.key === 'Escape' && text === first) onCancel?.()
        }}
      />
      {text.trim() || onCancel ? (
        <div className="row">
          <Button type="submit" loading={isBusy} disabled={text.trim() === ''}>
            {t('compose:saveNote')}
          </Button>
          {onCancel ? (
            <Button variant="default" disabled={isBusy} onClick={onCancel}>
              {t('common:cancel')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </form>
  )
}
