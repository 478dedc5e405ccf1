import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { Control } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import { creditOverride, customersApi, type Customer } from '../../contract/customers.ts'
import { useCan } from '../core/api/can.ts'
import { useRead } from '../core/api/hooks.ts'
import { useT } from '../core/i18n/i18n.ts'
import { SelectField } from '../core/ui/fields.tsx'
import { isInField } from '../core/ui/focus-back.ts'
import { LookupField, type LookupOption } from '../core/ui/lookup.tsx'
import { DocumentBanner } from './document-banner.tsx'
import type { DocumentValues } from './document-values.ts'

const QuickCustomer = lazy(() => import('./quick-customer.tsx').then((module) => ({ default: module.QuickCustomer })))

export interface PartyFieldsProps {
  control: Control<DocumentValues>
  customerName?: string | undefined
  isFixed: boolean
  isNew: boolean
  isCopy: boolean
  receives: DocumentsReceived
  setValue: (name: 'customerGuid' | 'contactGuid' | 'siteGuid', value: string | null) => void
}

/** Which documents a contact wants to get. */
export type DocumentsReceived = 'receivesQuotes' | 'receivesInvoices'

/** The contact such a document goes to unless another one is chosen, and the site when there is no choice. */
function presetOf({ contacts, sites }: Customer, receives: DocumentsReceived) {
  const receiving = contacts.filter((contact) => contact[receives])
  const contact = receiving.find((one) => one.isPrimary) ?? (receiving.length === 1 ? receiving[0] : undefined)
  return { contact, site: sites.length === 1 ? sites[0] : undefined }
}

/** Who the document is for: customer, and the contact and site that belong to the customer. */
export function PartyFields(props: PartyFieldsProps) {
  const { control, customerName, isFixed, isNew, isCopy, receives, setValue } = props
  const t = useT('lines')
  const customerGuid = useWatch({ control, name: 'customerGuid' })
  const [known, setKnown] = useState<LookupOption | null>(
    customerGuid && customerName ? { value: customerGuid, label: customerName } : null,
  )
  const [creating, setCreating] = useState<string | null>(null)
  const [before] = useState(customerGuid)
  const customer = useRead(customersApi.get, { guid: customerGuid ?? '' }, { enabled: Boolean(customerGuid) })
  const mayCreate = useCan(customersApi.create)
  // Of a customer who was just chosen, or who came with the address; what is saved without them stays so.
  const [isPresetWanted, setPresetWanted] = useState(isNew && customerGuid !== null)
  const found = customer.data?.customer
  const preset = useEffectEvent(() => {
    if (!isPresetWanted || !found || found.guid !== customerGuid) return
    setPresetWanted(false)
    const { contact, site } = presetOf(found, receives)
    if (contact) setValue('contactGuid', contact.guid)
    if (site) setValue('siteGuid', site.guid)
  })
  useEffect(() => preset(), [found, isPresetWanted])
  const contacts = customer.data?.customer.contacts ?? []
  const sites = customer.data?.customer.sites ?? []
  const chosen =
    known?.value === customerGuid
      ? known
      : customer.data
        ? { value: customer.data.customer.guid, label: customer.data.customer.displayName }
        : known
  const forget = () => {
    setValue('contactGuid', null)
    setValue('siteGuid', null)
    setPresetWanted(true)
  }
  return (
    <>
      <LookupField
        control={control}
        name="customerGuid"
        label={t('lines:customer')}
        op={customersApi.list}
        input={{ sort: 'displayName' }}
        option={(item) => ({
          value: item.guid,
          label: item.displayName,
          hint: [item.isOnHold ? t('lines:onHold') : null, item.email, item.suburb].filter(Boolean).join(' · '),
        })}
        chosen={chosen}
        isRequired
        isDisabled={isFixed}
        {...(mayCreate && !isFixed ? { placeholder: t('lines:customerPlaceholder') } : {})}
        autoFocus={!isInField() && (isCopy || (isNew && !customerName && customerGuid === null))}
        onPick={forget}
        {...(mayCreate && !isFixed
          ? {
              onCreate: (typed: string) => setCreating(typed),
              createLabel: (typed: string) =>
                typed ? t('lines:newCustomerNamed', { name: typed }) : t('lines:newCustomer'),
            }
          : {})}
      />
      {!isNew && customerGuid !== null && customerGuid !== before ? (
        <p className="muted small no-margin" role="status">
          {t(receives === 'receivesQuotes' ? 'lines:pricesStayOfQuote' : 'lines:pricesStay')}
        </p>
      ) : null}
      {found?.guid === customerGuid && found?.terms.isOnHold ? <OnHold customer={found} /> : null}
      {contacts.length || sites.length ? (
        <div className="grid-2" style={{ '--gap': '1rem' } as React.CSSProperties}>
          {contacts.length ? (
            <SelectField
              control={control}
              name="contactGuid"
              label={t('lines:contact')}
              isClearable
              options={contacts.map((c) => ({ value: c.guid, label: c.email ? `${c.name} · ${c.email}` : c.name }))}
            />
          ) : null}
          {sites.length ? (
            <SelectField
              control={control}
              name="siteGuid"
              label={t('lines:site')}
              isClearable
              options={sites.map((s) => ({
                value: s.guid,
                label: `${s.name} · ${s.address.line1}, ${s.address.suburb}`,
              }))}
            />
          ) : null}
        </div>
      ) : null}
      {creating === null ? null : (
        <Suspense>
          <QuickCustomer
            name={creating}
            onClose={() => setCreating(null)}
            onCreated={(made) => {
              setKnown({ value: made.guid, label: made.displayName })
              setValue('customerGuid', made.guid)
              forget()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

/** Said before anything is filled in: an order of theirs is refused in the end, or goes on account all the same. */
function OnHold({ customer: { displayName, terms } }: { customer: Customer }) {
  const t = useT('lines')
  const mayOverride = useCan(creditOverride)
  return (
    <DocumentBanner tone="warning">
      <strong>{t('lines:onCreditHold', { name: displayName })}</strong>
      {terms.holdReason ? <span>{terms.holdReason}</span> : null}
      <span>{mayOverride ? t('lines:holdOverride') : t('lines:holdAsk')}</span>
    </DocumentBanner>
  )
}
