import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { localDay } from '../../contract/core/dates.ts'
import { documentProblems } from '../../contract/invoice-rules.ts'
import { invoiceInput, type Invoice } from '../../contract/invoices.ts'
import { useFormat } from '../core/i18n/format.ts'
import { useT } from '../core/i18n/i18n.ts'
import { Card } from '../core/ui/card.tsx'
import { NumberField } from '../core/ui/fields.tsx'
import { documentRows } from '../lines/document-fields.tsx'
import { DocumentForm } from '../lines/document-form.tsx'
import { emptyDocument, valuesOfDocument, type Defaults, type DocumentValues } from '../lines/document-values.ts'
import { isBlank, priced } from '../lines/line-state.ts'
import type { Fields } from '../record/record-facts.tsx'
import { PlainField } from '../record/plain-field.tsx'
import type { SaveRecord } from '../record/record-form.tsx'
import { ProblemList } from './problem-list.tsx'

export type InvoiceValues = DocumentValues & { termsDays: number | null; reference: string; notes: string }
type Sent = z.output<typeof invoiceInput>

/** What is known of an invoice, in the order of the form. */
export const invoiceFields: Fields<Sent> = {
  schema: invoiceInput,
  rows: {
    ...documentRows,
    termsDays: { label: 'invoices:termsDays' },
    reference: { label: 'invoices:reference', hint: 'invoices:referenceHint' },
    notes: { label: 'invoices:notes' },
    internalNotes: { label: 'invoices:internalNotes', hint: 'invoices:internalNotesHint' },
  },
}

export const emptyInvoice = (business: Defaults, customerGuid: string | null): InvoiceValues => ({
  ...emptyDocument(business, customerGuid),
  termsDays: null,
  reference: '',
  notes: business.invoiceNotes ?? '',
})

export const valuesOfInvoice = (invoice: Invoice): InvoiceValues => ({
  ...valuesOfDocument(invoice),
  termsDays: invoice.termsDays,
  reference: invoice.reference ?? '',
  notes: invoice.notes ?? '',
})

const toInput = ({ reference, notes, termsDays, ...rest }: InvoiceValues) => ({
  ...rest,
  ...(termsDays === null ? {} : { termsDays }),
  reference: reference.trim() || null,
  notes: notes || null,
})

/** The rules of Australian invoices, checked while typing. The buyer is taken as named once a customer is chosen. */
function problemsOf(values: InvoiceValues, business: Defaults, today: string) {
  const lines = values.lines.filter((line) => !isBlank(line))
  const totals = priced(lines, values)
  if (!totals) return []
  return documentProblems({
    supplier: { abn: business.abn, gstRegistered: business.gstRegistered },
    buyer: values.customerGuid ? { name: values.customerGuid, abn: null } : null,
    lines: totals.all.map((line, index) => ({
      kind: line.kind,
      name: line.name,
      gstCode: line.gstCode,
      description: 'description' in line ? line.description : null,
      gstCents: totals.lines[index]?.gstCents ?? 0,
      totalCents: totals.lines[index]?.totalCents ?? 0,
    })),
    totals: totals.totals,
    issueOn: today,
    texts: [values.notes],
  })
}

export interface InvoiceFormProps {
  defaults: InvoiceValues
  business: Defaults
  save: SaveRecord<Sent>
  customerName?: string
  isNew?: boolean
  /** The invoice as drafted from an order, and how its lines are shown: they are changed there. */
  fromOrder?: { invoice: Invoice; lines: ReactNode } | undefined
}

export function InvoiceForm({ defaults, business, save, customerName, isNew = false, fromOrder }: InvoiceFormProps) {
  const t = useT('invoices')
  const { zone } = useFormat()
  const [today] = useState(() => localDay(new Date().toISOString(), zone))
  return (
    <DocumentForm<InvoiceValues, Sent>
      defaults={defaults}
      schema={invoiceInput}
      input={toInput}
      save={save}
      saveLabel={t('invoices:saveDraft')}
      isRegistered={business.gstRegistered}
      receives="receivesInvoices"
      customerName={customerName}
      isNew={isNew}
      isCustomerFixed={fromOrder !== undefined}
      {...(fromOrder
        ? {
            linesNote: t('invoices:fromOrder'),
            fixedLines: fromOrder.lines,
          }
        : {})}
      details={(control) => (
        <>
          <NumberField
            control={control}
            name="termsDays"
            label={t('invoices:termsDays')}
            placeholder={String(business.defaultTermsDays)}
            maxDigits={3}
          />
          <PlainField of={invoiceFields} control={control} name="reference" />
        </>
      )}
      texts={(control) => (
        <Card title={t('invoices:texts')}>
          <div className="stack">
            <PlainField of={invoiceFields} control={control} name="notes" />
            <PlainField of={invoiceFields} control={control} name="internalNotes" />
          </div>
        </Card>
      )}
      rail={(values) => <ProblemList problems={fromOrder?.invoice.problems ?? problemsOf(values, business, today)} />}
    />
  )
}
