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
/** What is chosen when the field is drawn, which is not among what was searched. */
const nowOf = ({ guid }: ChoiceProps) => [{ guid: guid ?? '' }, { enabled: guid !== null }] as const
const fieldOf = ({ guid, label, onPick }: ChoiceProps) => ({
  label,
  value: guid,
  onChange: (next: string | null) => (next ? onPick(next) : undefined),
  required: true,
  autoFocus: guid === null,
})

function Customer(props: ChoiceProps) {
  const chosen = useRead(customersApi.get, ...nowOf(props)).data?.customer
  return (
    <LookupInput
      {...fieldOf(props)}
      op={customersApi.list}
      input={{ sort: 'displayName' }}
      option={(one) => ({ value: one.guid, label: one.displayName, hint: one.email ?? '' })}
      chosen={chosen ? { value: chosen.guid, label: chosen.displayName } : null}
    />
  )
}

interface Numbered {
  guid: string
  number: string | null
  title: string
}
const numbered = ({ guid, number, title }: Numbered) => ({
  value: guid,
  label: number ? `${number} · ${title}` : title,
})
const documents = {
  input: { sort: '-createdAt' },
  option: (one: Numbered & { customerName: string }) => ({ ...numbered(one), hint: one.customerName }),
} as const

function Quote(props: ChoiceProps) {
  const chosen = useRead(quotesApi.get, ...nowOf(props)).data?.quote
  return (
    <LookupInput {...fieldOf(props)} {...documents} op={quotesApi.list} chosen={chosen ? numbered(chosen) : null} />
  )
}

function Order(props: ChoiceProps) {
  const chosen = useRead(ordersApi.get, ...nowOf(props)).data?.order
  return (
    <LookupInput {...fieldOf(props)} {...documents} op={ordersApi.list} chosen={chosen ? numbered(chosen) : null} />
  )
}

function Invoice(props: ChoiceProps) {
  const chosen = useRead(invoicesApi.get, ...nowOf(props)).data?.invoice
  return (
    <LookupInput {...fieldOf(props)} {...documents} op={invoicesApi.list} chosen={chosen ? numbered(chosen) : null} />
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
