import type { z } from 'zod'
import { orderInput, type Order } from '../../contract/orders.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DocumentForm } from '../lines/document-form.tsx'
import { documentRows } from '../lines/document-fields.tsx'
import { AssignedField } from './assigned-field.tsx'
import { JobTypeField } from '../lines/job-type-field.tsx'
import { emptyDocument, valuesOfDocument, type Defaults, type DocumentValues } from '../lines/document-values.ts'
import type { Fields } from '../record/record-facts.tsx'
import { PlainField } from '../record/plain-field.tsx'
import type { SaveRecord } from '../record/record-form.tsx'

export type OrderValues = DocumentValues & {
  scheduledOn: string | null
  jobTypeGuid: string | null
  assignedGuid: string | null
  customerReference: string
}
type Sent = z.output<typeof orderInput>

/** What is known of an order, in the order of the form. */
export const orderFields: Fields<Sent> = {
  schema: orderInput,
  rows: {
    ...documentRows,
    scheduledOn: { label: 'orders:scheduledOn' },
    jobTypeGuid: { label: 'common:jobType', show: (_guid, _say, { jobType }) => (jobType as Order['jobType'])?.label },
    customerReference: { label: 'orders:customerReference', hint: 'orders:customerReferenceHint' },
    assignedGuid: { label: 'orders:assignedTo', show: (_guid, _say, { assigned }) => nameOf(assigned) },
    internalNotes: { label: 'orders:internalNotes', hint: 'orders:internalNotesHint' },
  },
}
const nameOf = (person: unknown) => (person as { name: string } | null)?.name

export const emptyOrder = (business: Defaults, customerGuid: string | null): OrderValues => ({
  ...emptyDocument(business, customerGuid),
  scheduledOn: null,
  jobTypeGuid: null,
  assignedGuid: null,
  customerReference: '',
})

export const valuesOfOrder = (order: Order): OrderValues => ({
  ...valuesOfDocument(order),
  scheduledOn: order.scheduledOn,
  jobTypeGuid: order.jobTypeGuid,
  assignedGuid: order.assignedGuid,
  customerReference: order.customerReference ?? '',
})

const toInput = ({ customerReference, ...rest }: OrderValues) => ({
  ...rest,
  customerReference: customerReference.trim() || null,
})

export interface OrderFormProps {
  defaults: OrderValues
  business: Defaults
  save: SaveRecord<Sent>
  customerName?: string
  /** The kind of job it has now, by name. */
  jobType?: Order['jobType']
  /** Who does the work now. */
  assigned?: Order['assigned']
  isNew?: boolean
  isCustomerFixed?: boolean
  linesNote?: string
}

export function OrderForm({
  defaults,
  business,
  save,
  customerName,
  jobType = null,
  assigned = null,
  isNew = false,
  isCustomerFixed = false,
  linesNote,
}: OrderFormProps) {
  const t = useT('orders')
  return (
    <DocumentForm<OrderValues, Sent>
      defaults={defaults}
      schema={orderInput}
      input={toInput}
      save={save}
      saveLabel={t('orders:save')}
      isRegistered={business.gstRegistered}
      receives="receivesInvoices"
      isCustomerFixed={isCustomerFixed}
      customerName={customerName}
      isNew={isNew}
      linesNote={linesNote}
      details={(control, editing) => (
        <>
          <PlainField of={orderFields} control={control} name="scheduledOn" />
          <PlainField of={orderFields} control={control} name="customerReference" />
          <AssignedField control={control} name="assignedGuid" chosen={assigned} />
          <JobTypeField
            editing={editing}
            isRegistered={business.gstRegistered}
            chosen={jobType}
            isReplaceable={linesNote === undefined}
          />
        </>
      )}
      texts={(control) => (
        <Card title={t('orders:texts')}>
          <PlainField of={orderFields} control={control} name="internalNotes" />
        </Card>
      )}
    />
  )
}
