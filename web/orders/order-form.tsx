import type { z } from 'zod'
import type { businessesApi } from '../../contract/businesses.ts'
import { orderInput, type Order } from '../../contract/orders.ts'
import type { Answer } from '../core/api/types.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { DateField, TextAreaField, TextField } from '../core/ui/fields.tsx'
import { DocumentForm, type DocumentValues } from '../lines/document-form.tsx'
import { editorLines, newLine, sentLines } from '../lines/line-state.ts'

export type Defaults = Answer<typeof businessesApi.current>['business']
export type OrderValues = DocumentValues & { scheduledOn: string | null; customerReference: string }
type Sent = z.output<typeof orderInput>

export const emptyOrder = (business: Defaults, customerGuid: string | null): OrderValues => ({
  customerGuid,
  contactGuid: null,
  siteGuid: null,
  title: '',
  priceMode: business.defaultPriceMode,
  roundingRule: business.roundingRule,
  discount: null,
  scheduledOn: null,
  customerReference: '',
  internalNotes: '',
  lines: [newLine('item', business.gstRegistered ? 'GST' : 'NOT_REGISTERED')],
})

export const valuesOfOrder = (order: Order): OrderValues => ({
  customerGuid: order.customerGuid,
  contactGuid: order.contactGuid,
  siteGuid: order.siteGuid,
  title: order.title,
  priceMode: order.priceMode,
  roundingRule: order.roundingRule,
  discount: order.discount,
  scheduledOn: order.scheduledOn,
  customerReference: order.customerReference ?? '',
  internalNotes: order.internalNotes ?? '',
  lines: order.lines.length ? editorLines(order.lines) : [newLine()],
})

const toInput = ({ lines, customerReference, internalNotes, ...rest }: OrderValues) => ({ ...rest, lines: sentLines(lines), customerReference: customerReference.trim() || null, internalNotes: internalNotes || null })

export interface OrderFormProps {
  defaults: OrderValues
  business: Defaults
  save: (input: Sent) => Promise<unknown>
  customerName?: string
  isCustomerFixed?: boolean
  linesNote?: string
}

export function OrderForm({ defaults, business, save, customerName, isCustomerFixed = false, linesNote }: OrderFormProps) {
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
      linesNote={linesNote}
      details={(control) => (
        <div className="grid-2" style={{ '--gap': '1rem' } as React.CSSProperties}>
          <DateField control={control} name="scheduledOn" label={t('orders:scheduledOn')} />
          <TextField control={control} name="customerReference" label={t('orders:customerReference')} description={t('orders:customerReferenceHint')} maxLength={80} />
        </div>
      )}
      texts={(control) => (
        <Card title={t('orders:texts')}>
          <TextAreaField control={control} name="internalNotes" label={t('orders:internalNotes')} description={t('orders:internalNotesHint')} maxLength={4000} />
        </Card>
      )}
    />
  )
}
