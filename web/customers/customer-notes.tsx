import { Button } from '@mantine/core'
import { useState } from 'react'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { messagesApi, type Note } from '../../contract/messages.ts'
import { Can } from '../core/api/can-show.tsx'
import { useCan } from '../core/api/can.ts'
import { useRead, useRun } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { ErrorState, LoadingLines } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { NoteForm } from '../messages/note-form.tsx'

const shownAtFirst = 10
const shownAtMost = 100

/** What staff wrote down about a customer, the newest first. */
export function CustomerNotes({ guid }: { guid: string }) {
  return useCan(messagesApi.notes) ? <Notes guid={guid} /> : null
}

function Notes({ guid }: { guid: string }) {
  const t = useT('customers', 'compose')
  const [isAll, setAll] = useState(false)
  const read = useRead(
    messagesApi.notes,
    { customerGuid: guid, size: isAll ? shownAtMost : shownAtFirst },
    { keep: true },
  )
  const run = useRun()
  const add = async (bodyText: string) => {
    await run(messageWritesApi.write, { customerGuid: guid, intent: 'note', bodyText })
    toast.success(t('compose:noteSaved'))
  }
  const { data } = read
  return (
    <Card title={t('customers:notes.title')}>
      <div className="stack">
        <Can op={messageWritesApi.write}>
          <NoteForm onSave={add} />
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
  const t = useT('compose', 'common')
  const mayWrite = useCan(messageWritesApi.edit)
  const run = useRun()
  const [isEditing, setEditing] = useState(false)
  if (isEditing)
    return (
      <li>
        <NoteForm
          first={note.bodyText}
          onSave={async (bodyText) => {
            await run(messageWritesApi.edit, { guid: note.guid, version: note.version, bodyText })
            toast.success(t('compose:noteSaved'))
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
          {note.version > 1 ? ` · ${t('compose:thread.edited')}` : null}
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
