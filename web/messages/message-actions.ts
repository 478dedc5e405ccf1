import { leadsFrom } from '../../contract/core/transitions.ts'
import { messagesApi, messageTransitions, type Message } from '../../contract/messages.ts'
import type { T } from '../core/i18n/i18n.ts'
import type { ActionFacts } from '../record/actions.ts'

/** What can be done with a message, and why not now. */
export function messageActions({ status, isBodyHidden }: Message, t: T) {
  const leads = (deed: keyof typeof messageTransitions) => leadsFrom(messageTransitions, deed, status)
  return [
    {
      key: 'cancel',
      op: messagesApi.cancel,
      label: t('messages:cancel.action'),
      icon: 'stop',
      place: 'head',
      isDangerous: true,
      refusal: leads('cancel') ? null : t('messages:why.notWaiting'),
      confirm: { title: t('messages:cancel.title'), text: t('messages:cancel.text') },
      said: t('messages:cancel.done'),
    },
    {
      key: 'resend',
      op: messagesApi.resend,
      label: t('messages:resend.action'),
      icon: 'send',
      place: 'main',
      isNext: true,
      refusal: leads('resend') ? (isBodyHidden ? t('record:bodyHidden') : null) : t('messages:why.waits'),
    },
  ] as const satisfies readonly ActionFacts[]
}
