import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { openAsks } from '../../contract/quote-actions.ts'
import { nouns } from '../../contract/nouns.ts'
import type { Quote } from '../../contract/quotes.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { LoadingLines } from '../core/ui/states.tsx'
import { useUnsaved } from '../core/ui/unsaved.tsx'
import type { Marks } from './answer-state.ts'
import { QuoteDocument } from './quote-document.tsx'

const AsksTab = lazy(() => import('./asks-tab.tsx').then((module) => ({ default: module.AsksTab })))
const RevisionsTab = lazy(() => import('./revisions-tab.tsx').then((module) => ({ default: module.RevisionsTab })))
const Thread = lazy(() => import('../messages/thread.tsx').then((module) => ({ default: module.Thread })))
const RecordTab = lazy(() => import('./record-tab.tsx').then((module) => ({ default: module.RecordTab })))

const tabs = ['document', 'revisions', 'asks', 'messages', 'record'] as const
type Tab = (typeof tabs)[number]
const isTab = (name: string): name is Tab => tabs.some((tab) => tab === name)

/** Another part of the page; which one stands in the address. */
export function useQuoteTab() {
  const navigate = useNavigate()
  const { tab = '' } = useSearch({ strict: false }) as { tab?: string }
  return {
    shown: isTab(tab) ? tab : 'document',
    show: (next: Tab) =>
      navigate({ to: '.', search: next === 'document' ? {} : { tab: next }, replace: true, resetScroll: false }),
  }
}

/** A quote as it is sent, what became of it, what is asked of it, and what each side saw. */
export function QuoteTabs({ quote, arrivals }: { quote: Quote; arrivals: number }) {
  const t = useT('quotes', 'compose')
  const { shown: asked, show } = useQuoteTab()
  const mayReadMessages = useCan(nouns.Messages.pages.view)
  const offered = tabs.filter((name) => name !== 'messages' || mayReadMessages)
  const shown = offered.includes(asked) ? asked : 'document'
  const [marks, setMarks] = useState<Marks>({})
  const latest = useRef(marks)
  const changeMarks = (change: (before: Marks) => Marks) => {
    latest.current = change(latest.current)
    setMarks(latest.current)
  }
  // What was saved is known here before it is drawn.
  const unsaved = useUnsaved(Object.keys(marks).length > 0, () => Object.keys(latest.current).length === 0)
  const open = openAsks(quote).length
  const bodies: Readonly<Record<Tab, () => ReactNode>> = {
    document: () => <QuoteDocument quote={quote} />,
    revisions: () => <RevisionsTab quote={quote} />,
    asks: () => <AsksTab quote={quote} marks={marks} onMarks={changeMarks} arrivals={arrivals} />,
    messages: () => <Thread about={{ by: 'quoteGuid', guid: quote.guid }} />,
    record: () => <RecordTab quote={quote} />,
  }
  const label = (name: Tab) => {
    if (name === 'messages') return t('compose:thread.title')
    return name === 'asks' && open > 0 ? t('quotes:tabs.asksOpen', { count: open }) : t(`quotes:tabs.${name}`)
  }
  return (
    <>
      <Tabs value={shown} keepMounted={false} onChange={(next) => void show(next as Tab)}>
        <Tabs.List aria-label={t('quotes:tabs.title')} className="no-print">
          {offered.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {label(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {offered.map((name) => (
          <Tabs.Panel key={name} value={name} pt="md">
            {name === shown ? <Suspense fallback={<LoadingLines lines={4} />}>{bodies[name]()}</Suspense> : null}
          </Tabs.Panel>
        ))}
      </Tabs>
      {unsaved}
    </>
  )
}
