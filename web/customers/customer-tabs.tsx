import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import type { Customer } from '../../contract/customers.ts'
import { nouns } from '../../contract/nouns.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { LoadingLines } from '../core/ui/states.tsx'
import { FilesOf } from '../files/record-files.tsx'
import { CustomerConsents } from './customer-consents.tsx'
import { CustomerFacts, SiteList } from './customer-details.tsx'
import { MoneyCard } from './customer-money.tsx'
import { CustomerNotes } from './customer-notes.tsx'
import { CustomerTimeline } from './customer-timeline.tsx'
import { MergedFrom } from './merged-from.tsx'

const CustomerContacts = lazy(() =>
  import('./customer-contacts.tsx').then((module) => ({ default: module.CustomerContacts })),
)
const CustomerDocuments = lazy(() =>
  import('./customer-records.tsx').then((module) => ({ default: module.CustomerDocuments })),
)
const Thread = lazy(() => import('../messages/thread.tsx').then((module) => ({ default: module.Thread })))
const CustomerPayments = lazy(() =>
  import('./customer-records.tsx').then((module) => ({ default: module.CustomerPayments })),
)

const tabs = ['overview', 'sites', 'contacts', 'documents', 'messages', 'money', 'activity'] as const
type Tab = (typeof tabs)[number]
/** What addresses called them before. */
const former: Readonly<Record<string, Tab>> = {
  invoices: 'documents',
  quotes: 'documents',
  orders: 'documents',
  payments: 'money',
  timeline: 'activity',
}
const isTab = (name: string): name is Tab => tabs.some((tab) => tab === name)

/** Everything about a customer, a part at a time; which one stands in the address. */
export function CustomerTabs({ customer }: { customer: Customer }) {
  const t = useT('customers', 'timeline', 'compose')
  const navigate = useNavigate()
  const { tab = '' } = useSearch({ strict: false }) as { tab?: string }
  const mayReadMessages = useCan(nouns.Messages.pages.view)
  const offered = tabs.filter((name) => name !== 'messages' || mayReadMessages)
  const asked = isTab(tab) ? tab : (former[tab] ?? 'overview')
  const shown = offered.includes(asked) ? asked : 'overview'
  const { guid } = customer
  const bodies: Readonly<Record<Tab, () => ReactNode>> = {
    overview: () => <Overview customer={customer} />,
    sites: () => (
      <Card title={t('customers:tabs.sites')}>
        <SiteList sites={customer.sites} />
      </Card>
    ),
    contacts: () => <CustomerContacts customer={customer} />,
    documents: () => <CustomerDocuments guid={guid} chosen={former[tab] ? tab : null} />,
    messages: () => <Thread about={{ by: 'customerGuid', guid }} />,
    money: () => (
      <>
        {customer.money ? (
          <div className="customer-cards">
            <MoneyCard customer={customer} />
          </div>
        ) : null}
        <CustomerPayments guid={guid} />
      </>
    ),
    activity: () => (
      <Card title={t('timeline:title')}>
        <CustomerTimeline guid={guid} />
      </Card>
    ),
  }
  return (
    <Tabs
      className="customer-tabs"
      value={shown}
      keepMounted={false}
      onChange={(next) => void navigate({ to: '.', search: { tab: next }, replace: true, resetScroll: false })}
    >
      <Tabs.List aria-label={t('customers:tabs.title')} className="no-print">
        {offered.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name === 'messages' ? t('compose:thread.title') : t(`customers:tabs.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {offered.map((name) => (
        <Tabs.Panel key={name} value={name} className="customer-tab">
          {name === shown ? (
            <Suspense fallback={<LoadingLines lines={4} />}>
              <div className="stack cards">{bodies[name]()}</div>
            </Suspense>
          ) : null}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** Who the customer is, what is agreed, and what was written down. */
function Overview({ customer }: { customer: Customer }) {
  const t = useT('customers')
  const { guid, internalNotes } = customer
  return (
    <>
      <div className="customer-cards">
        <MoneyCard customer={customer} />
        <Card title={t('customers:details')} className="customer-facts">
          <CustomerFacts customer={customer} />
        </Card>
        {internalNotes ? (
          <Card title={t('customers:internalNotes')}>
            <p className="no-margin pre-line prose">{internalNotes}</p>
          </Card>
        ) : null}
        <CustomerConsents guid={guid} />
      </div>
      <CustomerNotes guid={guid} />
      <MergedFrom customer={customer} />
      <FilesOf noun="Customers" guid={guid} />
    </>
  )
}
