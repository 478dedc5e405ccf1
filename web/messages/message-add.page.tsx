import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { messageSubjects } from '../../contract/message-writes.ts'
import { messagesApi, type Message } from '../../contract/messages.ts'
import { pathOf, pathTo } from '../../contract/nouns.ts'
import { readKey, useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { PageHeader } from '../core/ui/page-header.tsx'
import { useGo } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { MailFrame } from '../record/mail-frame.tsx'
import { OwnBusiness } from '../record/own-business.tsx'
import { AboutFields } from './about-fields.tsx'
import { type About, aboutOf } from './about.ts'
import { Composer } from './composer.tsx'
import { addressIn, nameIn } from './senders.ts'

type Asked = Readonly<Record<string, string | undefined>>

/** A message of one's own: about what the address says, an answer, or a draft that goes on. */
export function Page() {
  const asked: Asked = useSearch({ strict: false })
  const { edit, reply } = asked
  const before = edit ?? reply
  if (before) return <Continued key={before} guid={before} isEdit={edit !== undefined} />
  return <Begun asked={asked} />
}

/** Where a message leads that is written: its form is left for good, and the way back does not end in it. */
function useDone(about: About | null) {
  const visit = useGo()
  const client = useQueryClient()
  const go = (to: string) => visit(to, { isReplacing: true })
  return (made: Message | null) => {
    if (made) {
      // Its page shows what was saved at once: what is pressed there is meant for this version.
      client.setQueryData(readKey(messagesApi.get, { guid: made.guid }), { message: made })
      return void go(pathTo('Messages', made.guid))
    }
    const tab = '?tab=messages'
    if (about?.by === 'quoteGuid') return void go(pathTo('Quotes', about.guid) + tab)
    if (about?.by === 'orderGuid') return void go(pathTo('Orders', about.guid) + tab)
    if (about?.by === 'invoiceGuid') return void go(pathTo('Invoices', about.guid))
    return void go(about ? pathTo('Customers', about.guid) + tab : pathTo('Messages'))
  }
}

function Begun({ asked }: { asked: Asked }) {
  const t = useT('compose', 'messages')
  const go = useGo()
  const by = messageSubjects.find((subject) => asked[subject])
  const about = by ? { by, guid: asked[by] ?? '' } : null
  const done = useDone(about)
  // The field in which somebody chose goes, and another one comes: the way by keyboard leads on.
  const [isPicked, setPicked] = useState(false)
  const lead = (
    <AboutFields
      about={about}
      onPick={(next) => {
        setPicked(true)
        void go(`${pathOf('Messages', 'add')}?${next.by}=${next.guid}`, { isReplacing: true })
      }}
    />
  )
  return (
    <>
      <PageHeader title={t('compose:title')} crumbs={[{ to: pathTo('Messages'), label: t('messages:list.title') }]} />
      <Card>
        {about ? (
          <Composer
            key={`${about.by}.${about.guid}`}
            about={about}
            lead={lead}
            onDone={done}
            {...(isPicked ? { startsIn: 'subject' } : {})}
          />
        ) : (
          <div className="stack">
            {lead}
            <p className="muted no-margin">{t('compose:about.choose')}</p>
          </div>
        )}
      </Card>
    </>
  )
}

function Continued({ guid, isEdit }: { guid: string; isEdit: boolean }) {
  const read = useRead(messagesApi.get, { guid }, { staleTime: 0 })
  return (
    <Loaded of={read}>
      {({ message }) => (
        <OwnBusiness noun="Messages" of={message}>
          <Going message={message} isEdit={isEdit} />
        </OwnBusiness>
      )}
    </Loaded>
  )
}

const answerTo = (subject: string) => (/^re:/i.test(subject) ? subject : `Re: ${subject}`.slice(0, 200))
/** An answer begins with nobody's words or files: a document and its template don't answer what was asked. */
function answerOf({ from, subject }: Message) {
  const address = addressIn(from)
  return {
    ...(address && { to: [address] }),
    subject: answerTo(subject),
    templateGuid: null,
    bodyHtml: '',
    attached: [],
  }
}

/** What is being answered, while somebody answers it. */
function Answered({ message: { from, subject, bodyHtml } }: { message: Message }) {
  const t = useT('compose')
  if (bodyHtml === null) return null
  return (
    <div className="stack">
      <p className="muted small no-margin">{t('compose:wrote', { name: nameIn(from) || from })}</p>
      <MailFrame title={subject || t('compose:noSubject')} html={bodyHtml} isPlain />
    </div>
  )
}

function Going({ message, isEdit }: { message: Message; isEdit: boolean }) {
  const t = useT('compose', 'messages')
  const about = aboutOf(message)
  const done = useDone(about)
  // Whoever answered goes on in the conversation.
  const onDone = isEdit ? done : () => done(null)
  const page = pathTo('Messages', message.guid)
  const go = useGo()
  return (
    <>
      <PageHeader
        title={t(isEdit ? 'compose:edit' : 'compose:reply')}
        crumbs={[
          { to: pathTo('Messages'), label: t('messages:list.title') },
          { to: page, label: message.subject || t('compose:noSubject') },
        ]}
      />
      <Card>
        {about ? (
          <Composer
            about={about}
            onDone={onDone}
            onClose={() => void go(page, { isReplacing: true })}
            {...(isEdit
              ? { message }
              : { start: answerOf(message), lead: <Answered message={message} />, startsIn: 'body' })}
          />
        ) : (
          <p className="muted no-margin">{t('compose:about.choose')}</p>
        )}
      </Card>
    </>
  )
}
