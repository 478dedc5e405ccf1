import { inboundApi } from '../../contract/inbound.ts'
import type { Message } from '../../contract/messages.ts'
import type { T } from '../core/i18n/i18n.ts'
import type { ActionFacts } from '../record/actions.ts'

/** What is done with an email that came in, beside answering it. */
export const filingActions = ({ direction, isUnmatched, isIgnored }: Message, t: T) =>
  [
    {
      key: 'assign',
      op: inboundApi.assign,
      label: t('inbound:file.menu'),
      icon: 'inbox',
      place: isUnmatched ? 'main' : 'more',
      isNext: isUnmatched,
      isHidden: direction !== 'in',
    },
    {
      key: 'ignore',
      op: inboundApi.assign,
      label: t('inbound:ignore.action'),
      icon: 'archive',
      place: 'head',
      isHidden: !isUnmatched,
    },
    {
      key: 'restore',
      op: inboundApi.assign,
      label: t('inbound:restore.action'),
      icon: 'undo',
      place: 'head',
      isHidden: !isIgnored,
    },
  ] as const satisfies readonly ActionFacts[]
