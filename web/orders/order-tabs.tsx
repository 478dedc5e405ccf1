import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { nouns } from '../../contract/nouns.ts'
import { ordersApi, type AnyOrder } from '../../contract/orders.ts'
import { useCan } from '../core/api/can.ts'
import { useT } from '../core/i18n/i18n.ts'
import { LoadingLines } from '../core/ui/states.tsx'
import { RecordTimeline } from '../timeline/record-timeline.tsx'
import { hasHire } from './hire-lines.ts'
import { OrderDocument } from './order-document.tsx'
import './order-parts.css'

const OrderHire = lazy(() => import('./order-hire.tsx').then((module) => ({ default: module.OrderHire })))
const OrderChanges = lazy(() => import('./order-changes.tsx').then((module) => ({ default: module.OrderChanges })))
const OrderPeople = lazy(() => import('./order-people.tsx').then((module) => ({ default: module.OrderPeople })))
const OrderChecklist = lazy(() =>
  import('./order-checklist.tsx').then((module) => ({ default: module.OrderChecklist })),
)
const OrderNotes = lazy(() => import('./order-notes.tsx').then((module) => ({ default: module.OrderNotes })))
const Thread = lazy(() => import('../messages/thread.tsx').then((module) => ({ default: module.Thread })))
const OrderCosts = lazy(() => import('./order-costs.tsx').then((module) => ({ default: module.OrderCosts })))

const tabs = ['lines', 'changes', 'hire', 'people', 'checklist', 'notes', 'messages', 'costs', 'activity'] as const
type Tab = (typeof tabs)[number]

/** An order a part at a time; which one stands in the address. Costs are for those who see them. */
export function OrderTabs({ order }: { order: AnyOrder }) {
  const t = useT('orders', 'compose')
  const navigate = useNavigate()
  const { tab = '' } = useSearch({ strict: false }) as { tab?: string }
  const isOffered: Partial<Record<Tab, boolean>> = {
    changes: useCan(ordersApi.changes) && order.hasAmounts,
    hire: order.hasAmounts && hasHire(order),
    messages: useCan(nouns.Messages.pages.view),
    costs: order.hasAmounts && order.costs !== null,
  }
  const offered = tabs.filter((name) => isOffered[name] ?? true)
  const shown = offered.find((name) => name === tab) ?? 'lines'
  const done = order.checks.filter(({ isDone }) => isDone).length
  const bodies: Readonly<Record<Tab, () => ReactNode>> = {
    lines: () => <OrderDocument order={order} />,
    hire: () => (order.hasAmounts ? <OrderHire order={order} /> : null),
    changes: () => (order.hasAmounts ? <OrderChanges order={order} /> : null),
    people: () => <OrderPeople order={order} />,
    checklist: () => <OrderChecklist order={order} />,
    costs: () => (order.hasAmounts && order.costs ? <OrderCosts order={{ ...order, costs: order.costs }} /> : null),
    messages: () => <Thread about={{ by: 'orderGuid', guid: order.guid }} />,
    notes: () => <OrderNotes order={order} />,
    activity: () => <RecordTimeline op={ordersApi.timeline} guid={order.guid} />,
  }
  const label = (name: Tab) => {
    if (name === 'messages') return t('compose:thread.title')
    return name === 'checklist' && order.checks.length > 0
      ? t('orders:tabs.checked', { done, all: order.checks.length })
      : t(`orders:tabs.${name}`)
  }
  return (
    <Tabs
      value={shown}
      keepMounted={false}
      onChange={(next) =>
        void navigate({ to: '.', search: next === 'lines' ? {} : { tab: next }, replace: true, resetScroll: false })
      }
    >
      <Tabs.List aria-label={t('orders:tabs.title')} className="no-print order-tabs">
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
  )
}
