import { Alert, Textarea } from '@mantine/core'
import { useState } from 'react'
import { serviceApi } from '../../contract/service.ts'
import type { Said } from '../../contract/service-talk.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import type { Format } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { Panel, useStaffReason } from './parts.tsx'
import './order-talk.css'

/** What business and customer wrote each other about the order, and a field to write more. */
export function OrderTalk({ guid, businessName, f }: { guid: string; businessName: string; f: Format }) {
  const t = useT('talk')
  const read = useRead(serviceApi.talk, { guid }, { keep: true })
  const items = read.data?.items ?? []
  return (
    <Panel id="messages" title={t('talk:title')} className="no-print">
      <div className="stack">
        {items.length > 0 ? (
          <ol className="order-talk">
            {items.map((said) => (
              <Words key={said.guid} said={said} f={f} />
            ))}
          </ol>
        ) : null}
        <TalkForm guid={guid} businessName={businessName} onSent={() => void read.refetch()} />
      </div>
    </Panel>
  )
}

function Words({ said, f }: { said: Said; f: Format }) {
  const t = useT('talk')
  return (
    <li className={said.isOurs ? 'is-theirs' : 'is-mine'}>
      <p className="order-talk-head muted no-margin">
        <bdi>{said.isOurs ? said.by : t('talk:you')}</bdi> · {f.dateTime(said.at)}
      </p>
      {said.isOurs ? (
        <p className="no-margin">
          <strong>
            <bdi>{said.subject}</bdi>
          </strong>
        </p>
      ) : null}
      <p className="no-margin pre-line" dir="auto">
        {said.text}
      </p>
    </li>
  )
}

function TalkForm({ guid, businessName, onSent }: { guid: string; businessName: string; onSent: () => void }) {
  const t = useT('talk')
  const errorText = useErrorText()
  const staffReason = useStaffReason()
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const [isSent, setSent] = useState(false)
  const say = useWrite(serviceApi.say, {
    onSuccess: () => {
      setText('')
      setTried(false)
      setSent(true)
      onSent()
    },
  })
  return (
    <form
      className="stack"
      aria-label={t('talk:title')}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        setSent(false)
        if (text.trim()) say.mutate({ guid, text: text.trim() })
      }}
    >
      <Textarea
        label={t('talk:label', { business: businessName })}
        value={text}
        autosize
        minRows={2}
        maxLength={2000}
        error={isTried && !text.trim() ? t('talk:missing') : null}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {say.error ? (
        <Alert color="red" variant="light" role="alert">
          {errorText(say.error)}
        </Alert>
      ) : null}
      <ActionButton type="submit" variant="default" fullWidth loading={say.isPending} disabledReason={staffReason}>
        {t('talk:send')}
      </ActionButton>
      <p className="muted no-margin" role="status">
        {isSent ? t('talk:sent', { business: businessName }) : ''}
      </p>
    </form>
  )
}
