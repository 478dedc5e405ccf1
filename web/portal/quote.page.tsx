import { lazy, Suspense, useState } from 'react'
import type { PublicBusiness } from '../../contract/businesses.ts'
import type { SharedFile } from '../../contract/files.ts'
import { isCounterOffer } from '../../contract/negotiation.ts'
import { serviceApi } from '../../contract/service.ts'
import type { ServiceQuote } from '../../contract/service-quotes.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { useGuid } from '../core/ui/params.ts'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { AcceptPanel } from './accept-panel.tsx'
import { QuestionsPanel } from './questions-panel.tsx'
import { useAnswers } from './use-answers.ts'
import { OtherRequests, talkOf, type TalkProps } from './line-talk.tsx'
import { JobNote } from './job-note.tsx'
import { ActionBar, ContactPanel, Panel, StaffNote, Toolbar, useStaffReason } from './parts.tsx'
import { QuoteBanner } from './quote-banner.tsx'
import { isDecided, QuoteLetter } from './quote-letter.tsx'
import { allows, QuoteReplies } from './quote-replies.tsx'
import { RequestsBar } from './requests-bar.tsx'
import { updateSince } from './requests.ts'
import { Revisions, RevisionChanges } from './revisions.tsx'
import { freshReads, ServiceGate } from './service-gate.tsx'
import { SharedFiles } from './shared-files.tsx'
import { daysUntil, useServiceFormat } from './service-format.ts'
import { type ServiceLine, totalsWith } from './shown-lines.ts'
import { UpdateBanner, Waiting } from './update-banner.tsx'
import { useChosenWords } from './use-chosen-words.ts'
import { useRequests } from './use-requests.ts'

const RequestDialog = lazy(() => import('./request-dialog.tsx').then((module) => ({ default: module.RequestDialog })))

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

/** What the visitor did last, so that it is said to have been done. */
type Deed = 'comment' | 'other'

/**
 * `read` is the quote as the visitor began to read it: what happens to it meanwhile is announced, and a signature
 * starts afresh with a new document.
 */
function QuoteView({ guid, quote: offered, business, files, jobType }: ViewProps) {
  const t = useT('service')
  const f = useServiceFormat(business.timeZone)
  const staffReason = useStaffReason()
  const shownNow = offered.documentSha256
  const [read, setRead] = useState(offered)
  const [deed, setDeed] = useState<Deed | null>(null)
  const [isRefused, setRefused] = useState(false)
  const [triedOf, setTriedOf] = useState<string | null>(null)
  const [askedLine, setAskedLine] = useState<ServiceLine | null>(null)
  const [comparedTo, setComparedTo] = useState<number | null>(null)
  const isOpen = offered.status === 'sent'
  const answers = useAnswers(guid, offered)
  const { quote, chosen } = answers
  const onRefused = () => setRefused(true)
  const requests = useRequests(
    guid,
    offered,
    { moved: answers.quantities, words: useChosenWords(offered, answers) },
    {
      onDone: (isCounterOffer) => setDeed(isCounterOffer ? 'other' : 'comment'),
      onRefused,
    },
  )
  const talk: TalkProps = {
    quote,
    answers,
    requests,
    hasGst: business.gstRegistered,
    canAsk: allows('requestChanges', quote),
    staffReason,
    onAsk: setAskedLine,
  }
  return (
    <div className="service">
      <StaffNote />
      <Toolbar op={serviceApi.quotePdf} input={{ guid }}>
        <Validity quote={quote} business={business} />
        <Revisions quote={quote} onOpen={setComparedTo} />
      </Toolbar>
      <UpdateBanner
        before={read}
        quote={offered}
        business={business}
        isRefused={isRefused}
        onCompare={setComparedTo}
        onSeen={() => {
          setRead(offered)
          setRefused(false)
          setDeed(null)
        }}
      />
      <QuoteBanner
        key={`${quote.status}-${deed ?? ''}`}
        quote={quote}
        business={business}
        isFresh={deed !== null && updateSince(read, offered) === null}
        hasAsked={deed === 'comment'}
      />
      <JobNote jobType={jobType} />
      <div className="service-grid">
        <QuoteLetter
          quote={quote}
          business={business}
          chosen={chosen}
          onChoose={answers.choose}
          below={(line) => talkOf(talk, line)}
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
                setDeed('other')
              }}
              onRefused={onRefused}
            />
          ) : null}
          {!isOpen && !isDecided(quote) ? (
            <Panel className="no-print">
              <div>
                <p className="muted no-margin">{t('service:quote.total')}</p>
                <p className="service-amount">{f.money(quote.totals.totalCents)}</p>
              </div>
              <Waiting quote={quote} />
            </Panel>
          ) : null}
          <OtherRequests {...talk} />
          <QuoteReplies
            key={`replies-${shownNow}`}
            guid={guid}
            quote={quote}
            business={business}
            onAsked={() => setDeed('comment')}
            onDone={() => setDeed('other')}
            onRefused={onRefused}
          />
          <SharedFiles files={files} link={guid} f={f} />
          <ContactPanel
            business={business}
            subject={t('service:contact.subject', { document: `${t('service:quote.kind')} ${quote.number}` })}
          />
        </div>
      </div>
      {isOpen && requests.drafts.length === 0 ? (
        <ActionBar
          target="accept"
          label={t('service:quote.total')}
          amount={f.money(totalsWith(quote, chosen).totalCents)}
          action={t('service:accept.open')}
        />
      ) : null}
      {talk.canAsk ? <RequestsBar requests={requests} /> : null}
      {askedLine ? (
        <Suspense>
          <RequestDialog
            line={askedLine}
            isWaiting={!isOpen || requests.drafts.some(isCounterOffer)}
            onAdd={requests.add}
            onClose={() => setAskedLine(null)}
          />
        </Suspense>
      ) : null}
      <RevisionChanges guid={guid} from={comparedTo} format={f} onClose={() => setComparedTo(null)} />
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
      document={({ quote }) => quote.documentSha256}
      title={({ quote }) => `${t('service:quote.kind')} ${quote.number}`}
    >
      {({ quote, business, files, jobType }) => (
        <QuoteView guid={guid} quote={quote} business={business} files={files} jobType={jobType} />
      )}
    </ServiceGate>
  )
}
