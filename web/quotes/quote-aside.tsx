import type { Quote } from '../../contract/quotes.ts'
import { phraseOr, type T, useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateText } from '../core/ui/date-text.tsx'
import { KeyValueList } from '../core/ui/key-values.tsx'
import { Money } from '../core/ui/money.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { MarginText } from '../lines/margin-text.tsx'
import { RelatedCard, type RelatedItem } from '../lines/related-card.tsx'
import { ServiceLinkCard } from '../lines/service-link-card.tsx'
import { RecordLink } from '../record/record-link.tsx'

/** What belongs to a quote. */
const relatedTo = (quote: Quote, t: T): RelatedItem[] => [
  ...(quote.related.order
    ? [
        {
          key: 'order',
          kind: t('quotes:order'),
          label: quote.related.order.label,
          noun: 'Orders',
          guid: quote.related.order.guid,
        },
      ]
    : []),
  ...(quote.related.request
    ? [
        {
          key: 'request',
          kind: t('quotes:request'),
          label: quote.related.request.label,
          noun: 'Requests',
          guid: quote.related.request.guid,
        },
      ]
    : []),
  ...(quote.related.series
    ? [
        {
          key: 'series',
          kind: t('quotes:series'),
          label: quote.related.series.label,
          noun: 'Series',
          guid: quote.related.series.guid,
        },
      ]
    : []),
  ...quote.related.invoices.map((invoice) => ({
    key: invoice.guid,
    kind: t('quotes:invoice'),
    label: invoice.label,
    noun: 'Invoices',
    guid: invoice.guid,
    end: <StatusChip status={invoice.displayStatus} ns="invoices" />,
  })),
  ...quote.related.revisions.map((revision) => ({
    key: revision.guid,
    kind: t(
      revision.guid === quote.previousRevisionGuid
        ? 'quotes:previousRevision'
        : revision.guid === quote.nextRevisionGuid
          ? 'quotes:nextRevision'
          : 'quotes:otherRevision',
    ),
    label: revision.label,
    noun: 'Quotes',
    guid: revision.guid,
    end: (
      <span className="rail-end">
        <StatusChip status={revision.displayStatus} ns="quotes" />
        <Money cents={revision.totalCents} />
      </span>
    ),
  })),
  ...quote.related.messages.map((message) => ({
    key: message.guid,
    kind: t('quotes:message'),
    label: message.label,
    noun: 'Messages',
    guid: message.guid,
    end: <StatusChip status={message.status} ns="messages" />,
  })),
]

function Accepted({ acceptance }: { acceptance: NonNullable<Quote['acceptance']> }) {
  const t = useT('quotes')
  return (
    <Card title={t('quotes:acceptance.title')}>
      <KeyValueList
        items={[
          { label: t('quotes:acceptance.by'), value: acceptance.name },
          { label: t('quotes:acceptance.at'), value: <DateText value={acceptance.at} as="dateTime" /> },
          {
            label: t('quotes:acceptance.how'),
            value: phraseOr(`quotes:methods.${acceptance.method}`, acceptance.method),
          },
          {
            label: t('quotes:acceptance.recordedBy'),
            value: acceptance.recordedBy,
            isHidden: !acceptance.recordedBy,
          },
          { label: t('quotes:acceptance.note'), value: acceptance.note, isHidden: !acceptance.note },
          {
            label: t('quotes:acceptance.hash'),
            value: <code className="small">{acceptance.documentSha256.slice(0, 16)}</code>,
          },
        ]}
      />
    </Card>
  )
}

/** Beside the document: money, the customer's link, how it was accepted, what belongs to it. */
export function QuoteRail({ quote }: { quote: Quote }) {
  const t = useT('quotes', 'lines', 'common')
  return (
    <div className="stack" style={{ '--gap': '1.5rem' } as React.CSSProperties}>
      <Card title={t('quotes:money')}>
        <KeyValueList
          items={[
            { label: t('quotes:total'), value: <Money cents={quote.totals.totalCents} /> },
            {
              label: t('common:margin.title'),
              value: quote.margin && (
                <>
                  <Money cents={quote.margin.cents} /> · <MarginText margin={quote.margin} isBare />
                </>
              ),
              isHidden: quote.margin === null,
            },
            {
              label: t('quotes:depositOf'),
              value: <Money cents={quote.depositCents} />,
              isHidden: quote.depositCents === 0,
            },
            {
              label: t('quotes:customer'),
              value: (
                <RecordLink noun="Customers" guid={quote.customerGuid}>
                  {quote.customer.displayName}
                </RecordLink>
              ),
            },
            { label: t('lines:contact'), value: quote.contact?.name, isHidden: !quote.contact },
            { label: t('common:jobType'), value: quote.jobType?.label, isHidden: !quote.jobType },
            {
              label: t('quotes:internalNotes'),
              value: <span className="pre-line">{quote.internalNotes}</span>,
              isHidden: !quote.internalNotes,
            },
            {
              label: t('quotes:viewedAt'),
              value: <DateText value={quote.lastViewedAt} as="relative" />,
              isHidden: !quote.lastViewedAt,
            },
          ]}
        />
      </Card>
      {quote.serviceUrl ? (
        <ServiceLinkCard
          url={quote.serviceUrl}
          seen={quote.viewCount ? t('quotes:views', { count: quote.viewCount }) : null}
        />
      ) : null}
      {quote.acceptance ? <Accepted acceptance={quote.acceptance} /> : null}
      <RelatedCard title={t('quotes:related')} items={relatedTo(quote, t)} empty={t('quotes:nothingRelated')} />
    </div>
  )
}
