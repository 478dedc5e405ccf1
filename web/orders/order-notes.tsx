import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { longestNote } from '../../contract/order-parts.ts'
import { type AnyOrder, ordersApi } from '../../contract/orders.ts'
import { useCan } from '../core/api/can.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { toast } from '../core/ui/toast.tsx'
import './order-parts.css'

/** What people wrote down about an order, the newest first. */
export function OrderNotes({ order }: { order: AnyOrder }) {
  const t = useT('orders')
  const mayAdd = useCan(ordersApi.addNote) && order.archivedAt === null
  return (
    <Card title={t('orders:tabs.notes')}>
      <div className="stack">
        {mayAdd ? <NoteForm guid={order.guid} /> : null}
        {order.notes.length === 0 ? <p className="muted no-margin">{t('orders:notes.empty')}</p> : null}
        {order.notes.length > 0 ? (
          <ul className="plain order-notes" aria-label={t('orders:tabs.notes')}>
            {order.notes.map((note) => (
              <li key={note.guid} className="order-note">
                <p className="no-margin pre-line prose" dir="auto">
                  {note.text}
                </p>
                <p className="muted small no-margin">
                  {note.byName ? <>{note.byName} · </> : null}
                  <DateText value={note.at} as="relative" />
                </p>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
    </Card>
  )
}

function NoteForm({ guid }: { guid: string }) {
  const t = useT('orders')
  const errorText = useErrorText()
  const [text, setText] = useState('')
  const add = useWrite(ordersApi.addNote, {
    onSuccess: () => {
      setText('')
      toast.success(t('orders:notes.saved'))
    },
  })
  const save = () => {
    if (text.trim() !== '') add.mutate({ guid, text: text.trim() })
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Textarea
        label={t('orders:notes.label')}
        description={t('orders:notes.hint')}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={longestNote}
        value={text}
        error={add.error ? errorText(add.error) : null}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
        }}
      />
      {text.trim() ? (
        <div className="row">
          <Button type="submit" loading={add.isPending}>
            {t('orders:notes.add')}
          </Button>
        </div>
      ) : null}
    </form>
  )
}
