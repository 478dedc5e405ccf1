import type { Frame } from '../../contract/negotiation.ts'
import { quotesApi, type Quote } from '../../contract/quotes.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { useRead } from '../core/api/hooks.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DateText } from '../core/ui/date-text.tsx'
import { Dialog } from '../core/ui/dialog.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Loaded } from '../core/ui/states.tsx'
import { OwnLetter } from '../portal/own-letter.tsx'
import { QuoteLetter } from '../portal/quote-letter.tsx'
import { proposedChoice } from '../portal/shown-lines.ts'

/** A moment as it is kept: the page, and what was chosen on it. */
interface Content {
  page: Omit<ServiceQuote, 'version' | 'order' | 'invoice'>
  choice?: {
    selectedLineGuids?: string[]
    quantities?: { lineGuid: string; quantity: string }[]
    answers?: unknown[]
  }
  totals?: { totalCents: number }
  depositCents?: number
}

interface FrameDialogProps {
  quote: Quote
  frame: Frame
  onClose: () => void
}

/** The page as it was at a moment, and what was chosen on it. */
export function FrameDialog({ quote, frame, onClose }: FrameDialogProps) {
  const t = useT('quotes')
  const read = useRead(quotesApi.frame, { guid: quote.guid, frame: frame.guid })
  return (
    <Dialog size="xl" onClose={onClose} title={t(`quotes:record.reasons.${frame.reason}`)}>
      <Loaded of={read}>
        {({ frame: { content } }) => <Shown quote={quote} frame={frame} of={content as Content} />}
      </Loaded>
    </Dialog>
  )
}

function Shown({
  quote,
  frame,
  of: { page, choice, totals, depositCents },
}: Omit<FrameDialogProps, 'onClose'> & { of: Content }) {
  const t = useT('quotes')
  const f = useFormat()
  const nameOf = (lineGuid: string) => page.lines.find(({ guid }) => guid === lineGuid)?.name ?? ''
  const selected = choice?.selectedLineGuids ?? []
  const quantities = choice?.quantities ?? []
  return (
    <div className="stack">
      <KeyValueList
        items={[
          { label: t('quotes:record.by'), value: frame.by, isHidden: !frame.by },
          { label: t('quotes:record.at'), value: <DateText value={frame.at} as="dateTime" /> },
          { label: t('quotes:record.hash'), value: <code className="frame-hash">{frame.sha256}</code> },
          { label: t('quotes:record.chosen'), value: selected.map(nameOf).join(', '), isHidden: selected.length === 0 },
          {
            label: t('quotes:record.quantities'),
            value: quantities
              .map(({ lineGuid, quantity }) => `${nameOf(lineGuid)}: ${f.quantity(quantity)}`)
              .join(', '),
            isHidden: quantities.length === 0,
          },
          { label: t('quotes:total'), value: f.money(totals?.totalCents ?? 0), isHidden: !totals },
          { label: t('quotes:depositOf'), value: f.money(depositCents ?? 0), isHidden: !depositCents },
        ]}
      />
      <OwnLetter of={quote} document={quote.status === 'draft' ? undefined : { quoteGuid: quote.guid }}>
        {(business) => (
          <QuoteLetter
            quote={page}
            business={business}
            chosen={choice?.selectedLineGuids ? new Set(selected) : proposedChoice(page.lines)}
            isInset
          />
        )}
      </OwnLetter>
    </div>
  )
}
