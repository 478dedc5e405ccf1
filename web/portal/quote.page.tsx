import { useState } from 'react'
import type { PublicBusiness } from '../../contract/businesses.ts'
import type { SharedFile } from '../../contract/files.ts'
import { serviceApi } from '../../contract/service.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useGuid } from '../core/ui/params.ts'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { AcceptPanel } from './accept-panel.tsx'
import { QuestionsPanel } from './questions-panel.tsx'
import { useAnswers } from './use-answers.ts'
import { JobNote } from './job-note.tsx'
import { ActionBar, Banner, ContactPanel, Panel, StaffNote, Toolbar } from './parts.tsx'
import { QuoteBanner } from './quote-banner.tsx'
import { isDecided, QuoteLetter } from './quote-letter.tsx'
import { QuoteReplies } from './quote-replies.tsx'
import { freshReads, ServiceGate } from './service-gate.tsx'
import { SharedFiles } from './shared-files.tsx'
import { daysUntil, useServiceFormat } from './service-format.ts'
import { proposedChoice, totalsWith, withChoice } from './shown-lines.ts'

interface ViewProps {
  guid: string
  quote: ServiceQuote
  business: PublicBusiness
  jobType: { heading: string; text: string } | null
  files: readonly SharedFile[]
}

function Validity({ quote, business }: Omit<ViewProps, 'guid' | 'files' | 'jobType'>) {
  const t = useT('service')
  if (quote.status !== 'sent' || !quote.validUntil) return null
  const days = daysUntil(quote.validUntil, business.timeZone)
  return (
    <StatusChip
      status="sent"
      tone={days <= 3 ? 'warning' : 'info'}
      label={days <= 0 ? t('service:quote.lastDay') : t('service:quote.daysLeft', { count: days })}
    />
  )
}

/**
 * `seen` is the document the visitor began to read: a newer one is announced, and choice and
 * signature start afresh with it.
 */
function QuoteView({ guid, quote: offered, business, files, jobType }: ViewProps) {
  const t = useT('service')
  const f = useServiceFormat(business.timeZone)
  const shownNow = offered.documentSha256
  const [seen, setSeen] = useState(shownNow)
  const [choice, setChoice] = useState({ of: shownNow, chosen: proposedChoice(offered.lines) })
  const [isFresh, setFresh] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const [triedOf, setTriedOf] = useState<string | null>(null)
  const isOpen = offered.status === 'sent'
  const chosen = isOpen && choice.of === shownNow ? choice.chosen : proposedChoice(offered.lines)
  const answers = useAnswers(guid, offered, chosen)
  const { quote } = answers
  const onDone = () => setFresh(true)
  const onRefused = () => setRefused(true)
  return (
    <div className="service">
      <StaffNote />
      <Toolbar op={serviceApi.quotePdf} input={{ guid }}>
        <Validity quote={quote} business={business} />
      </Toolbar>
      {isOpen && shownNow !== seen ? (
        <Banner
          key={shownNow}
          tone="warning"
          icon="info"
          title={t('service:quote.revised.title')}
          takesFocus={isRefused}
        >
          <p>
            {t(isRefused ? 'service:quote.revised.refused' : 'service:quote.revised.text', {
              business: business.name,
              total: f.money(quote.totals.totalCents),
            })}
          </p>
          <button type="button" className="link" onClick={() => setSeen(shownNow)}>
            {t('service:quote.revised.seen')}
          </button>
        </Banner>
      ) : null}
      <QuoteBanner key={`${quote.status}-${isFresh}`} quote={quote} business={business} isFresh={isFresh} />
      <JobNote jobType={jobType} />
      <div className="service-grid">
        <QuoteLetter
          quote={quote}
          business={business}
          chosen={chosen}
          onChoose={(line) => setChoice({ of: shownNow, chosen: withChoice(quote.lines, chosen, line) })}
        />
        <div className="service-rail">
          {isOpen ? <QuestionsPanel link={guid} answers={answers} isTried={triedOf === shownNow} /> : null}
          {isOpen ? (
            <AcceptPanel
              key={shownNow}
              guid={guid}
              quote={quote}
              business={business}
              chosen={chosen}
              answers={answers}
              onTried={() => setTriedOf(shownNow)}
              onAccepted={() => {
                answers.forget()
                onDone()
              }}
              onRefused={onRefused}
            />
          ) : null}
          {!isOpen && !isDecided(quote) ? (
            <Panel className="no-print">
              <p className="muted no-margin">{t('service:quote.total')}</p>
              <p className="service-amount">{f.money(quote.totals.totalCents)}</p>
            </Panel>
          ) : null}
          <QuoteReplies
            key={`replies-${shownNow}`}
            guid={guid}
            quote={quote}
            business={business}
            onDone={onDone}
            onRefused={onRefused}
          />
          <SharedFiles files={files} link={guid} f={f} />
          <ContactPanel
            business={business}
            subject={t('service:contact.subject', { document: `${t('service:quote.kind')} ${quote.number}` })}
          />
        </div>
      </div>
      {isOpen ? (
        <ActionBar
          target="accept"
          label={t('service:quote.total')}
          amount={f.money(totalsWith(quote, chosen).totalCents)}
          action={t('service:accept.open')}
        />
      ) : null}
    </div>
  )
}

/** A quote before its customer: read, choose, sign. */
export function Page() {
  const guid = useGuid()
  const t = useT('service', 'lines')
  const read = useRead(serviceApi.quote, { guid }, freshReads)
  return (
    <ServiceGate
      read={read}
      guid={guid}
      language={({ quote }) => quote.customer.language}
      title={({ quote }) => `${t('service:quote.kind')} ${quote.number}`}
    >
      {({ quote, business, files, jobType }) => (
        <QuoteView guid={guid} quote={quote} business={business} files={files} jobType={jobType} />
      )}
    </ServiceGate>
  )
}
