import { leadsFrom } from '../../contract/core/transitions.ts'
import { messageWritesApi } from '../../contract/message-writes.ts'
import { isToBeSent, messagesApi, messageTransitions, type Message } from '../../contract/messages.ts'
import { quotesApi } from '../../contract/quotes.ts'
import type { T } from '../core/i18n/i18n.ts'
import type { ActionFacts } from '../record/actions.ts'
import { filingActions } from './filing-actions.ts'

const waiting: readonly string[] = ['draft', 'scheduled']

/** What can be done with a message, and why not now. */
export function messageActions(message: Message, t: T) {
  const { status, direction, isBodyHidden, source, customerGuid } = message
  const leads = (deed: keyof typeof messageTransitions) => leadsFrom(messageTransitions, deed, status)
  const isOut = direction === 'out'
  const isIn = direction === 'in'
  const hidden = isBodyHidden ? t('record:bodyHidden') : null
  const hasFailed = status === 'failed' || status === 'bounced'
  return [
    ...filingActions(message, t),
    {
      key: 'cancel',
      op: messagesApi.cancel,
      label: t('messages:cancel.action'),
      icon: 'stop',
      place: 'head',
      isDangerous: true,
      isHidden: !isOut || !leads('cancel'),
      confirm: { title: t('messages:cancel.title'), text: t('messages:cancel.text'), keep: t('messages:cancel.keep') },
      said: t('messages:cancel.done'),
    },
    {
      key: 'edit',
      op: messageWritesApi.edit,
      label: t('compose:message.edit'),
      icon: 'edit',
      place: 'head',
      isHidden: !isToBeSent(status),
      refusal: hidden ?? (source ? null : t('compose:message.notEditable')),
    },
    {
      key: 'resend',
      op: messagesApi.resend,
      label: t(hasFailed ? 'compose:message.sendAgain' : 'messages:resend.action'),
      icon: 'send',
      place: hasFailed ? 'main' : 'light',
      isNext: hasFailed,
      isHidden: !isOut || waiting.includes(status),
      refusal: leads('resend') ? hidden : t('messages:why.waits'),
    },
    {
      key: 'send',
      op: messageWritesApi.send,
      label: t(status === 'scheduled' ? 'compose:message.sendNow' : 'compose:message.send'),
      icon: 'send',
      place: 'main',
      isNext: true,
      isHidden: !isOut || !waiting.includes(status),
      refusal: hidden,
      said: t('compose:message.sent'),
    },
    {
      key: 'quote',
      op: quotesApi.create,
      label: t('compose:message.newQuote'),
      icon: 'quote',
      place: 'light',
      isHidden: !isIn || customerGuid === null,
    },
    {
      key: 'reply',
      op: messageWritesApi.write,
      label: t('compose:reply'),
      icon: 'mail',
      place: 'main',
      isNext: true,
      isHidden: !isIn || customerGuid === null,
      refusal: hidden,
    },
  ] as const satisfies readonly ActionFacts[]
}
