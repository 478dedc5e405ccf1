// oxlint-disable unicorn/no-thenable -- the specification names it; it is a word, never a function
import { useState } from 'react'
import { quotesApi, type Quote } from '../../contract/quotes.ts'
import { pathTo, pathOf } from '../../contract/nouns.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { DownloadButton } from '../core/ui/download-button.tsx'
import { useGo, useGuid } from '../core/ui/params.ts'
import { Loaded } from '../core/ui/states.tsx'
import { StatusChip } from '../core/ui/status-chip.tsx'
import { whenOpen } from '../core/ui/when-open.tsx'
import { sayOnItsWay } from '../messages/sending.ts'
import { RecordTimeline } from '../timeline/record-timeline.tsx'
import { QuoteRail } from './quote-aside.tsx'
import { quoteName } from './quote-name.ts'
import { toast } from '../core/ui/toast.tsx'
import { RecordFrame } from '../record/record-frame.tsx'
import { quoteActions } from './quote-actions.ts'
import { QuoteTabs, useQuoteTab } from './quote-tabs.tsx'

const SendDialog = whenOpen(() => import('../messages/send-dialog.tsx').then((module) => module.SendDialog))
const ComposeDialog = whenOpen(() => import('../messages/compose-dialog.tsx').then((module) => module.ComposeDialog))
const AcceptDialog = whenOpen(() => import('./quote-dialogs.tsx').then((module) => module.AcceptDialog))
const DeclineDialog = whenOpen(() => import('./quote-dialogs.tsx').then((module) => module.DeclineDialog))

const EntryDialog = whenOpen(() => import('./entry-dialog.tsx').then((module) => module.EntryDialog))
const RepriceDialog = whenOpen(() => import('./reprice-dialog.tsx').then((module) => module.RepriceDialog))
const SaveTemplateDialog = whenOpen(() => import('./template-dialogs.tsx').then((module) => module.SaveTemplateDialog))

export function Page() {
  const guid = useGuid()
  const read = useRead(quotesApi.get, { guid })
  return <Loaded of={read}>{({ quote }) => <Preview quote={quote} />}</Loaded>
}

function Preview({ quote }: { quote: Quote }) {
  const t = useT('quotes', 'record', 'common', 'templates', 'compose')
  const go = useGo()
  const { guid, version } = quote
  const called = quoteName(quote, quote.title)
  const send = useWrite(quotesApi.send)
  const revise = useWrite(quotesApi.revise)
  const duplicate = useWrite(quotesApi.duplicate)
  const convert = useWrite(quotesApi.convert)
  const answer = useWrite(quotesApi.answer)
  const tab = useQuoteTab()
  const [arrivals, setArrivals] = useState(0)
  /** Another draft came of it, which is what one goes on with. */
  const open = async (made: Promise<{ quote: Quote }>, said: string, query = '') => {
    const { quote: draft } = await made
    toast.success(said)
    await go(pathOf('Quotes', 'edit', draft.guid) + query)
  }
  return (
    <RecordFrame
      noun="Quotes"
      title={quoteName(quote, t('quotes:preview.draftTitle'))}
      badge={<StatusChip status={quote.displayStatus} ns="quotes" />}
      tags={{ of: quote.tags, ops: quotesApi }}
      listLabel={t('quotes:list.title')}
      lead={
        <DownloadButton op={quotesApi.pdf} input={{ guid }}>
          {t('quotes:pdf')}
        </DownloadButton>
      }
      actions={quoteActions(quote, t)}
      record={quote}
      deeds={{
        message: { dialog: (close) => <ComposeDialog about={{ by: 'quoteGuid', guid }} onClose={close} /> },
        edit: { run: () => go(pathOf('Quotes', 'edit', guid)) },
        duplicate: {
          run: () => open(duplicate.mutateAsync({ guid }), t('quotes:duplicated', { name: called }), '?isCopy=yes'),
        },
        entry: { dialog: (close) => <EntryDialog quote={quote} onClose={close} /> },
        reprice: { dialog: (close) => <RepriceDialog quote={quote} onClose={close} /> },
        template: { dialog: (close) => <SaveTemplateDialog quote={quote} onClose={close} /> },
        series: { run: () => go(`${pathOf('Series', 'add')}?quote=${guid}`) },
        revise: { run: () => open(revise.mutateAsync({ guid, version }), t('quotes:revised', { name: called })) },
        send: {
          dialog: (close) => (
            <SendDialog
              ownerType="quote"
              guid={guid}
              title={t('quotes:send')}
              confirmLabel={t('quotes:send')}
              onClose={close}
              onSend={async (message) => {
                const { quote: sent } = await send.mutateAsync({ guid, version, ...message })
                const name = quoteName(sent, sent.title)
                sayOnItsWay(t('quotes:sent', { name }), t('quotes:waits', { name }))
              }}
            />
          ),
        },
        answer: {
          run: async () => {
            await tab.show('asks')
            setArrivals((count) => count + 1)
          },
        },
        sendRevision: {
          run: async () => {
            const { revision } = await answer.mutateAsync({ guid, version, answers: [], then: 'send' })
            if (!revision) return
            toast.success(t('quotes:asks.revisionSent', { name: quoteName(revision, revision.title) }))
            await go(pathTo('Quotes', revision.guid))
          },
        },
        accept: { dialog: (close) => <AcceptDialog quote={quote} onClose={close} /> },
        decline: { dialog: (close) => <DeclineDialog quote={quote} onClose={close} /> },
        convert: {
          run: async () => {
            const { order } = await convert.mutateAsync({ guid, version })
            toast.success(t('quotes:converted', { name: order.label }))
            await go(pathTo('Orders', order.guid))
          },
        },
      }}
      timeline={<RecordTimeline op={quotesApi.timeline} guid={guid} />}
      rail={<QuoteRail quote={quote} />}
    >
      <QuoteTabs key={guid} quote={quote} arrivals={arrivals} />
    </RecordFrame>
  )
}
