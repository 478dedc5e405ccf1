import { lazy, Suspense, useState } from 'react'
import { customersApi } from '../../contract/customers.ts'
import { inboundApi } from '../../contract/inbound.ts'
import type { Message } from '../../contract/messages.ts'
import { nounOfKind, searchApi } from '../../contract/search.ts'
import { useCan } from '../core/api/can.ts'
import { useRead, useWrite } from '../core/api/hooks.ts'
import { useErrorText } from '../core/i18n/errors.ts'
import { useT } from '../core/i18n/i18n.ts'
import { ComboInput, useSearchText } from '../core/ui/combo-input.tsx'
import type { ComboOption } from '../core/ui/combo-list.tsx'
import { toast } from '../core/ui/toast.tsx'
import { AskDialog } from '../record/ask-dialog.tsx'
import { addressIn, nameIn } from './senders.ts'

const QuickCustomer = lazy(() => import('../lines/quick-customer.tsx').then((m) => ({ default: m.QuickCustomer })))

const fields = { Customers: 'customerGuid', Quotes: 'quoteGuid', Orders: 'orderGuid', Invoices: 'invoiceGuid' } as const
const kinds = 'customers,quotes,orders,invoices'
const isPlace = (noun: string): noun is keyof typeof fields => Object.hasOwn(fields, noun)
const newCustomer = '\u0000new'

interface Place {
  guid: string
  label: string
  by: (typeof fields)[keyof typeof fields]
}

/** Files an email that came in under a customer or a document, whichever the search finds, or under a new customer. */
export function FileUnderDialog({ message, onClose }: { message: Message; onClose: () => void }) {
  const t = useT('inbound')
  const [chosen, setChosen] = useState<Place | null>(null)
  const [creating, setCreating] = useState<string | null>(null)
  const assign = useWrite(inboundApi.assign, {
    onSuccess: ({ filedUnder }) => {
      toast.success(t('inbound:file.done', { name: filedUnder ?? '' }))
      onClose()
    },
  })
  const { guid, version, from, businessGuid } = message
  return (
    <AskDialog
      title={t('inbound:file.title')}
      action={t('inbound:file.action')}
      error={assign.error}
      isBusy={assign.isPending}
      isBlocked={chosen === null}
      onClose={onClose}
      onAsk={() => (chosen ? assign.mutate({ guid, version, [chosen.by]: chosen.guid }) : undefined)}
    >
      <p className="muted no-margin">{t('inbound:file.text')}</p>
      <PlaceInput business={businessGuid} chosen={chosen} onChoose={setChosen} onCreate={setCreating} />
      {creating === null ? null : (
        <Suspense>
          <QuickCustomer
            name={creating || nameIn(from)}
            email={addressIn(from)}
            onClose={() => setCreating(null)}
            onCreated={(made) => setChosen({ guid: made.guid, label: made.displayName, by: 'customerGuid' })}
          />
        </Suspense>
      )}
    </AskDialog>
  )
}

interface PlaceInputProps {
  business: string
  chosen: Place | null
  onChoose: (place: Place | null) => void
  /** Asks for a new customer; called like what was typed. */
  onCreate: (typed: string) => void
}

function PlaceInput({ business, chosen, onChoose, onCreate }: PlaceInputProps) {
  const t = useT('inbound', 'lines')
  const text = useErrorText()
  const mayCreate = useCan(customersApi.create)
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { search, isSettled, hurry } = useSearchText(chosen ? '' : typed.trim())
  const isLong = search.length >= 2
  const found = useRead(searchApi.all, { q: search, kinds, business }, { enabled: isOpen && isLong, keep: true })
  const places = (isLong ? (found.data?.groups ?? []) : []).flatMap(({ items }) =>
    items.flatMap(({ kind, guid, label, detail }) => {
      const noun = nounOfKind(kind)
      return noun && isPlace(noun) ? [{ guid, label, detail, by: fields[noun] }] : []
    }),
  )
  const options: ComboOption[] = places.map(({ guid, label, detail }) => ({ value: guid, label, hint: detail }))
  const named = typed.trim()
  if (mayCreate)
    options.push({
      value: newCustomer,
      label: named ? t('lines:newCustomerNamed', { name: named }) : t('lines:newCustomer'),
      isAction: true,
    })
  const pick = (value: string) => {
    if (value === newCustomer) return onCreate(named)
    const place = places.find(({ guid }) => guid === value)
    if (place) onChoose(place)
  }
  return (
    <ComboInput
      label={t('inbound:file.search')}
      listLabel={t('inbound:file.found')}
      placeholder={t('inbound:file.placeholder')}
      required
      maxLength={100}
      text={chosen?.label ?? typed}
      onText={(next) => {
        setTyped(next)
        onChoose(null)
      }}
      options={options}
      chosen={chosen?.guid ?? null}
      onPick={pick}
      isOpen={isOpen}
      onOpen={setOpen}
      isCurrent={isSettled && (!isLong || !found.isPlaceholderData) && (!isLong || !found.isPending)}
      onHurry={hurry}
      nothing={t('inbound:file.none')}
      error={found.error ? text(found.error) : undefined}
      data-autofocus
    />
  )
}
