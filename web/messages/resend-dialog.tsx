import { TagsInput } from '@mantine/core'
import { useState } from 'react'
import { messagesApi, type Message } from '../../contract/messages.ts'
import { pathTo } from '../../contract/nouns.ts'
import { useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useGo } from '../core/ui/params.ts'
import { AskDialog } from '../record/ask-dialog.tsx'
import { sayOnItsWay } from './sending.ts'

/** Sends the same content again, to the same or to other addresses, as a message of its own. */
export function ResendDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useT('messages')
  const go = useGo()
  const [to, setTo] = useState(message.to)
  const resend = useWrite(messagesApi.resend, {
    onSuccess: async ({ message: made }) => {
      sayOnItsWay(t('messages:resend.done'), t('messages:resend.waits'))
      onClose()
      await go(pathTo('Messages', made.guid))
    },
  })
  return (
    <AskDialog
      title={t('messages:resend.title')}
      action={t('messages:resend.action')}
      error={resend.error}
      isBusy={resend.isPending}
      isBlocked={to.length === 0}
      onClose={onClose}
      onAsk={() => resend.mutate({ guid: message.guid, to })}
    >
      <p className="muted no-margin">{t('messages:resend.text')}</p>
      <TagsInput
        label={t('messages:to')}
        description={t('messages:toHint')}
        value={to}
        onChange={setTo}
        splitChars={[',', ' ', ';']}
        acceptValueOnBlur
        clearable={false}
        maxTags={10}
        data-autofocus
      />
    </AskDialog>
  )
}
