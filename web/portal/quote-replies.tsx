import { leadsFrom } from '../../contract/core/transitions.ts'
import { Suspense, lazy, useState } from 'react'
import type { PublicBusiness } from '../../contract/businesses.ts'
import { quoteTransitions, type QuoteStatus } from '../../contract/quotes.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { useStaffReason } from './parts.tsx'
import type { Reply } from './reply-dialogs.tsx'

const ReplyDialog = lazy(() => import('./reply-dialogs.tsx').then((module) => ({ default: module.ReplyDialog })))

/** What the quote's lifecycle calls it: an expired one is still out with its customer until somebody answers. */
const lifecycle = (quote: ServiceQuote): QuoteStatus =>
  quote.status !== 'expired' ? quote.status : quote.changeRequest ? 'changes_requested' : 'sent'
export const allows = (deed: 'requestChanges' | 'decline', quote: ServiceQuote) =>
  leadsFrom(quoteTransitions, deed, lifecycle(quote))

/** The other answers a customer may give: ask for something, or say no. */
export function QuoteReplies({
  guid,
  quote,
  business,
  onAsked,
  onDone,
  onRefused,
}: {
  guid: string
  quote: ServiceQuote
  business: PublicBusiness
  /** A message was sent. */
  onAsked: () => void
  onDone: () => void
  onRefused: () => void
}) {
  const t = useT('service')
  const staffReason = useStaffReason()
  const [reply, setReply] = useState<Reply | null>(null)
  const isExpired = quote.status === 'expired'
  const close = () => setReply(null)
  const done = () => {
    if (reply === 'question') onAsked()
    else onDone()
    close()
  }
  const canAsk = allows('requestChanges', quote)
  const canDecline = !isExpired && allows('decline', quote)
  if (!canAsk && !canDecline) return null
  return (
    <div className="quote-replies no-print">
      {canAsk ? (
        <ActionButton
          variant={isExpired ? 'filled' : 'default'}
          fullWidth
          icon="note"
          onClick={() => setReply('question')}
          disabledReason={staffReason}
        >
          {isExpired ? t('service:question.again') : t('service:question.open')}
        </ActionButton>
      ) : null}
      {canDecline ? (
        <ActionButton
          variant="subtle"
          color="gray"
          fullWidth
          onClick={() => setReply('decline')}
          disabledReason={staffReason}
        >
          {t('service:decline.open')}
        </ActionButton>
      ) : null}
      {reply ? (
        <Suspense>
          <ReplyDialog
            reply={reply}
            guid={guid}
            quote={quote}
            businessName={business.name}
            onClose={close}
            onDone={done}
            onRefused={onRefused}
          />
        </Suspense>
      ) : null}
    </div>
  )
}
