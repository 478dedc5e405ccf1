import { isText } from '../../contract/core/money.ts'
import { rangeOfLine } from '../../contract/quantity-range.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ActionButton } from '../core/ui/action-button.tsx'
import { LineQuantity } from './line-quantity.tsx'
import { DraftRequest, SentRequest } from './line-requests.tsx'
import { Panel } from './parts.tsx'
import { isTold, type ServiceAsk } from './requests.ts'
import { isChoice, type ServiceLine } from './shown-lines.ts'
import type { Answers } from './use-answers.ts'
import type { Requests } from './use-requests.ts'

export interface TalkProps {
  quote: ServiceQuote
  answers: Answers
  requests: Requests
  hasGst: boolean
  /** Whether anything can be asked, or taken back, as the quote stands. */
  canAsk: boolean
  staffReason: string | null
  onAsk: (line: ServiceLine) => void
}

const sentProps = ({ quote, requests, hasGst, canAsk, staffReason }: TalkProps, ask: ServiceAsk) => ({
  ask,
  hasGst,
  revision: quote.revision,
  isBusy: requests.withdrawing === ask.guid,
  onWithdraw: canAsk && !staffReason ? () => requests.withdraw(ask.guid) : null,
})

/** What its customer can do with a line, and what was said of it; null where there is nothing. */
export function talkOf(props: TalkProps, line: ServiceLine) {
  const { quote, answers, requests } = props
  // Of what costs nothing there is little to ask.
  const canAsk = props.canAsk && !isText(line)
  const range = rangeOfLine(line)
  const isBought = !isChoice(line) || answers.chosen.has(line.guid)
  const isMovable = range !== null && isBought && quote.status === 'sent'
  const asks = quote.asks.filter((ask) => ask.lineGuid === line.guid && isTold(ask))
  if (!isMovable && !canAsk && asks.length === 0) return null
  return (
    <LineTalk
      {...props}
      canAsk={canAsk}
      line={line}
      range={isMovable ? range : null}
      asks={asks}
      drafts={requests.of(line)}
    />
  )
}

function LineTalk(
  props: TalkProps & {
    line: ServiceLine
    range: ReturnType<typeof rangeOfLine>
    asks: readonly ServiceAsk[]
    drafts: Requests['drafts']
  },
) {
  const { line, range, asks, drafts, answers, requests, canAsk, staffReason, onAsk } = props
  const t = useT('service')
  return (
    <div className="line-talk">
      {range ? (
        <LineQuantity
          line={line}
          range={range}
          value={answers.quantityOf(line)}
          onChange={(quantity) => answers.changeQuantity(line, quantity)}
        />
      ) : null}
      {asks.length + drafts.length > 0 ? (
        <ul className="line-requests" aria-label={t('service:asks.listOf', { name: line.name })}>
          {asks.map((ask) => (
            <SentRequest key={ask.guid} {...sentProps(props, ask)} unit={line.unit} />
          ))}
          {drafts.map((request, i) => (
            <DraftRequest
              key={`${request.kind}-${i}`}
              request={request}
              unit={line.unit}
              name={line.name}
              onRemove={() => requests.remove(request)}
            />
          ))}
        </ul>
      ) : null}
      {canAsk ? (
        <div className="line-ask">
          <ActionButton
            variant="subtle"
            size="compact-sm"
            icon="note"
            disabledReason={staffReason}
            onClick={() => onAsk(line)}
          >
            {t('service:asks.open')}
            <span className="visually-hidden"> ({line.name})</span>
          </ActionButton>
        </div>
      ) : null}
    </div>
  )
}

/** What was said of the whole quote, and of lines that are no more. */
export function OtherRequests(props: TalkProps) {
  const t = useT('service')
  const asks = props.quote.asks.filter((ask) => ask.lineGuid === null && isTold(ask))
  if (asks.length === 0) return null
  return (
    <Panel title={t('service:asks.others')} className="no-print">
      <ul className="line-requests">
        {asks.map((ask) => (
          <SentRequest key={ask.guid} {...sentProps(props, ask)} unit="each" about={ask.lineName} />
        ))}
      </ul>
    </Panel>
  )
}
