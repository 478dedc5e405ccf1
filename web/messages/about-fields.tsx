import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { customersApi } from '../../contract/customers.ts'
import { invoicesApi } from '../../contract/invoices.ts'
import { messageSubjects, type MessageSubject } from '../../contract/message-writes.ts'
import { ordersApi } from '../../contract/orders.ts'
import { quotesApi } from '../../contract/quotes.ts'
import { useMay } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { LookupInput } from '../core/ui/lookup.tsx'
import type { About } from './about.ts'

interface ChoiceProps {
  guid: string | null
  label: string
  onPick: (guid: string) => void
}
const pick = (onPick: (guid: string) => void) => (guid: string | null) => (guid ? onPick(guid) : undefined)

function Customer({ guid, label, onPick }: ChoiceProps) {
  const chosen = useRead(customersApi.get, { guid: guid ?? '' }, { enabled: guid !== null }).data?.customer
  return (
    <LookupInput
      op={customersApi.list}
      input={{ sort: 'displayName' }}
      option={(one) => ({ value: one.guid, label: one.displayName, hint: one.email ?? '' })}
      chosen={chosen ? { value: chosen.guid, label: chosen.displayName } : null}
      label={label}
      value={guid}
      onChange={pick(onPick)}
      required
      autoFocus={guid === null}
    />
  )
}

const named = (number: string | null, title: string) => (number ? `${number} · ${title}` : title)

function Quote({ guid, label, onPick }: ChoiceProps) {
  const chosen = useRead(quotesApi.get, { guid: guid ?? '' }, { enabled: guid !== null }).data?.quote
  return (
    <LookupInput
      op={quotesApi.list}
      input={{ sort: '-createdAt' }}
      option={(one) => ({ value: one.guid, label: named(one.number, one.title), hint: one.customerName })}
      chosen={chosen ? { value: chosen.guid, label: named(chosen.number, chosen.title) } : null}
      label={label}
      value={guid}
      onChange={pick(onPick)}
      required
      autoFocus={guid === null}
    />
  )
}

function Order({ guid, label, onPick }: ChoiceProps) {
  const chosen = useRead(ordersApi.get, { guid: guid ?? '' }, { enabled: guid !== null }).data?.order
  return (
    <LookupInput
      op={ordersApi.list}
      input={{ sort: '-createdAt' }}
      option={(one) => ({ value: one.guid, label: named(one.number, one.title), hint: one.customerName })}
      chosen={chosen ? { value: chosen.guid, label: named(chosen.number, chosen.title) } : null}
      label={label}
      value={guid}
      onChange={pick(onPick)}
      required
      autoFocus={guid === null}
    />
  )
}

function Invoice({ guid, label, onPick }: ChoiceProps) {
  const chosen = useRead(invoicesApi.get, { guid: guid ?? '' }, { enabled: guid !== null }).data?.invoice
  return (
    <LookupInput
      op={invoicesApi.list}
      input={{ sort: '-createdAt' }}
      option={(one) => ({ value: one.guid, label: named(one.number, one.title), hint: one.customerName })}
      chosen={chosen ? { value: chosen.guid, label: named(chosen.number, chosen.title) } : null}
      label={label}
      value={guid}
      onChange={pick(onPick)}
      required
      autoFocus={guid === null}
    />
  )
}

const choices = {
  customerGuid: { Choice: Customer, op: customersApi.list },
  quoteGuid: { Choice: Quote, op: quotesApi.list },
  orderGuid: { Choice: Order, op: ordersApi.list },
  invoiceGuid: { Choice: Invoice, op: invoicesApi.list },
} as const satisfies Record<MessageSubject, object>

/** Whom or what a message is about: a customer as a whole, or one document. */
export function AboutFields({ about, onPick }: { about: About | null; onPick: (about: About) => void }) {
  const t = useT('compose')
  const may = useMay()
  const offered = messageSubjects.filter((by) => may(choices[by].op))
  const [by, setBy] = useState<MessageSubject>(about?.by ?? offered[0] ?? 'customerGuid')
  const { Choice } = choices[by]
  return (
    <div className="stack" style={{ '--gap': '0.5rem' } as React.CSSProperties}>
      <SegmentedControl
        aria-label={t('compose:about.kind')}
        value={by}
        onChange={(next) => setBy(next as MessageSubject)}
        data={offered.map((value) => ({ value, label: t(`compose:about.${value}`) }))}
      />
      <Choice
        key={by}
        guid={about?.by === by ? about.guid : null}
        label={t(`compose:about.${by}`)}
        onPick={(guid) => onPick({ by, guid })}
      />
    </div>
  )
}
