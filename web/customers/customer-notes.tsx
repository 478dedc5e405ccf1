import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { messagesApi, type Note } from '../../contract/messages.ts'
import { Can } from '../core/api/can-show.tsx'
import { useCan } from '../core/api/can.ts'
import { useRead, useRun } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { ErrorState, LoadingLines } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'

const longest = 4000
const shownAtFirst = 10
const shownAtMost = 100

/** What staff wrote down about a customer, the newest first. */
export function CustomerNotes({ guid }: { guid: string }) {
  return useCan(messagesApi.notes) ? <Notes guid={guid} /> : null
}

function Notes({ guid }: { guid: string }) {
  const t = useT('customers', 'common')
  const [isAll, setAll] = useState(false)
  const read = useRead(
    messagesApi.notes,
    { customerGuid: guid, size: isAll ? shownAtMost : shownAtFirst },
    { keep: true },
  )
  const run = useRun()
  const add = async (bodyText: string) => {
    await run(messageWritesApi.write, { customerGuid: guid, intent: 'note', bodyText })
    toast.success(t('customers:notes.saved'))
  }
  const { data } = read
  return (
    <Card title={t('customers:notes.title')}>
      <div className="stack">
        <Can op={messageWritesApi.write}>
          <NoteForm label={t('customers:notes.label')} action={t('customers:notes.add')} onSave={add} />
        </Can>
        {read.error && !data ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
        {!data && !read.error ? <LoadingLines lines={2} /> : null}
        {data?.items.length === 0 ? <p className="muted no-margin">{t('customers:notes.none')}</p> : null}
        {data?.items.length ? (
          <ul className="people">
            {data.items.map((note) => (
              <OneNote key={note.guid} note={note} />
            ))}
          </ul>
        ) : null}
        {data && !isAll && data.page.total.value > shownAtFirst ? (
          <div>
            <Button variant="default" onClick={() => setAll(true)}>
              {t('customers:notes.all')}
            </Button>
          </div>
        ) : null}
      </div>
    </Card>
  )
}

function OneNote({ note }: { note: Note }) {
  const t = useT('customers', 'common')
  const mayWrite = useCan(messageWritesApi.edit)
  const run = useRun()
  const [isEditing, setEditing] = useState(false)
  if (isEditing)
    return (
      <li>
        <NoteForm
          label={t('customers:notes.label')}
          action={t('customers:notes.save')}
          first={note.bodyText}
          onSave={async (bodyText) => {
            await run(messageWritesApi.edit, { guid: note.guid, version: note.version, bodyText })
            toast.success(t('customers:notes.saved'))
            setEditing(false)
          }}
          onCancel={() => setEditing(false)}
        />
      </li>
    )
  return (
    <li className="note">
      <p className="no-margin pre-line prose" dir="auto">
        {note.bodyText}
      </p>
      <div className="row muted small">
        <span>
          {note.createdBy ? <>{note.createdBy} · </> : null}
          <DateText value={note.createdAt} as="relative" />
          {note.version > 1 ? ` · ${t('customers:notes.edited')}` : null}
        </span>
        {note.isOwn && mayWrite ? (
          <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
            {t('common:edit')}
          </Button>
        ) : null}
      </div>
    </li>
  )
}

interface NoteFormProps {
  label: string
  action: string
  first?: string
  /** What it throws is said, and nothing that was typed is lost. */
  onSave: (text: string) => Promise<void>
  onCancel?: () => void
}

function NoteForm({ label, action, first = '', onSave, onCancel }: NoteFormProps) {
  const t = useT('customers', 'common')
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
      setText('')
    } catch (error) {
      setProblem(errorText(error))
    }
    setBusy(false)
  }
  return (
    <form
      className="stack note-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Textarea
        label={label}
        description={t('customers:notes.hint')}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={longest}
        value={text}
        error={problem}
        autoFocus={onCancel !== undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
          if (event.key === 'Escape') onCancel?.()
        }}
      />
      {text.trim() || onCancel ? (
        <div className="row">
          <Button type="submit" loading={isBusy} disabled={text.trim() === ''}>
            {action}
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
