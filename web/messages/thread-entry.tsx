import { Button } from '@mantine/core'
import { useState } from 'react'
import { messageWritesApi, type ThreadItem } from '../../contract/message-writes.ts'
import { nounNamed, pathOf } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useRun } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { Icon } from '../core/ui/icon.tsx'
import { AppLink } from '../core/ui/link.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { toast } from '../core/ui/toast.tsx'
import { unbroken } from '../core/ui/unbroken.tsx'
import { RecordLink } from '../record/record-link.tsx'
import type { About } from './about.ts'
import { NoteForm } from './note-form.tsx'

interface EntryProps {
  item: ThreadItem
  about: About
  onOpen: () => void
}

/** One message of a conversation: ours at the end side, theirs at the start, notes by themselves. */
export const ThreadEntry = (props: EntryProps) =>
  props.item.direction === 'internal' ? <Note {...props} /> : <Email {...props} />

/** Longer than this is folded. */
const longLetters = 600

function Words({ text }: { text: string }) {
  const t = useT('compose')
  const [isAll, setAll] = useState(false)
  const isLong = text.length > longLetters
  return (
    <>
      <p className="no-margin pre-line thread-words" dir="auto">
        {unbroken(isLong && !isAll ? `${text.slice(0, longLetters).trimEnd()}…` : text)}
      </p>
      {isLong ? (
        <button type="button" className="link small" onClick={() => setAll(!isAll)}>
          {t(isAll ? 'compose:thread.less' : 'compose:thread.all')}
        </button>
      ) : null}
    </>
  )
}

/** Which document it is about, where the conversation is that of the customer. */
function Owner({ item, about }: Pick<EntryProps, 'item' | 'about'>) {
  const noun = item.ownerType ? nounNamed(item.ownerType) : null
  if (about.by !== 'customerGuid' || !noun || !item.ownerGuid || !item.ownerNumber || noun === 'Customers') return null
  return (
    <RecordLink noun={noun} guid={item.ownerGuid}>
      {item.ownerNumber}
    </RecordLink>
  )
}

function Email({ item, about, onOpen }: EntryProps) {
  const t = useT('compose', 'messages')
  const mayWrite = useCan(messageWritesApi.write)
  const isIn = item.direction === 'in'
  const isLost = item.text === null && (isIn || item.sentAt !== null)
  const who = isIn
    ? t('compose:thread.from', { name: item.from })
    : t('compose:thread.to', { names: item.to.join(', ') })
  return (
    <li className="thread-entry" data-side={isIn ? 'start' : 'end'}>
      <div className="row spread thread-head">
        <button type="button" className="link thread-subject" onClick={onOpen} dir="auto">
          {unbroken(item.subject || t('compose:noSubject'))}
        </button>
        {isIn ? null : <StatusChip status={item.status} ns="messages" />}
      </div>
      {isIn && item.isUnknownSender ? (
        <StatusChip status="stranger" tone="warning" label={t('compose:thread.stranger')} />
      ) : null}
      {item.isBodyHidden ? (
        <p className="muted no-margin">{t('compose:thread.hidden')}</p>
      ) : item.text?.trim() ? (
        <Words text={item.text.trim()} />
      ) : (
        <p className="muted no-margin">{t(isLost ? 'compose:thread.notKept' : 'compose:thread.noWords')}</p>
      )}
      {item.failureReason ? <p className="small no-margin thread-bad">{item.failureReason}</p> : null}
      <div className="thread-foot small muted">
        <span>{unbroken(who)}</span>
        {!isIn && item.createdBy ? <span>{t('compose:thread.by', { name: item.createdBy })}</span> : null}
        <Owner item={item} about={about} />
        {item.attachments > 0 ? (
          <span className="thread-files">
            <Icon name="attachment" size={14} />
            {t('compose:thread.files', { count: item.attachments })}
          </span>
        ) : null}
        {item.status === 'scheduled' && item.scheduledAt ? (
          <span>
            <Icon name="clock" size={14} /> <DateText value={item.scheduledAt} as="dateTime" />
          </span>
        ) : (
          <DateText value={item.sentAt ?? item.createdAt} as="relative" />
        )}
        {item.openedAt ? (
          <span>
            {t('compose:message.opened')} <DateText value={item.openedAt} as="relative" />
          </span>
        ) : null}
        {isIn && mayWrite && !item.isBodyHidden ? (
          <AppLink to={`${pathOf('Messages', 'add')}?reply=${item.guid}`}>{t('compose:reply')}</AppLink>
        ) : null}
      </div>
    </li>
  )
}

function Note({ item, about }: EntryProps) {
  const t = useT('compose', 'common')
  const run = useRun()
  const mayWrite = useCan(messageWritesApi.edit)
  const [isEditing, setEditing] = useState(false)
  const { guid, version } = item
  const save = async (bodyText: string) => {
    await run(messageWritesApi.edit, { guid, version, intent: 'note', bodyText })
    toast.success(t('compose:noteSaved'))
    setEditing(false)
  }
  return (
    <li className="thread-entry thread-note">
      <div className="row thread-head">
        <Icon name="lock" size={14} />
        <span className="small strong">{t('compose:onlyStaff')}</span>
      </div>
      {isEditing ? (
        <NoteForm first={item.text ?? ''} onSave={save} onCancel={() => setEditing(false)} />
      ) : (
        <>
          {item.isBodyHidden ? (
            <p className="muted no-margin">{t('compose:thread.hidden')}</p>
          ) : (
            <Words text={item.text ?? ''} />
          )}
          <div className="thread-foot small muted">
            {item.createdBy ? <span>{item.createdBy}</span> : null}
            <Owner item={item} about={about} />
            <DateText value={item.createdAt} as="relative" />
            {version > 1 ? <span>{t('compose:thread.edited')}</span> : null}
            {item.isOwn && mayWrite ? (
              <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
                {t('common:edit')}
              </Button>
            ) : null}
          </div>
        </>
      )}
    </li>
  )
}
