import './thread.css'
import { Button } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import type { ThreadItem } from '../../contract/message-writes.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { nouns, pathTo } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useRun } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { unbroken } from '../core/ui/unbroken.tsx'
import { Card } from '../core/ui/card.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { Peek } from '../core/ui/peek.tsx'
import { ErrorState, LoadingLines } from '../core/ui/states.tsx'
import { toast } from '../core/ui/toast.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { type About, wayOf } from './about.ts'
import { NoteForm } from './note-form.tsx'
import { ThreadEntry } from './thread-entry.tsx'
import { useThread } from './use-thread.ts'

const ComposeDialog = whenOpen(() => import('./compose-dialog.tsx').then((module) => module.ComposeDialog))
const MessagePeek = lazy(() => import('./message-peek.tsx').then((module) => ({ default: module.MessagePeek })))

const shownAtFirst = 20

/** What was written and answered about a record, with notes in between, for those who may read messages. */
export function Thread({ about }: { about: About }) {
  return useCan(nouns.Messages.pages.view) ? <Conversation about={about} /> : null
}

function Conversation({ about }: { about: About }) {
  const t = useT('compose', 'messages', 'common')
  const read = useThread(about)
  const run = useRun()
  const mayWrite = useCan(messageWritesApi.write)
  const [isWriting, setWriting] = useState(false)
  const [isNoting, setNoting] = useState(false)
  const [isAll, setAll] = useState(false)
  const [open, setOpen] = useState<ThreadItem | null>(null)
  const items = read.data?.items ?? []
  const shown = isAll ? items : items.slice(-shownAtFirst)
  const save = async (bodyText: string) => {
    await run(wayOf[about.by].write, { [about.by]: about.guid, intent: 'note', bodyText })
    toast.success(t('compose:noteSaved'))
    setNoting(false)
  }
  return (
    <Card
      title={t('compose:thread.title')}
      actions={
        mayWrite ? (
          <>
            <Button variant="default" leftSection={<Icon name="note" size={16} />} onClick={() => setNoting(true)}>
              {t('compose:thread.addNote')}
            </Button>
            <Button leftSection={<Icon name="mail" size={16} />} onClick={() => setWriting(true)}>
              {t('compose:action')}
            </Button>
          </>
        ) : null
      }
    >
      <div className="stack">
        {read.error && !read.data ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
        {read.isPending ? <LoadingLines lines={3} /> : null}
        {read.data && items.length === 0 ? <p className="muted no-margin">{t('compose:thread.empty')}</p> : null}
        {shown.length < items.length ? (
          <div>
            <Button variant="default" size="compact-sm" onClick={() => setAll(true)}>
              {t('compose:thread.earlier')}
            </Button>
          </div>
        ) : null}
        {shown.length > 0 ? (
          <ol className="thread" aria-label={t('compose:thread.list')}>
            {shown.map((item) => (
              <ThreadEntry key={item.guid} item={item} about={about} onOpen={() => setOpen(item)} />
            ))}
          </ol>
        ) : null}
        {isNoting ? <NoteForm onSave={save} onCancel={() => setNoting(false)} /> : null}
      </div>
      {isWriting ? <ComposeDialog about={about} onClose={() => setWriting(false)} /> : null}
      <Peek
        isOpen={open !== null}
        onClose={() => setOpen(null)}
        title={<bdi>{unbroken(open?.subject)}</bdi>}
        size="xl"
        actions={
          open ? (
            <AppLink to={pathTo('Messages', open.guid)} className="button-link">
              {t('common:open')}
            </AppLink>
          ) : null
        }
      >
        {open ? (
          <Suspense fallback={<LoadingLines />}>
            <MessagePeek guid={open.guid} />
          </Suspense>
        ) : null}
      </Peek>
    </Card>
  )
}
