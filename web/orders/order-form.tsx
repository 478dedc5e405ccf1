import type { z } from 'zod'
import { orderInput, type Order } from '../../contract/orders.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateField, TextAreaField, TextField } from '../core/ui/fields.tsx'
import { DocumentForm } from '../lines/document-form.tsx'
import { emptyDocument, valuesOfDocument, type Defaults, type DocumentValues } from '../lines/document-values.ts'

export type OrderValues = DocumentValues & { scheduledOn: string | null; customerReference: string }
type Sent = z.output<typeof orderInput>

export const emptyOrder = (business: Defaults, customerGuid: string | null): OrderValues => ({
  ...emptyDocument(business, customerGuid),
  scheduledOn: null,
  customerReference: '',
})

export const valuesOfOrder = (order: Order): OrderValues => ({
  ...valuesOfDocument(order),
  scheduledOn: order.scheduledOn,
  customerReference: order.customerReference ?? '',
})

const toInput = ({ customerReference, ...rest }: OrderValues) => ({
  ...rest,
  customerReference: customerReference.trim() || null,
})

export interface OrderFormProps {
  defaults: OrderValues
  business: Defaults
  save: (input: Sent) => Promise<unknown>
  customerName?: string
  isNew?: boolean
  isCustomerFixed?: boolean
  linesNote?: string
}

export function OrderForm({
  defaults,
  business,
  save,
  customerName,
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
      isCustomerFixed={isCustomerFixed}
      customerName={customerName}
      isNew={isNew}
      linesNote={linesNote}
      details={(control) => (
        <>
          <DateField control={control} name="scheduledOn" label={t('orders:scheduledOn')} />
          <TextField
            control={control}
            name="customerReference"
            label={t('orders:customerReference')}
            description={t('orders:customerReferenceHint')}
            maxLength={80}
          />
        </>
      )}
      texts={(control) => (
        <Card title={t('orders:texts')}>
          <TextAreaField
            control={control}
            name="internalNotes"
            label={t('orders:internalNotes')}
            description={t('orders:internalNotesHint')}
            maxLength={4000}
          />
        </Card>
      )}
    />
  )
}
