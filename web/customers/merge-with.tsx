import { useState } from 'react'
import { customersApi, type Customer } from '../../contract/customers.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Dialog } from '../core/ui/dialog.tsx'
import { LookupInput } from '../core/ui/lookup.tsx'
import { MergeDialog } from './merge-dialog.tsx'

/** Chooses the other of two customers who are one, and then asks what stays. */
export function MergeWith({
  customer,
  onClose,
}: {
  customer: Pick<Customer, 'guid' | 'displayName'>
  onClose: () => void
}) {
  const t = useT('customers')
  const [other, setOther] = useState<string | null>(null)
  if (other) return <MergeDialog keepGuid={customer.guid} fromGuid={other} onClose={onClose} />
  return (
    <Dialog title={t('customers:merge.with', { name: customer.displayName })} size="lg" onClose={onClose}>
      <LookupInput
        op={customersApi.list}
        label={t('customers:merge.other')}
        description={t('customers:merge.otherHint', { name: customer.displayName })}
        option={(item) => ({
          value: item.guid,
          label: item.displayName,
          hint: [item.suburb, item.email].filter(Boolean).join(' · '),
        })}
        value={other}
        onChange={setOther}
        isOffered={(item) => item.guid !== customer.guid}
        autoFocus
      />
    </Dialog>
  )
}
